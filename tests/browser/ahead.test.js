// @ts-check
// What is typed ahead of an answer, however late it comes: before an editor is there, and while a value is saved.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, focused, held, late, listen, openList, press, PAUSE_MS, sent, value } from "./cells.js";
import { begin, serve, unexpected } from "./program.js";

/** So late comes what waits for all that is typed. */
const LATE_MS = 1_000;

// on `crossing` stand the stories of keys that could cross from one cell into another: they mend the same faults once more
const { browser, server, crossing } = await begin({ server: serve, crossing: serve });

/** @param {string} name */
const open = (name, on = server) => openList(browser, on, name);

/** Types the key of a record into the editor of another one. @param {import("playwright-core").Page} page */
async function typeTakenKey(page) {
  const keys = page.locator(".grid tbody tr:not(.faulty) th");
  const taken = await keys.nth(2).innerText();
  await keys.nth(1).focus();
  await page.keyboard.press("F2");
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(taken);
  return taken;
}

for (const ms of [0, 150, 300, LATE_MS]) {
  test(`what is typed before an editor is there is stored as it was typed, ${ms} ms late`, async () => {
    const { page } = await open("Customers");
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
  const { page } = await open("Customers");
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

/** Faulty records of all types, of which the cells of the first ones are at hand. */
async function openFaulty(on = server) {
  const { page, list } = await open("Every Type", on);
  await page.goto(`${list}?q=is%3Afaulty`);
  const records = await page.locator(".grid tbody tr").evaluateAll((all) => all.map((it) => it.getAttribute("data-record")));
  const cell = (/** @type {number} */ row, /** @type {string} */ name) => page.locator(`tr[data-record="${records[row]}"] td[data-name="${name}"]`);
  return { page, cell };
}

for (const [row, ms] of [0, 150, LATE_MS].entries()) {
  test(`what is typed while a value is saved is stored in the next faulty one, ${ms} ms late`, async () => {
    const { page, cell } = await openFaulty();
    // the third row has others
    const own = (/** @type {string} */ name) => cell([0, 1, 4][row] ?? 0, name);
    await late(page, ms);
    await own("Integer").focus();
    await press(page, "Enter", "7", "Enter", "Enter", "2.5", "Enter", "Enter", "seven", "Enter");
    for (const [name, text] of [["Integer", "7"], ["Float", "2.5"], ["String", "seven"]]) {
      await own(name ?? "").locator(".value").getByText(text ?? "", { exact: true }).waitFor();
    }
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.equal(await focused(page), "Boolean", "the next fault has the focus");
    await page.context().close();
  });
}

test("arrows walk on while a value is saved, and what is typed is stored where they lead", async () => {
  const { page, cell } = await openFaulty();
  const { asked, answer, letThrough, hold } = await held(page);
  await cell(0, "Year").focus();
  const was = await value(cell(0, "Month"));
  await press(page, "Enter", "2024", "Enter");
  // its editor comes, and sends that
  await answer();
  await asked();
  // before the answer
  assert.ok(await cell(0, "Year").locator(".editor").isVisible());
  await press(page, "ArrowDown", "ArrowRight");
  const to = cell(1, (await focused(page)) ?? "");
  await press(page, "Enter", "7.5", "Enter");
  letThrough();
  await to.locator(".value").getByText("7.5", { exact: true }).waitFor();
  await page.locator(".editor").waitFor({ state: "detached" });
  assert.equal(await value(cell(0, "Year")), "2024");
  assert.equal(await value(cell(0, "Month")), was);
  // where it is not known yet whither an arrow leads, nothing is typed into another cell
  hold();
  await cell(4, "Year").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("2023");
  for (const key of ["Enter", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  letThrough();
  await cell(4, "Year").locator(".value").getByText("2023", { exact: true }).waitFor();
  await page.locator(".editor").waitFor({ state: "detached" });
  assert.equal(await page.locator(".grid .value").getByText("9", { exact: true }).count(), 0);
  await page.context().close();
});

test("where a value is refused, what is typed for the next one changes neither", async () => {
  const { page } = await open("Customers");
  const taken = await typeTakenKey(page);
  const { letThrough } = await held(page);
  /** @type {string[]} */
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await press(page, "Enter", "Enter", "nobody");
  letThrough();
  await page.locator(".editor .notice").waitFor();
  await press(page, "x", "Enter");
  assert.equal(await page.locator(".editor input:not([type=hidden])").inputValue(), taken);
  assert.equal(sent.length, 1);
  await page.context().close();
});

test("no digit presses a proposal while an editor is awaited or a value is saved", async () => {
  const { page } = await open("Every Type");
  await page.goto(`${page.url()}?q=is%3Afaulty`);
  const cell = page.locator(".grid td.fault.num:not([data-fixed]):has(.proposals)").first();
  await cell.focus();
  const { asked, answer, letThrough } = await held(page);
  /** @type {string[]} */
  const mended = [];
  page.on("request", (request) => request.url().endsWith("/mend") && mended.push(request.url()));
  const request = await sent(page, async () => {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(PAUSE_MS);
    await press(page, "120");
    await answer();
    await page.locator(".editor :focus").waitFor();
    await press(page, "Enter");
    await asked();
    await press(page, "1", "1");
    letThrough();
  });
  const fields = new URLSearchParams(request.postData() ?? "");
  const [filled] = [...fields].filter(([name]) => name.startsWith("v-"));
  assert.equal(filled?.[1], "120");
  assert.deepEqual(mended, []);
  await page.context().close();
});

test("what an input method composes goes on in the editor once it is composed", async () => {
  const { page } = await open("Customers");
  const { letThrough } = await held(page);
  const cell = await cellsOf(page, 3);
  const input = page.locator(".editor input:not([type=hidden])");
  const method = await page.context().newCDPSession(page);
  await cell("First Name").focus();
  await page.keyboard.press("Enter");
  await method.send("Input.imeSetComposition", { text: "か", selectionStart: 1, selectionEnd: 1 });
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement | null} */ (document.querySelector("textarea.early"))?.value === "か");
  letThrough();
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
  const { page } = await open("Customers");
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

/**
 * A page whose cells are answered late, and what is sent of them.
 * @template {{ page: import("./cells.js").Page }} Opened
 * @param {Promise<Opened>} opened
 */
async function slow(opened, ms = LATE_MS) {
  const own = await opened;
  await late(own.page, ms);
  return { ...own, ...listen(own.page) };
}

/** What one fills in, in the editor that is open. @param {import("./cells.js").Page} page */
const input = (page) => page.locator(".editor input:not([type=hidden])");

/** @param {import("./cells.js").Page} page @param {import("playwright-core").Locator} cell @param {string} text */
async function type(page, cell, text) {
  await cell.dblclick();
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type(text);
}

/** Letters, one after the other, into the filter. @param {import("./cells.js").Page} page @param {string} text */
async function filter(page, text) {
  await page.getByRole("combobox", { name: "Filter" }).click();
  await page.keyboard.type(text, { delay: 150 });
  return page.getByRole("combobox", { name: "Filter" }).inputValue();
}

test("lines that come at once before an editor is there are one value, and end none", async () => {
  const { page, cell, values, rest } = await slow(openFaulty(crossing), 600);
  await cell(0, "Integer").focus();
  await press(page, "Enter");
  await page.evaluate(() => document.execCommand("insertText", false, "7\n8\n\n9\n"));
  await rest();
  assert.deepEqual(values, []);
  assert.equal(await input(page).inputValue(), "789");
  await page.context().close();
});

test("the next fault that was opened ahead and not typed into keeps its value", async () => {
  const { page, cell, values, rest } = await slow(openFaulty(crossing), 800);
  await cell(0, "Integer").focus();
  await press(page, "Enter", "7", "Enter", "Enter");
  await rest();
  assert.equal(await input(page).inputValue(), await input(page).getAttribute("value"));
  assert.notEqual(await input(page).inputValue(), "");
  await page.locator(".head h1").click();
  await rest();
  assert.deepEqual(values, ["7"]);
  await page.context().close();
});

test("what is all chosen and typed over while a value is saved leaves that value as it was ended", async () => {
  const { page, cell, values, rest } = await slow(openFaulty(crossing), 1_200);
  await cell(1, "Integer").focus();
  await press(page, "Enter", "7", "Enter", "Enter");
  await page.keyboard.press("Control+a");
  await press(page, "2.5", "Enter");
  await rest();
  assert.deepEqual(values, ["7", "2.5"]);
  assert.equal(await value(cell(1, "Integer")), "7");
  assert.equal(await value(cell(1, "Float")), "2.5");
  await page.context().close();
});

test("Escape leaves what is typed behind an ended value, which is saved", async () => {
  const { page, cell, values, rest } = await slow(openFaulty(crossing), 900);
  await cell(4, "Integer").focus();
  await press(page, "Enter", "7", "Enter", "Enter", "Escape");
  await rest();
  assert.deepEqual(values, ["7"]);
  assert.equal(await page.locator(".editor").count(), 0);
  await page.context().close();
});

test("who goes on into the filter while a value is saved types there, and what was typed for the next cell is saved", async () => {
  const { page, values, rest } = await slow(open("Customers", crossing));
  const [above, below] = [await cellsOf(page, 2), await cellsOf(page, 9)];
  await type(page, above("First Name"), "Ann");
  await below("First Name").dblclick();
  await page.keyboard.type("Bo");
  assert.equal(await filter(page, "Statusxyzstuv"), "Statusxyzstuv");
  await rest();
  assert.deepEqual(values, ["Ann", "Bo"]);
  assert.equal(await page.locator(".editor").count(), 0);
  assert.equal(await value(below("First Name")), "Bo");
  await page.context().close();
});

test("of three cells that are opened within one answer, each has what was typed for it", async () => {
  const { page, values, rest } = await slow(open("Customers", crossing));
  const [first, second, third] = [await cellsOf(page, 2), await cellsOf(page, 9), await cellsOf(page, 12)];
  await type(page, first("First Name"), "Anna");
  await second("First Name").dblclick();
  await page.keyboard.type("Bodo");
  await third("First Name").dblclick();
  await rest();
  assert.deepEqual(values, ["Anna", "Bodo"]);
  assert.equal(await value(first("First Name")), "Anna");
  assert.equal(await value(second("First Name")), "Bodo");
  assert.equal(await third("First Name").locator(".editor input:focus").count(), 1);
  await page.context().close();
});

test("what is typed for the cell that an arrow led to before an editor was there is stored in that cell", async () => {
  const { page, values, rest } = await slow(open("Customers", crossing));
  const cell = await cellsOf(page, 2);
  const was = await value(cell("First Name"));
  await cell("First Name").focus();
  await press(page, "Enter", "ArrowRight");
  const to = (await focused(page)) ?? "";
  await press(page, "Enter", "zed", "Enter");
  await rest();
  assert.deepEqual(values, ["zed"]);
  assert.equal(await value(cell(to)), "zed");
  assert.equal(await value(cell("First Name")), was);
  await page.context().close();
});

test("what is refused takes no keys from who types into the filter", async () => {
  const { page } = await open("Customers", crossing);
  const taken = await typeTakenKey(page);
  await late(page, 600);
  const { values, rest } = listen(page);
  assert.equal(await filter(page, "Statusxy"), "Statusxy");
  await rest();
  await page.locator(".editor .notice").waitFor();
  assert.deepEqual(values, [taken]);
  assert.equal(await input(page).inputValue(), taken);
  await page.context().close();
});

test("an editor whose value is being saved takes no keys, which would go with it", async () => {
  const { page, values, rest } = await slow(open("Customers", crossing));
  const cell = await cellsOf(page, 6);
  await type(page, cell("First Name"), "Ann");
  await page.keyboard.press("Enter");
  await input(page).click({ force: true });
  assert.equal(await page.locator(".editor :focus").count(), 0);
  await press(page, "End", "abel", "Enter");
  await rest();
  assert.deepEqual(values, ["Ann"]);
  assert.equal(await value(cell("First Name")), "Ann");
  await page.context().close();
});

test("who walks on from a cell that was opened while a value is saved stays there, and no editor comes", async () => {
  const { page, rest } = await slow(open("Customers", crossing));
  const cell = await cellsOf(page, 2);
  await type(page, cell("Last Name"), "Q");
  await press(page, "Enter", "ArrowDown", "Enter", "ArrowDown", "ArrowDown");
  const place = () => page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.closest("tr")?.rowIndex]);
  const to = await place();
  assert.equal(to[0], "TD");
  await rest();
  assert.deepEqual(await place(), to);
  assert.equal(await page.locator(".editor").count(), 0);
  await page.context().close();
});

test("what is pasted while a value is saved waits for the answer and moves nothing", async () => {
  const { page } = await open("Customers", crossing);
  await late(page, LATE_MS);
  const cell = await cellsOf(page, 3);
  await type(page, cell("First Name"), "Ida");
  await page.keyboard.press("Enter");
  const isWaiting = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Una\tDue");
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    return document.querySelector("form#paste")?.getAttribute("data-work") === "pasted";
  });
  assert.ok(isWaiting);
  assert.equal(await page.getByRole("button", { name: "Try again with what was pasted" }).isVisible(), false);
  assert.ok(await cell("First Name").locator(".editor").isVisible(), "before the answer");
  await page.waitForURL(/\/paste$/);
  await page.context().close();
});

test("no page made the browser's console complain, but of what nobody answered", () => {
  assert.deepEqual(unexpected(browser.problems).filter((it) => !/net::ERR_FAILED|Failed to fetch/.test(it)), []);
});
