// @ts-check
// What is typed and sent is stored once, in its place: over a slow line, by a hasty hand, by a finger. And long words break
// no page, long values are copied whole.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, signIn, unexpected } from "./program.js";
import { openDataset, submitted } from "./ways.js";

/** Answers to what is sent come so late: behind what a hasty hand does before, on a busy machine, too. */
const LATE_MS = 1_500;
/** Numbers that no customer of the demo has. */
const NUMBER = "C7999001";
const OTHER_NUMBER = "C7999005";

const { browser, server } = await begin({ server: serve });

/** @typedef {import("playwright-core").Page} Page */

const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Such requests to such an address are answered late; how often that was. @param {Page} page @param {string} address @param {string} [method] */
async function slow(page, address, method = "POST") {
  const told = { sent: 0 };
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      told.sent += 1;
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    }
    await route.fallback();
  });
  return told;
}

/** Cells of a record. @param {Page} page @param {string | null} record */
const cellsOf = (page, record) => (/** @type {string} */ name) => page.locator(`tr[data-record="${record}"] td[data-name="${name}"]`);

/** Opens the editor of a cell where no other one lies over it. @param {import("playwright-core").Locator} cell */
async function turnTo(cell) {
  const box = await cell.boundingBox();
  assert.ok(box);
  await cell.dblclick({ position: { x: box.width - 8, y: box.height / 2 } });
}

/** Types in place of what stands in the editor that comes. @param {Page} page @param {string} text */
async function type(page, text) {
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

test("a record is made once, however often its form is pressed before the answer", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Customers");
  await page.goto(`${list}/new`);
  await page.getByLabel(/^Customer Number/).fill(NUMBER);
  const told = await slow(page, "**/new");
  await page.locator(".record .actions button").evaluate(async (it) => {
    const button = /** @type {HTMLButtonElement} */ (it);
    button.click();
    button.click();
    button.form?.requestSubmit();
    // a page that was sent before all of it was there
    await new Promise((resolve) => setTimeout(resolve, 50));
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false }));
    button.form?.requestSubmit();
  });
  await page.getByText("Saved.").first().waitFor();
  assert.equal(told.sent, 1);
  await page.goto(`${list}?q=${NUMBER}`);
  assert.equal(await page.locator(".grid tbody tr").count(), 1);
  await page.context().close();
});

test("a cell is saved when one turns to another, and what was sent is what is shown", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Customers");
  const record = await page.locator(".grid tbody tr:not(.faulty)").nth(1).getAttribute("data-record");
  const cell = cellsOf(page, record);
  const shown = (/** @type {string} */ name, /** @type {string} */ text) => cell(name).locator(".value").getByText(text, { exact: true }).waitFor();
  await slow(page, "**/cells/**");
  await cell("First Name").dblclick();
  await type(page, "Augusta");
  await turnTo(cell("E-mail"));
  await shown("First Name", "Augusta");
  await cell("E-mail").locator(".editor :focus").waitFor();
  assert.equal(await page.locator(".editor").count(), 1);
  await type(page, "byron@example.org");
  // too late to leave it as it was
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await shown("E-mail", "byron@example.org");
  // by keyboard, and nothing is sent where nothing was typed
  await cell("First Name").dblclick();
  await type(page, "Ada");
  // past the buttons that save it and leave it
  for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press("Tab");
  await shown("First Name", "Ada");
  await cell("First Name").dblclick();
  await page.locator(".editor :focus").waitFor();
  await page.locator(".head h1").click();
  assert.equal(await page.locator(".editor").count(), 0);
  // a link leads on once it is stored
  await cell("Last Name").dblclick();
  await type(page, "Lovelace");
  await page.locator(".head").getByRole("link", { name: "Import", exact: true }).click();
  await page.waitForURL("**/import");
  await page.goto(list);
  await shown("First Name", "Ada");
  await shown("Last Name", "Lovelace");
  await page.context().close();
});

