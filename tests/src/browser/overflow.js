const root = document.scrollingElement;
if (root.scrollWidth <= root.clientWidth) return [];
const name = (element) => element.tagName.toLowerCase() + [...element.classList].map((part) => `.${part}`).join("");
const reaches = (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5;
const outer = [...document.body.querySelectorAll("*")].filter(reaches).slice(0, 5).map(name);
return [`the page is ${root.scrollWidth} px wide on ${root.clientWidth} px: ${outer.join(", ")}`];
