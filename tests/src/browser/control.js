const wanted = arguments[0].trim().toLowerCase();
// A sign in front of the words is for the eyes alone.
const words = (text) => (text || "").replace(/\s+/g, " ").replace(/^[^\p{L}\p{N}«»‹›]+/u, "").trim().toLowerCase();
const name = (element) => words(element.getAttribute("aria-label") || element.innerText || element.value);
const controls = document.querySelectorAll("a[href], button, summary, [role=button], input[type=submit]");
const seen = [...controls].filter((element) => element.checkVisibility() && !element.disabled);
// What is the page's own comes before what stands on every page.
const isOwn = (element) => element.closest("main") !== null;
const ranked = [...seen.filter(isOwn), ...seen.filter((element) => !isOwn(element))];
return ranked.find((element) => name(element) === wanted) || ranked.find((element) => name(element).startsWith(wanted));
