// @ts-check
// What a data steward does, in a real browser, by keyboard where that is promised.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serveHostile, signIn, unexpected } from "./program.js";
import { answeredFor, submitted } from "./ways.js";

const { browser, server } = await begin({ server: serveHostile });

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
  // without its script a fault leads to the record's form
  await page.waitForLoadState("load");
  const count = await faulty(page);
  const cell = page.locator('.grid td.fault[data-name="E-mail"]').first();
  const row = await cell.locator("xpath=..").getAttribute("data-record");
  const faultsInRow = await page.locator(`tr[data-record="${row}"] .fault`).count();
  await cell.locator(".why").click();
  const input = page.locator(".editor input:not([type=hidden])");
  await input.and(page.locator(":focus")).waitFor();
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

test("stored fields change places by keyboard, without scripts", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1024, height: 768 } });
  await signIn(page, server);
  await page.goto(`${server.url}/app/schemas`);
  await page.getByRole("link", { name: "Currency", exact: true }).click();
  // all of it is there
  await page.waitForLoadState("load");
  const own = page.url();
  const names = async () => (await page.locator("table.fields th[scope=row]").allInnerTexts()).map((it) => it.split("\n")[0]);
  const [first, second, ...rest] = await names();
  await page.getByRole("link", { name: "Edit fields" }).click();
  const rows = page.locator("#editor > ol > li .what b");
  const label = await rows.first().innerText();
  const down = page.getByRole("button", { name: `Move down: ${label}`, exact: true });
  await down.press("Enter");
  assert.equal(await rows.nth(1).innerText(), label);
  // the keyboard goes on where the field is now
  await down.and(page.locator(":focus")).waitFor();
  await down.press("Enter");
  await page.getByRole("button", { name: `Move up: ${label}`, exact: true }).press("Enter");
  assert.equal(await rows.nth(1).innerText(), label);
  const review = async () => {
    await page.getByRole("button", { name: "Review changes" }).press("Enter");
    await page.getByText("Fields are in a different order").first().waitFor();
  };
  await review();
  // who goes back finds what was edited
  await page.goBack();
  assert.equal(await rows.nth(1).innerText(), label);
  await review();
  await page.getByRole("button", { name: "Publish" }).press("Enter");
  await page.getByText("Version 2", { exact: true }).first().waitFor();
  await page.waitForLoadState("load");
  assert.equal(page.url(), own);
  assert.deepEqual(await names(), [second, first, ...rest]);
  await page.context().close();
});

test("without scripts one signs in, filters and mends in the form", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1024, height: 768 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "faulty records in Customers" }).click();
  const count = await faulty(page);
  await page.locator('.grid tr:has(.fault) th a').first().click();
  await page.waitForLoadState("load");
  const faults = await page.locator(".field.fault").count();
  assert.ok(faults > 0);
  const values = { "Customer Number": "C7000001", "E-mail": "someone@example.org", Phone: "+49 30 5550123", "Birth Date": "01/02/1990" };
  for (const [label, value] of Object.entries(values)) {
    const input = page.locator(".field.fault").getByLabel(new RegExp(`^${label}`));
    if (await input.count()) await input.fill(value);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").first().waitFor();
  await page.waitForLoadState("load");
  assert.ok((await page.locator(".field.fault").count()) < faults);
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Changed").first().waitFor();
  await page.goto(`${server.url}/app/`);
  assert.ok(count > 0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.context().close();
});

test("ticked records are counted, seen before and after, written as one job and undone", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  const ticks = page.locator(".grid .pick");
  await ticks.first().waitFor();
  await ticks.nth(0).check();
  await ticks.nth(1).check();
  const bar = page.locator("#selection");
  await bar.getByText("2 selected").first().waitFor();
  await bar.getByLabel("All on this page").check();
  await bar.getByText(`${await ticks.count()} selected`).first().waitFor();
  await bar.getByLabel("All on this page").uncheck();
  await bar.getByText("0 selected").first().waitFor();
  const change = bar.getByRole("button", { name: "Change, export or delete selected" });
  assert.ok(await change.isDisabled(), "there is nothing to change yet");
  assert.ok(await bar.getByText("Tick records in the list first.").isVisible(), "and the bar says so");
  await ticks.nth(0).check();
  await ticks.nth(1).check();
  assert.ok(!(await bar.getByText("Tick records in the list first.").isVisible()));
  await change.click();
  await page.getByRole("heading", { name: "Selected records", exact: true }).waitFor();
  const [field] = await page.getByLabel("Field", { exact: true }).selectOption({ label: "Last Name" });
  await page.locator(`[id="f-${field}"]`).waitFor();
  await page.getByLabel("New value").fill("Everywhere");
  await submitted(page, page.getByRole("button", { name: "Show what changes" }));
  assert.equal(await page.getByText("Everywhere", { exact: true }).count(), 2, "each record, before and after");
  await page.getByRole("button", { name: "Write the value to 2 records" }).click();
  await page.waitForURL(/jobs/);
  await page.getByRole("button", { name: "Undo" }).click();
  // the next story begins with them as they were
  await page.getByText("done", { exact: true }).first().waitFor();
  await page.context().close();
});

