// @ts-check
// The grid by keyboard: arrows walk, Enter changes the value, Enter again saves and goes to the next fault, Escape leaves it.
// One value is changed at a time: turned away from, it is saved, and what is asked for meanwhile comes behind the answer,
// which replaces the whole row. Without this script each row leads to its form.

const CELLS = ".grid tbody :is(td, th)";

/** @returns {HTMLTableElement | null} */
const grid = () => document.querySelector("table.grid");

/** @param {Element | null} cell */
function walkTo(cell) {
  if (!(cell instanceof HTMLElement)) return;
  for (const other of document.querySelectorAll(`${CELLS}[tabindex='0']`)) other.setAttribute("tabindex", "-1");
  cell.tabIndex = 0;
  cell.focus();
  // out from below the head and the keys, which stay
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function prepare() {
  for (const cell of document.querySelectorAll(`${CELLS}:not([tabindex])`)) cell.setAttribute("tabindex", "-1");
  if (document.querySelector(`${CELLS}[tabindex='0']`)) return;
  const first = document.querySelector(".grid tbody td.fault") ?? document.querySelector(CELLS);
  first?.setAttribute("tabindex", "0");
}

/** Whether a value is changed where it stands; files, and what one does not see, are not. @param {Element} cell */
const isEditable = (cell) => cell.matches(".grid[data-editable] [data-field]:not([data-fixed])");

/** The row of a record. @param {string} [record] */
const rowOf = (record = "") => grid()?.querySelector(`tr[data-record="${CSS.escape(record)}"]`);

/** The value that is being changed. */
const editor = () => /** @type {HTMLFormElement | null} */ (grid()?.querySelector("form.editor") ?? null);

/** What waits for an answer: a form that was sent, or a cell for its editor. @type {HTMLElement | undefined} */
let underWay;
/** Its request. @type {unknown} */
let request;
/** What comes behind the answer. @type {(() => void) | undefined} */
let next;

document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  if (underWay && (ctx.sourceElement === underWay || ctx.target === underWay)) request = ctx;
});

document.addEventListener("htmx:finally:request", (event) => {
  if (!underWay || /** @type {CustomEvent} */ (event).detail.ctx !== request) return;
  const [then, was] = [next, underWay];
  underWay = request = next = undefined;
  // what was refused stays open, as does a sign-in in place of the page; what just opened is left
  if (grid() && (!editor() || was instanceof HTMLTableCellElement)) then?.();
});

/** Whether an editor holds something else than when it came, or what was refused. @param {HTMLFormElement} form */
function isChanged(form) {
  const isOther = (/** @type {Element} */ it) => {
    if (it instanceof HTMLSelectElement) return [...it.options].some((own) => own.selected !== own.defaultSelected);
    const own = /** @type {HTMLInputElement} */ (it);
    return "defaultValue" in it && (own.value !== own.defaultValue || own.checked !== own.defaultChecked);
  };
  return Boolean(form.querySelector(".notice")) || [...form.elements].some(isOther);
}

/** Whether it is in the cell that waits for its editor. @param {Node} it */
const isAwaited = (it) => underWay instanceof HTMLTableCellElement && underWay.contains(it);

/** One turns away from the value that is changed: another one is saved. */
function turnAway() {
  const form = editor();
  // an editor that comes too late takes the keyboard from nothing else
  if (underWay instanceof HTMLTableCellElement) next = turnAway;
  if (!form || underWay) return;
  if (isChanged(form)) form.requestSubmit();
  else close(form.closest("td, th"));
}

/** @param {Element | null | undefined} cell */
function edit(cell) {
  const table = grid();
  if (!table || !(cell instanceof HTMLTableCellElement) || !isEditable(cell) || cell.querySelector(".editor")) return;
  if (cell === underWay) {
    next = undefined;
    return;
  }
  turnAway();
  const [record, field = ""] = [cell.closest("tr")?.dataset.record, cell.dataset.field];
  if (underWay) {
    next = () => edit(rowOf(record)?.querySelector(`[data-field="${CSS.escape(field)}"]`));
    return;
  }
  underWay = cell;
  cell.dataset.was = cell.innerHTML;
  // what stands around it stays where it is; the editor lies over it
  const { width, height } = cell.getBoundingClientRect();
  Object.assign(cell.style, { minWidth: `${width}px`, height: `${height}px` });
  const columns = encodeURIComponent(table.dataset.columns ?? "");
  const path = `${table.dataset.records}${record}/cells/${encodeURIComponent(field)}`;
  // @ts-ignore: htmx is a script of its own
  htmx.ajax("GET", `${path}?columns=${columns}`, { target: cell, swap: "innerHTML" });
}

/** Goes where a cell leads that is not changed here: to its fault, else what it shows. @param {HTMLTableCellElement} cell */
function follow(cell) {
  const link = cell.querySelector("a.why") ?? cell.querySelector("a");
  if (link instanceof HTMLElement) link.click();
}

/** What stood in a cell stands there again. @param {Element | null} cell */
function close(cell) {
  // it was written by the server
  const was = cell instanceof HTMLElement ? cell.dataset.was : undefined;
  if (!cell || was === undefined) return;
  cell.innerHTML = was;
  // @ts-ignore: htmx is a script of its own, and knows what it brought itself
  htmx.process(cell);
  cell.removeAttribute("style");
}

