// @ts-check
// What every page has: what was sent is not sent once more before it is answered.

const words = document.body.dataset;

/** Whether buttons of a form wait for an answer. @param {Form} form @param {boolean} is */
function wait(form, is) {
  for (const button of form.elements) {
    if (!button.matches(is ? "button:enabled:not([type=button])" : "button[data-sent]")) continue;
    for (const own of ["disabled", "data-sent"]) button.toggleAttribute(own, is);
  }
}

/** A form may be sent again. @param {Form} form */
function release(form) {
  delete form.dataset.sent;
  wait(form, false);
}
const releaseAll = () => [...document.forms].forEach(release);

/** Bytes of a form, but for files. @param {Form} form @param {HTMLElement | null} button */
function bytesOf(form, button) {
  if (form.enctype === "multipart/form-data") return 0;
  // there, a line ends by two characters
  return `${new URLSearchParams(/** @type {any} */ (new FormData(form, button)))}`.replaceAll("%0A", "%0D%0A").length;
}

/** Sends work if the server answers: else a page of the browser took its place. @param {Form} form @param {HTMLElement | null} button */
async function send(form, button) {
  form.dataset.sent = "asks";
  const answer = await fetch(words.icon ?? "", { cache: "no-store", signal: AbortSignal.timeout(20_000) }).catch(() => null);
  // it may have been given up meanwhile
  if (form.dataset.sent !== "asks") return;
  release(form);
  if (!answer?.headers.has("fieldstone-page")) return tell(words.unsent).scrollIntoView();
  form.dataset.sent = "next";
  form.requestSubmit(button);
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.method !== "post") return;
  const bytes = bytesOf(form, submitter);
  // it would not be read, and be lost
  const isLong = bytes > Number(words.formBytes ?? Infinity);
  // what a script sends leaves the page as it is
  const { sent = hasWork(form) && !form.matches("[hx-post]:not([hx-trigger])") ? "" : "next" } = form.dataset;
  if (isLong || sent !== "next") {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isLong) tell(words.tooLong?.replace("{}", bytes.toLocaleString(document.documentElement.lang))).scrollIntoView();
    else if (form.dataset.sent === undefined) send(form, submitter);
    return;
  }
  form.dataset.sent = "";
  // behind this turn: a button that is off is not sent, and who takes the form is known
  setTimeout(() => {
    if (!event.defaultPrevented) wait(form, true);
    // a script's is answered by a part
    else if (form.hasAttribute("hx-post")) form.dataset.sent = "part";
    else release(form);
  });
}, true);

addEventListener("htmx:finally:request", ({ detail }) => {
  const form = detail.ctx?.sourceElement;
  if (form instanceof HTMLFormElement && form.dataset.sent === "part") release(form);
});

// a page that comes back takes forms again; one just loaded may be sent
addEventListener("pageshow", ({ persisted }) => persisted && releaseAll());

/** Whether it differs from what the page came with. @param {Element} it */
function isFilled(it) {
  if (it instanceof HTMLTextAreaElement) return it.value !== it.defaultValue;
  if (it instanceof HTMLSelectElement) {
    const first = [...it.options].findIndex((option) => option.defaultSelected);
    return Math.max(it.selectedIndex, 0) !== Math.max(first, 0);
  }
  // an input of addresses leaves out the spaces around one
  return it instanceof HTMLInputElement && (it.checked !== it.defaultChecked || it.value.trim() !== it.defaultValue.trim());
}

/** Whether it holds work: what is tried beside a schema (`t-`) is none. @param {Form} form */
const hasWork = (form) => form.dataset.work || [...form.elements].some((it) => !it.getAttribute("name")?.startsWith("t-") && isFilled(it));

// who leaves unsent work is asked; a browser asks no one who did nothing on the page
let staying = 0;
addEventListener("beforeunload", (event) => {
  const works = [...document.querySelectorAll("form[data-work]")];
  if (!works.some(hasWork) || works.some((form) => form.dataset.sent === "") || navigator.userActivation?.hasBeenActive === false) return;
  event.preventDefault();
  // who stays may send what was held up; who leaves is here until the next page answers
  clearTimeout(staying);
  staying = setTimeout(releaseAll, 1_000);
});
addEventListener("pagehide", () => clearTimeout(staying));

// what was held up by a question goes on once it is answered
document.querySelector("form[data-at-once]")?.requestSubmit();

/** A link has its code after `#`, which no server is sent: the form takes it, and the address loses it. */
function takeCode() {
  const input = document.querySelector("form[data-linked] [name=code]");
  if (!input) return;
  const code = /^#(fs[is]_\w+)$/.exec(location.hash)?.[1];
  if (code) {
    input.defaultValue = input.value = code;
    history.replaceState(null, "", location.pathname + location.search);
  }
  // the page in another language needs it, too
  for (const link of document.querySelectorAll(".switch a")) link.hash = input.value;
  if (code && input.form?.dataset.linked) input.form.requestSubmit();
}
addEventListener("hashchange", takeCode);
takeCode();

