// @ts-check
// Signing in with a second factor: the password on one page, the code on the next, with scripts and without.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, signIn, unexpected } from "./program.js";
import { codeAsked, giveFactor, signInGuest } from "./ways.js";

const { browser, server } = await begin({ server: serve });

for (const javaScriptEnabled of [true, false]) {
  test(`behind the password the code alone is asked for, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const page = await browser.open({});
    await signIn(page, server);
    const own = await browser.open({ javaScriptEnabled });
    const username = await signInGuest(page, server.url, own);
    const [recovery = ""] = await giveFactor(own, server.url);
    await codeAsked(server.url, username)(own);
    const code = own.getByLabel(/^Code/);
    assert.ok(await code.evaluate((it) => it === document.activeElement), "the code is typed at once");
    assert.equal(await own.locator("input[type=password]").count(), 0);
    await code.fill("000000");
    await own.keyboard.press("Enter");
    await own.getByText("The code is not right").first().waitFor();
    await own.getByLabel(/^Code/).fill(recovery);
    await own.keyboard.press("Enter");
    await own.getByRole("heading", { name: "Data", exact: true }).waitFor();
    await own.context().close();
    await page.context().close();
  });
}

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 401, 403), []);
});
