// @ts-check
// What every page has: what was submitted is not submitted twice.

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = form.querySelector("button:not([type=button])");
  if (form.method !== "post" || !button || form.hasAttribute("hx-post")) return;
  // behind this turn, since a button that is off is not sent
  setTimeout(() => button.setAttribute("disabled", ""));
});

// a page that comes back from the browser's memory takes forms again
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form[method=post] button[disabled]")) {
    button.removeAttribute("disabled");
  }
});

// what was held up by a question goes on once it is answered
/** @type {HTMLFormElement | null} */
const held = document.querySelector("form[data-at-once]");
held?.requestSubmit();
