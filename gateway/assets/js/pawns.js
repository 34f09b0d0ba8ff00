/**
 * Moving pawns by hand: tap a pawn, then where it goes; or tap another pawn to change one's mind.
 *
 * Only legal moves of the server can come out of it. Not here: the board's look, and sending the move.
 */

import { stepsByPawn } from "./squares.js";

export class PawnHand {
  #steps = new Map();
  /** @type {string | null} */
  #chosen = null;

  /**
   * @param {import("./board.js").Board} board
   * @param {(move: any) => void} play
   */
  constructor(board, play) {
    this.board = board;
    this.play = play;
  }

  /** Offers these moves, or none. @param {any[]} legalMoves */
  offer(legalMoves) {
    this.#steps = stepsByPawn(legalMoves);
    this.#choose(null);
  }

  /** A square was tapped. @param {string} square */
  tap(square) {
    const move = this.#chosen === null ? undefined : this.#steps.get(this.#chosen)?.get(square);
    if (move) {
      this.offer([]);
      this.play(move);
    } else {
      this.#choose(this.#steps.has(square) && square !== this.#chosen ? square : null);
    }
  }

  /** Lets the chosen pawn go. */
  cancel() {
    this.#choose(null);
  }

  #choose(/** @type {string | null} */ square) {
    this.#chosen = square;
    const targets = square === null ? [] : [...this.#steps.get(square).keys()];
    const isCapture = (/** @type {string} */ target) => this.board.piece(target) !== "";
    this.board.mark({
      chosen: square,
      steps: targets.filter((target) => !isCapture(target)),
      captures: targets.filter(isCapture),
      movable: this.#steps.keys(),
    });
  }
}
