// @ts-check
// The pictures of the documents, taken of the demo, into the folder that is named; beside each, what can be read in it, which
// `.ci/browser/run` compares with what is read today.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse, serve, signIn } from "./program.js";

const BYTES_MAX = 150_000;

const folder = process.argv[2] ?? "pictures";
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await browse();
const page = await browser.open({ viewport: { width: 1280, height: 720 } });
await signIn(page, server);
/** Each text that is in view, on a line of its own; when something was is another each time. */
const seen = async () => {
  const texts = await page.locator("main").evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { top, width } = range.getBoundingClientRect();
      const text = node.textContent?.replace(/\s+/g, " ").trim();
      if (text && width > 1 && top < innerHeight) texts.push(text);
    }
    return texts;
  });
  return `${texts.join("\n")}\n`.replace(/\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?/g, "…");
};
/** @param {string} name */
const take = async (name) => {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes; ${BYTES_MAX} are allowed`);
  writeFileSync(join(folder, `${name}.txt`), await seen());
};
await page.locator(".bars table").waitFor();
await take("home");
await page.getByRole("link", { name: "faulty records in Airports" }).click();
await page.locator(".grid td.fault").first().waitFor();
// with what its scripts show
await page.waitForLoadState("load");
await take("faults");
await browser.close();
await server.stop();