test("a range is copied as a spreadsheet takes it, pasted with line breaks and quotes, seen before and after, and undone", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  await page.waitForLoadState("load");
  const list = page.url();
  const cell = (/** @type {string} */ name, /** @type {number} */ row) => page.locator(`.grid td[data-name="${name}"]`).nth(row);
  const value = async (/** @type {string} */ name, /** @type {number} */ row) => (await cell(name, row).locator(".value").textContent()) ?? "";
  const was = [[await value("Last Name", 0), await value("Last Name", 1)], [await value("First Name", 0), await value("First Name", 1)]];
  const [first, last] = /** @type {const} */ (["First Name", "Last Name"]);
  // by keyboard: two rows and two columns
  const headings = (await page.locator(".grid thead th").allTextContents()).map((it) => it.trim());
  const isFirstBefore = headings.findIndex((it) => it.startsWith(first)) < headings.findIndex((it) => it.startsWith(last));
  const left = isFirstBefore ? first : last;
  const right = isFirstBefore ? last : first;
  await cell(left, 0).focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("2 × 2").first().waitFor();
  await page.keyboard.press("Control+c");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const rows = [0, 1].map(async (row) => `${await value(left, row)}\t${await value(right, row)}`);
  assert.equal(copied, (await Promise.all(rows)).join("\n"));
  const table = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType("text/html"))?.text();
  });
  assert.equal(table?.match(/<td>/g)?.length, 4);
  // as Excel and LibreOffice write it: a line break and quotes stand in quotes
  await page.evaluate((text) => navigator.clipboard.writeText(text), 'Anne "Änn"\t"two\nlines ""so"""\r\n"stays"\tDoe\r\n');
  await page.keyboard.press("Control+v");
  await page.getByRole("heading", { name: "Pasted cells" }).waitFor();
  const after = await page.locator(".changes ins").allTextContents();
  assert.deepEqual(after, ['Anne "Änn"', 'two\nlines "so"', '"stays"', "Doe"]);
  await page.getByRole("button", { name: "Write the changes" }).click();
  await page.waitForURL(/jobs/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("done", { exact: true }).first().waitFor();
  await page.goto(list);
  assert.deepEqual([[await value(last, 0), await value(last, 1)], [await value(first, 0), await value(first, 1)]], was);
  // by mouse: one value into all that is chosen, of which some would be faulty
  const box = async (/** @type {number} */ row) => {
    const own = await cell("E-mail", row).boundingBox();
    return /** @type {const} */ ([(own?.x ?? 0) + 8, (own?.y ?? 0) + (own?.height ?? 0) - 6]);
  };
  await page.mouse.move(...(await box(0)));
  await page.mouse.down();
  await page.mouse.move(...(await box(1)));
  await page.mouse.move(...(await box(2)));
  await page.mouse.up();
  await page.getByText("3 × 1").first().waitFor();
  await page.evaluate(() => navigator.clipboard.writeText("no address"));
  await page.keyboard.press("Control+v");
  await page.getByRole("heading", { name: "Pasted cells" }).waitFor();
  assert.equal(await page.locator(".changes .why").count(), 3);
  await page.context().close();
});

