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

/** What can have the focus inside a part. */
const FOCUSABLE = "a, button, input, select, summary, [tabindex]";

function replace(/** @type {HTMLElement} */ old, /** @type {HTMLElement} */ fresh) {
  const focused = document.activeElement;
  const place = [...old.querySelectorAll(FOCUSABLE)].indexOf(/** @type {Element} */ (focused));
  const scrolled = [...old.querySelectorAll("[role=region]")].map((region) => region.scrollLeft);
  old.replaceWith(fresh);
  fresh.querySelectorAll("[role=region]").forEach((region, index) => {
    region.scrollLeft = scrolled[index] ?? 0;
  });
  if (old === focused) fresh.focus();
  const heir = /** @type {HTMLElement | undefined} */ (fresh.querySelectorAll(FOCUSABLE)[place]);
  // A control that says something else is another one: whoever presses a key twice must not set that off.
  const isSame = heir?.matches("[role=region]") || heir?.textContent === focused?.textContent;
  if (heir && isSame) heir.focus({ preventScroll: true });
}
