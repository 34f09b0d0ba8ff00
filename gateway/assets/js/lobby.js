/**
 * Keeps running sets and open challenges of the lobby up to date while it is looked at, and leads whoever made a challenge
 * to its set as soon as it is accepted, also while another tab is looked at.
 */

import { call } from "./api.js";
import { Offers } from "./offers.js";
import { isInUse, refresh } from "./refresh.js";

const EVERY_MS = 2000;

const offers = new Offers();

/** Ids of one's own challenges that a page lists. */
function own(/** @type {ParentNode} */ page) {
  return [...page.querySelectorAll("[data-own]")].map((row) => /** @type {HTMLElement} */ (row).dataset.own ?? "");
}

async function look() {
  const isLooking = !document.hidden || offers.isWaiting;
  const page = isLooking ? await refresh(location.href, [], isInUse) : null;
  for (const id of page ? offers.see(own(page)) : []) {
    const challenge = await call("GET", `/challenges/${id}`).catch(() => null);
    const set = challenge && offers.settle(challenge);
    if (set) location.assign(`/sets/${set}`);
  }
  setTimeout(look, EVERY_MS);
}

offers.see(own(document));
setTimeout(look, EVERY_MS);
