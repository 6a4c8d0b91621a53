// @ts-check
// What one types is answered while one types: proposals by their number, a schema's contradictions, values that are tried.
// A job that goes on is cancelled where it is told of; and without scripts the same is reached by forms.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, signIn, unexpected } from "./program.js";
import { HEADER, SAMPLE } from "./steps.js";
import { openDataset, reloadedUntil, submitted } from "./ways.js";

/** More rows than are brought in before one can press a button. */
const ROWS = 300_000;

const { browser, server } = await begin({ server: serve });

/** @typedef {import("playwright-core").Page} Page */

/** @param {string} name @param {string} text */
const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("a proposal is taken by its number, and the next fault has the focus", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Every Type" }).click();
  const cell = page.locator(".grid td.fault:has(.proposals)").first();
  await cell.waitFor();
  await page.waitForLoadState("load");
  const record = await cell.locator("xpath=..").getAttribute("data-record");
  const field = await cell.getAttribute("data-name");
  const proposal = await cell.locator(".proposals button").first().getAttribute("value");
  await cell.focus();
  // a digit with a modifier is the browser's
  await page.keyboard.press("Alt+1");
  assert.equal(await page.locator(`tr[data-record="${record}"] td[data-name="${field}"] .proposals`).count(), 1);
  await page.keyboard.press("1");
  const mended = page.locator(`tr[data-record="${record}"] td[data-name="${field}"]:not(.fault)`);
  await mended.waitFor();
  assert.equal((await mended.getAttribute("data-filled")) ?? (await mended.locator(".value").textContent()), proposal);
  assert.equal(await page.locator(".grid .fault:focus").count(), 1, "the next fault has the focus");
  await page.context().close();
});

test("who leaves a value faulty goes on to the fault behind it, and back to none", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Every Type" }).click();
  const row = page.locator(".grid tbody tr:has(td.fault[data-name=Integer]):has(td.fault[data-name=Float])").first();
  await row.waitFor();
  await page.waitForLoadState("load");
  const faults = await row.locator(".fault").evaluateAll((all) => all.map((it) => it.getAttribute("data-name")));
  const at = faults.indexOf("Float");
  assert.ok(at > 0 && at + 1 < faults.length, "one stands before it, and one behind it");
  await row.locator("td[data-name=Float]").focus();
  await page.keyboard.press("Enter");
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".editor").waitFor({ state: "detached" });
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("data-name"));
  assert.equal(focused, faults[at + 1]);
  assert.ok(await row.locator(".fault:focus").count(), "in the same row");
  await page.context().close();
});