test("an editor that comes late takes the keyboard from nothing that one turned to meanwhile", async () => {
  const page = await browser.open(desk);
  await openDataset(page, server, "Customers");
  const record = await page.locator(".grid tbody tr:not(.faulty)").nth(2).getAttribute("data-record");
  const cell = cellsOf(page, record);
  const editors = page.locator(".editor");
  const told = await slow(page, "**/cells/**", "GET");
  await cell("First Name").dblclick();
  await cell("Last Name").dblclick();
  await cell("Last Name").locator(".editor :focus").waitFor();
  assert.equal(await cell("First Name").locator(".editor").count(), 0);
  assert.equal(told.sent, 2);
  await type(page, "Hamilton");
  await page.keyboard.press("Enter");
  await cell("Last Name").locator(".value").getByText("Hamilton", { exact: true }).waitFor();
  // a hasty hand means the cell that it presses
  await cell("First Name").click({ clickCount: 3 });
  await cell("First Name").locator(".editor :focus").waitFor();
  await page.keyboard.press("Escape");
  await editors.waitFor({ state: "detached" });
  // by keyboard, one walks on, and what was opened is left
  const answered = page.evaluate(() => new Promise((resolve) => document.addEventListener("htmx:finally:request", () => resolve(null), { once: true })));
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await answered;
  assert.equal(await editors.count(), 0);
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("data-name"));
  assert.ok(focused && focused !== "First Name", "the keyboard is where one walked");
  await page.context().close();
});

test("a proposal is taken also where the value's editor was opened and left", async () => {
  const page = await browser.open(desk);
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Every Type" }).click();
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    return dialog.dismiss();
  });
  const faulty = page.locator(".grid td.fault:not([data-fixed]):has(.proposals)").first();
  await faulty.waitFor();
  // without its script a fault leads to the record's form
  await page.waitForLoadState("load");
  const list = page.url();
  const record = await faulty.locator("xpath=..").getAttribute("data-record");
  const cell = cellsOf(page, record)((await faulty.getAttribute("data-name")) ?? "");
  await cell.locator("a.why").click();
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".editor").count(), 0);
  const proposal = cell.locator(".proposals button").first();
  const [sent] = await Promise.all([page.waitForResponse((it) => it.request().method() === "POST"), proposal.click()]);
  assert.equal(sent.status(), 200);
  await cell.locator(".proposals").waitFor({ state: "detached" });
  assert.equal(asked, 0);
  assert.equal(page.url(), list);
  await page.context().close();
});

test("who leaves a page with a value that is not sent is asked first", async () => {
  const page = await browser.open(desk);
  await openDataset(page, server, "Customers");
  await page.locator('.grid td[data-name="First Name"]').first().dblclick();
  await type(page, "Nobody");
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await reloaded;
  assert.equal(await page.locator(".grid").getByText("Nobody", { exact: true }).count(), 0);
  await page.context().close();
});

test("a finger saves a cell or leaves it, and what it chooses is saved at once", async () => {
  const page = await browser.open(phone);
  const list = await openDataset(page, server, "Customers");
  await page.goto(`${list}?q=fault%3AE-mail`);
  const faulty = page.locator('.grid td.fault[data-name="E-mail"]').first();
  const record = await faulty.locator("xpath=..").getAttribute("data-record");
  const cell = cellsOf(page, record);
  const press = (/** @type {string} */ name) => page.locator(".editor").getByRole("button", { name, exact: true }).tap();
  await cell("E-mail").locator("a.why").tap();
  await page.locator(".editor :focus").waitFor();
  await press("Cancel");
  await page.locator(".editor").waitFor({ state: "detached" });
  await cell("E-mail").locator("a.why").tap();
  await page.locator(".editor input:focus").fill("someone@example.org");
  await press("Save");
  await page.locator(`tr[data-record="${record}"] td[data-name="E-mail"]:not(.fault)`).waitFor();
  await page.goto(list);
  const other = page.locator('.grid td[data-name="Status"]:not(.fault)').filter({ hasNotText: "prospect" }).first();
  const chosen = cellsOf(page, await other.locator("xpath=..").getAttribute("data-record"));
  await other.dblclick();
  const select = page.locator(".editor select");
  await select.waitFor();
  // the list that a finger opens is none of the page
  await select.dispatchEvent("pointerdown");
  await select.selectOption("prospect");
  await page.locator(".editor").waitFor({ state: "detached" });
  assert.equal(await chosen("Status").locator(".value").textContent(), "prospect");
  await page.context().close();
});

test("several lines are saved by a button and by Ctrl+Enter", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Every Type");
  // a list of texts, which is far from the first columns
  await page.goto(`${list}?columns=019b9cee-119a-716a-ba2c-123cf2f61f5e`);
  const cell = page.locator(".grid td[data-filled]:not([data-fixed])").first();
  await cell.dblclick();
  await page.locator(".editor textarea:focus").waitFor();
  assert.ok(await page.locator(".editor").getByRole("button", { name: "Save", exact: true }).isVisible());
  assert.ok(await page.locator(".editor").getByText("Ctrl+Enter saves").isVisible());
  const [sent] = await Promise.all([page.waitForResponse((it) => it.request().method() === "POST"), page.keyboard.press("Control+Enter")]);
  assert.equal(sent.status(), 200);
  await page.locator(".editor").waitFor({ state: "detached" });
  await page.context().close();
});

