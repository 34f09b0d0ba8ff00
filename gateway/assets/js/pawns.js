/**
 * Moving pawns by hand: tap a pawn, then where it goes; or tap another pawn to change one's mind. A side that gives odds
 * first taps the squares of all its pawns; they are placed with the last one.
 *
 * Only legal moves of the server can come out of it. Not here: the board's look, and sending the move.
 */

import { squareAt, squareName, stepsByPawn } from "./squares.js";

export class PawnHand {
  #steps = new Map();
  /** @type {string | null} */
  #chosen = null;
  /** @type {{count: number, squares: Set<string>} | null} what is to be placed first */
  #odds = null;
  /** @type {Map<string, string>} pawns that are to be placed */
  #placed = new Map();
  #seat = "";

  /**
   * @param {import("./board.js").Board} board
   * @param {(move: any) => void} play
   */
  constructor(board, play) {
    this.board = board;
    this.play = play;
  }

  /** Offers these moves, or none. @param {any[]} legalMoves @param {string} seat whose pawns move */
  offer(legalMoves, seat = "") {
    const odds = legalMoves[0]?.place;
    this.#odds = odds ? { count: odds.count, squares: new Set(odds.squares.map(squareName)) } : null;
    this.#seat = seat;
    this.#steps = stepsByPawn(legalMoves);
    this.#choose(null);
    if (odds) this.#place(new Map());
  }

  /** A square was tapped. @param {string} square */
  tap(square) {
    if (this.#odds) {
      this.#toggle(square, this.#odds);
      return;
    }
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
    if (!this.#odds) this.#choose(null);
  }

  #toggle(/** @type {string} */ square, /** @type {{count: number, squares: Set<string>}} */ odds) {
    if (!odds.squares.has(square)) return;
    const placed = new Map(this.#placed);
    if (!placed.delete(square)) placed.set(square, this.#seat);
    if (placed.size < odds.count) {
      this.#place(placed);
    } else {
      this.offer([]);
      this.play({ place: [...placed.keys()].map(squareAt) });
    }
  }

  #place(/** @type {Map<string, string>} */ placed) {
    this.#placed = placed;
    this.board.ghosts(placed);
    this.board.mark({ steps: [...(this.#odds?.squares ?? [])].filter((square) => !placed.has(square)), movable: placed.keys() });
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
