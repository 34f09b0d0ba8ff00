/**
 * What clocks show: the platform's time from this machine's, and what a seat has left of it.
 *
 * Pure: the time is an argument. Flags fall on the server; nothing here ends a game.
 */

/**
 * Keeps how far the platform's clock is ahead of ours. An answer is never early, so the largest difference seen is the
 * one with the least delay in it.
 */
export class ServerTime {
  #aheadMs = -Infinity;

  /** @param {string} serverTime RFC 3339 @param {number} nowMs our clock when it arrived */
  observe(serverTime, nowMs) {
    const ahead = Date.parse(serverTime) - nowMs;
    if (ahead > this.#aheadMs) this.#aheadMs = ahead;
  }

  /** The platform's clock. @param {number} nowMs our clock @returns {number} */
  at(nowMs) {
    return this.#aheadMs === -Infinity ? nowMs : nowMs + this.#aheadMs;
  }
}

/**
 * @typedef {object} Reading
 * @property {number | null} remainingMs what the seat's clock shows; null when it has none
 * @property {boolean} running whether it is counting down
 * @property {number | null} firstMoveMs time left for a first move, which is not charged to the clock
 */

/** A difference below this many milliseconds is no sign of a deadline of another kind. */
const TOLERANCE_MS = 2000;

/**
 * What the clock of a seat shows.
 *
 * @param {any} state a game state
 * @param {number} seat 1 or 2
 * @param {number} serverMs the platform's clock
 * @returns {Reading}
 */
export function reading(state, seat, serverMs) {
  const charged = state.clocks ? state.clocks[seat].remaining_ms : null;
  const running = state.status === "active" && state.deadline !== null && state.to_move.includes(seat);
  if (!running) return { remainingMs: charged, running: false, firstMoveMs: null };
  const leftMs = Math.max(0, Date.parse(state.deadline) - serverMs);
  if (charged !== null && isFirstMove(state, charged)) {
    return { remainingMs: charged, running: true, firstMoveMs: leftMs };
  }
  return { remainingMs: leftMs, running: true, firstMoveMs: null };
}

/** Whether the deadline is that of a first move: it then does not follow from what the clock has left. */
function isFirstMove(/** @type {any} */ state, /** @type {number} */ chargedMs) {
  if (state.last_move === null) return true;
  if (state.ply > 2) return false;
  const fromClock = Date.parse(state.last_move.at) + chargedMs;
  return Math.abs(Date.parse(state.deadline) - fromClock) > TOLERANCE_MS;
}

/** A duration for people: `1:05`, and tenths in the last ten seconds. @param {number} ms @returns {string} */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
