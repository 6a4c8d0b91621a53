// @ts-check
// Ctrl-K on every page: somewhere else by a few letters. The server finds it; arrows walk through it, Enter goes there,
// Escape closes. Without this script the same is a page.

const DELAY = 120;
const palette = document.querySelector("dialog.palette");
const form = palette?.querySelector("form");
const input = palette?.querySelector("input");
const found = palette?.querySelector(".found");

if (palette && form && input && found) {
  let waiting = 0;
  // a session that ended leads to its sign-in; what nobody answers is told here
  const ask = () => htmx.ajax("GET", form.action, { source: form, target: found });
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (palette.open) return palette.close();
    palette.showModal();
    input.select();
    ask();
  });
  palette.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...found.querySelectorAll("a")];
    const at = stops.findIndex((it) => it === document.activeElement);
    stops.at((at + step) % stops.length)?.focus();
  });
  palette.addEventListener("click", ({ target }) => {
    // a way to a place on this very page leaves it as it is
    if (target === palette || target.closest("a")) palette.close();
  });
  // a refusal is told on the page
  form.addEventListener("htmx:response:error", () => palette.close());
  input.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, DELAY);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    // what is shown may be that of fewer letters
    found.replaceChildren();
    await ask();
    found.querySelector("a")?.click();
  });
}