/** The same, and the keyboard goes on from there; what was sent is stored, and the answer shows it. @param {Element | null} cell */
function leave(cell) {
  if (underWay) return;
  close(cell);
  walkTo(cell);
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const cell = target.closest?.(CELLS);
  if (!(cell instanceof HTMLTableCellElement)) return;
  const form = cell.querySelector("form.editor");
  if (form instanceof HTMLFormElement) {
    if (event.key === "Escape") leave(cell);
    const ends = target instanceof HTMLSelectElement || (target instanceof HTMLTextAreaElement && (event.ctrlKey || event.metaKey));
    if (event.key === "Enter" && ends) {
      event.preventDefault();
      form.requestSubmit();
    }
    return;
  }
  if (target !== cell) return;
  const row = cell.parentElement;
  const at = (/** @type {Element | null | undefined} */ other) => other?.children[cell.cellIndex] ?? null;
  const steps = {
    ArrowRight: () => walkTo(cell.nextElementSibling),
    ArrowLeft: () => walkTo(cell.previousElementSibling),
    ArrowDown: () => walkTo(at(row?.nextElementSibling)),
    ArrowUp: () => walkTo(at(row?.previousElementSibling)),
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

/** @param {MouseEvent} event */
const isPlain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;

/** What was pressed last, until a key is. @type {EventTarget | null} */
let pressed = null;
document.addEventListener("pointerdown", ({ target }) => (pressed = target), true);
document.addEventListener("keydown", () => (pressed = null), true);

// the keyboard turns away by its focus, a mouse by its click
document.addEventListener("focusin", ({ target }) => {
  if (!pressed && target instanceof Node && !editor()?.contains(target) && !isAwaited(target)) turnAway();
});

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const form = editor();
  if (form?.contains(target)) {
    if (target.closest("[data-leave]")) leave(form.closest("td, th"));
    return;
  }
  if (!isAwaited(target)) turnAway();
  const link = target.closest("a");
  const leads = link?.href && isPlain(event) && !link.matches(".grid :not([data-fixed]) > a.why");
  if (!leads || !(underWay instanceof HTMLFormElement)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  next = () => location.assign(link.href);
}, true);

// who goes another way is asked
window.addEventListener("beforeunload", (event) => {
  const form = editor();
  if (underWay instanceof HTMLFormElement || (form && isChanged(form))) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target).closest("a.why")?.closest(CELLS);
  // else the link leads to the record's form
  if (!cell || !isPlain(event) || !isEditable(cell)) return;
  event.preventDefault();
  edit(cell);
});

document.addEventListener("dblclick", (event) => {
  edit(/** @type {HTMLElement} */ (event.target).closest(".grid tbody td"));
});

/** Says how many records are ticked, and whether all are. */
function tellTicked() {
  const form = document.querySelector("#selection");
  if (!form) return;
  const boxes = document.querySelectorAll(".pick");
  const ticked = document.querySelectorAll(".pick:checked").length;
  for (const part of form.querySelectorAll("[data-with-script]")) part.removeAttribute("hidden");
  for (const button of form.querySelectorAll("button:not([name])")) button.toggleAttribute("disabled", !ticked);
  const count = form.querySelector("output b");
  if (count) count.textContent = String(ticked);
  const all = form.querySelector("label input");
  if (!(all instanceof HTMLInputElement)) return;
  all.checked = ticked > 0 && ticked === boxes.length;
  all.indeterminate = ticked > 0 && !all.checked;
}

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLElement} */ (event.target);
  // what a finger chose is meant; by keys one may go on choosing
  const form = box instanceof HTMLSelectElement && box === pressed ? editor() : null;
  if (form?.contains(box) && !form.querySelector(".theirs")) form.requestSubmit();
  if (!(box instanceof HTMLInputElement)) return;
  if (box.matches("#selection label input")) {
    for (const pick of document.querySelectorAll(".pick")) Object.assign(pick, { checked: box.checked });
  }
  if (box.matches("#selection label input, .pick")) tellTicked();
});

/** The record whose row was just sent. @type {string | undefined} */
let sent;
window.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (underWay instanceof HTMLFormElement) {
    // it comes behind the answer, if it is there still
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    if (form !== underWay) next = () => form.isConnected && form.requestSubmit(submitter);
    return;
  }
  if (!form.matches(".editor, .proposals")) return;
  underWay = form;
  sent = form.closest("tr")?.dataset.record;
  // who stays on the page though no script takes the form waits for no answer
  setTimeout(() => {
    if (!event.defaultPrevented && underWay === form) underWay = undefined;
  });
}, true);

document.addEventListener("htmx:after:swap", () => {
  prepare();
  tellTicked();
  const form = editor();
  if (form) {
    // once: a later part takes nothing from who types
    const isFirst = form.dataset.shown === undefined;
    form.dataset.shown = "";
    // nor does what was turned away from already
    if (!isFirst || (next && underWay instanceof HTMLTableCellElement)) return;
    const input = form.querySelector(":is(input:not([type=hidden]), select, textarea)");
    if (input instanceof HTMLElement) input.focus();
    if (input instanceof HTMLInputElement) input.select();
    return;
  }
  if (!sent) return;
  const row = rowOf(sent);
  sent = undefined;
  if (!row) return;
  const faults = [...document.querySelectorAll(".grid tbody .fault")];
  const fault = faults.find((cell) => row.contains(cell) || row.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING);
  walkTo(fault ?? row.querySelector("td"));
});

prepare();
tellTicked();
// a page that comes back has its ticks
window.addEventListener("pageshow", tellTicked);
