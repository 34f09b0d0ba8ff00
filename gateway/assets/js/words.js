/**
 * What happens on the board as sentences, for the status line and for screen readers.
 *
 * Pure. Results are written by the server.
 */

const COLOURS = { 1: "Red", 2: "Blue" };

/** A square-to-square notation in words. @param {string} notation @returns {string} */
function inWords(notation) {
  return notation.replace("-", " to ").replace("x", " takes ").replace("@", " on ");
}

/**
 * The move that led to a position.
 *
 * @param {any} state
 * @param {number | null} seat where the viewer sits
 * @returns {string}
 */
export function moveInWords(state, seat) {
  const last = state.last_move;
  if (!last) return "The game begins.";
  const told = last.moves.map((/** @type {any} */ played) => `${who(played.seat, seat)}: ${inWords(played.notation)}`);
  return `${told.join(", ")}.`;
}

function who(/** @type {number} */ mover, /** @type {number | null} */ seat) {
  if (seat === null) return COLOURS[/** @type {1 | 2} */ (mover)];
  return mover === seat ? "You" : "They";
}

/**
 * Whose turn it is in a game that goes on.
 *
 * @param {any} state
 * @param {number | null} seat where the viewer sits
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function turnInWords(state, seat, nameOf) {
  if (state.status === "paused") return "Paused.";
  if (state.submitted) return "Your piece is in. It is shown when theirs is in, too.";
  const odds = state.legal_moves[0]?.place;
  if (seat !== null && state.to_move.includes(seat)) return odds ? `Your move: place ${odds.count} pawns on the squares with a dot.` : "Your move.";
  if (state.to_move.length === 1) return `${nameOf(state.to_move[0])} is to move.`;
  return "Both are to place a piece.";
}

/**
 * Which board a round is played on.
 *
 * @param {any} state
 * @param {number | null} seat
 * @returns {string}
 */
export function roundInWords(state, seat) {
  const { round } = state.body;
  if (state.result) return `Ended in round ${round}`;
  const isOwn = round % 2 === 1;
  if (seat !== null) return `Round ${round}: ${isOwn ? "place on your own board" : "place on their board"}`;
  return `Round ${round}: ${isOwn ? "both place on their own boards" : "both place on each other’s boards"}`;
}

/** The board on which a seat places in this round. @param {any} state @param {number} seat @returns {string} its maker */
export function targetBoard(state, seat) {
  return String(state.body.round % 2 === 1 ? seat : 3 - seat);
}