// a file that is dropped where a page takes one is chosen
const files = document.querySelectorAll("main input[type=file]");
const place = files.length === 1 ? files[0] : null;
const dropping = (is = false) => place?.closest(".field")?.classList.toggle("dropping", is);
addEventListener("dragover", (event) => {
  if (!place || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  dropping(true);
});
addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || dropping());
addEventListener("drop", (event) => {
  const dropped = event.dataTransfer?.files;
  if (!place || !dropped?.length) return;
  event.preventDefault();
  place.files = dropped;
  dropping();
  place.dispatchEvent(new Event("change", { bubbles: true }));
});

// a tick shows a password
addEventListener("change", ({ target: it }) => document.getElementById(it.dataset.shows ?? "")?.setAttribute("type", it.checked ? "text" : "password"));

// what one copies has a button
for (const code of document.querySelectorAll("pre.code, code.secret")) {
  const place = Object.assign(document.createElement("span"), { className: "copying" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words.copy });
  button.onclick = () => copy(code).then(() => button.replaceChildren(words.copied ?? ""));
  code.replaceWith(place);
  place.append(code, button);
}

/** Without encryption there is no clipboard; what is selected is copied. @param {Element} code */
async function copy(code) {
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent ?? "");
  getSelection()?.selectAllChildren(code);
  document.execCommand("copy");
}

document.querySelectorAll("table[data-ticks]").forEach(giveTicks);

/** The row of all sets a column, or none of it, as a verb above it does; what stands before a row sets that. @param {HTMLTableElement} table */
function giveTicks(table) {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const all = rows.find((row) => "withScript" in row.dataset);
  const own = rows.filter((row) => row !== all);
  const boxesOf = (/** @type {HTMLTableRowElement[]} */ rows, at = 0) =>
    rows.flatMap((row) => [...row.querySelectorAll("input")]).filter((box) => !at || box.closest("td, th")?.cellIndex === at);
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
  const set = (/** @type {HTMLInputElement[]} */ boxes, is = false) => {
    for (const box of boxes) box.checked = is;
    tell();
  };
  for (const head of table.querySelectorAll("th")) {
    const row = head.scope === "row" ? head.closest("tr") : null;
    if (!row && head.cellIndex === 0) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", title: table.dataset.ticks });
    // what else stands there, such as a code, stays beside
    button.append(...[...head.childNodes].slice(0, row ? 1 : undefined));
    button.onclick = () => {
      const boxes = boxesOf(row && row !== all ? [row] : own, head.cellIndex);
      set(boxes, !boxes.every((box) => box.checked));
    };
    head.prepend(button);
  }
  table.addEventListener("change", ({ target: box }) => {
    if (all?.contains(box)) set(boxesOf(own, box.closest("td, th")?.cellIndex), box.checked);
    else tell();
  });
  tell();
  // a page that comes back has its ticks
  addEventListener("pageshow", tell);
}

/** What fails is told in an open palette. */
const toldIn = () => document.querySelector("[open] > .found") ?? document.querySelector("#failure");

function tell(text = "") {
  const told = Object.assign(document.createElement("p"), { className: "notice", role: "alert", textContent: text });
  toldIn()?.replaceChildren(told);
  return told;
}

/** Tells that a part did not come; who goes on to another page is told nothing. */
const miss = (text = "") =>
  setTimeout(() => {
    if (!toldIn()?.querySelector("[data-unanswered]")) tell(text).dataset.unanswered = "";
  }, 500);
addEventListener("htmx:error", ({ detail }) => detail.ctx && miss(words.unanswered));
// what a proxy answers in the server's place is no part of a page
addEventListener("htmx:before:response", (event) => {
  const { headers, status } = event.detail.ctx.response;
  if (headers.has("fieldstone-page")) return;
  event.preventDefault();
  miss(words.unreachable?.replace("{}", `${status}`));
});
addEventListener("htmx:after:swap", () => document.querySelector("#failure [data-unanswered]")?.remove());

/** Says at which sides a table is cut off. @param {Element} scroll */
function tellCut(scroll) {
  const left = scroll.scrollLeft;
  scroll.toggleAttribute("data-cut", scroll.scrollWidth - scroll.clientWidth - left > 1);
  scroll.toggleAttribute("data-past", left > 1);
}
const tellAllCut = () => document.querySelectorAll(".scroll").forEach(tellCut);
addEventListener("scroll", ({ target }) => target instanceof Element && target.matches(".scroll") && tellCut(target), true);
// what was closed has a width once it is open
for (const on of ["toggle", "htmx:after:swap", "resize"]) addEventListener(on, tellAllCut, true);
tellAllCut();
