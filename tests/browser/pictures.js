// @ts-check
// The pictures of the README, taken of the demo, into the folder that is named.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { browse, serve, signIn } from "./program.js";

const BYTES_MAX = 150_000;

const folder = process.argv[2] ?? "pictures";
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await browse();
const page = await browser.open({ viewport: { width: 1280, height: 720 } });
await signIn(page, server);
/** @param {string} name */
const take = async (name) => {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes; ${BYTES_MAX} are allowed`);
};
await take("home");
await page.getByRole("link", { name: "faulty records in Airports" }).click();
await page.locator(".grid td.fault").first().waitFor();
await take("faults");
await browser.close();
await server.stop();
