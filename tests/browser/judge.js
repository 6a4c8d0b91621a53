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
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) found.push(`${name}: ${wide} px too wide`);
    const primary = await page.locator(".primary:visible").allInnerTexts();
    if (primary.length > 1) found.push(`${name}: several are the main thing to do: ${primary}`);
    const left = await page.locator("td.num:visible").evaluateAll((cells) => {
      // on a small page a cell may stand behind what its column is called
      const styles = cells.map((it) => getComputedStyle(it)).filter((it) => it.display === "table-cell");
      return styles.filter((it) => it.textAlign !== "end" || it.fontVariantNumeric !== "tabular-nums").length;
    });
    if (left) found.push(`${name}: ${left} numbers are not below each other`);
    // an id stands as code, and an example of a value leads to its record, whatever it is made of
    const texts = await page.locator("td:not(.num):visible").filter({ hasNot: page.locator("code, a") }).allInnerTexts();
    const loose = texts.map((it) => it.trim()).filter((it) => new RegExp(NUMBER).test(it));
    if (loose.length) found.push(`${name}: these numbers are not at the right: ${loose}`);
    found.push(...(await look(page)).map((it) => `${name}: ${it}`));
  }
  return found;
}
