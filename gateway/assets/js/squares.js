/**
 * Squares and moves as the API writes them: names, keys, and which legal move a tap can mean.
 *
 * Pure. What is legal comes from the server; nothing here knows a rule of a game.
 *
 * @typedef {[number, number]} At row and column, from 0
 * @typedef {{from: At, to: At}} Step a pawn's move
 * @typedef {{at: At, piece: "X" | "O"}} Placement a piece put down
 */

/** A square's name: the column as a letter, the row from 1. @param {At} at @returns {string} */
export function squareName([row, col]) {
  return `${String.fromCharCode(97 + col)}${row + 1}`;
}

/** The square that a name means. @param {string} name @returns {At} */
export function squareAt(name) {
  return [Number(name.slice(1)) - 1, name.charCodeAt(0) - 97];
}

/**
 * Legal steps by the square they start from, then by the square they lead to.
 *
 * @param {any[]} legalMoves `legal_moves` of a game state
 * @returns {Map<string, Map<string, Step>>}
 */
export function stepsByPawn(legalMoves) {
  const byPawn = new Map();
  for (const move of legalMoves) {
    if (!move.from) continue;
    const from = squareName(move.from);
    if (!byPawn.has(from)) byPawn.set(from, new Map());
    byPawn.get(from).set(squareName(move.to), move);
  }
  return byPawn;
}

/**
 * Squares on which something may be placed, and what.
 *
 * @param {any[]} legalMoves
 * @returns {Map<string, Map<string, Placement>>} by square, then by piece
 */
export function placementsBySquare(legalMoves) {
  const bySquare = new Map();
  for (const move of legalMoves) {
    if (!move.at) continue;
    const square = squareName(move.at);
    if (!bySquare.has(square)) bySquare.set(square, new Map());
    bySquare.get(square).set(move.piece, move);
  }
  return bySquare;
}

/**
 * The square beside another one, as seen on the screen; the same one at the edge.
 *
 * @param {string} name
 * @param {string} key a key of the keyboard: an arrow, Home or End
 * @param {number} size squares along a side
 * @param {boolean} turned whether row 0 is at the top
 * @returns {string | null} null for any other key
 */
export function neighbour(name, key, size, turned) {
  const [row, col] = squareAt(name);
  const sign = turned ? -1 : 1;
  const within = (/** @type {number} */ value) => Math.min(size - 1, Math.max(0, value));
  const edge = (/** @type {boolean} */ left) => (left !== turned ? 0 : size - 1);
  switch (key) {
    case "ArrowUp": return squareName([within(row + sign), col]);
    case "ArrowDown": return squareName([within(row - sign), col]);
    case "ArrowRight": return squareName([row, within(col + sign)]);
    case "ArrowLeft": return squareName([row, within(col - sign)]);
    case "Home": return squareName([row, edge(true)]);
    case "End": return squareName([row, edge(false)]);
    default: return null;
  }
}

/**
 * Boards of a body, each as pieces by square name: one for pawns, `1` and `2` for makers.
 *
 * @param {any} body
 * @returns {Map<string, Map<string, string>>} by maker, or by the empty text for the only board
 */
export function boardsOf(body) {
  const boards = body.boards ? Object.entries(body.boards).map(([seat, board]) => [seat, board.cells]) : [["", body.cells]];
  return new Map(boards.map(([seat, cells]) => [seat, piecesOf(cells)]));
}

/** @param {any[][]} cells @returns {Map<string, string>} */
function piecesOf(cells) {
  const pieces = new Map();
  cells.forEach((row, r) => row.forEach((piece, c) => {
    if (piece) pieces.set(squareName([r, c]), String(piece));
  }));
  return pieces;
}

/**
 * Squares of a board that differ from one position to the next, or where something was played.
 *
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {Set<string>}
 */
export function changes(before, after) {
  const squares = new Set([...before.keys(), ...after.keys()]);
  return new Set([...squares].filter((square) => before.get(square) !== after.get(square)));
}
