/**
 * Keeps running sets and open challenges of the lobby up to date while it is looked at.
 */

import { isInUse, refresh } from "./refresh.js";

const EVERY_MS = 2000;

async function look() {
  if (!document.hidden) await refresh(location.href, [], isInUse);
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
