// @ts-check
// What is wrong with a page as it stands: what axe finds, how wide and how large it is, what is the main thing to do on it,
// where its numbers are.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { go } from "./places.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const BYTES_MAX = 100_000;

/**
 * What axe finds.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function violations(page) {
  // through the debugger, so that the page's policy stays as it is
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
  const told = (/** @type {any} */ it) => `${it.html} ${it.any?.[0]?.message ?? ""}`;
  return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map(told).slice(0, 3).join("\n  ")}`);
}

/**
 * What is wrong with pages.
 * @param {import("playwright-core").Page} page
 * @param {Record<string, import("./places.js").Way>} places
 */
export async function judged(page, places) {
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
      const styles = cells.map((it) => getComputedStyle(it));
      return styles.filter((it) => it.textAlign !== "end" || it.fontVariantNumeric !== "tabular-nums").length;
    });
    if (left) found.push(`${name}: ${left} numbers are not below each other`);
    found.push(...(await violations(page)).map((it) => `${name}: ${it}`));
  }
  return found;
}