test("a form that is too long to be sent stays as it is, and says how long it may be", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Customers");
  await page.goto(`${list}/new`);
  const number = page.getByLabel(/^Customer Number/);
  const most = Number(await page.locator("body").getAttribute("data-form-bytes"));
  assert.ok(most > 0);
  await number.evaluate((it, most) => {
    /** @type {HTMLInputElement} */ (it).value = "7".repeat(most);
  }, most);
  const told = await slow(page, "**/new");
  const save = page.locator(".record .actions button").first();
  await save.click();
  await page.locator("#failure").getByText("too long to be sent").waitFor();
  assert.equal(told.sent, 0);
  assert.equal(await number.evaluate((it) => /** @type {HTMLInputElement} */ (it).value.length), most);
  await number.fill(OTHER_NUMBER);
  await save.click();
  await page.getByText("Saved.").first().waitFor();
  assert.equal(told.sent, 1);
  await page.context().close();
});

test("a repair that was tried is done once, also from a preview that one comes back to", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Customers");
  await page.goto(`${list}/mend?field=Last%20Name&action=regex&find=%5E&with=X&q=Status%3Aactive`);
  await page.getByRole("button", { name: "Preview" }).click();
  const repair = page.getByRole("button", { name: /^Repair th/ });
  await repair.waitFor();
  const preview = page.url();
  await submitted(page, repair);
  const done = page.url();
  assert.notEqual(done, preview);
  await page.goto(preview);
  assert.equal(await repair.count(), 0);
  await page.locator("#live .notice a").click();
  await page.waitForURL(done);
  await page.context().close();
});

test("a long key is read in words of its own width, and a word that never ends breaks no page", async () => {
  const page = await browser.open(desk);
  const list = await openDataset(page, server, "Customers");
  const key = page.locator(".grid tbody th").first();
  await key.locator("a").evaluate((it) => (it.textContent = "K".repeat(40)));
  const box = await key.boundingBox();
  assert.ok(box && box.width >= 120, `${box?.width}`);
  await page.context().close();
  const small = await browser.open(phone);
  await signIn(small, server);
  await small.goto(`${list}/new`);
  const wide = () => small.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await small.locator(".crumbs a").last().evaluate((it) => (it.textContent = "D".repeat(90)));
  await small.locator(".record .field > div").first().evaluate((it) => {
    const hint = document.createElement("p");
    hint.className = "muted small";
    hint.textContent = "W".repeat(600);
    it.append(hint);
  });
  assert.ok((await wide()) <= 0, "a form");
  await small.context().close();
  const large = await browser.open(desk);
  await signIn(large, server);
  await large.getByRole("link", { name: "Schemas", exact: true }).click();
  await large.getByRole("link", { name: "Customer", exact: true }).click();
  const name = large.locator("table.fields tbody th").first();
  await name.evaluate((it) => {
    const hint = document.createElement("p");
    hint.textContent = "W".repeat(600);
    it.append(hint);
  });
  const column = await name.boundingBox();
  assert.ok(column && column.width < 720, `${column?.width}`);
  await large.context().close();
});

