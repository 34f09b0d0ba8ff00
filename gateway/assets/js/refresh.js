/**
 * Takes the server's word for whatever it renders better: fetches a page again and puts its parts into this one.
 *
 * Parts are elements with an id and `data-refresh`. So every sentence about results, stakes and statistics is written in
 * one place, on the server.
 */

/**
 * @param {string} address of this page, or of another state of it
 * @param {string[]} [more] ids of further parts to take over
 * @returns {Promise<boolean>} whether the page was answered
 */
export async function refresh(address, more = []) {
  const answer = await fetch(address, { headers: { accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const ids = [...document.querySelectorAll("[data-refresh]")].map((part) => part.id);
  for (const id of [...ids, ...more]) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (!old || !fresh) continue;
    const hadFocus = old === document.activeElement;
    old.replaceWith(document.adoptNode(fresh));
    if (hadFocus) fresh.focus();
  }
  return true;
}
