/**
 * The page of a set: the live table, and the buttons for pausing, resigning, checking the record and asking the engine.
 *
 * For tests: `[data-action]` is `pause`, `resume`, `resign`, `verify`, `line` or `graph`; `[data-settlement]` becomes `done`.
 */

import { showGraph, showLine } from "./engine.js";
import { refresh } from "./refresh.js";
import { Table } from "./table.js";
import { verify } from "./verify.js";

/** Pauses before it is looked again whether stakes are paid, in milliseconds. */
const SETTLING_MS = [500, 1000, 2000, 4000, 8000];

document.documentElement.classList.add("scripted");
const table = new Table();

const actions = {
  pause: () => void table.act("pause"),
  resume: () => void table.act("resume"),
  resign: () => confirm("Resign this game?") && void table.resign(),
  verify: () => void verify(table.setId),
  line: () => void showLine(table.cursor),
  graph: () => void showGraph(table.cursor, (ply) => {
    table.cursor.to(ply);
    table.show();
  }),
};

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-action]");
  const action = button instanceof HTMLElement && actions[/** @type {keyof typeof actions} */ (button.dataset.action)];
  if (action) action();
});

table.addEventListener("set_finished", async () => {
  for (const pause of SETTLING_MS) {
    if (!document.querySelector('[data-settlement="pending"]')) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    await refresh(`${location.pathname}?game=${table.cursor.game}`);
  }
});
