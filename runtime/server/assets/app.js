// @ts-check
// What every page has: what was submitted is not submitted twice.

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = form.querySelector("button:not([type=button])");
  if (form.method !== "post" || !button || form.hasAttribute("hx-post")) return;
  // behind this turn, since a button that is off is not sent
  setTimeout(() => {
    button.setAttribute("disabled", "");
    button.setAttribute("data-sent", "");
  });
});

// a page that comes back from the browser's memory takes forms again
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button[data-sent]")) {
    button.removeAttribute("disabled");
    button.removeAttribute("data-sent");
  }
});

// what was held up by a question goes on once it is answered
/** @type {HTMLFormElement | null} */
const held = document.querySelector("form[data-at-once]");
held?.requestSubmit();

// a file that is dropped anywhere on a page that takes one is chosen there
const files = document.querySelectorAll("main input[type=file]");
const place = files.length === 1 && files[0] instanceof HTMLInputElement ? files[0] : null;
document.addEventListener("dragover", (event) => {
  if (!place || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  place.closest(".field")?.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) place?.closest(".field")?.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  const dropped = event.dataTransfer?.files;
  if (!place || !dropped?.length) return;
  event.preventDefault();
  place.files = dropped;
  place.closest(".field")?.classList.remove("dropping");
  place.dispatchEvent(new Event("change", { bubbles: true }));
});

// what is there to be copied has a button for it, where the browser lets a page do that
const words = document.body.dataset;
for (const code of navigator.clipboard ? document.querySelectorAll("pre.code, code.secret") : []) {
  const place = document.createElement("span");
  const button = document.createElement("button");
  place.className = "copying";
  button.type = "button";
  button.textContent = words.copy ?? "";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent ?? "");
    button.textContent = words.copied ?? "";
  });
  code.replaceWith(place);
  place.append(code, button);
}

// a verb over its column of ticks sets them all, or none; what stands before a row does so with the row
for (const head of document.querySelectorAll("table[data-ticks] th")) {
  const cell = /** @type {HTMLTableCellElement} */ (head);
  const table = /** @type {HTMLTableElement} */ (cell.closest("table"));
  const row = cell.scope === "row" ? cell.closest("tr") : null;
  const at = cell.cellIndex;
  if (!row && at === 0) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  // what else stands before a row, such as a code, stays beside
  button.append(...[...cell.childNodes].slice(0, row ? 1 : undefined));
  button.title = table.dataset.ticks ?? "";
  button.addEventListener("click", () => {
    /** @type {(HTMLTableCellElement | undefined)[]} */
    const cells = row ? [...row.cells] : [...(table.tBodies[0]?.rows ?? [])].map((it) => it.cells[at]);
    const boxes = cells.flatMap((it) => [...(it?.querySelectorAll("input") ?? [])]).filter((box) => !box.disabled);
    const is = !boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = is;
  });
  cell.prepend(button);
}
