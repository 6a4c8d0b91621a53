// @ts-check
// Signing in with a second factor: the password on one page, the code on the next, with scripts and without. And what a
// password that is asked for anew holds up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, serve, serveNothing, signIn, unexpected } from "./program.js";
import { codeAsked, giveFactor, once, posted, signInGuest } from "./ways.js";

/** For how long a password that was shown counts: so long that the form which it held up has come by then. */
const PROOF_SECONDS = 10;
/** Longer than that. */
const PROOF_MS = PROOF_SECONDS * 1_000 + 500;

const { browser, server, nothing } = await begin({ server: serve, nothing: () => serveNothing(PROOF_SECONDS) });

for (const javaScriptEnabled of [true, false]) {
  test(`behind the password the code alone is asked for, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const page = await browser.open({});
    await signIn(page, server);
    const own = await browser.open({ javaScriptEnabled });
    const username = await signInGuest(page, server.url, own);
    const [recovery = ""] = await giveFactor(own, server.url);
    await codeAsked(server.url, username)(own);
    const code = own.getByLabel(/^Code/);
    // it is typed at once
    await code.and(own.locator(":focus")).waitFor();
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

test("a form that was held up goes on by itself once the password was shown, and is held until it is answered", async () => {
  const page = await browser.open({});
  await signIn(page, nothing);
  await new Promise((resolve) => setTimeout(resolve, PROOF_MS));
  const asked = await posted(`${nothing.url}/app/roles/new`, { name: once("Auditors") })(page);
  assert.equal(asked?.status(), 403);
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/app/roles")) sent += 1;
  });
  // a page that is left can be asked nothing any more: it says itself what it held
  await page.addInitScript(() => {
    addEventListener("pagehide", () => {
      const held = document.querySelectorAll("form[data-at-once] button[data-sent]").length;
      if (document.querySelector("form[data-at-once]")) sessionStorage.setItem("held", String(held));
    });
  });
  await page.getByLabel("Password").fill(nothing.password);
  await page.locator("main button.primary").click();
  await page.waitForURL(/\/app\/roles\/[^/]+\?saved=1$/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("held")), "1");
  assert.equal(sent, 1);
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 401, 403), []);
});
