const wanted = arguments[0].trim().toLowerCase();
// A sign in front of the words is for the eyes alone.
const words = (text) => (text || "").replace(/\s+/g, " ").replace(/^[^\p{L}\p{N}«»‹›]+/u, "").trim().toLowerCase();
const name = (element) => words(element.getAttribute("aria-label") || element.innerText || element.value);
const controls = document.querySelectorAll("a[href], button, summary, [role=button], input[type=submit]");
const seen = [...controls].filter((element) => element.checkVisibility() && !element.disabled);
return seen.find((element) => name(element) === wanted) || seen.find((element) => name(element).startsWith(wanted));
