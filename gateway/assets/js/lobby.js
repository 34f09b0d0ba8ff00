/**
 * Keeps the boards of the lobby up to date while it is looked at.
 */

import { refresh } from "./refresh.js";

const EVERY_MS = 2000;

async function look() {
  // Whoever is about to follow a link is not disturbed.
  const isBusy = document.activeElement?.closest("[data-refresh]");
  if (!document.hidden && !isBusy) await refresh(location.href);
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
