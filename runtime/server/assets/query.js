// @ts-check
// What may be typed next in the field for queries: the server proposes, arrows choose, Enter and Tab take, Escape closes.
// Without this script the language is explained beside the field.

const PAUSE = 80;

/** @param {HTMLInputElement} input @param {HTMLElement} list */
function complete(input, list) {
  input.role = "combobox";
  input.ariaExpanded = "false";

  let asked = new AbortController();
  let waiting = 0;

  const chosen = () => list.querySelector("[aria-selected=true]");
  const caret = () => input.selectionStart ?? input.value.length;
  const before = () => input.value.slice(0, caret());

  function close() {
    clearTimeout(waiting);
    asked.abort();
    list.hidden = true;
    list.replaceChildren();
    input.ariaExpanded = "false";
    choose(null);
  }

  /** @param {Element | null | undefined} option */
  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.ariaSelected = "true";
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} step behind the last stands the field itself */
  function walk(step) {
    const stops = [null, ...list.children];
    const at = stops.indexOf(chosen());
    choose(stops.at((at + step) % stops.length));
  }

  async function ask() {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const answer = await fetch(`${input.dataset.completions}?q=${encodeURIComponent(before())}`, { headers: { "HX-Request": "true" }, signal, redirect: "manual" });
      // a session that ended, or no answer, is told when the query is sent
      const isOwn = answer.ok && answer.headers.has("fieldstone-page") && !answer.headers.has("HX-Redirect");
      const text = isOwn ? await answer.text() : "";
      if (signal.aborted || document.activeElement !== input) return;
      list.innerHTML = text;
      if (!list.children.length) return close();
      list.hidden = false;
      input.ariaExpanded = "true";
      choose(null);
    } catch {
      if (!signal.aborted) close();
    }
  }

  /** @param {HTMLElement} option */
  function take(option) {
    const { from = "0", text = "" } = option.dataset;
    const end = caret();
    const isParted = text.endsWith(" ") && /^\s/.test(input.value.slice(end));
    input.setRangeText(isParted ? text.trimEnd() : text, Number(from), end, "end");
    close();
    // what asks for more is completed at once
    if (!text.endsWith(" ")) ask();
  }

  input.addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (event instanceof InputEvent && event.isComposing) return;
    if (/(^|\s)$/.test(before())) close();
    else waiting = setTimeout(ask, PAUSE);
  });
  input.addEventListener("keydown", async (event) => {
    const { key } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const option = chosen();
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) await ask();
      walk(key === "ArrowDown" ? 1 : -1);
    } else if (key === "Escape" && !list.hidden) {
      // the browser would empty the field
      event.preventDefault();
      close();
    } else if ((key === "Enter" || (key === "Tab" && !event.shiftKey)) && option) {
      event.preventDefault();
      take(option);
    } else if (key === "Enter") close();
  });
  input.onblur = close;
  // the list would be gone before the click
  list.onpointerdown = (event) => event.preventDefault();
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("li");
    if (option) take(option);
  });
}

for (const place of document.querySelectorAll(".completing")) {
  const [input, list] = [place.querySelector("input"), place.querySelector("ul")];
  if (input && list) complete(input, list);
}
