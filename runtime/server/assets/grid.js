// @ts-check
// The grid by keyboard: arrows walk, Enter changes a value, Enter again saves it and goes to the next fault, Escape leaves it.
// One is changed at a time: turned away from, it is saved, and what is asked for meanwhile comes behind the answer, the row
// anew in the same cells. The keyboard goes on at once; what is typed before an editor is there goes into it. Without this
// script each row leads to its form.

const CELLS = ".grid tbody :is(td, th)";

const grid = () => document.querySelector("table.grid");

/** @param {HTMLElement | null | undefined} cell */
function walkTo(cell) {
  if (!cell) return;
  for (const other of document.querySelectorAll(`${CELLS}[tabindex='0']`)) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
  // out from below the head and the keys, which stay
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function prepare() {
  for (const cell of document.querySelectorAll(`${CELLS}:not([tabindex])`)) cell.tabIndex = -1;
  if (document.querySelector(`${CELLS}[tabindex='0']`)) return;
  (document.querySelector(".grid tbody td.fault") ?? document.querySelector(CELLS))?.setAttribute("tabindex", "0");
}

/** Whether it is changed where it stands; files, and what one does not see, are not. @param {Element} cell */
const isEditable = (cell) => cell.matches(".grid[data-editable] [data-field]:not([data-fixed])");

/** What an editor is typed into. @param {Form | null | undefined} form */
const inputOf = (form) => form?.querySelector(":is(input:not([type=hidden]), select, textarea)");

/** The value that is being changed. */
const editor = () => grid()?.querySelector("form.editor");

/** What waits for an answer: a form that was sent, or a cell for its editor. @type {HTMLElement | undefined} */
let underWay;
/** Its request. @type {unknown} */
let request;
/** What comes behind the answer. @type {(() => void) | undefined} */
let next;
const isSaving = () => underWay instanceof HTMLFormElement;
const isOpening = () => underWay instanceof HTMLTableCellElement;

/** Holds what an editor that is to come will hold, and takes its keys until then. */
const early = document.createElement("textarea");
early.className = "early";
let isComposing = false;
for (const kind of ["start", "end"]) early.addEventListener(`composition${kind}`, () => (isComposing = kind === "start"));
/** The cell that it is for. @type {HTMLElement | undefined} */
let owner;
/** Lines that an Enter ended: that cell's, and the next ones'. @type {string[]} */
let ended = [];
const hasKeys = () => early.isConnected && (!!ended.length || early.value !== early.defaultValue || early.selectionEnd - early.selectionStart < early.value.length);

/** Where the keyboard went on when a value was sent. @type {HTMLElement | null} */
let ahead = null;

addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (!underWay || ![ctx?.sourceElement, ctx?.target].includes(underWay)) return;
  request = ctx;
  const [own, row] = [underWay.closest("td, th"), underWay.closest("tr")];
  if (!isSaving() || !own || !row) return;
  // what needs less room keeps it until the page is loaded anew
  const held = [row, ...document.querySelectorAll(".grid thead th")].map((it) => ({ it, box: it.getBoundingClientRect() }));
  for (const { it, box } of held) Object.assign(it.style, { minWidth: `${box.width}px`, height: `${box.height}px` });
  ahead = null;
  const isIn = own.contains(document.activeElement);
  // what is typed into what is on its way would go with it
  underWay.inert = true;
  if (!isIn) return;
  // to the next fault of the row, else below
  const isNext = (/** @type {Node} */ it) => own.compareDocumentPosition(it) & Node.DOCUMENT_POSITION_FOLLOWING;
  ahead = [...document.querySelectorAll(".grid tbody .fault")].find(isNext) ?? row.querySelector("td");
  walkTo(ahead);
});

addEventListener("htmx:finally:request", ({ detail }) => {
  if (!underWay || detail.ctx !== request) return;
  const [then, was, isCell] = [next, underWay, isOpening()];
  underWay = request = next = undefined;
  was.inert = false;
  // without an editor no keys are taken, and what was refused takes none from who types elsewhere
  const form = editor();
  if (isCell === !form) {
    const at = document.activeElement;
    if (at === ahead || at === document.body) inputOf(form)?.focus();
    else if (at === early || (form && at?.matches(CELLS))) walkTo((form ?? was).closest("td, th"));
    early.remove();
  }
  // what was refused stays open, or a sign-in; what just opened is left
  if (grid() && (!form || isCell)) then?.();
});

/** Whether an editor holds another value than it came with, or a refused one. @param {Form} form */
function isChanged(form) {
  const isOther = (/** @type {any} */ it) =>
    it.options ? [...it.options].some((own) => own.selected !== own.defaultSelected) : it.value !== it.defaultValue || it.checked !== it.defaultChecked;
  return form.querySelector(".notice") || [...form.querySelectorAll("input, select, textarea")].some(isOther);
}

