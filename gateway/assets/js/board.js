/**
 * One board on the page: shows pieces, marks squares, and tells which square was tapped or chosen with the keyboard.
 *
 * The server draws the board (`svg.board` with a `g.board-cell[data-square]` for every square); this only sets attributes
 * of what is there: `data-piece`, and the classes `is-last`, `is-chosen`, `can-step`, `can-capture`, `can-move`, `is-ghost`.
 * For assistive technology the picture becomes a grid of squares with a roving tab stop. Not here: what a tap means.
 *
 * For tests: `svg.board[role=grid]`, `[data-square="c2"][role=gridcell]` with `aria-label`, `tabindex=0` on one square.
 */

import { neighbour, squareAt } from "./squares.js";

/** Side of a square, room for coordinates at the left, and above the board, in the picture's unit. */
const SQUARE = 48;
const MARGIN = 22;
const PAD = 3;
/** How long a piece takes to its square. */
const SLIDE_MS = 180;

const NAMES = { 1: "red pawn", 2: "blue pawn", X: "X", O: "O", "": "empty" };
const MARKS = ["is-chosen", "can-step", "can-capture", "can-move"];

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} Marks
 * @property {string | null} [chosen]
 * @property {Iterable<string>} [steps]
 * @property {Iterable<string>} [captures]
 * @property {Iterable<string>} [movable] squares whose pieces can move
 */

export class Board {
  /** @type {Map<string, SVGGElement>} */
  #cells = new Map();
  /** @type {Map<string, string>} */
  #pieces = new Map();
  #size;
  #turned;
  #focus;

