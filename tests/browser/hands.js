// @ts-check
// Two ways to do the same on a page: with a mouse, and with nothing but a keyboard.

import assert from "node:assert/strict";

/** Presses of a key after which what is looked for counts as out of reach: there may be a list of records before it. */
const PRESSES_MAX = 250;
/** Those after which one stands on the first fault of a list of records, however much there is above it. */
export const TO_RECORDS_MAX = 30;

/**
 * @typedef {import("playwright-core").Locator} Locator
 * @typedef {{
 *   reach: (at: Locator, pressesMax?: number) => Promise<void>,
 *   press: (at: Locator) => Promise<void>,
 *   tick: (at: Locator) => Promise<void>,
 *   fill: (at: Locator, text: string) => Promise<void>,
 *   choose: (at: Locator, label: string) => Promise<void>,
 *   file: (at: Locator, file: { name: string, text: string }) => Promise<void>,
 * }} Hand
 */

/** @param {{ name: string, text: string }} file */
const payload = (file) => ({ name: file.name, mimeType: "text/csv", buffer: Buffer.from(file.text) });

/** @returns {Hand} */
export const mouse = (/** @type {import("playwright-core").Page} */ _page) => ({
  // what is not reached by a click of its own has the focus where the page gave it, or is clicked
  reach: async (at) => {
    if (!(await at.evaluate((it) => it === document.activeElement))) await at.click();
  },
  press: (at) => at.click(),
  tick: (at) => at.check(),
  fill: (at, text) => at.fill(text),
  choose: async (at, label) => {
    await at.selectOption({ label });
  },
  file: (at, file) => at.setInputFiles(payload(file)),
});

/**
 * Whether the keyboard is at the link that leads nearest to something, of those that skip what stands before it.
 * @param {Locator} at
 */
const isBeforeSkip = (at) =>
  at.evaluate((it) => {
    const placeOf = (/** @type {Element | null} */ link) => (link instanceof HTMLAnchorElement && link.matches(".skip") ? document.querySelector(link.hash) : null);
    const own = placeOf(document.activeElement);
    const places = [...document.querySelectorAll(".skip")].map(placeOf).filter((place) => place?.contains(it));
    return own !== null && places.includes(own) && places.every((place) => place?.contains(own));
  });

/** @param {import("playwright-core").Page} page @returns {Hand} */
export const keyboard = (page) => {
  // as long as one listens, no dialog of the browser opens
  page.on("filechooser", () => {});
  /** @param {Locator} at */
  const reach = async (at, pressesMax = PRESSES_MAX) => {
    await at.waitFor();
    for (let presses = 0; presses <= pressesMax; presses += 1) {
      if (await at.evaluate((it) => it === document.activeElement)) return;
      await page.keyboard.press((await isBeforeSkip(at)) ? "Enter" : "Tab");
    }
    assert.fail(`${at} is out of the keyboard's reach: it takes more than ${pressesMax} presses`);
  };
  /** @param {Locator} at @param {string} key */
  const with_ = async (at, key) => {
    await reach(at);
    await page.keyboard.press(key);
  };
  return {
    reach,
    // what it leads to is waited for, as behind a click
    press: async (at) => {
      await reach(at);
      await at.press("Enter");
    },
    tick: (at) => with_(at, "Space"),
    fill: async (at, text) => {
      await with_(at, "Control+a");
      await page.keyboard.type(text);
    },
    choose: async (at, label) => {
      await reach(at);
      await page.keyboard.type(label);
      const chosen = await at.evaluate((it) => /** @type {HTMLSelectElement} */ (it).selectedOptions[0]?.label);
      assert.equal(chosen, label);
    },
    file: async (at, file) => {
      await reach(at);
      const asked = page.waitForEvent("filechooser");
      await page.keyboard.press("Enter");
      await (await asked).setFiles(payload(file));
    },
  };
};
