// @ts-check
// The first minute of a service without a demo: its tenant and its administrator are made by the link that it told, with
// scripts and without.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PASSWORD, begin, serveUnmade, unexpected } from "./program.js";

const { browser } = await begin({});

for (const javaScriptEnabled of [true, false]) {
  test(`the link of the start leads to a first sign-in, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const server = await serveUnmade();
    try {
      const page = await browser.open({ javaScriptEnabled, viewport: { width: 320, height: 900 } });
      await page.goto(`${server.url}/app/`);
      await page.getByText("Nobody can sign in yet").first().waitFor();
      const link = await server.setUp();
      await page.goto(link);
      await page.getByRole("heading", { name: "Set up this service" }).waitFor();
      const code = page.locator("#code");
      if (javaScriptEnabled) {
        // no address has the code, and the page in another language does
        for (const name of ["Deutsch", "English"]) {
          await page.getByRole("link", { name, exact: true }).click();
          await page.locator(`.switch [aria-current]`, { hasText: name }).waitFor();
          assert.equal(new URL(page.url()).hash, "");
          assert.equal(await code.inputValue(), new URL(link).hash.slice(1));
        }
      } else {
        assert.equal(await code.inputValue(), "");
        await code.fill(new URL(link).hash.slice(1));
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
      const fill = async (/** @type {string} */ password) => {
        await page.locator("#tenant").fill("Acme");
        await page.locator("#full-name").fill("Ada Admin");
        await page.locator("#username").fill("ada");
        await page.locator("#email").fill("ada@example.org");
        await page.locator("#password").fill(password);
        await page.keyboard.press("Enter");
      };
      if (javaScriptEnabled) {
        const types = [];
        for (const press of [0, 1, 2]) {
          if (press) await page.getByLabel("Show what is typed").click();
          types.push(await page.locator("#password").getAttribute("type"));
        }
        assert.deepEqual(types, ["password", "text", "password"]);
      }
      await fill("short");
      await page.locator("#told-password").waitFor();
      assert.equal(await page.locator("#tenant").inputValue(), "Acme", "nothing is lost");
      await fill(PASSWORD);
      await page.getByText("Your password is set.").first().waitFor();
      await page.getByLabel("User name").fill("ada");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
      await page.goto(await server.setUp());
      await page.getByText("This service was set up earlier").first().waitFor();
      await page.context().close();
    } finally {
      await server.stop();
    }
  });
}

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 400, 404), []);
});