  /**
   * @param {SVGSVGElement} svg
   * @param {(square: string, byKey: boolean) => void} onChoose a square was tapped, or Enter or Space was pressed on it
   */
  constructor(svg, onChoose) {
    this.svg = svg;
    this.#size = Number(svg.dataset.size);
    this.#turned = svg.dataset.turned !== undefined;
    for (const cell of svg.querySelectorAll(".board-cell")) {
      const group = /** @type {SVGGElement} */ (cell);
      this.#cells.set(group.dataset.square ?? "", group);
      if (group.dataset.piece) this.#pieces.set(group.dataset.square ?? "", group.dataset.piece);
      group.setAttribute("role", "gridcell");
      group.setAttribute("tabindex", "-1");
    }
    for (const row of svg.querySelectorAll(".board-row")) row.setAttribute("role", "row");
    svg.setAttribute("role", "grid");
    svg.setAttribute("aria-label", svg.dataset.maker ? `Board ${svg.dataset.maker}` : "Board");
    this.#focus = this.#turned ? `${String.fromCharCode(96 + this.#size)}${this.#size}` : "a1";
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "0");
    svg.addEventListener("click", (event) => this.#tapped(event, onChoose));
    svg.addEventListener("keydown", (event) => this.#pressed(event, onChoose));
    this.#label();
  }

  /** The maker whose board it is; the empty text where there is one board. */
  get maker() {
    return this.svg.dataset.maker ?? "";
  }

  /** What stands on a square; empty for nothing. @param {string} square @returns {string} */
  piece(square) {
    return this.#pieces.get(square) ?? "";
  }

  /**
   * Shows a position.
   *
   * @param {Map<string, string>} pieces
   * @param {Iterable<string>} last squares of the last move
   * @param {{from: string, to: string} | null} slide a piece that came from another square
   */
  show(pieces, last, slide = null) {
    const lit = new Set(last);
    for (const [square, cell] of this.#cells) {
      cell.dataset.piece = pieces.get(square) ?? "";
      cell.classList.toggle("is-last", lit.has(square));
      cell.classList.remove("is-ghost");
    }
    const fresh = slide === null ? [...pieces.keys()].filter((square) => lit.has(square) && !this.#pieces.has(square)) : [];
    this.#pieces = pieces;
    this.#label();
    if (slide) this.#slide(slide.from, slide.to);
    for (const square of fresh) this.#appear(square);
  }

  /** Marks squares; marks of before are gone. @param {Marks} marks */
  mark({ chosen = null, steps = [], captures = [], movable = [] }) {
    const sets = [new Set(chosen ? [chosen] : []), new Set(steps), new Set(captures), new Set(movable)];
    for (const [square, cell] of this.#cells) {
      MARKS.forEach((name, index) => cell.classList.toggle(name, sets[index].has(square)));
      cell.setAttribute("aria-selected", String(square === chosen));
    }
    this.#label();
  }

  /** Takes the keyboard's focus to the square where it was last. */
  focus() {
    this.#cells.get(this.#focus)?.focus({ preventScroll: true });
  }

  /** Marks squares on which a piece may be placed. @param {Iterable<string>} squares */
  places(squares) {
    const open = new Set(squares);
    for (const [square, cell] of this.#cells) cell.classList.toggle("can-place", open.has(square));
    this.svg.classList.toggle("is-open", open.size > 0);
    this.#label();
  }

  /** Shows pieces that are not down yet. @param {Map<string, string>} pieces by square */
  ghosts(pieces) {
    for (const [square, cell] of this.#cells) {
      cell.classList.toggle("is-ghost", pieces.has(square));
      cell.dataset.piece = pieces.get(square) ?? this.piece(square);
    }
    this.#label();
  }

  /** Shows the board from the other side. @param {boolean} turned */
  turn(turned) {
    if (turned === this.#turned) return;
    this.#turned = turned;
    this.svg.toggleAttribute("data-turned", turned);
    for (const [square, cell] of this.#cells) {
      const { x, y } = this.#place(square);
      cell.setAttribute("transform", `translate(${x} ${y})`);
    }
    const names = [...this.svg.querySelectorAll(".board-names text")];
    names.forEach((name, index) => this.#placeName(/** @type {SVGTextElement} */ (name), index));
  }

  #place(/** @type {string} */ square) {
    const [row, col] = squareAt(square);
    const last = this.#size - 1;
    const [across, down] = this.#turned ? [last - col, row] : [col, last - row];
    return { x: MARGIN + across * SQUARE, y: PAD + down * SQUARE };
  }

  #placeName(/** @type {SVGTextElement} */ name, /** @type {number} */ index) {
    const isFile = index < this.#size;
    const at = String.fromCharCode(97 + index);
    const { x, y } = this.#place(isFile ? `${at}1` : `a${index - this.#size + 1}`);
    if (isFile) name.setAttribute("x", String(x + SQUARE / 2));
    else name.setAttribute("y", String(y + SQUARE / 2 + 4));
  }

  #label() {
    for (const [square, cell] of this.#cells) {
      const does = cell.classList.contains("can-capture") ? ", capture here"
        : cell.classList.contains("can-step") ? ", move here"
        : cell.classList.contains("is-chosen") ? ", chosen"
        : cell.classList.contains("is-ghost") ? ", chosen"
        : cell.classList.contains("can-place") ? ", free"
        : cell.classList.contains("can-move") ? ", can move" : "";
      const last = cell.classList.contains("is-last") ? ", last move" : "";
      const piece = NAMES[/** @type {keyof typeof NAMES} */ (cell.dataset.piece ?? "")];
      cell.setAttribute("aria-label", `${square}, ${piece}${does}${last}`);
    }
  }

  #tapped(/** @type {MouseEvent} */ event, /** @type {(square: string, byKey: boolean) => void} */ onChoose) {
    const cell = /** @type {Element} */ (event.target).closest(".board-cell");
    if (!(cell instanceof SVGGElement) || !cell.dataset.square) return;
    this.#rove(cell.dataset.square, false);
    onChoose(cell.dataset.square, false);
  }

  #pressed(/** @type {KeyboardEvent} */ event, /** @type {(square: string, byKey: boolean) => void} */ onChoose) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onChoose(this.#focus, true);
      return;
    }
    const next = neighbour(this.#focus, event.key, this.#size, this.#turned);
    if (next === null) return;
    event.preventDefault();
    this.#rove(next, true);
  }

  #rove(/** @type {string} */ square, /** @type {boolean} */ withFocus) {
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = square;
    const cell = this.#cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (withFocus) cell?.focus();
  }

  #slide(/** @type {string} */ from, /** @type {string} */ to) {
    const piece = this.#cells.get(to)?.querySelector(".pawn");
    if (!piece || stillness.matches) return;
    const [start, end] = [this.#place(from), this.#place(to)];
    const frames = [`translate(${start.x - end.x}px, ${start.y - end.y}px)`, "none"].map((transform) => ({ transform }));
    piece.animate(frames, { duration: SLIDE_MS, easing: "ease-out" });
  }

  #appear(/** @type {string} */ square) {
    const cell = this.#cells.get(square);
    if (!cell || stillness.matches) return;
    for (const mark of cell.querySelectorAll(".mark-x, .mark-o, .pawn")) {
      const frames = [{ opacity: 0, transform: "scale(0.2)" }, { opacity: 1, transform: "scale(1.15)" }, { opacity: 1, transform: "none" }];
      mark.animate(frames, { duration: SLIDE_MS * 2, easing: "ease-out" });
    }
  }
}
