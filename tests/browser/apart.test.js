// @ts-check
// Pages that only servers of their own show: the form by which the first tenant is made, and days that were counted.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { judged, violations } from "./judge.js";
import { BESIDE, pagesOfUnmade } from "./places.js";
import { browse, serveUnmade, signIn, unexpected } from "./program.js";

/** Days before today of which there are counts, as the server of the past makes them, and today. */
const DAYS = 28;

/** @type {Awaited<ReturnType<typeof serveUnmade>>} */
let unmade;
/** @type {typeof unmade} */
let past;
/** @type {Awaited<ReturnType<typeof browse>>} */
let browser;

before(async () => {
  unmade = await serveUnmade();
  past = await BESIDE.past.begin();
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await past?.stop();
  await unmade?.stop();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [320, 1440]) {
    const viewport = { width, height: 900 };
    test(`the pages of a store without a tenant are sound, ${colorScheme}, ${width} px wide`, async () => {
      const page = await browser.open({ colorScheme, viewport });
      const link = await unmade.setUp();
      assert.ok(link, "the start tells a link");
      assert.deepEqual(await judged(page, pagesOfUnmade(unmade.url, link)), []);
      await page.context().close();
    });

    test(`days are a line with gaps and the same as a table, ${colorScheme}, ${width} px wide`, async () => {
      const page = await browser.open({ colorScheme, viewport });
      await signIn(page, past);
      for (const [name, way] of Object.entries(BESIDE.past.pages(past.url))) {
        assert.deepEqual(await judged(page, { [name]: way }), []);
        const days = page.locator(".trend");
        assert.equal(await days.locator("polyline").count(), 2, name);
        assert.equal(await days.locator(".dot").count(), DAYS, name);
        const { x = NaN, y = NaN, width = NaN, height = NaN } = (await days.locator("svg").boundingBox()) ?? {};
        for (const line of await days.locator("polyline").all()) {
          const own = await line.boundingBox();
          assert.ok(own && own.x >= x && own.y >= y && own.x + own.width <= x + width && own.y + own.height <= y + height, name);
          assert.ok(own.width > 0, "it leads from day to day");
        }
        await days.locator("summary").click();
        assert.equal(await days.locator("tbody tr").count(), DAYS, name);
        assert.deepEqual(await violations(page), [], name);
      }
      await page.context().close();
    });
  }
}

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 400), []);
});