test("a faulty file leads to the record's form, by Enter and by a click", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  const list = await openDataset(page, server, "Every Type");
  await page.locator(".head").getByRole("link", { name: "Import", exact: true }).click();
  const rows = "Row Number,Picklist Required,String Min One,Year Required List,Attachment\n9001,red,x,2024,no file at all\n";
  await page.getByLabel("File", { exact: true }).setInputFiles(file("one.csv", rows));
  await page.locator('[name=try][value="false"]').check();
  await page.getByRole("button", { name: "Import this file", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  const found = `${list}?q=fault%3AAttachment`;
  const cell = page.locator('.grid td.fault[data-name="Attachment"]').first();
  for (const way of /** @type {const} */ (["Enter", "click"])) {
    await page.goto(found);
    await cell.waitFor();
    const record = await cell.locator("xpath=..").getAttribute("data-record");
    const field = await cell.getAttribute("data-field");
    if (way === "Enter") {
      await cell.focus();
      await page.keyboard.press("Enter");
    } else {
      await cell.locator("a.why").click();
    }
    await page.waitForURL(`**/records/${record}#f-${field}`);
    // where it leads to is the input that takes another file
    const input = page.locator(`[id="f-${field}"]`);
    assert.equal(await input.getAttribute("type"), "file", way);
    assert.equal(await input.getAttribute("aria-invalid"), "true", way);
  }
  await page.context().close();
});

/** The editor of a schema. */
async function editorOfCurrency() {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Schemas", exact: true }).click();
  await page.getByRole("link", { name: "Currency", exact: true }).click();
  await page.getByRole("link", { name: "Edit fields" }).click();
  return page;
}

test("what contradicts and what is tried is told while one types", async () => {
  const page = await editorOfCurrency();
  await submitted(page, page.getByRole("button", { name: /^Edit: / }).first());
  const address = page.url();
  const told = page.locator("#told");
  assert.match(await told.innerText(), /No problems found/);
  const name = page.locator("#f-name");
  const was = await name.inputValue();
  await name.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await told.getByRole("heading", { name: "Problems" }).waitFor();
  await page.keyboard.type(was);
  await told.getByText("No problems found").first().waitFor();
  assert.ok(await name.evaluate((it) => it === document.activeElement), "typing goes on");
  assert.equal(await name.inputValue(), was);
  const tried = page.locator("#tried");
  const values = page.locator("[id^='t-']");
  await values.nth(1).focus();
  await page.keyboard.type("Something");
  await tried.locator(".why").first().waitFor();
  // it is judged again and again
  const before = await tried.locator("li").allInnerTexts();
  await values.first().focus();
  await page.keyboard.type("EUR");
  await page.waitForFunction((count) => document.querySelectorAll("#tried li").length < count, before.length);
  assert.equal(await values.nth(1).inputValue(), "Something");
  assert.equal(page.url(), address);
  await page.context().close();
});

test("what is tried, and what stands beside inputs, is of what is set by now", async () => {
  const page = await editorOfCurrency();
  await page.getByRole("button", { name: "Edit: Name", exact: true }).click();
  const [least, most] = [page.locator("#f-min"), page.locator("#f-max")];
  await most.waitFor();
  await page.waitForLoadState("load");
  const values = page.locator("#try input[id]");
  const typed = ["EUR", "978", "Euro long name"];
  for (const [at, value] of typed.entries()) await values.nth(at).fill(value);
  const tried = page.locator("#tried");
  await tried.locator(".good").waitFor();
  // a setting changes what was tried before
  await most.fill("5");
  await tried.locator(".why").first().waitFor();
  assert.equal(await tried.locator(".good").count(), 0);
  await least.fill("9");
  const message = page.locator(".contradicts").first();
  await page.locator("#told:not(.good)").waitFor();
  await page.getByRole("button", { name: "Check", exact: true }).last().click();
  await message.waitFor();
  await page.waitForLoadState("load");
  assert.equal(await values.count(), 0);
  await least.fill("1");
  await page.locator("#told.good").waitFor();
  await message.waitFor({ state: "hidden" });
  assert.equal(await page.locator(".contradicts:visible, .mark.warn:visible").count(), 0);
  await values.first().waitFor();
  for (const [at, value] of typed.entries()) assert.equal(await values.nth(at).inputValue(), value);
  await page.locator("#f-name").fill("Title");
  await page.locator("#try label", { hasText: "Title" }).waitFor();
  await page.context().close();
});

test("what is typed while an answer is on its way stays, and what is told is of what was typed last", async () => {
  const page = await editorOfCurrency();
  await page.getByRole("button", { name: "Edit: Name", exact: true }).click();
  const values = page.locator("#try input[id]");
  await values.nth(2).waitFor();
  await page.waitForLoadState("load");
  // what is asked waits, as on a slow line, until it is let through
  let through = () => {};
  let waits = Promise.resolve();
  const holdUp = () => {
    waits = new Promise((done) => {
      through = () => done(undefined);
    });
  };
  const isTold = (/** @type {import("playwright-core").Request} */ it) => it.url().endsWith("part=told");
  const asked = () => page.waitForRequest(isTold);
  await page.route("**/schemas/editor?part=told", async (route) => {
    await waits;
    // one that was given up goes nowhere
    await route.continue().catch(() => {});
  });
  holdUp();
  let request = asked();
  await values.first().fill("E");
  await page.locator("#f-name").fill("Title");
  await request;
  await values.first().fill("EUR");
  await page.keyboard.press("Tab");
  through();
  await page.locator("#try label", { hasText: "Title" }).waitFor();
  assert.equal(await values.first().inputValue(), "EUR");
  await page.locator("#tried .why").first().waitFor();
  // the one that counts is the last of several
  holdUp();
  const typed = ["EUR", "978", "Euro"];
  for (const at of [2, 1, 0]) {
    request = asked();
    await values.nth(at).fill(typed[at] ?? "");
    await request;
  }
  through();
  await page.locator("#tried .good").waitFor();
  assert.equal(await page.locator("#failure [data-unanswered]").count(), 0);
  for (const [at, value] of typed.entries()) assert.equal(await values.nth(at).inputValue(), value);
  await page.context().close();
});

test("a job that goes on is cancelled on its page", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator(".head").getByRole("link", { name: "Import", exact: true }).click();
  const rows = Array.from({ length: ROWS }, (_, at) => `D${String(at).padStart(7, "0")},Ada,Lovelace`);
  const input = page.getByLabel("File", { exact: true });
  await input.setInputFiles(file("many.csv", `Customer Number,First Name,Last Name\n${rows.join("\n")}\n`));
  await page.locator('[name=try][value="false"]').check();
  await page.getByRole("button", { name: "Import this file", exact: true }).press("Enter");
  await page.locator("summary", { hasText: "Cancel" }).press("Enter");
  // the page is told anew each second, and what was opened stays open
  const swapped = page.evaluate(() => new Promise((done) => document.addEventListener("htmx:after:swap", () => done(undefined), { once: true })));
  // one that has ended is told anew no more
  const ended = page.locator(".figures b", { hasText: "done" }).waitFor();
  for (const either of [swapped, ended]) either.catch(() => {});
  assert.equal(await Promise.race([swapped.then(() => "goes on"), ended.then(() => "has ended")]), "goes on");
  const cancel = page.getByRole("button", { name: "Cancel", exact: true });
  await cancel.press("Enter");
  await page.locator(".figures b", { hasText: "cancelled" }).waitFor();
  await cancel.waitFor({ state: "detached" });
  const written = Number((await page.locator("dl.result dd").first().innerText()).replaceAll(",", ""));
  assert.ok(written < ROWS, `${written} rows were read`);
  await page.context().close();
});

