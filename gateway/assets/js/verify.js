/**
 * Checks a set's record and says in words what holds.
 *
 * The platform replays the record; the same check runs offline with `farside verify`. For tests: `[data-action=verify]`,
 * `#verdict` with `data-ok`.
 */

import { call } from "./api.js";

const CHECKS = /** @type {Record<string, string>} */ ({
  format: "It is a record in the published format.",
  signature: "Its head is signed with a key of this platform.",
  chain: "Every entry is chained to the one before it; none is missing, added or changed.",
  seeds: "The seed fits the hash that was shown at the start, and the set’s seed follows from it.",
  agreement: "Options, clock and seats are those that were agreed on.",
  plies: "Every move was legal where it was played, and leads to the position that followed.",
  clocks: "Every clock says what follows from the times of the moves.",
  results: "Games and set ended as the rules say.",
  house_moves: "Every move of a house bot is the one that follows from the seed.",
});

/** @param {string} setId */
export async function verify(setId) {
  const place = document.getElementById("verdict");
  if (!place) return;
  place.replaceChildren(paragraph("Checking …", ""));
  try {
    const record = await call("GET", `/sets/${setId}/record`);
    show(place, await call("POST", "/records/verify", record));
  } catch (error) {
    place.replaceChildren(paragraph(error instanceof Error ? error.message : String(error), "notice bad"));
  }
}

function show(/** @type {HTMLElement} */ place, /** @type {any} */ verdict) {
  const title = verdict.ok ? "Everything holds." : `Something does not hold, at ${verdict.fault.at || "the record itself"}: ${verdict.fault.reason}`;
  const list = document.createElement("ul");
  list.className = "checks";
  for (const check of verdict.checks) {
    const item = document.createElement("li");
    item.textContent = CHECKS[check] ?? check.replaceAll("_", " ");
    list.append(item);
  }
  place.dataset.ok = String(verdict.ok);
  place.replaceChildren(paragraph(title, verdict.ok ? "notice good" : "notice bad"), list);
}

function paragraph(/** @type {string} */ text, /** @type {string} */ className) {
  const element = document.createElement("p");
  element.className = className;
  element.textContent = text;
  return element;
}
