// @ts-check
// Over a slow line, and where nobody answers: what is typed, ticked or filled in is stored as it was typed, or is there still.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, signIn } from "./program.js";

/** Between one key and the next. */
const PAUSE_MS = 90;
/** So late comes what waits for all that is typed. */
const LATE_MS = 1_000;
/** Numbers that no customer of the demo has. */
const NUMBER = "C7999009";
const OTHER_NUMBER = "C7999010";

const { browser, server } = await begin({ server: serve });

/** @typedef {import("playwright-core").Page} Page */

/** A page with the list of a dataset; its address. @param {string} name */
async function openList(name) {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  return { page, list: page.url() };
}

/** Whatever is asked of cells comes so late, or not at all. @param {Page} page @param {number} ms */
async function late(page, ms, isAnswered = () => true) {
  await page.route("**/cells/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await (isAnswered() ? route.fallback() : route.abort());
  });
}

/** The cells of a row without faults. @param {Page} page @param {number} row */
async function cellsOf(page, row) {
  const record = await page.locator(".grid tbody tr:not(.faulty)").nth(row).getAttribute("data-record");
  return (/** @type {string} */ name) => page.locator(`tr[data-record="${record}"] td[data-name="${name}"]`);
}

/** What is sent of a cell, once its answer is there. @param {Page} page @param {() => Promise<void>} act */
async function sent(page, act) {
  const [answer] = await Promise.all([page.waitForResponse((it) => it.request().method() === "POST"), act()]);
  await page.locator(".editor").waitFor({ state: "detached" });
  return answer.request();
}

/** Keys, one after the other: texts letter by letter. @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) {
    if (key.length > 1 && /^[A-Z]/.test(key)) await page.keyboard.press(key);
    else await page.keyboard.type(key, { delay: PAUSE_MS });
    await page.waitForTimeout(PAUSE_MS);
  }
}

const value = (/** @type {import("playwright-core").Locator} */ cell) => cell.locator(".value").textContent();
const focused = (/** @type {Page} */ page) => page.evaluate(() => document.activeElement?.getAttribute("data-name"));

for (const ms of [0, 150, 300, LATE_MS]) {
  test(`what is typed before an editor is there is stored as it was typed, ${ms} ms late`, async () => {
    const { page } = await openList("Customers");
    await late(page, ms);
    const cell = await cellsOf(page, 2);
    const put = (/** @type {string} */ name, /** @type {string[]} */ ...keys) =>
      sent(page, async () => {
        await cell(name).focus();
        await press(page, "Enter", ...keys);
      });
    await put("Credit Limit", "25000", "Enter");
    assert.equal(await value(cell("Credit Limit")), "25000");
    // what is there is gone on with
    await put("Credit Limit", "End", "1", "ArrowLeft", "Backspace", "Enter");
    assert.equal(await value(cell("Credit Limit")), "25001");
    await put("Credit Limit", "Backspace", "47", "Backspace", "2", "Enter");
    assert.equal(await value(cell("Credit Limit")), "42");
    await put("E-mail", "a", "Enter");
    await put("E-mail", "a@example.org", "Enter");
    assert.equal(await value(cell("E-mail")), "a@example.org");
    await put("Status", "pr", "Enter");
    assert.equal(await value(cell("Status")), "prospect");
    await page.context().close();
  });
}

test("what is typed for a cell that one turned away from is stored there, and what is typed for the next one in that", async () => {
  const { page } = await openList("Customers");
  await late(page, 300);
  const [above, below] = [await cellsOf(page, 2), await cellsOf(page, 5)];
  await above("Credit Limit").dblclick();
  await press(page, "111");
  const stored = (/** @type {typeof above} */ cell, /** @type {string} */ text) => cell("Credit Limit").locator(".value").getByText(text, { exact: true }).waitFor();
  await below("Credit Limit").dblclick();
  await stored(above, "111");
  await page.locator(".editor :focus").waitFor();
  await press(page, "222", "Enter");
  await stored(below, "222");
  // while one is saved, the next one is typed
  await above("Credit Limit").dblclick();
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type("333");
  await below("Credit Limit").dblclick();
  await page.keyboard.type("444", { delay: 20 });
  await page.keyboard.press("Enter");
  await stored(above, "333");
  await stored(below, "444");
  await page.context().close();
});

test("no digit presses a proposal while an editor is awaited or a value is saved", async () => {
  const { page } = await openList("Every Type");
  await page.goto(`${page.url()}?q=is%3Afaulty`);
  const cell = page.locator(".grid td.fault.num:not([data-fixed]):has(.proposals)").first();
  await cell.focus();
  await late(page, 300);
  /** @type {string[]} */
  const mended = [];
  page.on("request", (request) => request.url().endsWith("/mend") && mended.push(request.url()));
  const request = await sent(page, async () => {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(PAUSE_MS);
    await press(page, "120", "Enter", "1", "1");
  });
  const fields = new URLSearchParams(request.postData() ?? "");
  const [filled] = [...fields].filter(([name]) => name.startsWith("v-"));
  assert.equal(filled?.[1], "120");
  assert.deepEqual(mended, []);
  await page.context().close();
});

