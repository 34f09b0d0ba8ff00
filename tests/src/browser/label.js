const wanted = arguments[0].trim().toLowerCase();
const words = (text) => (text || "").replace(/\s+/g, " ").trim().toLowerCase();
const labels = [...document.querySelectorAll("label")].filter((label) => label.checkVisibility());
return labels.find((label) => words(label.innerText) === wanted)
  || labels.find((label) => words(label.innerText).startsWith(wanted));
