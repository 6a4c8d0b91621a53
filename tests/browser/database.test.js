// @ts-check
// A steward whose store is in a PostgreSQL, which two servers share: from the sign-in over the grid to a cell that is mended, and
// to its past; and the first minute of an empty one. By whichever server a page comes, all of them show the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PASSWORD, begin, borrowDatabase, serveOn, signIn, unexpected } from "./program.js";

const { browser } = await begin({});

/** A number of a customer that nobody has. */
const MENDED = "C9000001";

/**
 * What is done with two servers of one database.
 * @param {boolean} hasDemo
 * @param {(one: import("./program.js").Server, other: import("./program.js").Server) => Promise<void>} story
 */
async function onTwo(hasDemo, story) {
  const database = await borrowDatabase();
  /** @type {import("./program.js").Server[]} */
  const servers = [];
  try {
    servers.push(await serveOn(database.address, hasDemo));
    servers.push(await serveOn(database.address, false));
    const [one, other] = servers;
    assert.ok(one && other);
    await story(one, other);
  } finally {
    for (const server of servers) await server.stop();
    await database.stop();
  }
}

test("a fault is mended at one server, and another one counts it no more and has it in the record's past", () =>
  onTwo(true, async (one, other) => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await signIn(page, one);
    await page.getByRole("link", { name: "faulty records in Customers" }).click();
    await page.locator(".grid .fault").first().waitFor();
    // without its script a fault leads to the record's form
    await page.waitForLoadState("load");
    const figure = page.locator("#figures .bad b");
    const count = async () => Number((await figure.innerText()).replaceAll(",", ""));
    const before = await count();
    // one that has no other fault
    const faults = await page.locator(".grid tr.faulty").evaluateAll((rows) => rows.map((it) => it.querySelectorAll(".fault").length));
    const row = page.locator(".grid tr.faulty").nth(faults.indexOf(1));
    const record = await row.getAttribute("data-record");
    await row.locator(".fault .why").click();
    await page.locator(".editor input:focus").fill(MENDED);
    await page.keyboard.press("Enter");
    await page.waitForFunction((count) => {
      const text = document.querySelector("#figures .bad b")?.textContent ?? "";
      return Number(text.replaceAll(",", "")) === count;
    }, before - 1);
    // the browser is signed in there, too
    await page.goto(page.url().replace(one.url, other.url));
    assert.equal(await count(), before - 1);
    assert.equal(await page.locator(`.grid tr[data-record="${record}"]`).count(), 0, "it is faulty no more");
    await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}/records/${record}/history`);
    const entries = page.locator("ol.history > li");
    await entries.first().waitFor();
    const past = await entries.allInnerTexts();
    assert.ok(past.length > 1 && past[0]?.includes(MENDED), past.join("\n"));
    await page.context().close();
  }));

test("the link that one server told sets up another, and that of the other is good no more", () =>
  onTwo(false, async (one, other) => {
    const page = await browser.open({ viewport: { width: 320, height: 900 } });
    const [ofOne, ofOther] = [await one.setUp(), await other.setUp()];
    assert.ok(ofOne && ofOther && new URL(ofOne).hash !== new URL(ofOther).hash);
    await page.goto(ofOne.replace(one.url, other.url));
    const entered = { tenant: "Acme", "full-name": "Ada Admin", username: "admin", email: "ada@example.org", password: PASSWORD };
    for (const [id, value] of Object.entries(entered)) await page.locator(`#${id}`).fill(value);
    await page.keyboard.press("Enter");
    await page.getByText("Your password is set.").first().waitFor();
    for (const server of [one, other]) {
      await page.goto(ofOther.replace(other.url, server.url));
      await page.getByText("This service was set up earlier").first().waitFor();
    }
    await signIn(page, one);
    await page.context().close();
  }));

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 404), []);
});
