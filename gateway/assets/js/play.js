/**
 * Playing practice by hand: the live table, the menu that pauses, and the end.
 *
 * For tests: `#menu-open`; `dialog#menu` with `[data-menu]` being `resume`, `sound` (with `aria-pressed`) or `resign`;
 * `#score-line [data-seat] [data-left]`; `#end` holds `.end-won`, `.end-lost` or `.end-drawn` when the game is over, with
 * `#practice[data-games]`.
 */

import { refresh } from "./refresh.js";
import { isOn, setOn } from "./sound.js";
import { Table } from "./table.js";

/** Pauses before it is looked again whether the game has been counted, in milliseconds. */
const COUNTING_MS = [300, 600, 1200, 2500, 5000];
/** What the menu returns when it was left for good. */
const RESIGNED = "resigned";

document.documentElement.classList.add("scripted");
const table = new Table();
const menu = /** @type {HTMLDialogElement} */ (document.getElementById("menu"));
const opener = /** @type {HTMLElement} */ (document.getElementById("menu-open"));
const counted = () => document.getElementById("practice")?.dataset.games;
const countedBefore = counted();

function open() {
  if (table.history.isOver || menu.open) return;
  showSound();
  menu.showModal();
  void table.act("pause");
}

function showSound() {
  const button = /** @type {HTMLElement} */ (menu.querySelector('[data-menu="sound"]'));
  button.setAttribute("aria-pressed", String(isOn()));
  button.textContent = isOn() ? "Sound is on" : "Sound is off";
}

const items = {
  resume: () => menu.close(),
  sound: () => {
    setOn(!isOn());
    showSound();
  },
  resign: async () => {
    if (!confirm("Resign this game? It counts as lost.")) return;
    await table.act("resume");
    await table.resign();
    menu.close(RESIGNED);
  },
};

opener.addEventListener("click", open);
menu.addEventListener("click", (event) => {
  const item = /** @type {Element} */ (event.target).closest("[data-menu]");
  if (item instanceof HTMLElement) void items[/** @type {keyof typeof items} */ (item.dataset.menu)]();
});
menu.addEventListener("close", () => {
  if (!table.history.isOver && menu.returnValue !== RESIGNED) void table.act("resume");
});

// Whoever opens the page of a paused game wants to go on with it.
if (table.root.dataset.paused !== undefined) void table.act("resume");

table.addEventListener("set_finished", async () => {
  menu.close();
  opener.hidden = true;
  document.getElementById("end")?.focus();
  for (const pause of COUNTING_MS) {
    if (counted() !== countedBefore) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    await refresh(location.pathname);
  }
});
