// What the application's scripts find on its pages, for who checks their types: it is no part of them. Whatever they look for is HTML.

/** A script of its own; of what it does, what ours ask for. */
declare const htmx: {
  ajax(method: string, path: string, context: { source?: Element; target: Element; swap?: string }): Promise<void>;
};

type Cell = HTMLTableCellElement;
type Form = HTMLFormElement;

/** One of a range of cells, and the two between which it is. */
interface Corner {
  row: number;
  column: number;
}
type Corners = [Corner, Corner];

/** What one fills in. */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface HtmxEvent extends CustomEvent {
  detail: { ctx?: { sourceElement: HTMLElement; target: HTMLElement } };
}

interface HtmxResponse extends CustomEvent {
  detail: { ctx: { response: { headers: Headers; status: number } } };
}

/** Where something happens. */
interface OnPage {
  target: HTMLElement;
}

interface WindowEventMap {
  change: Event & { target: HTMLInputElement };
  click: PointerEvent & OnPage;
  copy: ClipboardEvent & OnPage;
  dblclick: MouseEvent & OnPage;
  focusin: FocusEvent & OnPage;
  keydown: KeyboardEvent & OnPage;
  mousedown: MouseEvent & OnPage;
  mouseover: MouseEvent & OnPage;
  paste: ClipboardEvent & OnPage;
  pointerdown: PointerEvent & OnPage;
  submit: SubmitEvent & { target: Form };
  "htmx:before:request": HtmxEvent;
  "htmx:before:response": HtmxResponse;
  "htmx:error": HtmxEvent;
  "htmx:finally:request": HtmxEvent;
}

interface DocumentEventMap {
  submit: SubmitEvent & { target: Form };
}

interface HTMLElementEventMap {
  change: Event & { target: HTMLInputElement };
  click: PointerEvent & OnPage;
}

interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  querySelector(selector: "table.grid"): HTMLTableElement | null;
  querySelector(selector: "dialog.palette"): HTMLDialogElement | null;
  querySelector(selector: "form.editor" | "form#paste" | "form[data-at-once]"): HTMLFormElement | null;
  querySelector(selector: ":is(input:not([type=hidden]), select, textarea)"): Control | null;
  querySelector(selector: "label input" | "form[data-linked] [name=code]"): HTMLInputElement | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selector: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll(selector: ".pick" | "main input[type=file]"): NodeListOf<HTMLInputElement>;
  querySelectorAll(selector: "form[data-work]"): NodeListOf<Form>;
  querySelectorAll(selector: ".switch a"): NodeListOf<HTMLAnchorElement>;
  querySelectorAll(selector: "table[data-ticks]"): NodeListOf<HTMLTableElement>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest(selector: "td, th" | ".grid tbody :is(td, th)" | ".grid tbody td"): HTMLTableCellElement | null;
  closest(selector: string): HTMLElement | null;
}
