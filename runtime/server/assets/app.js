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