test("a name of one long word breaks no page of areas and schemas, and heads have names of fields as they are", async () => {
  const page = await browser.open({ viewport: { width: 320, height: 800 } });
  const list = await openDataset(page, server, "Currencies");
  const head = page.locator(".grid thead th").first();
  await head.waitFor();
  assert.equal(await head.evaluate((it) => getComputedStyle(it, "::first-letter").textTransform), "none");
  await page.goto(`${server.url}/app/areas`);
  const area = await page.getByRole("link", { name: "Customer Master", exact: true }).getAttribute("href");
  await page.goto(`${server.url}/app/schemas`);
  const schema = await page.getByRole("link", { name: "Customer", exact: true }).getAttribute("href");
  for (const [path, names] of [
    ["/app/", ".area > h2, .area > p, .tile :is(h3 a, p)"],
    ["/app/schemas", "main h2 a"],
    [area, "main h1, main h3, .lead"],
    [schema, "main h1, main h2, .lead"],
    [new URL(list).pathname, "main h1"],
  ]) {
    await page.goto(`${server.url}${path}`);
    const found = page.locator(names ?? "");
    assert.ok(await found.count(), `${path}`);
    await found.evaluateAll((all) => all.forEach((it) => (it.textContent = "Wo".repeat(60))));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${path}: ${wide} px too wide`);
  }
  await page.context().close();
});

/** Makes a customer of a long name, and shows it alone in the list; the name. @param {Page} page @param {string} number */
async function makeLongName(page, number) {
  const name = `${"a name that goes on ".repeat(400)}and ends`;
  const list = await openDataset(page, server, "Customers");
  await page.goto(`${list}/new`);
  await page.getByLabel(/^Customer Number/).fill(number);
  await page.getByLabel(/^First Name/).fill(name);
  await submitted(page, page.locator(".record .actions button"));
  await page.goto(`${list}?q=${number}`);
  return name;
}

/**
 * Presses the keys that copy; whether the page asks for them once more when all that is to be copied has come.
 * @param {Page} page
 */
async function copyLong(page, isAskedFor = true) {
  await Promise.all([isAskedFor && page.waitForResponse(/whole=true/), page.keyboard.press("Control+c")]);
  const told = await page.waitForFunction(() => {
    const it = document.querySelector("#copying");
    return it instanceof HTMLElement && (it.hidden || it.textContent !== it.dataset.waits) && { asks: it.textContent === it.dataset.again };
  });
  return /** @type {{ asks: boolean }} */ (await told.jsonValue()).asks;
}

test("a value that the list shows a part of is copied whole, by itself and in a range, and its editor has the whole", async () => {
  const page = await browser.open(desk);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const name = await makeLongName(page, "C7999002");
  const cell = page.locator('.grid td[data-name="First Name"]');
  assert.ok(((await cell.textContent()) ?? "").length < 700);
  assert.ok(await cell.getByRole("link", { name: /^[\d,]+ more characters$/ }).isVisible());
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await cell.focus();
  assert.ok(!(await copyLong(page)));
  assert.equal(await copied(), name);
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(!(await copyLong(page, false)));
  assert.equal(await copied(), `${name}\t`);
  const table = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType("text/html"))?.text();
  });
  assert.ok(table?.includes("and ends") && table.match(/<td/g)?.length === 2, `${table?.length}`);
  // all that is shown of it is marked: the whole is meant
  await page.keyboard.press("Escape");
  await cell.locator(".value").evaluate((it) => getSelection()?.selectAllChildren(it));
  assert.ok(!(await copyLong(page, false)));
  assert.equal(await copied(), name);
  await cell.press("Enter");
  await page.locator(".editor textarea:focus").waitFor();
  assert.equal(await page.locator(".editor textarea").inputValue(), name);
  await page.context().close();
});

test("a long value is copied whole where the browser gives the page no clipboard", async () => {
  const page = await browser.open(desk);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const reader = await page.context().newPage();
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }));
  const name = await makeLongName(page, "C7999003");
  await page.bringToFront();
  await page.locator('.grid td[data-name="First Name"]').focus();
  // some browsers copy nothing but while a key is pressed
  if (await copyLong(page)) await page.keyboard.press("Control+c");
  await reader.goto(`${server.url}/app/sign-in`);
  await reader.bringToFront();
  assert.equal(await reader.evaluate(() => navigator.clipboard.readText()), name);
  await page.context().close();
});

test("a value that can not be read whole is not copied in part, and that is told", async () => {
  const page = await browser.open(desk);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await makeLongName(page, "C7999004");
  await page.evaluate(() => navigator.clipboard.writeText("what was there"));
  await page.route("**/cells/**", (route) => route.fulfill({ status: 200, body: "" }));
  await page.locator('.grid td[data-name="First Name"]').focus();
  await copyLong(page);
  assert.ok(await page.getByText("Nothing was copied").isVisible());
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "what was there");
  await page.context().close();
});

test("of keys is told where there are some, and of a finger elsewhere", async () => {
  for (const look of [desk, phone]) {
    const page = await browser.open(look);
    await openDataset(page, server, "Customers");
    const isSeen = (/** @type {string} */ text) => page.getByText(text).isVisible();
    assert.equal(await isSeen("press Enter on it"), look === desk);
    assert.equal(await isSeen("tap it twice"), look === phone);
    // which makes no browser enlarge the page
    const cell = page.locator(".grid tbody td").first();
    assert.equal(await cell.evaluate((it) => getComputedStyle(it).touchAction), "manipulation");
    await page.context().close();
  }
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems), []);
});
