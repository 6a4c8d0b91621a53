// @ts-check
// The grid by keyboard: arrows walk, Enter changes the value, Enter again saves and goes to the next fault, Escape leaves
// it as it was. Without this script each row leads to its form.

const CELLS = "tbody td, tbody th";

/** @returns {HTMLTableElement | null} */
const grid = () => document.querySelector("table.grid");

/** @param {Element | null} cell */
function walkTo(cell) {
  if (!(cell instanceof HTMLTableCellElement)) return;
  for (const other of document.querySelectorAll(".grid [tabindex='0']:is(td, th)")) {
    other.setAttribute("tabindex", "-1");
  }
  cell.tabIndex = 0;
  cell.focus();
  // out from below the head and the keys, which stay: the focus alone takes no heed of them
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function prepare() {
  const table = grid();
  if (!table) return;
  for (const cell of table.querySelectorAll(CELLS)) {
    if (!cell.hasAttribute("tabindex")) cell.setAttribute("tabindex", "-1");
  }
  if (!table.querySelector("[tabindex='0']:is(td, th)")) {
    const first = table.querySelector("tbody td.fault") ?? table.querySelector(CELLS);
    first?.setAttribute("tabindex", "0");
  }
}

/** Whether a value is changed where it stands; files, and what one does not see, are not. @param {HTMLTableCellElement} cell */
function isEditable(cell) {
  const { field, fixed } = cell.dataset;
  return Boolean(field) && fixed === undefined && "editable" in (grid()?.dataset ?? {});
}

/** @param {HTMLTableCellElement} cell */
function edit(cell) {
  const table = grid();
  const row = cell.closest("tr");
  if (!table || !row || !isEditable(cell) || cell.querySelector(".editor")) return;
  cell.dataset.was = cell.innerHTML;
  // what stands around it stays where it is; the editor lies over it
  const { width, height } = cell.getBoundingClientRect();
  Object.assign(cell.style, { minWidth: `${width}px`, height: `${height}px` });
  const columns = encodeURIComponent(table.dataset.columns ?? "");
  const path = `${table.dataset.records}${row.dataset.record}/cells/${encodeURIComponent(cell.dataset.field ?? "")}`;
  // @ts-ignore: htmx is a script of its own
  htmx.ajax("GET", `${path}?columns=${columns}`, { target: cell, swap: "innerHTML" });
}

/** What a cell that is not changed where it stands leads to: where its fault is mended, else what it shows. @param {HTMLTableCellElement} cell */
function follow(cell) {
  const link = cell.querySelector("a.why") ?? cell.querySelector("a");
  if (link instanceof HTMLElement) link.click();
}

/** @param {HTMLTableCellElement} cell */
function leave(cell) {
  // what stood there was written by the server
  const was = cell.dataset.was;
  if (was === undefined) return;
  const template = document.createElement("template");
  template.innerHTML = was;
  cell.replaceChildren(template.content);
  cell.removeAttribute("style");
  walkTo(cell);
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const cell = target.closest?.(".grid td, .grid tbody th");
  if (!(cell instanceof HTMLTableCellElement)) return;
  const editor = cell.querySelector(".editor");
  if (editor) {
    if (event.key === "Escape") leave(cell);
    const isChosen = event.key === "Enter" && target instanceof HTMLSelectElement;
    if (isChosen && editor instanceof HTMLFormElement) {
      event.preventDefault();
      editor.requestSubmit();
    }
    return;
  }
  if (target !== cell) return;
  const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
  const at = (/** @type {Element | null} */ other) =>
    other instanceof HTMLTableRowElement ? (other.cells[cell.cellIndex] ?? null) : null;
  const steps = {
    ArrowRight: () => walkTo(cell.nextElementSibling),
    ArrowLeft: () => walkTo(cell.previousElementSibling),
    ArrowDown: () => walkTo(at(row.nextElementSibling)),
    ArrowUp: () => walkTo(at(row.previousElementSibling)),
    Enter: () => (!isEditable(cell) || (cell.tagName === "TH" && !cell.matches(".fault")) ? follow(cell) : edit(cell)),
    F2: () => edit(cell),
  };
  // the first proposals are taken by their number
  const proposal = /^[1-9]$/.test(event.key) ? cell.querySelectorAll(".proposals button")[Number(event.key) - 1] : null;
  if (proposal instanceof HTMLElement && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    proposal.click();
    return;
  }
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (!step) return;
  event.preventDefault();
  step();
});

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const why = target.closest("a.why");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (why && isPlain && grid()?.contains(why)) {
    const cell = why.closest("td, th");
    // else the link leads to the record's form
    if (!(cell instanceof HTMLTableCellElement) || !isEditable(cell)) return;
    event.preventDefault();
    edit(cell);
  }
});

document.addEventListener("dblclick", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target).closest(".grid tbody td");
  if (cell instanceof HTMLTableCellElement) edit(cell);
});

/** Says how many records are ticked, and whether all of the page are. */
function tellTicked() {
  const form = document.querySelector("#selection");
  if (!form) return;
  const boxes = document.querySelectorAll(".pick");
  const ticked = document.querySelectorAll(".pick:checked").length;
  for (const part of form.querySelectorAll("[data-with-script]")) part.removeAttribute("hidden");
  const count = form.querySelector("output b");
  if (count) count.textContent = String(ticked);
  const all = form.querySelector("label input");
  if (!(all instanceof HTMLInputElement)) return;
  all.checked = ticked > 0 && ticked === boxes.length;
  all.indeterminate = ticked > 0 && !all.checked;
}

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLElement} */ (event.target);
  if (!(box instanceof HTMLInputElement)) return;
  if (box.matches("#selection label input")) {
    for (const pick of document.querySelectorAll(".pick")) {
      if (pick instanceof HTMLInputElement) pick.checked = box.checked;
    }
  }
  if (box.matches("#selection label input, .pick")) tellTicked();
});

/** The record whose row was just sent. @type {string | undefined} */
let sent;
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.matches(".editor, .proposals")) sent = form.closest("tr")?.dataset.record;
}, true);

document.addEventListener("htmx:after:swap", () => {
  prepare();
  tellTicked();
  const input = grid()?.querySelector(".editor :is(input:not([type=hidden]), select, textarea)");
  if (input instanceof HTMLElement) {
    input.focus();
    if (input instanceof HTMLInputElement) input.select();
    return;
  }
  if (!sent) return;
  const row = grid()?.querySelector(`tr[data-record="${CSS.escape(sent)}"]`);
  sent = undefined;
  if (!row) return;
  const faults = [...document.querySelectorAll(".grid tbody .fault")];
  const next = faults.find((cell) => row.contains(cell) || row.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING);
  walkTo(next ?? row.querySelector("td"));
});

prepare();
tellTicked();
// a page that comes back from the browser's memory has its ticks
window.addEventListener("pageshow", tellTicked);
