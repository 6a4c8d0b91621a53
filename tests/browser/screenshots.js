// @ts-check
// Contact sheets: every page at three widths, light and dark, its beginning and its end, into the folder that is named. With
// `--only` and names behind it, as `places.js` has them, those alone.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BESIDE, pagesOf, pagesOfUnmade, visitorsOf } from "./places.js";
import { browse, serve, serveUnmade, signIn } from "./program.js";
import { picturesOf } from "./sheets.js";

const WIDTHS = [360, 768, 1440];

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./program.js").Server} Server */

const { values, positionals } = parseArgs({ options: { only: { type: "string" } }, allowPositionals: true });
const folder = positionals[0] ?? "screenshots";
const only = values.only?.split(",");
/** Whether one of the pages with such names is asked for. @param {RegExp | string[]} names */
const isAsked = (names) => !only || only.some((it) => (names instanceof RegExp ? names.test(it) : names.includes(it)));
mkdirSync(folder, { recursive: true });
const browser = await browse();

/** The pictures of each look of a page. @type {Map<string, string[][]>} */
const taken = new Map();

/** @param {Page} page @param {string} look @param {Record<string, import("./places.js").Way>} places */
async function take(page, look, places) {
  for (const [name, way] of Object.entries(places)) {
    if (only && !only.includes(name)) continue;
    const files = await picturesOf(page, way, join(folder, `${name}-${look}`));
    taken.set(name, [...(taken.get(name) ?? []), files]);
  }
}

/**
 * Who is signed in, who may do nothing, and who may only look.
 * @param {Server} server @param {string} look @param {() => Promise<Page>} open
 */
async function takeAll(server, look, open) {
  const page = await open();
  await signIn(page, server);
  await take(page, look, await pagesOf(page, server.url));
  for (const visitor of Object.values(visitorsOf(page, server.url, open))) {
    if (isAsked(visitor.names)) await visitor.look((own, places) => take(own, look, places));
  }
  await page.context().close();
}

/**
 * What its administrator sees of a server that is there for a few pages.
 * @param {() => Promise<Server>} start @param {(url: string) => Record<string, import("./places.js").Way>} pages
 */
async function takeFew(start, pages) {
  const server = await start();
  for (const [look, open] of looks) {
    const page = await open();
    await signIn(page, server);
    await take(page, look, pages(server.url));
    await page.context().close();
  }
  await server.stop();
}

/** What is seen of a store of its first day, where nobody can sign in. */
async function takeUnmade() {
  const server = await serveUnmade();
  const pages = pagesOfUnmade(server.url, await server.setUp());
  for (const [look, open] of looks) {
    const page = await open();
    await take(page, look, pages);
    await page.context().close();
  }
  await server.stop();
}

/** A window up to this width is that of a phone, which has no keyboard. */
const PHONE_MAX = 480;

/** Each look of a page, with how one is opened. @type {[string, () => Promise<Page>][]} */
const looks = /** @type {const} */ (["light", "dark"]).flatMap((colorScheme) =>
  WIDTHS.map((width) => {
    const isPhone = width <= PHONE_MAX;
    const open = () => browser.open({ colorScheme, viewport: { width, height: 900 }, isMobile: isPhone, hasTouch: isPhone });
    return /** @type {[string, () => Promise<Page>]} */ ([`${colorScheme}-${width}`, open]);
  }),
);

const server = await serve();
for (const [look, open] of looks) await takeAll(server, look, open);
await server.stop();
for (const { begin, pages } of Object.values(BESIDE)) if (isAsked(Object.keys(pages("")))) await takeFew(begin, pages);
if (isAsked(Object.keys(pagesOfUnmade("", "")))) await takeUnmade();

const missing = only?.filter((it) => !taken.has(it)) ?? [];
if (missing.length) throw new Error(`there are no such pages: ${missing}`);
const sheet = await browser.open({ viewport: { width: 2600, height: 1000 } });
for (const [name, shown] of taken) {
  const columns = shown.map((files) => {
    const pictures = files.map((file) => {
      const data = readFileSync(file).toString("base64");
      return `<img src="data:image/png;base64,${data}" style="display:block;border:1px solid #888;margin:4px">`;
    });
    return `<div style="display:inline-block;vertical-align:top">${pictures.join("")}</div>`;
  });
  await sheet.setContent(`<body style="margin:0;width:2600px">${columns.join("")}</body>`);
  writeFileSync(join(folder, `${name}.png`), await sheet.screenshot({ fullPage: true }));
}
await browser.close();
