/**
 * Stepping through a game: buttons, slider, keys, the list of moves, and the link to a position.
 *
 * The server renders all of it as links; here they move the board without a page in between. For tests: `#replay` with
 * `[data-step]` and `#ply`, `#moves a[data-ply]`, `#ply-text`, `#ply-link`.
 */

const KEYS = /** @type {const} */ ({ ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" });

export class Replay {
  /**
   * @param {import("./history.js").Cursor} cursor
   * @param {() => void} onMove another position is to be shown
   */
  constructor(cursor, onMove) {
    this.cursor = cursor;
    this.onMove = onMove;
    this.path = `/sets/${cursor.setId}`;
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("keydown", (event) => this.#pressed(event));
    document.addEventListener("input", (event) => this.#slid(event));
  }

  /** Shows where the replay stands. @param {number} number the game shown */
  show(number) {
    const { shown, last } = this.cursor;
    const slider = document.getElementById("ply");
    if (slider instanceof HTMLInputElement) {
      slider.max = String(last);
      slider.value = String(shown);
      slider.setAttribute("aria-valuetext", `${shown} of ${last}`);
    }
    const [text, link] = [document.getElementById("ply-text"), document.getElementById("ply-link")];
    if (text) text.textContent = `${shown} of ${last}`;
    if (link instanceof HTMLAnchorElement) link.href = this.cursor.link(this.path);
    this.#list(number, shown);
  }

  #list(/** @type {number} */ number, /** @type {number} */ shown) {
    const list = document.getElementById("moves");
    if (!list) return;
    for (const state of this.cursor.history.game(number)?.states ?? []) {
      if (state?.last_move && !list.querySelector(`[data-ply="${state.ply}"]`)) list.append(row(this.path, number, state));
    }
    for (const link of list.querySelectorAll("a")) {
      const isHere = Number(link.dataset.ply) === shown;
      if (isHere) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (isHere) reveal(list, link);
    }
  }

  #clicked(/** @type {MouseEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = /** @type {Element} */ (event.target).closest("[data-step], #moves [data-ply]");
    if (!(link instanceof HTMLElement)) return;
    event.preventDefault();
    if (link.dataset.step) this.cursor.step(/** @type {any} */ (link.dataset.step));
    else this.cursor.to(Number(link.dataset.ply));
    this.#moved();
  }

  #pressed(/** @type {KeyboardEvent} */ event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea, dialog, [role=grid], summary")) return;
    const step = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (!step || !document.getElementById("replay")) return;
    event.preventDefault();
    this.cursor.step(step);
    this.#moved();
  }

  #slid(/** @type {Event} */ event) {
    const slider = /** @type {Element} */ (event.target);
    if (!(slider instanceof HTMLInputElement) || slider.id !== "ply") return;
    this.cursor.to(Number(slider.value));
    this.#moved();
  }

  #moved() {
    this.onMove();
    const { game, isLive } = this.cursor;
    const here = location.pathname;
    history.replaceState(null, "", isLive ? `${here}?game=${game}` : this.cursor.link(here));
  }
}

function row(/** @type {string} */ path, /** @type {number} */ number, /** @type {any} */ state) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  link.href = `${path}?game=${number}&ply=${state.ply}`;
  link.dataset.ply = String(state.ply);
  if (state.last_move.seat) link.className = `move-${state.last_move.seat}`;
  link.textContent = state.last_move.notation;
  item.append(link);
  return item;
}

/** Scrolls the list alone, never the page. */
function reveal(/** @type {HTMLElement} */ list, /** @type {HTMLElement} */ link) {
  const [top, bottom] = [link.offsetTop, link.offsetTop + link.offsetHeight];
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}