test("a query is completed by keyboard and by mouse, and what it shows is saved, found in the palette, renamed and deleted", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  const query = page.getByRole("combobox", { name: "Filter" });
  const list = page.getByRole("listbox", { name: "What you can type next" });
  const active = () => query.getAttribute("aria-activedescendant");
  await query.focus();
  await page.keyboard.type("cred");
  await list.waitFor();
  assert.equal(await query.getAttribute("aria-expanded"), "true");
  assert.equal(await active(), null, "nothing is chosen that was not asked for");
  // Escape closes the list and leaves what is typed
  await page.keyboard.press("Escape");
  assert.equal(await list.isVisible(), false);
  assert.equal(await query.inputValue(), "cred");
  await page.keyboard.press("ArrowDown");
  const first = list.getByRole("option", { selected: true });
  await first.waitFor();
  assert.equal(await active(), await first.getAttribute("id"));
  // a name of two words is quoted; what may follow it is proposed at once
  await page.keyboard.press("Enter");
  assert.equal(await query.inputValue(), '"Credit Limit":');
  await list.getByText('"Credit Limit":>=').waitFor();
  await answeredFor(page, "Status:pro", () => page.keyboard.type(">=1000 Status:pro"));
  await list.getByText("Status:=prospect").first().waitFor();
  assert.equal(await list.getByRole("option").count(), 1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  assert.equal(await query.inputValue(), '"Credit Limit":>=1000 Status:=prospect ');
  assert.ok(await query.evaluate((it) => it === document.activeElement), "Tab took what was chosen");
  await answeredFor(page, "sort=-la", () => page.keyboard.type("sort=-la"));
  await list.getByText("sort=-").first().click();
  assert.match(await query.inputValue(), /sort=-"Last Name" $/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=-Last\+Name|q=/);
  assert.equal(await query.inputValue(), '"Credit Limit":>=1000 Status:=prospect');
  assert.equal(await page.locator('thead th[aria-sort="descending"]').innerText().then((it) => it.includes("Last Name")), true);
  // what is shown is saved under a name
  await page.getByText("Save this view").first().click();
  await page.getByLabel("Name of the view").fill("Large prospects");
  await page.getByRole("button", { name: "Save this view" }).click();
  const link = page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name: "Large prospects" });
  await link.waitFor();
  assert.equal(await link.getAttribute("aria-current"), "true");
  await page.waitForLoadState("load");
  const records = await page.locator(".grid tbody tr").count();
  await page.goto(`${server.url}/app/`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("large pro");
  await page.locator("dialog").getByRole("link", { name: /^Large prospects/ }).waitFor();
  await page.keyboard.press("Enter");
  await link.waitFor();
  await page.waitForLoadState("load");
  assert.equal(await page.locator(".grid tbody tr").count(), records);
  await page.getByText("Rename or delete").click();
  await page.getByLabel("Name of the view").fill("Prospects to call");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("link", { name: "Prospects to call" }).waitFor();
  await page.getByText("Rename or delete").click();
  await page.locator("summary", { hasText: "Delete this view" }).click();
  await page.getByRole("button", { name: "Delete this view" }).click();
  await page.getByText("Save this view").first().waitFor();
  assert.equal(await page.getByRole("link", { name: "Prospects to call" }).count(), 0);
  // the same field over everything
  await page.goto(`${server.url}/app/search`);
  const everywhere = page.getByRole("main").getByRole("combobox");
  await everywhere.pressSequentially("is");
  await page.getByRole("option", { name: /is:faulty/ }).click();
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=is/);
  // and in the head of every page, by keyboard
  await page.goto(`${server.url}/app/areas`);
  const ofHead = page.getByRole("banner").getByRole("combobox");
  await answeredFor(page, "Status:pro", () => ofHead.pressSequentially("Status:pro"));
  await list.getByText("Status:=prospect").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await ofHead.inputValue(), "Status:=prospect ");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/search\?q=Status/);
  await page.context().close();
});

test("without scripts ticked records are deleted after a question", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  const ids = [];
  for (const at of [0, 1]) {
    const box = page.locator(".grid .pick").nth(at);
    await box.check();
    ids.push(await box.getAttribute("value"));
  }
  await page.getByRole("button", { name: "Change, export or delete selected" }).click();
  await page.locator("summary", { hasText: "Delete these records" }).click();
  await page.getByRole("button", { name: "Delete these records (2)" }).click();
  await page.waitForURL(/jobs/);
  await page.goBack();
  await page.goBack();
  await page.reload();
  for (const id of ids) assert.equal(await page.locator(`.grid .pick[value="${id}"]`).count(), 0);
  await page.context().close();
});