test("what an input method composes goes on in the editor once it is composed", async () => {
  const { page } = await openList("Customers");
  await late(page, 300);
  const cell = await cellsOf(page, 3);
  const input = page.locator(".editor input:not([type=hidden])");
  const method = await page.context().newCDPSession(page);
  await cell("First Name").focus();
  await page.keyboard.press("Enter");
  await method.send("Input.imeSetComposition", { text: "か", selectionStart: 1, selectionEnd: 1 });
  await input.waitFor();
  assert.equal(await input.evaluate((it) => it === document.activeElement), false);
  await method.send("Input.insertText", { text: "漢" });
  await page.locator(".editor input:focus").waitFor();
  assert.equal(await input.inputValue(), "漢");
  const answer = await sent(page, () => page.keyboard.press("Enter"));
  assert.ok(answer);
  assert.equal(await value(cell("First Name")), "漢");
  await page.context().close();
});

test("Escape gives up what was typed, and so does an editor that does not come", async () => {
  const { page } = await openList("Customers");
  let isAnswered = true;
  await late(page, 500, () => isAnswered);
  const cell = await cellsOf(page, 4);
  const was = await value(cell("First Name"));
  const asked = () => page.evaluate(() => new Promise((resolve) => addEventListener("htmx:finally:request", () => resolve(null), { once: true })));
  for (const answers of [true, false]) {
    isAnswered = answers;
    await cell("First Name").focus();
    const answered = asked();
    await page.keyboard.press("Enter");
    await page.keyboard.type("12");
    if (answers) await page.keyboard.press("Escape");
    // it presses nothing
    await page.keyboard.type("1");
    await answered;
    assert.equal(await page.locator(".editor").count(), 0);
    assert.equal(await focused(page), "First Name");
    assert.equal(await value(cell("First Name")), was);
  }
  await page.locator("#failure [data-unanswered]").waitFor();
  isAnswered = true;
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".editor input:focus").inputValue(), was);
  await page.context().close();
});

test("ticks stay while values are changed, also that of the row whose key is opened", async () => {
  const { page } = await openList("Customers");
  const bar = page.locator("#selection");
  const ticks = page.locator(".grid tbody tr:not(.faulty) .pick");
  for (const at of [1, 2, 3]) await ticks.nth(at).check();
  const all = () => bar.locator("output b").textContent();
  await page.locator(".grid tbody tr:not(.faulty) th").nth(1).focus();
  await page.keyboard.press("F2");
  await page.locator(".editor :focus").waitFor();
  assert.equal(await all(), "3");
  await page.keyboard.press("Escape");
  assert.equal(await all(), "3");
  const cell = await cellsOf(page, 2);
  await cell("First Name").dblclick();
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type("Grace");
  await sent(page, () => page.keyboard.press("Enter"));
  assert.equal(await all(), "3");
  await ticks.nth(1).uncheck();
  assert.equal(await all(), "2");
  await bar.getByRole("button", { name: "Change, export or delete selected" }).click();
  await page.getByRole("heading", { name: "Selected records", exact: true }).waitFor();
  assert.equal(await page.locator(".figures b").first().textContent(), "2");
  // who comes back finds them ticked
  await page.goBack();
  await bar.locator("output b", { hasText: "2" }).waitFor();
  await bar.getByLabel("All on this page").check();
  assert.equal(await all(), String(await page.locator(".grid .pick").count()));
  await page.context().close();
});

test("how many are found is told anew when one of them is mended", async () => {
  const { page, list } = await openList("Customers");
  await page.goto(`${list}?q=is%3Afaulty`);
  const [found, faulty] = [page.locator("#hits b"), page.locator("#figures .bad b")];
  const was = await found.innerText();
  assert.equal(await faulty.innerText(), was);
  // its key alone is wrong
  await page.locator(".grid th.fault", { hasText: "c12" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type(OTHER_NUMBER);
  await page.keyboard.press("Enter");
  const fewer = String(Number(was) - 1);
  for (const number of [found, faulty]) await number.filter({ hasText: new RegExp(`^${fewer}$`) }).waitFor();
  await page.reload();
  assert.deepEqual([await found.innerText(), await faulty.innerText()], [fewer, fewer]);
  await page.context().close();
});

test("where nobody answers, the palette says so and the page stays with what is filled in", async () => {
  const { page } = await openList("Customers");
  await page.goto(`${server.url}/app/keys`);
  const name = page.locator('main form.record [name="name"]').last();
  await name.fill("Reader");
  const form = page.url();
  await page.context().setOffline(true);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByText("The server did not answer").waitFor();
  await page.keyboard.type("customers");
  await page.keyboard.press("Enter");
  await palette.getByText("The server did not answer").waitFor();
  assert.equal(page.url(), form);
  await page.context().setOffline(false);
  await page.keyboard.type(" ");
  await palette.getByRole("link").first().waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await name.inputValue(), "Reader");
  await page.context().close();
});

test("where nobody answers, a form that is filled in stays, says that nothing was sent, and is sent the next time", async () => {
  const { page, list } = await openList("Customers");
  await page.goto(`${list}/new`);
  const number = page.getByLabel(/^Customer Number/);
  await number.fill(NUMBER);
  const save = page.locator(".record .actions button").first();
  await page.context().setOffline(true);
  await save.click();
  await page.locator("#failure").getByText("nothing was sent").waitFor();
  assert.equal(page.url(), `${list}/new`);
  assert.equal(await number.inputValue(), NUMBER);
  await page.context().setOffline(false);
  await save.click();
  await page.getByText("Saved.").first().waitFor();
  assert.equal(await number.inputValue(), NUMBER);
  await page.context().close();
});

test("no page made the browser's console complain, but of what nobody answered", () => {
  assert.deepEqual(browser.problems.filter((it) => !/net::ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/.test(it)), []);
});
