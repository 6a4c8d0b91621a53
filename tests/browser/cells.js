// @ts-check
// Cells of a list, whose answers come late, and keys that do not wait for them.

import assert from "node:assert/strict";
import { openDataset } from "./ways.js";

/** Between one key and the next. */
export const PAUSE_MS = 90;
/** Between two looks whether something was asked, and so many until it counts as never to be. */
const LOOK_MS = 20;
const LOOKS_MAX = 5_000;

/** @typedef {import("playwright-core").Page} Page */

/**
 * A page with the list of a dataset; its address.
 * @param {import("./program.js").Browser} browser
 * @param {import("./program.js").Server} server
 * @param {string} name
 */
export async function openList(browser, server, name) {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  return { page, list: await openDataset(page, server, name) };
}

/** Whatever is asked of cells comes so late, or not at all. @param {Page} page @param {number} ms */
export async function late(page, ms, isAnswered = () => true) {
  await page.route("**/cells/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await (isAnswered() ? route.fallback() : route.abort());
  });
}

/**
 * Whatever is asked of cells waits until it is let through.
 * @param {Page} page
 */
export async function held(page) {
  /** @type {(() => void)[]} */
  const waiting = [];
  let isHeld = true;
  await page.route("**/cells/**", async (route) => {
    if (isHeld) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    await route.fallback();
  });
  /** Something waits. */
  const asked = async () => {
    for (let looks = 0; looks < LOOKS_MAX && !waiting.length; looks += 1) await page.waitForTimeout(LOOK_MS);
    assert.ok(waiting.length, "nothing was asked");
  };
  /** What waits first is let through, once something does. */
  const answer = async () => {
    await asked();
    waiting.shift()?.();
  };
  /** All is let through from now on. */
  const letThrough = () => {
    isHeld = false;
    for (const through of waiting.splice(0)) through();
  };
  /** Nothing is, any more. */
  const hold = () => {
    isHeld = true;
  };
  return { asked, answer, letThrough, hold };
}

/** The cells of a row without faults. @param {Page} page @param {number} row */
export async function cellsOf(page, row) {
  const record = await page.locator(".grid tbody tr:not(.faulty)").nth(row).getAttribute("data-record");
  return (/** @type {string} */ name) => page.locator(`tr[data-record="${record}"] td[data-name="${name}"]`);
}

/** What is sent of a cell, once its answer is there. @param {Page} page @param {() => Promise<void>} act */
export async function sent(page, act) {
  const [answer] = await Promise.all([page.waitForResponse((it) => it.request().method() === "POST"), act()]);
  await page.locator(".editor").waitFor({ state: "detached" });
  return answer.request();
}

/**
 * Values that are sent of cells from now on, and a wait until nothing is under way.
 * @param {Page} page
 */
export function listen(page) {
  /** @type {string[]} */
  const values = [];
  const underWay = new Set();
  page.on("request", (request) => {
    underWay.add(request);
    const filled = [...new URLSearchParams(request.postData() ?? "")].find(([name]) => name.startsWith("v-"));
    if (filled) values.push(filled[1]);
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  page.on("requestfailed", (request) => underWay.delete(request));
  const rest = async () => {
    for (let calm = 0; calm < 6; calm += 1) {
      // by the page's own clock: as long as it has something to do, it is not at rest
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), PAUSE_MS);
      if (underWay.size) calm = -1;
    }
  };
  return { values, rest };
}

/** Keys, one after the other: texts letter by letter. @param {Page} page @param {string[]} keys */
export async function press(page, ...keys) {
  for (const key of keys) {
    if (key.length > 1 && /^[A-Z]/.test(key)) await page.keyboard.press(key);
    else await page.keyboard.type(key, { delay: PAUSE_MS });
    await page.waitForTimeout(PAUSE_MS);
  }
}

export const value = (/** @type {import("playwright-core").Locator} */ cell) => cell.locator(".value").textContent();
export const focused = (/** @type {Page} */ page) => page.evaluate(() => document.activeElement?.getAttribute("data-name"));
