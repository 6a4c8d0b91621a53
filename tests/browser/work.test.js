// @ts-check
// Work that takes several steps: the keyboard goes on beside what was pressed, and who leaves what is not sent is asked first.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, signIn, unexpected } from "./program.js";
import { submitted } from "./ways.js";

/** A number that no customer of the demo has. */
const NUMBER = "C7999002";

const { browser, server } = await begin({ server: serve });

/** @typedef {import("playwright-core").Page} Page */

const desk = { viewport: { width: 1440, height: 900 } };

/** The editor of a schema that nobody has changed. @param {Page} page */
async function openEditor(page) {
  await page.goto(`${server.url}/app/schemas`);
  await page.getByRole("link", { name: "Currency", exact: true }).click();
  await page.getByRole("link", { name: "Edit fields" }).click();
  await page.locator("#editor").waitFor();
}

/** Presses a button of the editor by what it sends. @param {Page} page @param {string} value */
const press = (page, value) => submitted(page, page.locator(`#editor button[value="${value}"]`).last());

/** Types behind what stands in the input of the open field's name. @param {Page} page @param {string} text */
async function typeName(page, text) {
  await page.locator("#f-name").click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

test("behind each button of a schema's editor the keyboard goes on beside it", async () => {
  const page = await browser.open(desk);
  await signIn(page, server);
  await openEditor(page);
  const goesOn = (/** @type {string} */ place) => page.locator(`${place}:focus`).waitFor();
  await press(page, "check");
  await goesOn("#told");
  await press(page, "open-1");
  await goesOn('#field-1 [value="close"]');
  await page.locator("#f-name").fill("");
  await press(page, "check");
  await goesOn("#f-name");
  await press(page, "close");
  await goesOn('#field-1 [value="open-1"]');
  await press(page, "check");
  await goesOn('#told [href="#field-1"]');
  await press(page, "remove-1");
  await goesOn('#field-1 [value="open-1"]');
  const last = (await page.locator("#editor ol > li").count()) - 1;
  await press(page, `remove-${last}`);
  await goesOn(`#field-${last - 1} [value="open-${last - 1}"]`);
  await press(page, "add");
  await goesOn(`#field-${last} [value="close"]`);
  await page.context().close();
});

test("who leaves a record's form that is not sent is asked first, and no one else is", async () => {
  const page = await browser.open(desk);
  /** @type {string[]} */
  const asked = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  const list = page.url();
  await page.goto(`${list}/new`);
  const number = page.getByLabel(/^Customer Number/);
  await number.click();
  await page.locator(".crumbs a").last().click();
  await page.waitForURL(list);
  assert.deepEqual(asked, [], "nothing was filled in");
  await page.goto(`${list}/new`);
  await number.click();
  await page.keyboard.type(NUMBER);
  await page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
  await number.fill("");
  await number.click();
  await page.keyboard.type(NUMBER);
  await page.keyboard.press("Enter");
  await page.getByText("Saved.").first().waitFor();
  assert.equal(asked.length, 1, "what is sent is not lost");
  // what was refused is lost as well by who leaves it
  await page.goto(`${list}/new`);
  await number.click();
  await page.keyboard.type(NUMBER);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
  await page.waitForLoadState("load");
  await page.locator(".crumbs a").last().click();
  await page.waitForURL(list);
  assert.equal(asked.length, 2);
  await page.context().close();
});

test("who comes back to a form finds what is stored by then, not what was typed into an older one", async () => {
  const page = await browser.open(desk);
  page.on("dialog", (dialog) => dialog.accept());
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  const list = page.url();
  await page.locator(".grid tbody tr:not(.faulty) th a").first().click();
  const record = page.url();
  const other = await page.context().newPage();
  const held = (/** @type {Page} */ page) => Promise.all([page.getByLabel(/^Last Name/).inputValue(), page.getByLabel(/^Status/).inputValue()]);
  const save = async (/** @type {string} */ name, /** @type {string} */ status) => {
    await other.goto(record);
    await other.getByLabel(/^Last Name/).fill(name);
    await other.getByLabel(/^Status/).selectOption(status);
    await submitted(other, other.locator(".record .actions button"));
  };
  const long = "a name of many words ".repeat(6);
  await save(`${long}before`, "prospect");
  await page.goto(record);
  assert.equal(await page.getByLabel(/^Last Name/).evaluate((it) => it.tagName), "TEXTAREA");
  await page.getByLabel(/^Last Name/).fill(`${long}mine`);
  await page.getByLabel(/^Status/).selectOption("closed");
  await page.goto(list);
  await save(`${long}theirs`, "on_hold");
  await page.goBack();
  await submitted(page, page.locator(".record .actions button"));
  await other.goto(record);
  assert.deepEqual(await held(other), [`${long}theirs`, "on_hold"]);
  await page.context().close();
});

test("who stays can send another form of the page", async () => {
  const page = await browser.open(desk);
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  await page.locator(".grid tbody tr:not(.faulty) th a").first().click();
  const name = page.getByLabel(/^Last Name/);
  await name.waitFor();
  // its scripts are there
  await page.waitForLoadState("load");
  await name.click();
  await page.keyboard.type("x");
  const leave = page.getByRole("button", { name: "Sign out" });
  const asked = page.waitForEvent("dialog");
  const pressed = leave.click({ noWaitAfter: true });
  await (await asked).dismiss();
  await pressed;
  await page.waitForFunction(() => ![...document.querySelectorAll("button")].some((it) => it.disabled));
  assert.match(await name.inputValue(), /x/);
  page.once("dialog", (dialog) => dialog.accept());
  await leave.click();
  await page.getByLabel("User name").waitFor();
  await page.context().close();
});

/** A page that counts how often one is asked before it is left, and leaves it. */
async function openAsking() {
  const page = await browser.open(desk);
  const counted = { asked: 0 };
  page.on("dialog", (dialog) => {
    counted.asked += 1;
    return dialog.accept();
  });
  await signIn(page, server);
  return { page, counted };
}

test("who leaves a schema that is edited and not saved is asked first, on each of its pages", async () => {
  const { page, counted } = await openAsking();
  const leave = async () => {
    await page.locator(".crumbs a").first().click();
    await page.waitForURL(`${server.url}/app/schemas`);
  };
  await openEditor(page);
  await press(page, "open-1");
  await leave();
  assert.equal(counted.asked, 0, "nothing was changed");
  await openEditor(page);
  await page.locator('[name^="t-"]').first().fill("x");
  await leave();
  assert.equal(counted.asked, 0, "what is only tried");
  await openEditor(page);
  await press(page, "open-1");
  await typeName(page, "x");
  await leave();
  assert.equal(counted.asked, 1, "what is typed");
  await openEditor(page);
  await press(page, "open-1");
  await typeName(page, "x");
  await press(page, "close");
  assert.equal(counted.asked, 1, "a button of the form keeps it");
  await leave();
  assert.equal(counted.asked, 2, "what the page holds");
  await openEditor(page);
  await press(page, "open-1");
  await typeName(page, "x");
  await press(page, "review");
  await submitted(page, page.locator(".schema-review").getByRole("button").last());
  await press(page, "review");
  assert.equal(counted.asked, 2, "from one page of it to the other");
  await leave();
  assert.equal(counted.asked, 3, "what is reviewed");
  await page.context().close();
});

test("who leaves the codes of a domain that are typed and not saved is asked first, for its next part and its filter, too", async () => {
  const { page, counted } = await openAsking();
  await page.goto(`${server.url}/app/domains/new`);
  await page.locator("#name").fill("Very many");
  const codes = Array.from({ length: 600 }, (_, at) => `C${String(at).padStart(3, "0")} = Code ${at}`);
  await page.locator("#codes").fill(codes.join("\n"));
  await submitted(page, page.getByRole("button", { name: "Create the domain" }));
  const first = page.url();
  const type = async () => {
    await page.locator("#codes").click();
    await page.keyboard.type("x");
  };
  const next = page.locator('a[rel="next"]');
  await page.locator("#codes").click();
  await next.click();
  await page.waitForURL(/codes-from=500/);
  assert.equal(counted.asked, 0, "nothing was typed");
  await page.goto(first);
  await type();
  await next.click();
  await page.waitForURL(/codes-from=500/);
  assert.equal(counted.asked, 1, "the next part");
  await type();
  await page.getByLabel("Find codes").fill("C59");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.waitForURL(/codes-filter=C59/);
  assert.equal(counted.asked, 2, "the filter");
  await type();
  await submitted(page, page.getByRole("button", { name: "Save", exact: true }));
  assert.equal(counted.asked, 2, "what is sent is not lost");
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 400), []);
});