test("without scripts a schema is made from a file and published, and a file is tried, imported and undone", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1024, height: 768 } });
  await signIn(page, server);
  const press = (/** @type {string} */ name) => page.getByRole("button", { name, exact: true }).press("Enter");
  await page.getByRole("link", { name: "Schemas", exact: true }).press("Enter");
  await page.getByRole("link", { name: "New schema: Customer Master" }).press("Enter");
  await page.getByLabel("File", { exact: true }).setInputFiles(file("suppliers.csv", SAMPLE));
  await press("Propose a schema");
  await page.locator("#s-name").fill("Supplier");
  await press("Review the schema");
  await press("Save as a draft");
  await page.locator(".figures b", { hasText: "draft" }).waitFor();
  await press("Publish");
  await page.locator(".figures b", { hasText: "published" }).waitFor();
  await page.locator(".crumbs").getByRole("link", { name: "Customer Master" }).press("Enter");
  await page.getByLabel("New dataset Supplier").press("Enter");
  const section = page.locator("section.area", { has: page.getByRole("heading", { name: "Supplier", exact: true }) });
  await section.locator("details[open]").getByLabel("Name", { exact: true }).fill("Suppliers");
  await section.getByRole("button", { name: "Create the dataset" }).press("Enter");
  await page.getByRole("link", { name: "Suppliers", exact: true }).first().press("Enter");
  const list = page.url();
  await page.locator(".head").getByRole("link", { name: "Import", exact: true }).press("Enter");
  const delivery = `${HEADER}S0001,Ada & Sons,DE,ada@example.org,2024-03-01\nS0002,Boole Ltd,FR,not a mail address,2024-03-02\n`;
  await page.getByLabel("File", { exact: true }).setInputFiles(file("delivery.csv", delivery));
  await press("Try this file");
  await offered(page, "Import this file");
  await page.getByRole("link", { name: "Import this file" }).press("Enter");
  await page.getByText("is kept here").first().waitFor();
  // what the button says goes by what is chosen
  await page.getByLabel("Try it first").press("Space");
  await page.getByRole("button", { name: "Try this file again", exact: true }).waitFor();
  await page.getByLabel("Import: records are written").press("Space");
  await press("Import this file");
  await offered(page, "Undo");
  await page.goto(list);
  assert.equal(await page.locator(".grid tbody tr").count(), 2);
  assert.equal(await page.locator(".grid tr.faulty").count(), 1);
  await page.goBack();
  await press("Undo");
  await page.getByText("done", { exact: true }).or(page.locator("summary", { hasText: "Cancel" })).first().waitFor();
  await page.goto(list);
  await reloadedUntil(page, async () => !(await page.locator(".grid tbody tr").count()));
  assert.equal(await page.locator(".grid tbody tr").count(), 0);
  await page.context().close();
});

test("without scripts the effects of a change are counted when one asks for them, and nothing says so before", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1024, height: 768 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Schemas", exact: true }).press("Enter");
  await page.getByRole("link", { name: "Airport", exact: true }).press("Enter");
  await page.getByRole("link", { name: "Edit fields" }).press("Enter");
  await page.getByRole("button", { name: "Edit: Name", exact: true }).press("Enter");
  await page.locator("#f-max").fill("5");
  await page.getByRole("button", { name: "Review changes" }).press("Enter");
  await page.getByText("has not been counted yet").waitFor();
  assert.equal(await page.getByText("are being checked").isVisible(), false);
  await page.getByRole("button", { name: "Count them" }).press("Enter");
  await page.locator("#effects table").waitFor();
  await page.context().close();
});

/** Without scripts one looks again whether a job has ended. @param {Page} page @param {string} text what it offers then */
async function offered(page, text) {
  await reloadedUntil(page, () => page.getByText(text, { exact: true }).count());
  await page.getByText(text, { exact: true }).waitFor();
}

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems), []);
});
