/**
 * The seats beside the board: pawns left, captures, clocks that run.
 *
 * For tests: `.seat-bar[data-seat="1"]` with `[data-left]`, `[data-captured]` and `[data-clock]`.
 */

import { clockText, reading } from "./clock.js";

/** Below this a clock is shown as short of time, in milliseconds. */
const LOW_MS = 10_000;

/** The seats of a position. @param {any} state */
export function showSeats(state) {
  for (const bar of document.querySelectorAll("[data-seat]")) {
    const seat = Number(/** @type {HTMLElement} */ (bar).dataset.seat);
    bar.classList.toggle("is-to-move", state.status === "active" && state.to_move.includes(seat));
    if (!state.body.cells) continue;
    const left = state.body.cells.flat().filter((/** @type {number} */ cell) => cell === seat).length;
    put(bar, "[data-left]", String(left));
    put(bar, "[data-captured]", String(state.body.captured[seat]));
  }
}

/** The clocks of a position as of now. @param {ParentNode} root @param {any} state @param {number} serverMs */
export function showClocks(root, state, serverMs) {
  for (const bar of root.querySelectorAll(".seat-bar")) {
    const clock = /** @type {HTMLElement} */ (bar.querySelector("[data-clock]"));
    const { remainingMs, running, firstMoveMs } = reading(state, Number(/** @type {HTMLElement} */ (bar).dataset.seat), serverMs);
    clock.hidden = remainingMs === null;
    if (remainingMs === null) continue;
    const shown = firstMoveMs ?? remainingMs;
    const text = firstMoveMs === null ? clockText(shown) : `first move ${clockText(shown)}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-running", running);
    clock.classList.toggle("is-low", running && shown < LOW_MS);
  }
}

function put(/** @type {Element} */ bar, /** @type {string} */ selector, /** @type {string} */ text) {
  const place = bar.querySelector(selector);
  if (place) place.textContent = text;
}
