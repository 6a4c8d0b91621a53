// @ts-check
// Ranges of the grid, to and from a spreadsheet: chosen by Shift and arrows or by dragging, copied whole, as text between tabs
// and as a table. What is pasted goes to the server, which shows it before anything is written.

/** Where the choice began and ends. @type {Corners | undefined} */
let range;
let isDragging = false;

const table = () => document.querySelector("table.grid");
const rows = () => [...(table()?.tBodies[0]?.rows ?? [])];

/** The cell of the grid that something is in. @param {Element | null} it */
const cellOf = (it) => it?.closest?.(".grid tbody :is(td, th)");

/** @param {Cell} cell */
const cornerOf = (cell) => ({ row: rows().findIndex((row) => row.contains(cell)), column: cell.cellIndex });

/** Rows of cells between two corners. @param {Corners} corners */
function between([from, to]) {
  const own = rows().filter((_, at) => (at - from.row) * (at - to.row) <= 0);
  return own.map((row) => [...row.cells].filter((_, at) => (at - from.column) * (at - to.column) <= 0));
}

/** @param {Corners | undefined} corners */
function choose(corners) {
  range = corners;
  tellCopying();
  const cells = corners ? between(corners) : [];
  const all = cells.flat();
  const isRange = all.length > 1;
  for (const cell of document.querySelectorAll(".grid .chosen")) cell.classList.remove("chosen");
  if (isRange) for (const cell of all) cell.classList.add("chosen");
  const told = document.querySelector("#range");
  if (!told) return;
  told.hidden = !isRange;
  told.querySelector("b")?.replaceChildren(`${cells.length} × ${cells[0]?.length}`);
}

/** Whether the page has but a part of a value. @param {Cell} cell */
const isShortened = (cell) => "shortened" in cell.dataset;

/** A value as it is filled in. @param {Cell} cell */
const valueOf = (cell) => cell.dataset.filled ?? cell.querySelector(".value, a:not(.why, .left-out)")?.textContent ?? "";

/** As spreadsheets write a cell between tabs. @param {string} text */
const quoted = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Cells between tabs, in quotes where one needs them; other quotes stay. @param {string} text */
function readTabbed(text) {
  // the last line ends like all others
  const plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  /** @type {string[][]} */
  const read = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*)/y;
  for (let at = 0; at <= plain.length; at += 1) {
    cell.lastIndex = at;
    const [whole = "", inner, bare] = cell.exec(plain) ?? [];
    const isQuoted = inner !== undefined && /[\t\n]|""/.test(inner);
    read.at(-1)?.push(isQuoted ? inner.replaceAll('""', '"') : (bare ?? whole));
    at += whole.length;
    if (plain[at] === "\n") read.push([]);
  }
  return read;
}

/** Cells of the first table of a page. @param {string} html */
function readTable(html) {
  const found = new DOMParser().parseFromString(html, "text/html").querySelector("table");
  return [...(found?.rows ?? [])].map((row) =>
    [...row.cells].map((cell) => {
      for (const end of cell.querySelectorAll("br")) end.replaceWith("\u2028");
      return (cell.textContent ?? "").replace(/[ \t\r\n]+/g, " ").trim().replaceAll("\u2028", "\n");
    }),
  );
}

/** What is chosen, or the cell with the focus; none where an input is meant. @param {OnPage} event @returns {Corners | undefined} */
function meant({ target }) {
  const own = cellOf(document.activeElement);
  if (!own || target.closest?.("input, textarea, select, [contenteditable]")) return;
  return range ?? [cornerOf(own), cornerOf(own)];
}

/** Says how it goes with what is copied. @param {string} [how] */
function tellCopying(how = "") {
  const told = document.querySelector("#copying");
  if (!told) return;
  told.textContent = told.dataset[how] ?? "";
  told.hidden = !how;
}