/** Whether it waits for its editor. @param {Node} it */
const isAwaited = (it) => it === early || (isOpening() && underWay?.contains(it));

/** One turns away from what is changed: another value is saved. */
function turnAway() {
  const form = editor();
  // a late editor takes the keyboard from nothing else
  if (isOpening()) next = turnAway;
  if (!form || underWay) return;
  if (isChanged(form)) form.requestSubmit();
  else form.remove();
}

/** @param {HTMLElement | null | undefined} cell @param isNext whether it was asked for before an answer */
function edit(cell, isNext = false) {
  const table = grid();
  if (!table || !cell || !isEditable(cell) || (cell.querySelector(".editor") && !isSaving())) return;
  if (cell === underWay) return void (next = undefined);
  if (!isNext && isSaving() && hasKeys() && owner !== cell) {
    // what was typed for another one comes before it
    const before = next;
    next = () => {
      before?.();
      next = () => edit(cell);
    };
    return;
  }
  // who turned away goes on there; what was typed is saved
  const isLeft = isNext && early.isConnected && early !== document.activeElement;
  if (isLeft && !hasKeys()) return early.remove();
  turnAway();
  if (!isLeft && (!isOpening() || !hasKeys())) {
    walkTo(cell);
    if (owner !== cell || !early.isConnected) {
      owner = cell;
      ended = [];
      table.after(early);
      early.readOnly = false;
      early.value = early.defaultValue = cell.dataset.filled ?? cell.querySelector(".value, a")?.textContent ?? "";
      early.select();
    }
    early.focus();
  }
  const { field = "" } = cell.dataset;
  if (underWay) {
    // the answer may have another field in its place
    next = () => (cell.dataset.field === field ? edit(cell, true) : early.remove());
    return;
  }
  underWay = cell;
  if (isLeft) next = turnAway;
  const path = `${table.dataset.records}${cell.closest("tr")?.dataset.record}/cells/${encodeURIComponent(field)}`;
  htmx.ajax("GET", `${path}?columns=${encodeURIComponent(table.dataset.columns ?? "")}`, { target: cell, swap: "beforeend" });
}

/** A new editor has what was typed for it. @param {Control} input */
function takeOver(input) {
  // by now it is for another one
  if (early.isConnected && owner !== input.closest("td, th")) return;
  if (isComposing && early.isConnected) return early.addEventListener("compositionend", () => takeOver(input), { once: true });
  const { defaultValue: was, selectionStart, selectionEnd } = early;
  const [isTyped, isMeant] = [hasKeys(), !next || !isOpening()];
  const [line = "", ...more] = isTyped ? [...ended, early.value] : [];
  early.remove();
  // where one turned away, the keyboard stays elsewhere
  if (isMeant) input.focus();
  if (!isTyped) {
    if (isMeant && input instanceof HTMLInputElement) input.select();
  } else if (input instanceof HTMLTextAreaElement) {
    // not selected, it is not typed over
    return input.setRangeText([line, ...more].join("\n").replace(was, ""), 0, 0, "end");
  } else if (input instanceof HTMLInputElement) {
    const text = line === was ? input.value : line;
    // an address has no places: one goes on at its end
    input.value = "";
    input.value = text;
    if (input.selectionEnd !== null) input.setSelectionRange(selectionStart, selectionEnd);
  } else if (line && line !== was) {
    const option = [...input.options].find(({ label }) => label.toLowerCase().startsWith(line.toLowerCase()));
    if (option) option.selected = true;
  }
  if (more.shift() === undefined) return;
  input.form?.requestSubmit();
  // what is typed behind it is for the next one
  if (!more.length || ahead !== document.activeElement) return;
  edit(ahead);
  // where nothing was typed, it stays
  more[0] ||= early.defaultValue;
  early.value = more.pop() ?? "";
  ended = more;
}

/** Leaves a value as it is, unless it was sent. @param {HTMLElement | null} cell */
function leave(cell) {
  if (underWay) return;
  cell?.querySelector(".editor")?.remove();
  walkTo(cell);
}

