const wanted = arguments[0].trim().toLowerCase();
const words = (text) => (text || "").replace(/\s+/g, " ").trim().toLowerCase();
const names = (field) => [field.getAttribute("aria-label"), ...[...(field.labels || [])].map((label) => label.innerText)];
const fields = [...document.querySelectorAll("input, select, textarea")].filter((field) => field.type !== "hidden");
const named = (test) => fields.find((field) => names(field).map(words).some(test));
return named((name) => name === wanted) || named((name) => name.startsWith(wanted));