/** Asks for the whole values of a row. @param {Cell[]} row */
async function askWhole(row) {
  const fields = row.filter(isShortened).map(({ dataset }) => dataset.field ?? "");
  if (!fields[0]) return;
  const path = `${table()?.dataset.records}${row[0]?.closest("tr")?.dataset.record}/cells/${encodeURIComponent(fields[0])}`;
  const answer = await fetch(`${path}?whole=true&columns=${encodeURIComponent(fields.join(" "))}`, { headers: { "HX-Request": "true" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const { dataset } of page.querySelectorAll("data")) {
    const cell = row.find((own) => own.dataset.field === dataset.field);
    if (!cell) continue;
    cell.dataset.filled = dataset.filled;
    delete cell.dataset.shortened;
  }
}

/** Copies cells once their whole values are there. @param {Cell[][]} cells */
async function copyWhole(cells) {
  const own = range;
  tellCopying("waits");
  await Promise.allSettled(cells.map(askWhole));
  if (range !== own) return;
  if (cells.flat().some(isShortened)) tellCopying("failed");
  // a browser may ask for the key once more
  else if (!document.execCommand("copy")) tellCopying("again");
}

const inLine = (text = "") => text.replace(/\s+/g, " ").trim();

addEventListener("copy", (event) => {
  const corners = meant(event);
  if (!corners || !event.clipboardData) return;
  const chosen = between(corners);
  const [only, ...others] = chosen.flat();
  const [marked, more] = [inLine(getSelection()?.toString()), only?.querySelector(".left-out")];
  // of one cell what is marked, unless that is all it shows of more
  if (!others.length && marked && !(more && marked.includes(inLine(only?.querySelector(".value")?.textContent ?? "")))) return;
  event.preventDefault();
  if (chosen.flat().some(isShortened)) return void copyWhole(chosen);
  tellCopying();
  const cells = chosen.map((row) => row.map(valueOf));
  event.clipboardData.setData("text/plain", cells.map((row) => row.map(quoted).join("\t")).join("\n"));
  const copy = document.createElement("table");
  for (const row of cells) {
    const line = copy.insertRow();
    for (const text of row) line.insertCell().append(...text.split("\n").flatMap((part) => [document.createElement("br"), part]).slice(1));
  }
  event.clipboardData.setData("text/html", copy.outerHTML);
});

addEventListener("paste", (event) => {
  const form = document.querySelector("form#paste");
  const corners = meant(event);
  if (!corners || !event.clipboardData || !form) return;
  const text = event.clipboardData.getData("text/plain");
  let cells = text ? readTabbed(text) : readTable(event.clipboardData.getData("text/html"));
  const chosen = between(corners);
  const [first, ...others] = chosen[0] ?? [];
  if (!cells.length || !first) return;
  event.preventDefault();
  const [only, ...more] = cells.flat();
  // one cell fills all that is chosen
  if (only !== undefined && !more.length) cells = chosen.map((row) => row.map(() => only));
  const { row, column } = cornerOf(first);
  const right = Math.max(others.length, ...cells.map((row) => row.length - 1));
  const into = between([{ row, column }, { row: row + cells.length - 1, column: column + right }]);
  for (const input of form.querySelectorAll("input:not([data-own])")) input.remove();
  const send = (name = "", value = "") => form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  for (const cell of into[0] ?? []) send("field", cell.dataset.field);
  for (const row of into) send("record", row[0]?.closest("tr")?.dataset.record);
  send("cells", JSON.stringify(cells));
  // until someone has it, it is work
  form.dataset.work = "pasted";
  form.requestSubmit();
});
addEventListener("pagehide", () => document.querySelector("form#paste")?.removeAttribute("data-work"));

addEventListener("keydown", (event) => {
  const cell = cellOf(event.target);
  if (!cell || cell !== event.target) return;
  /** @type {Record<string, number[]>} */
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const step = steps[event.key];
  if (event.key === "Escape" || (step && !event.shiftKey)) choose(undefined);
  if (!step || !event.shiftKey) return;
  const [from, last] = range ?? [cornerOf(cell), cornerOf(cell)];
  const [down = 0, right = 0] = step;
  const end = rows()[last.row + down]?.cells[last.column + right];
  if (end) choose([from, cornerOf(end)]);
  end?.scrollIntoView({ block: "nearest", inline: "nearest" });
  // the focus stays where the choice began
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

addEventListener("mousedown", (event) => {
  const cell = cellOf(event.target);
  if (!cell || event.button !== 0 || event.target.closest("a, button, input, select, textarea, .editor")) return;
  const isMore = event.shiftKey && range;
  if (isMore) event.preventDefault();
  choose([isMore ? isMore[0] : cornerOf(cell), cornerOf(cell)]);
  isDragging = !isMore;
});

addEventListener("mouseover", ({ target }) => {
  const cell = cellOf(target);
  if (!isDragging || !cell || !range) return;
  table()?.classList.add("choosing");
  getSelection()?.removeAllRanges();
  choose([range[0], cornerOf(cell)]);
});

addEventListener("mouseup", () => {
  isDragging = false;
  table()?.classList.remove("choosing");
});

// rows may be others now
addEventListener("htmx:after:swap", () => choose(undefined));
