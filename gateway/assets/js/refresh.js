/**
 * Takes the server's word for whatever it renders better: fetches a page again and puts its parts into this one.
 *
 * Parts are elements with an id and `data-refresh`. So every sentence about results, stakes and statistics is written in
 * one place, on the server. A part that has not changed is left alone; in one that has, the focus stays where it was and
 * tables stay scrolled as far as they were.
 */

/**
 * @param {string} address of this page, or of another state of it
 * @param {string[]} [more] ids of further parts to take over
 * @param {(part: Element) => boolean} [isSpared] whether a part is left alone this time
 * @returns {Promise<Document | null>} the page as it was answered; null without an answer
 */
export async function refresh(address, more = [], isSpared = () => false) {
  const answer = await fetch(address, { headers: { accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  if (text === null) return null;
  const page = new DOMParser().parseFromString(text, "text/html");
  const ids = [...document.querySelectorAll("[data-refresh]")].map((part) => part.id);
  for (const id of [...ids, ...more]) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (old && fresh && !old.isEqualNode(fresh) && !isSpared(old)) replace(old, document.importNode(fresh, true));
  }
  return page;
}

/** Whether somebody is about to follow a link of a part or to press a button in it. @param {Element} part */
export function isInUse(part) {
  return part.matches(":active") || part.contains(document.activeElement?.closest("a, button") ?? null);
}

function replace(/** @type {HTMLElement} */ old, /** @type {HTMLElement} */ fresh) {
  const focused = document.activeElement;
  const regions = [...old.querySelectorAll("[role=region]")];
  const places = regions.map((region) => region.scrollLeft);
  old.replaceWith(fresh);
  if (old === focused) fresh.focus();
  fresh.querySelectorAll("[role=region]").forEach((region, index) => {
    region.scrollLeft = places[index] ?? 0;
    if (regions[index] === focused) /** @type {HTMLElement} */ (region).focus({ preventScroll: true });
  });
}
