/**
 * Scores of the engine: from the view of one seat, in words, and as the points of a graph.
 *
 * Pure. Scores are hundredths of a pawn; beyond the bound a result is forced.
 */

/** Scores beyond this are forced results. */
const FORCED = 29_000;
/** What a graph shows at most, in hundredths of a pawn. */
const LIMIT = 1_500;

/** The score from seat 1's view. @param {number} score of the seat that moves @param {number} mover @returns {number} */
export function forSeatOne(score, mover) {
  return mover === 1 ? score : -score;
}

/** A score in words. @param {number} score from seat 1's view @returns {string} */
export function scoreInWords(score) {
  const side = score > 0 ? "red" : "blue";
  if (Math.abs(score) > FORCED) return `${side} wins by force`;
  if (Math.abs(score) < 20) return "level";
  return `${side} is ahead by ${(Math.abs(score) / 100).toFixed(1)}`;
}

/**
 * The line of a graph: one point for each ply, 0 at half the height.
 *
 * @param {(number | null)[]} scores from seat 1's view; null where none is known
 * @param {number} width
 * @param {number} height
 * @returns {{x: number, y: number, ply: number}[]}
 */
export function graphPoints(scores, width, height) {
  const step = scores.length > 1 ? width / (scores.length - 1) : 0;
  return scores.flatMap((score, ply) => {
    if (score === null) return [];
    const within = Math.max(-LIMIT, Math.min(LIMIT, score)) / LIMIT;
    return [{ x: round(ply * step), y: round(height / 2 - within * (height / 2)), ply }];
  });
}

/** The ply with the largest change for the worse of the seat that moved; null in a game without any. @param {(number | null)[]} scores @returns {number | null} */
export function turningPoint(scores) {
  let [found, largest] = [/** @type {number | null} */ (null), 0];
  for (let ply = 1; ply < scores.length; ply += 1) {
    const [before, after] = [scores[ply - 1], scores[ply]];
    if (before === null || after === null) continue;
    const change = Math.abs(bounded(after) - bounded(before));
    if (change > largest) [found, largest] = [ply, change];
  }
  return found;
}

const bounded = (/** @type {number} */ score) => Math.max(-LIMIT, Math.min(LIMIT, score));
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