addEventListener("keydown", (event) => {
  const { key, target } = event;
  const isWith = event.ctrlKey || event.metaKey;
  const cell = (target === early ? document.querySelector(`${CELLS}[tabindex='0']`) : target)?.closest?.(CELLS);
  if (!cell) return;
  // until something is typed, arrows walk on
  if (isAwaited(target) && (hasKeys() || !key.startsWith("Arrow"))) {
    early.focus();
    if (event.isComposing) return;
    if (key === "Enter") {
      // wherever one stands, the line is ended
      event.preventDefault();
      if (early.readOnly) return;
      ended.push(early.value);
      early.value = "";
      // where an arrow leads is not known yet
    } else if (key.startsWith("Arrow") && ended.length % 2) early.readOnly = true;
    else if (key === "Escape" && ended.length) {
      // what was ended is saved; what came behind it is left
      ended.length -= (ended.length + 1) % 2;
      early.value = "";
    } else if (key === "Escape") {
      early.remove();
      walkTo(cell);
      next = cell === underWay ? () => leave(cell) : isOpening() ? turnAway : undefined;
    }
    return;
  }
  const form = cell.querySelector("form.editor");
  if (form && form !== underWay) {
    if (key === "Escape") leave(cell);
    if (key === "Enter" && (target.matches("select") || (isWith && target.matches("textarea")))) {
      event.preventDefault();
      form.requestSubmit();
    }
    return;
  }
  if (target !== cell && target !== early) return;
  const step = (right = 0, down = 0) => () => walkTo(rows()[row + down]?.cells[cell.cellIndex + right]);
  const row = rows().findIndex((own) => own.contains(cell));
  /** @type {Record<string, () => void>} */
  const steps = {
    ArrowRight: step(1),
    ArrowLeft: step(-1),
    ArrowDown: step(0, 1),
    ArrowUp: step(0, -1),
    // what is not changed here leads to its fault, else to what it shows
    Enter: () => (cell.matches("td, .fault") && isEditable(cell) ? edit(cell) : (cell.querySelector("a.why") ?? cell.querySelector("a"))?.click()),
    F2: () => edit(cell),
  };
  // a number takes a proposal, unless something is under way
  const proposal = cell.querySelectorAll(".proposals button")[Number(key) - 1];
  const act = proposal && !isWith && !event.altKey ? () => underWay || proposal.click() : steps[key];
  if (act) event.preventDefault();
  act?.();
});

/** Pressed last, until a key is. @type {EventTarget | null} */
let pressed = null;
addEventListener("pointerdown", ({ target }) => (pressed = target), true);
addEventListener("keydown", () => (pressed = null), true);

// the keyboard turns away by its focus, a mouse by its click
addEventListener("focusin", ({ target }) => {
  if (!pressed && !editor()?.closest("td, th")?.contains(target) && !isAwaited(target)) turnAway();
});

addEventListener("click", (event) => {
  const { target } = event;
  const form = editor();
  if (form?.contains(target)) {
    if (target.closest("[data-leave]")) leave(form.closest("td, th"));
    return;
  }
  if (!isAwaited(target)) turnAway();
  const link = target.closest("a");
  if (!link?.href || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const cell = link.closest("td, th");
  // a fault that is not mended where it stands leads to the record's form
  const isEdited = cell && link.matches(".why") && isEditable(cell);
  if (!isEdited && !isSaving()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isEdited) edit(cell);
  else next = () => location.assign(link.href);
}, true);

addEventListener("beforeunload", (event) => {
  const form = editor();
  if (isSaving() || hasKeys() || (form && isChanged(form))) event.preventDefault();
});

addEventListener("dblclick", ({ target }) => edit(target.closest(".grid tbody td")));

const rows = () => [...(grid()?.tBodies[0]?.rows ?? [])];

/** Says how many records are ticked, and whether all. */
function tellTicked() {
  const form = document.querySelector("#selection");
  const all = form?.querySelector("label input");
  if (!form || !all) return;
  const size = document.querySelectorAll(".pick:checked").length;
  for (const button of form.querySelectorAll("button:not([name])")) button.toggleAttribute("disabled", !size);
  form.querySelector("output b")?.replaceChildren(`${size}`);
  all.checked = size > 0 && size === rows().length;
  all.indeterminate = size > 0 && !all.checked;
}

addEventListener("change", ({ target: box }) => {
  // what a finger chose is meant; by keys one may go on choosing
  const form = box === pressed && box.matches("select") ? editor() : null;
  if (form?.contains(box) && !form.querySelector(".theirs")) form.requestSubmit();
  if (box.matches("#selection label input")) for (const pick of document.querySelectorAll(".pick")) pick.checked = box.checked;
  tellTicked();
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (isSaving()) {
    // it comes behind the answer
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form !== underWay) next = () => form.isConnected && form.requestSubmit(submitter);
    return;
  }
  if (!form.matches(".editor, .proposals")) return;
  underWay = form;
  // where no script takes the form, there is no answer
  setTimeout(() => {
    if (!request && underWay === form) underWay = undefined;
  });
}, true);

addEventListener("htmx:after:swap", () => {
  prepare();
  const form = editor();
  const input = inputOf(form);
  if (!form || !input || form.dataset.shown !== undefined) return;
  // once: no later part takes anything from who types
  form.dataset.shown = "";
  if (!isSaving()) takeOver(input);
});

prepare();
tellTicked();
// a page that comes back has its ticks
addEventListener("pageshow", tellTicked);
