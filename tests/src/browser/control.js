const wanted = arguments[0].trim().toLowerCase();
const words = (text) => (text || "").replace(/\s+/g, " ").trim().toLowerCase();
const name = (element) => words(element.getAttribute("aria-label") || element.innerText || element.value);
const controls = document.querySelectorAll("a[href], button, summary, [role=button], input[type=submit]");
const seen = [...controls].filter((element) => element.checkVisibility() && !element.disabled);
return seen.find((element) => name(element) === wanted) || seen.find((element) => name(element).startsWith(wanted));
