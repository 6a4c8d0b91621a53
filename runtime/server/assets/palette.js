// @ts-check
// Ctrl-K on every page: somewhere else by a few letters. What there is, the server finds and writes; arrows walk through
// it, Enter goes there, Escape closes. Without this script the same is a page.

const DELAY = 120;
const palette = document.querySelector("dialog.palette");
const form = palette?.querySelector("form");
const input = palette?.querySelector("input");
const found = palette?.querySelector(".found");

/** @type {AbortController | undefined} */
let asked;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

async function ask() {
  if (!form || !input || !found) return;
  asked?.abort();
  asked = new AbortController();
  const address = `${form.action}?q=${encodeURIComponent(input.value)}`;
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: asked.signal, redirect: "manual" });
    // a session that ended, a service that does not answer: the page says what is the matter
    if (!answer.ok || answer.headers.has("HX-Redirect")) return location.assign(address);
    found.innerHTML = await answer.text();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) location.assign(address);
  }
}

/** @param {number} step */
function walk(step) {
  if (!found || !input) return;
  const stops = [input, ...found.querySelectorAll("a")];
  const at = stops.findIndex((it) => it === document.activeElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
}

if (palette instanceof HTMLDialogElement) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (palette.open) return palette.close();
    palette.showModal();
    input?.select();
    ask();
  });
  palette.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    walk(step);
  });
  palette.addEventListener("click", (event) => {
    const { target } = event;
    // a way to a place on this very page leaves it as it is
    if (target === palette || (target instanceof Element && target.closest("a"))) palette.close();
  });
  input?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, DELAY);
  });
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    // what is shown may be that of fewer letters
    await ask();
    found?.querySelector("a")?.click();
  });
}
