/**
 * A set as its events tell it: every game, every position that was reached, and where the set stands.
 *
 * Pure: events in, state out. Not here: the stream, and anything on the page.
 */

/**
 * One game: the positions known so far, by plies played.
 *
 * @typedef {object} Line
 * @property {number} number
 * @property {any[]} states game states by ply; holes where the stream began later
 */

export class History {
  /** @type {Map<number, Line>} */
  #lines = new Map();
  /** @type {any} the set without its games */
  set = null;

  /** @param {string} setId */
  constructor(setId = "") {
    this.setId = setId;
  }

  /** Whether the set has ended. */
  get isOver() {
    return this.set !== null && this.set.status !== "active";
  }

  /** @returns {Line[]} in order */
  get games() {
    return [...this.#lines.values()].sort((one, other) => one.number - other.number);
  }

  /** @param {number} number @returns {Line | undefined} */
  game(number) {
    return this.#lines.get(number);
  }

  /** The game that is played, or was last. @returns {number} */
  get current() {
    return Math.max(1, ...this.#lines.keys());
  }

  /** The last known state of a game. @param {number} number @returns {any} */
  latest(number) {
    return this.#lines.get(number)?.states.at(-1) ?? null;
  }

  /** The position after so many plies; null where it is not known. @param {number} number @param {number} ply */
  at(number, ply) {
    return this.#lines.get(number)?.states[ply] ?? null;
  }

  /** The first ply whose position is known. @param {number} number @returns {number} */
  firstKnown(number) {
    const states = this.#lines.get(number)?.states ?? [];
    const first = states.findIndex((state) => state !== undefined);
    return Math.max(0, first);
  }

  /** Plies of a game from the start. @param {number} number @param {number} ply @returns {any[] | null} */
  moves(number, ply) {
    const states = this.#lines.get(number)?.states.slice(1, ply + 1) ?? [];
    const moves = Array.from(states, (state) => state?.last_move?.move);
    return moves.some((move) => move === undefined) ? null : moves;
  }

  /**
   * A position as analysis wants it: the line that leads there, and everything that it begins with. Null where a move of
   * it is not known.
   *
   * @param {number} number
   * @param {number} ply
   * @returns {Record<string, unknown> | null}
   */
  line(number, ply) {
    const [moves, state] = [this.moves(number, ply), this.at(number, ply)];
    if (!moves || !state || !this.set) return null;
    const { options, seed, creator } = this.set;
    const seat = state.to_move.length > 1 ? { seat: state.to_move[0] } : {};
    return { options, seed, moves, game_number: number, creator_seat: state.seats[1] === creator.id ? 1 : 2, ...seat };
  }

  /**
   * Takes an event.
   *
   * @param {string} name
   * @param {any} data
   * @returns {{kind: "move" | "state" | "set", game: number | null, ply: number | null}} what changed
   */
  take(name, data) {
    switch (name) {
      case "snapshot": return this.#snapshot(data.set);
      case "set_finished": {
        this.set = data.set;
        return { kind: "set", game: null, ply: null };
      }
      case "game_finished": {
        if (this.set) this.set.points = data.points;
        return this.#put(data.state, "state");
      }
      case "move":
      case "round": return this.#put(data.state, "move");
      default: return data.state ? this.#put(data.state, "state") : { kind: "set", game: null, ply: null };
    }
  }

  /** A state that an answer brought. @param {any} state */
  put(state) {
    return this.#put(state, "state");
  }

  #snapshot(/** @type {any} */ set) {
    this.set = set;
    for (const state of set.games) this.#put(state, "state");
    return { kind: /** @type {const} */ ("set"), game: null, ply: null };
  }

  #put(/** @type {any} */ state, /** @type {"move" | "state"} */ kind) {
    const line = this.#lines.get(state.number) ?? { number: state.number, states: [] };
    this.#lines.set(state.number, line);
    line.states[state.ply] = state;
    return { kind, game: state.number, ply: state.ply };
  }
}

/**
 * Where a replay stands: a game and a ply, or the last move as it comes.
 */
export class Cursor {
  /** @param {History} history @param {number} game @param {number | null} ply null: the last one, as it comes */
  constructor(history, game, ply) {
    this.setId = history.setId;
    this.history = history;
    this.game = game;
    this.ply = ply;
  }

  /** The last ply of the game that is shown. */
  get last() {
    return this.history.latest(this.game)?.ply ?? 0;
  }

  /** The ply that is shown. */
  get shown() {
    return this.ply === null ? this.last : Math.min(this.ply, this.last);
  }

  get isLive() {
    return this.ply === null || this.ply >= this.last;
  }

  /** The state that is shown. */
  get state() {
    return this.history.at(this.game, this.shown);
  }

  /** @param {"first" | "previous" | "next" | "last"} step */
  step(step) {
    const first = this.history.firstKnown(this.game);
    const target = { first, previous: this.shown - 1, next: this.shown + 1, last: this.last }[step];
    this.to(target);
  }

  /** Shows a ply; the last one keeps following the game. @param {number} ply */
  to(ply) {
    const first = this.history.firstKnown(this.game);
    const within = Math.max(first, Math.min(ply, this.last));
    this.ply = within >= this.last ? null : within;
  }

  /** Shows another game from its last position. @param {number} game */
  open(game) {
    this.game = game;
    this.ply = null;
  }

  /** The address that leads here. @param {string} path @returns {string} */
  link(path) {
    return `${path}?game=${this.game}&ply=${this.shown}`;
  }
}
