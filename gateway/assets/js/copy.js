// Copy buttons: a button with `data-copy="ID"` copies the text of that element. Without this module the text is there
// to be selected by hand, and the buttons stay hidden.

const SHOWN_MS = 2000;

for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it and copy by hand";
    }
    setTimeout(() => (button.textContent = label), SHOWN_MS);
  });
}