test("without scripts records are filtered by a field, whose query is written, and paged there and back", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator("summary", { hasText: "Filter by a field" }).click();
  await page.getByLabel("Which field").selectOption({ label: "Credit Limit" });
  await page.getByRole("button", { name: "Next: what to look for" }).click();
  await page.getByLabel("What is asked of Credit Limit").selectOption("from");
  await page.getByLabel("Value", { exact: true }).fill("1000");
  await page.getByRole("button", { name: "Add to the filter" }).click();
  await page.waitForURL(/\?q=%22Credit/);
  assert.equal(await page.getByRole("searchbox", { name: "Filter" }).inputValue(), '"Credit Limit":>=1000');
  const first = () => page.locator(".grid .pick").first().getAttribute("value");
  const before = await first();
  await page.getByRole("link", { name: "Next page" }).click();
  const back = page.getByRole("link", { name: "Previous page" });
  await back.click();
  await back.waitFor({ state: "detached" });
  assert.equal(await first(), before);
  await page.context().close();
});

test("two who change one record are merged by field, and choose where both changed the same", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  const href = await page.locator(".grid tbody tr:not(.faulty) th a").first().getAttribute("href");
  const other = await page.context().newPage();
  await page.goto(`${server.url}${href}`);
  await other.goto(`${server.url}${href}`);
  /** @param {import("playwright-core").Page} own @param {string} name */
  const save = async (own, name) => {
    await own.getByLabel(/^Last Name/).first().fill(name);
    await own.locator(".actions button").click();
  };
  await save(other, "Theirs");
  await other.getByText("Saved.").first().waitFor();
  await save(page, "Mine");
  await page.getByRole("alert").waitFor();
  await page.locator(".theirs").getByText("Theirs", { exact: true }).waitFor();
  assert.equal(await page.getByLabel(/^Last Name/).first().inputValue(), "Mine", "nothing is lost");
  await page.getByLabel("Store my value instead").check();
  await page.locator(".actions button").click();
  await page.getByText("Saved.").first().waitFor();
  assert.equal(await page.getByLabel(/^Last Name/).first().inputValue(), "Mine");
  await page.context().close();
});

test("a file that is dropped on the page of an import is chosen", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator(".head").getByRole("link", { name: "Import", exact: true }).click();
  await page.getByLabel("File", { exact: true }).waitFor();
  await page.waitForLoadState("load");
  assert.ok(await page.getByText("drop it anywhere on this page").isVisible(), "one is told so");
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["Customer Number\nC1\n"], "customers.csv", { type: "text/csv" }));
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("main")?.dispatchEvent(event);
  });
  const chosen = await page.locator("input[type=file]").evaluate((it) => /** @type {HTMLInputElement} */ (it).files?.[0]?.name);
  assert.equal(chosen, "customers.csv");
  await page.context().close();
});

test("a line is copied by its button, and a verb over its column ticks it and unticks it", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator(".head").getByRole("link", { name: "API", exact: true }).click();
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await page.locator("pre.code").first().textContent());
  await page.getByRole("link", { name: "Access", exact: true }).click();
  await page.getByRole("link", { name: "Roles", exact: true }).click();
  await page.locator(".head .button, .head a.primary").first().click();
  const ticked = () => page.locator('.rights input[value$=":view"]').evaluateAll((all) => all.map((it) => /** @type {HTMLInputElement} */ (it).checked));
  const verb = page.locator(".rights thead").getByRole("button", { name: "see", exact: true });
  await verb.click();
  assert.ok((await ticked()).every((it) => it) && (await ticked()).length > 5);
  await verb.press("Enter");
  assert.ok((await ticked()).every((it) => !it));
  assert.equal(await page.locator('.rights input:checked').count(), 0);
  const row = page.locator(".rights tbody tr").first();
  await row.getByRole("button").press("Enter");
  assert.ok(await row.locator("input").evaluateAll((all) => all.every((it) => /** @type {HTMLInputElement} */ (it).checked)));
  await page.context().close();
});

test("by Ctrl-K and a few letters one is in a dataset, and at what is faulty in a field", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  // scripts are there
  const isReady = () => page.waitForFunction(() => document.readyState === "complete");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("link").first().waitFor();
  // where Enter goes is marked while one types
  const grounds = await palette
    .getByRole("link")
    .evaluateAll((links) => links.slice(0, 2).map((it) => getComputedStyle(it).backgroundColor));
  assert.notEqual(grounds[0], grounds[1]);
  await page.keyboard.type("customers");
  await page.keyboard.press("Enter");
  await page.waitForURL(/datasets/);
  await page.getByRole("heading", { name: "Customers", exact: true }).waitFor();
  await isReady();
  await page.keyboard.press("Control+k");
  await answeredFor(page, "phone faulty", () => page.keyboard.type("phone faulty"));
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

test("no page made the browser's console complain", () => {
  // a conflict is told as such
  assert.deepEqual(unexpected(browser.problems, 409), []);
});
