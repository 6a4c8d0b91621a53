// @ts-check
// What a data steward does, in a real browser, by keyboard where that is promised.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, serve, signIn } from "./program.js";

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof browse>>} */
let browser;

before(async () => {
  server = await serve();
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @param {import("playwright-core").Page} page */
const faulty = async (page) => {
  const text = await page.locator("#figures .bad b").innerText();
  return Number(text.replaceAll(",", ""));
};

test("a fault is found in two clicks and mended by Enter, value, Enter", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Customers" }).click();
  await page.locator(".grid td.fault").first().waitFor();
  const count = await faulty(page);
  const cell = page.locator('.grid td.fault[data-name="E-mail"]').first();
  const row = await cell.locator("xpath=..").getAttribute("data-record");
  const faultsInRow = await page.locator(`tr[data-record="${row}"] .fault`).count();
  await cell.locator(".why").click();
  const input = page.locator(".editor input:not([type=hidden])");
  await input.waitFor();
  assert.ok(await input.evaluate((it) => it === document.activeElement), "the input has the focus");
  await input.fill("someone@example.org");
  await page.keyboard.press("Enter");
  await page.locator(`tr[data-record="${row}"] td[data-name="E-mail"]:not(.fault)`).waitFor();
  assert.equal(await page.locator(`tr[data-record="${row}"] .fault`).count(), faultsInRow - 1);
  if (faultsInRow === 1) {
    await page.waitForFunction((count) => {
      const text = document.querySelector("#figures .bad b")?.textContent ?? "";
      return Number(text.replaceAll(",", "")) === count - 1;
    }, count);
  }
  assert.equal(await page.locator(".grid .fault:focus").count(), 1, "the next fault has the focus");
  await page.keyboard.press("Enter");
  await page.locator(".editor :is(input:not([type=hidden]), select, textarea)").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".editor").count(), 0);
  await page.context().close();
});

test("without scripts one signs in, filters and mends in the form", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1024, height: 768 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Customers" }).click();
  const count = await faulty(page);
  await page.locator('.grid tr:has(.fault) th a').first().click();
  const faults = await page.locator(".field.fault").count();
  assert.ok(faults > 0);
  for (const [label, value] of [["Customer Number", "C7000001"], ["E-mail", "someone@example.org"], ["Phone", "+49 30 5550123"], ["Birth Date", "01/02/1990"]]) {
    const input = page.locator(".field.fault").getByLabel(new RegExp(`^${label}`));
    if (await input.count()) await input.fill(value);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.ok((await page.locator(".field.fault").count()) < faults);
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Changed").first().waitFor();
  await page.goto(`${server.url}/app/`);
  assert.ok(count > 0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  // a page that is not there is told as such
  const problems = browser.problems.filter((it) => !it.includes("404"));
  assert.deepEqual(problems, []);
});

test("by Ctrl-K and a few letters one is in a dataset, and at what is faulty in a field", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  // scripts are there
  const isReady = () => page.waitForFunction(() => document.readyState === "complete");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("link").first().waitFor();
  await page.keyboard.type("customers");
  await page.keyboard.press("Enter");
  await page.waitForURL(/datasets/);
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  await isReady();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("phone faulty");
  await palette.getByRole("link", { name: /^Phone: faulty/ }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=fault%3APhone/);
  await isReady();
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  await page.context().close();
});
