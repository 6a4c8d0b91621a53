// @ts-check
// The whole way of a steward: a schema from a file, an import with faults, a fault mended, the schema published, a key made,
// and programs that read the records with it, as the page of the dataset's interface shows them. By mouse, and once more by
// keyboard alone.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { TO_RECORDS_MAX, keyboard, mouse } from "./hands.js";
import { keySetBy, linesOf, runGenerator, runPython, runRust, runShell, runTypeScript } from "./lines.js";
import { begin, serve } from "./program.js";
import { HEADER, makeDataset, makeKey, publish, signIn } from "./steps.js";

const { browser, server } = await begin({ server: serve });
const folder = mkdtempSync(join(tmpdir(), "fieldstone-lines-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const DELIVERY = `${HEADER}S0001,Ada & Sons,DE,ada@example.org,2024-03-01
S0002,Boole Ltd,FR,not a mail address,2024-03-02
S0003,Curie SARL,IT,curie@example.org,2024-03-03
`;
const MENDED = "boole@example.org";

/** @typedef {import("./steps.js").Story} Story */

/** Tried first, then stored. @param {Story} story */
async function importFile({ page, hand, schema }) {
  await hand.press(page.getByRole("link", { name: `All of ${schema}`, exact: true }).first());
  await hand.press(page.locator(".head").getByRole("link", { name: "Import", exact: true }));
  const file = page.getByLabel("File", { exact: true });
  await hand.file(file, { name: "delivery.csv", text: DELIVERY });
  await hand.press(page.getByRole("button", { name: "Try this file", exact: true }));
  await page.getByText("This was only a trial: nothing was written").first().waitFor();
  await page.getByRole("rowheader", { name: "Mail" }).waitFor();
  await hand.press(page.getByRole("link", { name: "Import this file" }));
  await page.getByText("is kept here").first().waitFor();
  await hand.press(page.getByRole("button", { name: "Import this file", exact: true }));
  await page.getByRole("button", { name: "Undo" }).waitFor();
}

/** From home the first faulty cell is two steps away; Enter, the value and Enter mend it. @param {Story} story */
async function mend({ page, hand, schema }) {
  await hand.press(page.getByRole("link", { name: "Data", exact: true }));
  await hand.press(page.getByRole("link", { name: `faulty record in All of ${schema}` }));
  const cell = page.locator(".grid td.fault");
  await cell.waitFor();
  // keys are heard once the scripts are there
  await page.waitForLoadState("load");
  await hand.reach(cell, TO_RECORDS_MAX);
  await page.keyboard.press("Enter");
  await page.locator(".editor input:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(MENDED);
  await page.keyboard.press("Enter");
  await page.getByText("no faults").first().waitFor();
  assert.equal(await page.locator(".grid .fault").count(), 0);
}

/** The command that the page of a schema shows writes its types. @param {Story} story @param {string} key */
async function generate({ page, hand, schema }, key) {
  await hand.press(page.getByRole("link", { name: "Schemas", exact: true }));
  await hand.press(page.getByRole("link", { name: schema, exact: true }));
  const shown = (await page.locator("main code.secret").textContent()) ?? "";
  const types = await runGenerator(shown, key, folder);
  assert.match(types, new RegExp(`pub struct ${schema}\\b`));
}

/** @param {Story} story @param {string} key */
async function readRecords({ page, hand, schema }, key) {
  await hand.press(page.getByRole("link", { name: "Data", exact: true }));
  await hand.press(page.getByRole("link", { name: `All of ${schema}`, exact: true }).first());
  await hand.press(page.locator(".head").getByRole("link", { name: "API", exact: true }));
  const [list, byKey, search] = await linesOf(page, "curl");
  const mails = ["ada@example.org", MENDED, "curie@example.org"];
  const records = JSON.parse(await runShell(list ?? "", key)).items;
  assert.deepEqual(records.map((/** @type {any} */ it) => it.Mail), mails);
  assert.equal(JSON.parse(await runShell(byKey ?? "", key)).Mail, mails[0]);
  assert.deepEqual(JSON.parse(await runShell(search ?? "", key)).hits, []);
  const [python] = await linesOf(page, "Python");
  const [typeScript] = await linesOf(page, "TypeScript");
  const ids = records.map((/** @type {any} */ it) => it._dataObjectId);
  const idsIn = (/** @type {string} */ text) => text.trim().split("\n").map((line) => line.split(" ")[0]);
  assert.deepEqual(idsIn(await runPython(python ?? "", key)), ids);
  assert.deepEqual(idsIn(await runTypeScript(typeScript ?? "", key, folder)), ids);
  const told = await runRust(await linesOf(page, "Rust"), key, folder);
  assert.deepEqual(idsIn(told), ids);
  const typed = told.trim().split("\n").map((line) => JSON.parse(line.slice(line.indexOf(" "))));
  assert.deepEqual(typed.map((it) => it.Mail), mails);
  assert.deepEqual(typed.map((it) => it.Since), ["2024-03-01", "2024-03-02", "2024-03-03"]);
}

for (const [way, of] of /** @type {const} */ ([["by mouse", mouse], ["by keyboard alone", keyboard]])) {
  test(`from a file to a program that reads typed records, ${way}`, async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    const story = { page, hand: of(page), schema: way === "by mouse" ? "Supplier" : "Vendor" };
    await signIn(story, server);
    await makeDataset(story);
    await importFile(story);
    await mend(story);
    await publish(story);
    const key = await keySetBy(await makeKey(story));
    await generate(story, key);
    await readRecords(story, key);
    await page.context().close();
  });
}

test("no page made the browser's console complain", () => {
  assert.deepEqual(browser.problems, []);
});
