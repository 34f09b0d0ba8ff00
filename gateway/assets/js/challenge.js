/**
 * Waits on the page of an open challenge: whoever made it is led to its set as soon as somebody accepts, also while another
 * tab is looked at; everybody else sees what becomes of it. For tests: `#challenge` with `data-status`, `a[data-begun]`.
 */

import { isInUse, refresh } from "./refresh.js";

const EVERY_MS = 1000;

async function look() {
  const page = await refresh(location.href, [], isInUse);
  const begun = page?.querySelector("a[data-begun]");
  if (begun) location.assign(begun.getAttribute("href") ?? "/");
  else wait();
}

function wait() {
  if (document.querySelector('#challenge[data-status="open"]')) setTimeout(look, EVERY_MS);
}

wait();
