// @ts-check
// What is wrong with a page as it stands: what axe finds, how wide and how large it is, what is the main thing to do on it,
// where its numbers are.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { go } from "./places.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const BYTES_MAX = 100_000;
/** A number as pages write one, grouped or not, or so many per cent. A date, a time, a phone number, a version of several parts is none. */
const NUMBER = String.raw`^[-−]?(\d+|\d{1,3}([.,]\d{3})+)([.,]\d+)?( ?%)?$`;

/** The sizes that letters have. */
const SIZES = ["12px", "14px", "16px", "20px", "28px"];

/** The sizes of letters in view, each with the first text that has it. @returns {Record<string, string>} */
function sizesOfText() {
  /** @type {Record<string, string>} */
  const sizes = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const own = text.parentElement;
    if (!own || !text.nodeValue?.trim() || !own.checkVisibility()) continue;
    sizes[getComputedStyle(own).fontSize] ??= text.nodeValue.trim().slice(0, 40);
  }
  for (const own of document.querySelectorAll("input, select, textarea, button")) {
    if (own.checkVisibility()) sizes[getComputedStyle(own).fontSize] ??= own.outerHTML.slice(0, 80);
  }
  return sizes;
}

/** The rules of axe that look at colours. */
const OF_COLOURS = "cat.color";

/**
 * What axe finds.
 * @param {import("playwright-core").Page} page
 * @param {string} [tag] of the rules that are asked; else all are
 * @returns {Promise<string[]>}
 */
export async function violations(page, tag) {
  // through the debugger, so that the page's policy stays as it is
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (tag) => /** @type {any} */ (globalThis).axe.run(tag ? { runOnly: { type: "tag", values: [tag] } } : {}),
    tag,
  );
  const told = (/** @type {any} */ it) => `${it.html} ${it.any?.[0]?.message ?? ""}`;
  return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map(told).slice(0, 3).join("\n  ")}`);
}

/**
 * What axe finds in light and in dark: in the second of them, of what only colours can break.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function violationsInBoth(page) {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, OF_COLOURS);
  return [...light.map((it) => `light: ${it}`), ...dark.map((it) => `dark: ${it}`)];
}

/** Opens what a page hides until one does. @param {import("playwright-core").Page} page @returns how much there was */
export const openAll = (page) =>
  page.locator("details:not([open])").evaluateAll((all) => {
    for (const it of all) /** @type {HTMLDetailsElement} */ (it).open = true;
    return all.length;
  });

/**
 * What axe finds in light and in dark, in a page as it stands and with all opened that it hides, and whether it is wider than the
 * window then.
 * @param {import("playwright-core").Page} page
 * @param {(count: number) => void} [tell] how much was opened
 * @returns {Promise<string[]>}
 */
export async function violationsAndOpened(page, tell) {
  const found = await violationsInBoth(page);
  const opened = await openAll(page);
  tell?.(opened);
  if (!opened) return found;
  const wide = await tooWide(page);
  if (wide > 0) found.push(`opened: ${wide} px too wide`);
  return [...found, ...(await violationsInBoth(page)).map((it) => `opened, ${it}`)];
}

/** How much wider a page is than its window. @param {import("playwright-core").Page} page */
const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/**
 * What is wrong with pages.
 * @param {import("playwright-core").Page} page
 * @param {Record<string, import("./places.js").Way>} places
 * @param {(page: import("playwright-core").Page) => Promise<string[]>} look what axe is asked
 */
export async function judged(page, places, look = violations) {
  const found = [];
  for (const [name, way] of Object.entries(places)) {
    const answer = await go(page, way).catch((error) => {
      throw new Error(`${name}: ${error}`);
    });
    if (!answer) throw new Error(`${name}: nothing was answered`);
    const { responseBodySize: bytes } = await answer.request().sizes();
    if (bytes <= 0) found.push(`${name}: nobody knows how large it is`);
    if (bytes > BYTES_MAX) found.push(`${name}: ${bytes} bytes`);
    const wide = await tooWide(page);
    if (wide > 0) found.push(`${name}: ${wide} px too wide`);
    const primary = await page.locator(".primary:visible").allInnerTexts();
    if (primary.length > 1) found.push(`${name}: several are the main thing to do: ${primary}`);
    const left = await page.locator("td.num:visible").evaluateAll((cells) => {
      // on a small page a cell may stand behind what its column is called
      const styles = cells.map((it) => getComputedStyle(it)).filter((it) => it.display === "table-cell");
      return styles.filter((it) => it.textAlign !== "end" || it.fontVariantNumeric !== "tabular-nums").length;
    });
    if (left) found.push(`${name}: ${left} numbers are not below each other`);
    // an id stands as code, an example of a value leads to its record, whatever it is made of, and where each row is another field,
    // or its example, all values begin at one edge
    const texts = await page.locator("table:not(.mixed) td:not(.num, .of-example):visible").filter({ hasNot: page.locator("code, a") }).allInnerTexts();
    const loose = texts.map((it) => it.trim()).filter((it) => new RegExp(NUMBER).test(it));
    if (loose.length) found.push(`${name}: these numbers are not at the right: ${loose}`);
    const sizes = await page.evaluate(sizesOfText);
    const others = Object.entries(sizes).filter(([size]) => !SIZES.includes(size)).map(([size, text]) => `${size}: ${text}`);
    if (others.length) found.push(`${name}: of another size than there are: ${others}`);
    found.push(...(await look(page)).map((it) => `${name}: ${it}`));
  }
  return found;
}
