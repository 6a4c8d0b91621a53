// @ts-check
// What every page has: what was sent is not sent once more before it is answered.

const words = document.body.dataset;
/** What a button has that waits for an answer. */
const WAITING = ["disabled", "data-sent"];

/** A form may be sent again. @param {HTMLFormElement} form */
function release(form) {
  delete form.dataset.sent;
  for (const button of form.elements) {
    if (button.matches("button[data-sent]")) WAITING.forEach((own) => button.removeAttribute(own));
  }
}

/** Bytes that a form has on its way, but for files. @param {HTMLFormElement} form @param {HTMLElement | null} button */
function bytesOf(form, button) {
  if (form.enctype === "multipart/form-data") return 0;
  const pairs = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
  // there, a line ends by two characters
  return `${new URLSearchParams(pairs)}`.replaceAll("%0A", "%0D%0A").length;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  const bytes = bytesOf(form, event.submitter);
  // it would not be read, and be lost
  const isLong = bytes > Number(words.formBytes ?? Infinity);
  if (isLong || form.dataset.sent !== undefined) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isLong) tell((words.tooLong ?? "").replace("{}", bytes.toLocaleString(document.documentElement.lang))).scrollIntoView();
    return;
  }
  form.dataset.sent = "";
  // behind this turn: a button that is off is not sent, and it is known who takes the form
  setTimeout(() => {
    if (event.defaultPrevented) {
      // a script's is answered by a part of the page
      if (form.hasAttribute("hx-post")) form.dataset.sent = "part";
      else release(form);
      return;
    }
    for (const button of form.elements) {
      if (button.matches("button:enabled:not([type=button])")) WAITING.forEach((own) => button.setAttribute(own, ""));
    }
  });
}, true);

document.addEventListener("htmx:finally:request", (event) => {
  const form = /** @type {CustomEvent} */ (event).detail?.ctx?.sourceElement;
  if (form instanceof HTMLFormElement && form.dataset.sent === "part") release(form);
});

// a page that comes back takes forms again; one just loaded may be sent
window.addEventListener("pageshow", ({ persisted }) => persisted && [...document.forms].forEach(release));

/** Whether something else is filled in than the page came with. @param {Element} it */
function isFilled(it) {
  if (it instanceof HTMLTextAreaElement) return it.value !== it.defaultValue;
  if (it instanceof HTMLSelectElement) {
    const first = [...it.options].findIndex((option) => option.defaultSelected);
    return Math.max(it.selectedIndex, 0) !== Math.max(first, 0);
  }
  // an input of addresses leaves out the spaces around one
  return it instanceof HTMLInputElement && (it.checked !== it.defaultChecked || it.value.trim() !== it.defaultValue.trim());
}

/** Whether it holds work: what is tried beside a schema (`t-`) is none. @param {Element} it */
const isWork = (it) => !it.getAttribute("name")?.startsWith("t-") && isFilled(it);

// who leaves work that none of its forms has sent is asked first; a browser asks no one who did nothing on the page
/** @type {ReturnType<typeof setTimeout> | undefined} */
let staying;
window.addEventListener("beforeunload", (event) => {
  const works = [...document.forms].filter((form) => form.matches("[data-work]"));
  const isLost = works.some((form) => form.dataset.work || [...form.elements].some(isWork));
  if (!isLost || works.some((form) => form.dataset.sent === "") || navigator.userActivation?.hasBeenActive === false) return;
  event.preventDefault();
  // who stays may send what was held up; who leaves is here until the next page answers
  clearTimeout(staying);
  staying = setTimeout(() => [...document.forms].forEach(release), 1_000);
});
window.addEventListener("pagehide", () => clearTimeout(staying));

// what was held up by a question goes on once it is answered
[...document.forms].find((form) => form.matches("[data-at-once]"))?.requestSubmit();

// a file that is dropped on a page that takes one is chosen there
const files = document.querySelectorAll("main input[type=file]");
const place = files.length === 1 && files[0] instanceof HTMLInputElement ? files[0] : null;
const dropping = (/** @type {boolean} */ is) => place?.closest(".field")?.classList.toggle("dropping", is);
document.addEventListener("dragover", (event) => {
  if (!place || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  dropping(true);
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) dropping(false);
});
document.addEventListener("drop", (event) => {
  const dropped = event.dataTransfer?.files;
  if (!place || !dropped?.length) return;
  event.preventDefault();
  place.files = dropped;
  dropping(false);
  place.dispatchEvent(new Event("change", { bubbles: true }));
});

