// @ts-check
// Every page and what is opened on it, light and dark, narrow and wide: axe finds nothing, the console says nothing, nothing is cut off sideways,
// one thing is the main one to do, and numbers stand below each other.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { judged, violationsAndOpened } from "./judge.js";
import { AWAITED, BESIDE, pagesOf, visitorsOf } from "./places.js";
import { begin, serveHostile, signIn, unexpected } from "./program.js";
import { picturesOf } from "./sheets.js";

const { browser, server, nothing } = await begin({ server: serveHostile, nothing: BESIDE.nothing.begin });

let opened = 0;
/** @param {import("playwright-core").Page} page */
const look = (page) => violationsAndOpened(page, (count) => (opened += count));

const MAIN_WIDTH = 1440;
for (const width of [320, MAIN_WIDTH]) {
  const viewport = { width, height: 900 };
  // the step `browser_main` runs this width
  const skip = process.env.BROWSER_PART === "rest" && width === MAIN_WIDTH;
  test(`every page is sound with what is opened on it, light and dark, ${width} px wide`, { skip }, async () => {
    const page = await browser.open({ viewport });
    await signIn(page, server);
    opened = 0;
    assert.deepEqual(await judged(page, await pagesOf(page, server.url), look), []);
    assert.ok(opened > 100, `${opened} were opened`);
    await page.context().close();
  });

  for (const who of ["guest", "reader"]) {
    test(`so are those of a ${who}, light and dark, ${width} px wide`, async () => {
      const page = await browser.open({ viewport });
      await signIn(page, server);
      let seen = 0;
      await visitorsOf(page, server.url, () => browser.open({ viewport }))[who]?.look(async (own, places) => {
        assert.deepEqual(await judged(own, places, look), []);
        seen += Object.keys(places).length;
        if (!("reader-record" in places)) return;
        assert.equal(await own.locator("main :is(input, select, textarea, button, fieldset)").count(), 0, "nothing to fill in");
      });
      assert.ok(seen > 3, `${seen} pages were seen`);
      await page.context().close();
    });
  }

  test(`so are those of a tenant that has nothing, light and dark, ${width} px wide`, async () => {
    const page = await browser.open({ viewport });
    await signIn(page, nothing);
    assert.deepEqual(await judged(page, BESIDE.nothing.pages(nothing.url), look), []);
    await page.context().close();
  });
}

test("so are those of a job that is under way, light and dark, narrow and wide", async () => {
  const busy = await BESIDE.busy.begin();
  try {
    for (const width of [320, 1440]) {
      const page = await browser.open({ viewport: { width, height: 900 } });
      await signIn(page, busy);
      assert.deepEqual(await judged(page, BESIDE.busy.pages(busy.url), look), []);
      await page.context().close();
    }
  } finally {
    await busy.stop();
  }
});

test("pictures of a page show what arrives behind it, its beginning and its end", async () => {
  const page = await browser.open({ viewport: { width: 360, height: 900 } });
  await signIn(page, server);
  await page.route(
    () => true,
    async (route) => {
      if (route.request().headers()["hx-request"]) await new Promise((resolve) => setTimeout(resolve, 500));
      await route.fallback();
    },
  );
  const folder = mkdtempSync(join(tmpdir(), "fieldstone-pictures-"));
  try {
    const { home, audit, areas } = await pagesOf(page, server.url);
    /** @param {import("./places.js").Way | undefined} way */
    const heights = async (way = "") => {
      const files = await picturesOf(page, way, join(folder, "own"));
      // a PNG says so behind its width
      return files.map((file) => readFileSync(file).readUInt32BE(20));
    };
    const sum = (/** @type {number[]} */ all) => all.reduce((one, other) => one + other, 0);
    const whole = () => page.evaluate(() => document.documentElement.scrollHeight);
    const ofHome = await heights(home);
    assert.equal(await page.locator(AWAITED).count(), 0);
    assert.ok((await page.locator(".bars table").count()) > 0, "the faults have been counted");
    assert.equal(ofHome.length, 2);
    assert.equal(sum(ofHome), await whole(), "nothing is left out");
    assert.deepEqual(await heights(audit), [3000, 3000]);
    assert.ok((await whole()) > 6000, "it is longer");
    assert.equal((await heights(areas)).length, 1, "a short page has one");
  } finally {
    rmSync(folder, { recursive: true });
  }
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 400, 403, 404, 409), []);
});
