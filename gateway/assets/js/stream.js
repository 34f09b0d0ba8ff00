/**
 * The events of a set as they come: without a gap, whatever happens to the connection.
 *
 * The browser's `EventSource` connects again by itself and says which event it saw last. What it cannot do is done here:
 * to begin again where the server no longer keeps what is asked for, to come back after an answer that it takes for
 * final, and to stop when the set has ended.
 */

const NAMES = [
  "snapshot", "move", "round", "game_started", "game_finished", "set_finished", "clock_credited", "paused", "resumed",
];
/** Before a new connection after one that the browser gave up. */
const RETRY_MS = 3000;

/**
 * Follows a set from its first event to its last.
 *
 * @param {string} setId
 * @param {(name: string, data: any) => void} onEvent
 * @param {(connected: boolean) => void} onConnection
 */
export function follow(setId, onEvent, onConnection) {
  let lastId = "0";
  /** @type {EventSource} */
  let source;
  const connect = (/** @type {string | null} */ after) => {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    source = new EventSource(`/v1/sets/${setId}/events${query}`);
    source.onopen = () => onConnection(true);
    source.onerror = () => lost();
    for (const name of NAMES) source.addEventListener(name, (event) => taken(name, event));
    source.addEventListener("reset", () => restart(null));
  };
  const taken = (/** @type {string} */ name, /** @type {MessageEvent} */ event) => {
    if (event.lastEventId) lastId = event.lastEventId;
    onEvent(name, JSON.parse(event.data));
    if (name === "set_finished") source.close();
  };
  const restart = (/** @type {string | null} */ after) => {
    source.close();
    connect(after);
  };
  const lost = () => {
    onConnection(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => restart(lastId), RETRY_MS);
  };
  connect(lastId);
}
