// @ts-check
// Pictures of a page for its contact sheet: once everything on it has arrived, of its beginning and of its end.

import { go } from "./places.js";

/** How high a picture is. Of a longer page a second one shows the end; what lies between them is more of the same. */
const HEIGHT_MAX = 3000;

/** Bars that stay over what is scrolled stand where the page ends with them: a picture of a whole page is not scrolled. */
function standStill() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".actions, .selection, #told { position: static !important; }");
  document.adoptedStyleSheets.push(sheet);
}

/**
 * @param {import("playwright-core").Page} page
 * @param {import("./places.js").Way} way
 * @param {string} file without its ending
 * @returns {Promise<string[]>} the files that there are of it
 */
export async function picturesOf(page, way, file) {
  await go(page, way);
  await page.evaluate(standStill);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const end = Math.max(HEIGHT_MAX, height - HEIGHT_MAX);
  const { width } = page.viewportSize() ?? { width: 0 };
  const files = [];
  for (const [ending, from, to] of /** @type {const} */ ([["", 0, Math.min(height, HEIGHT_MAX)], ["-end", end, height]])) {
    if (from >= to) continue;
    const path = `${file}${ending}.png`;
    await page.screenshot({ path, fullPage: true, clip: { x: 0, y: from, width, height: to - from } });
    files.push(path);
  }
  return files;
}