// what is to be copied has a button for it
for (const code of document.querySelectorAll("pre.code, code.secret")) {
  const place = document.createElement("span");
  const button = document.createElement("button");
  place.className = "copying";
  button.type = "button";
  button.textContent = words.copy ?? "";
  button.addEventListener("click", async () => {
    await copy(code);
    button.textContent = words.copied ?? "";
  });
  code.replaceWith(place);
  place.append(code, button);
}

/** A page of an unencrypted line has no clipboard; what is selected is copied all the same. @param {Element} code */
async function copy(code) {
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent ?? "");
  getSelection()?.selectAllChildren(code);
  document.execCommand("copy");
}

for (const table of document.querySelectorAll("table[data-ticks]")) giveTicks(/** @type {HTMLTableElement} */ (table));

/** Of a table of ticks the row of all sets a column, or none of it; so do a verb above it, and with a row what stands before it. @param {HTMLTableElement} table */
function giveTicks(table) {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const all = rows.find((row) => "withScript" in row.dataset);
  const own = rows.filter((row) => row !== all);
  const boxesOf = (/** @type {HTMLTableRowElement[]} */ rows, /** @type {number} */ at) => {
    const cells = rows.flatMap((row) => [...row.cells].filter((cell) => !at || cell.cellIndex === at));
    return cells.flatMap((cell) => [...cell.querySelectorAll("input")]);
  };
  const tell = () => {
    for (const cell of all?.cells ?? []) {
      const box = cell.querySelector("input");
      if (!box) continue;
      const boxes = boxesOf(own, cell.cellIndex);
      const ticked = boxes.filter((it) => it.checked).length;
      box.checked = ticked === boxes.length;
      box.indeterminate = ticked > 0 && !box.checked;
    }
  };
  const set = (/** @type {HTMLInputElement[]} */ boxes, /** @type {boolean} */ is) => {
    for (const box of boxes) box.checked = is;
    tell();
  };
  for (const head of table.querySelectorAll("th")) {
    const row = head.scope === "row" ? /** @type {HTMLTableRowElement} */ (head.parentElement) : null;
    if (!row && head.cellIndex === 0) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    // what else stands there, such as a code, stays beside
    button.append(...[...head.childNodes].slice(0, row ? 1 : undefined));
    button.title = table.dataset.ticks ?? "";
    button.addEventListener("click", () => {
      const boxes = boxesOf(row && row !== all ? [row] : own, head.cellIndex);
      set(boxes, !boxes.every((box) => box.checked));
    });
    head.prepend(button);
  }
  table.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const cell = box.closest("td");
    if (cell && all?.contains(cell)) set(boxesOf(own, cell.cellIndex), box.checked);
    else tell();
  });
  all?.removeAttribute("hidden");
  tell();
  // a page that comes back from the browser's memory has its ticks
  window.addEventListener("pageshow", tell);
}

/** Tells something where refusals of parts are told. @param {string} text */
function tell(text) {
  const told = document.createElement("p");
  told.className = "notice";
  told.setAttribute("role", "alert");
  told.textContent = text;
  document.querySelector("#failure")?.replaceChildren(told);
  return told;
}

// a part that nobody answered for is told where refusals are; who goes on to another page is told nothing
document.addEventListener("htmx:error", (event) => {
  if (!(/** @type {CustomEvent} */ (event).detail?.ctx)) return;
  setTimeout(() => {
    const place = document.querySelector("#failure");
    if (!place || place.querySelector("[data-unanswered]")) return;
    tell(words.unanswered ?? "").dataset.unanswered = "";
  }, 500);
});
document.addEventListener("htmx:after:swap", () => document.querySelector("#failure [data-unanswered]")?.remove());

/** Says of a table whether its place cuts it off at the right. @param {Element} scroll */
function tellCut(scroll) {
  scroll.toggleAttribute("data-cut", scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft > 1);
}
const tellAllCut = () => document.querySelectorAll(".scroll").forEach(tellCut);
document.addEventListener("scroll", ({ target }) => target instanceof Element && target.matches(".scroll") && tellCut(target), { capture: true, passive: true });
// what was closed has a width once it is open
document.addEventListener("toggle", tellAllCut, { capture: true });
document.addEventListener("htmx:after:swap", tellAllCut);
window.addEventListener("resize", tellAllCut);
tellAllCut();
