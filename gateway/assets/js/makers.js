/**
 * Placing a piece by hand in a simultaneous game: choose X or O and a square, then place it for good.
 *
 * Until it is placed the piece stands there as a ghost, on this page alone. For tests: `#placing` with radio buttons
 * `piece` and one submit button; squares that may be chosen have the class `can-place`; the keys X and O choose a piece.
 */

import { placementsBySquare } from "./squares.js";

export class PieceHand {
  /** @type {Map<string, Map<string, any>>} */
  #places = new Map();
  /** @type {import("./board.js").Board | null} */
  #board = null;
  /** @type {string | null} */
  #square = null;
  #offered = 0;

  /**
   * @param {import("./board.js").Board[]} boards
   * @param {HTMLFormElement} form
   * @param {(move: any) => void} play
   */
  constructor(boards, form, play) {
    this.boards = boards;
    this.form = form;
    this.play = play;
    form.onsubmit = (event) => {
      event.preventDefault();
      this.#place();
    };
    form.onchange = () => this.#show();
    for (const board of boards) board.svg.onkeydown = (event) => this.#pressed(event);
  }

  /** Offers these placements on the board of `maker`, or none. @param {any[]} legalMoves @param {string} maker */
  offer(legalMoves, maker) {
    const isSame = legalMoves.length === this.#offered && this.#board?.maker === maker && legalMoves.length > 0;
    this.#places = placementsBySquare(legalMoves);
    this.#offered = legalMoves.length;
    if (isSame) return;
    this.#square = null;
    this.#board = this.boards.find((board) => board.maker === maker) ?? null;
    for (const board of this.boards) board.places(board === this.#board ? this.#places.keys() : []);
    this.#show();
    if (legalMoves.length > 0) this.#begin();
  }

  /** A square was chosen; Enter on the chosen one places the piece. @param {string} square @param {import("./board.js").Board} board @param {boolean} byKey */
  tap(square, board, byKey) {
    if (board !== this.#board || !this.#places.has(square)) return;
    if (byKey && square === this.#square) {
      this.#place();
      return;
    }
    this.#square = square;
    this.#show();
  }

  /** Takes the ghost away. */
  cancel() {
    this.#square = null;
    this.#show();
  }

  /** Whoever plays by keyboard goes on from the board of the new round. */
  #begin() {
    this.form.hidden = false;
    const active = document.activeElement;
    if (active === document.body || this.form.contains(active) || active?.closest("[role=grid]")) this.#board?.focus();
  }

  get #piece() {
    return new FormData(this.form).get("piece") === "O" ? "O" : "X";
  }

  #pressed(/** @type {KeyboardEvent} */ event) {
    const letter = event.key.toUpperCase();
    if (!["X", "O"].includes(letter) || event.ctrlKey || event.metaKey || event.altKey) return;
    const radio = this.form.querySelector(`input[value="${letter}"]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
    this.#show();
  }

  #show() {
    this.#board?.ghosts(new Map(this.#square === null ? [] : [[this.#square, this.#piece]]));
    const button = /** @type {HTMLButtonElement} */ (this.form.querySelector("button"));
    button.disabled = this.#square === null;
    const open = this.#places.size > 0 ? "Choose a square" : "Waiting …";
    button.textContent = this.#square === null ? open : `Place ${this.#piece} on ${this.#square}`;
  }

  #place() {
    const move = this.#square === null ? undefined : this.#places.get(this.#square)?.get(this.#piece);
    if (!move) return;
    this.offer([], "");
    this.play(move);
  }
}
