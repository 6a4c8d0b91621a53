// @ts-check
// Contact sheets: every page at three widths, light and dark, one picture a page, into the folder that is named.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { go, pagesOf, pagesOfNothing } from "./places.js";
import { browse, serve, serveNothing, signIn } from "./program.js";

const folder = process.argv[2] ?? "screenshots";
mkdirSync(folder, { recursive: true });
const server = await serve();
const nothing = await serveNothing();
const browser = await browse();
const WIDTHS = [360, 768, 1440];

/** @type {Map<string, string[]>} */
const taken = new Map();
for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of WIDTHS) {
    const viewport = { width, height: 900 };
    const take = async (/** @type {import("playwright-core").Page} */ page, /** @type {Record<string, import("./places.js").Way>} */ places) => {
      for (const [name, way] of Object.entries(places)) {
        await go(page, way);
        const file = join(folder, `${name}-${colorScheme}-${width}.png`);
        await page.screenshot({ path: file });
        taken.set(name, [...(taken.get(name) ?? []), file]);
      }
      await page.context().close();
    };
    const page = await browser.open({ colorScheme, viewport });
    await signIn(page, server);
    await take(page, await pagesOf(page, server.url));
    const other = await browser.open({ colorScheme, viewport });
    await signIn(other, nothing);
    await take(other, pagesOfNothing(nothing.url));
  }
}
const sheet = await browser.open({ viewport: { width: 2600, height: 1000 } });
for (const [name, files] of taken) {
  const pictures = files.map((file) => {
    const data = readFileSync(file).toString("base64");
    return `<img src="data:image/png;base64,${data}" style="height:900px;border:1px solid #888;margin:4px">`;
  });
  await sheet.setContent(`<body style="margin:0;width:2600px">${pictures.join("")}</body>`);
  writeFileSync(join(folder, `${name}.png`), await sheet.screenshot({ fullPage: true }));
}
await browser.close();
await server.stop();
await nothing.stop();
