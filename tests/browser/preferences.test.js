// @ts-check
// What a visitor prefers: every page in German, whose words are longer, shares in the colours of the system, more room between
// letters, and texts that are written from right to left. Nothing for axe to find, nothing cut off sideways.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { judged, openAll, violations } from "./judge.js";
import { pagesOf } from "./places.js";
import { browse, serveHostile, signIn, unexpected } from "./program.js";
import { answeredFor } from "./ways.js";

/** @type {Awaited<ReturnType<typeof serveHostile>>} */
let server;
/** @type {Awaited<ReturnType<typeof browse>>} */
let browser;
/** The pages that have an address of their own. @type {Record<string, string>} */
let addresses;

before(async () => {
  server = await serveHostile();
  browser = await browse();
  const page = await browser.open({});
  await signIn(page, server);
  const all = Object.entries(await pagesOf(page, server.url));
  addresses = Object.fromEntries(all.flatMap(([name, way]) => (typeof way === "string" ? [[name, way]] : [])));
  assert.ok(Object.keys(addresses).length > 50);
  await page.context().close();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

// its words are longer, which shows on a narrow page
test("every page is sound in German, 320 px wide", async () => {
  const page = await browser.open({ locale: "de-DE", viewport: { width: 320, height: 900 } });
  await page.goto(`${server.url}/app/sign-in`);
  await page.locator("[name=username]").fill("admin");
  await page.locator("[name=password]").fill(server.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Daten", exact: true }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  assert.deepEqual(await judged(page, addresses), []);
  await page.context().close();
});

test("a share is told by a number beside it, where the system chooses the colours", async () => {
  const page = await browser.open({ forcedColors: "active", viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  for (const name of ["home", "faults", "all-faults", "usage"]) {
    await page.goto(addresses[name] ?? "");
    assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
    const shares = await page.locator(":is(.tile, tr) svg.share").evaluateAll((all) =>
      all.map((it) => {
        const beside = it.closest("tr, .tile")?.querySelectorAll("td.num, dd:last-child") ?? [];
        const own = [...beside].filter((number) => number.checkVisibility());
        return own.map((number) => number.textContent ?? "").join(" ");
      }),
    );
    assert.ok(shares.length > 0, `${name} has shares`);
    const untold = shares.filter((numbers) => !/\d/.test(numbers));
    assert.deepEqual(untold, [], name);
    assert.deepEqual(await violations(page), [], name);
  }
  await page.context().close();
});

test("what is chosen is told from what is beside it, where the system chooses the colours", async () => {
  const page = await browser.open({ forcedColors: "active", viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  const outline = (/** @type {string} */ selector) =>
    page.locator(selector).first().evaluate((it) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(it);
      return `${outlineStyle} ${outlineWidth}`;
    });
  await page.goto(addresses["dataset"] ?? "");
  await page.locator(".grid tbody td").first().focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("2 × 2").first().waitFor();
  const chosen = await outline(".grid .chosen:not(:focus)");
  assert.equal(chosen, "solid 2px");
  assert.notEqual(chosen, await outline(".grid td:not(.chosen, :focus)"));
  await page.goto(addresses["dataset"] ?? "");
  await answeredFor(page, "fault:", () => page.getByRole("combobox", { name: "Filter" }).pressSequentially("fault:"));
  await page.getByRole("option").nth(1).waitFor();
  await page.keyboard.press("ArrowDown");
  const selected = await outline('.completions [aria-selected="true"]');
  assert.equal(selected, "solid 2px");
  assert.notEqual(selected, await outline('.completions [role="option"]:not([aria-selected="true"])'));
  await page.context().close();
});

test("a table of rights makes no page wider when there is more room between letters", async () => {
  const page = await browser.open({ viewport: { width: 320, height: 900 } });
  await signIn(page, server);
  const found = [];
  for (const name of ["keys", "key", "user", "new-user", "role", "new-role", "client", "new-client"]) {
    await page.goto(addresses[name] ?? "");
    await openAll(page);
    assert.ok((await page.locator(".rights").count()) > 0, `${name} has rights`);
    // as WCAG 1.4.12 has it
    const wide = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }");
      document.adoptedStyleSheets = [sheet];
      return document.documentElement.scrollWidth - innerWidth;
    });
    if (wide > 0) found.push(`${name}: ${wide} px too wide`);
  }
  assert.deepEqual(found, []);
  await page.context().close();
});

test("what a column is called goes below itself and not over its value, on small pages", async () => {
  const page = await browser.open({ viewport: { width: 375, height: 900 } });
  await signIn(page, server);
  for (const name of ["usage", "jobs", "faults"]) {
    await page.goto(addresses[name] ?? "");
    const wraps = await page.locator(".stacked td").evaluateAll((all) => all.map((it) => getComputedStyle(it, "::before").whiteSpace));
    assert.ok(wraps.length > 0, `${name} has cells`);
    assert.deepEqual([...new Set(wraps)], ["normal"], name);
  }
  await page.context().close();
});

test("columns to choose from begin on one line, whatever their number", async () => {
  const page = await browser.open({ viewport: { width: 1280, height: 900 } });
  await signIn(page, server);
  await page.goto(addresses["dataset"] ?? "");
  await page.locator(".columns > summary").click();
  const tops = await page.locator(".columns label").evaluateAll((all) => {
    /** @type {Map<number, number>} */
    const tops = new Map();
    for (const { x, y } of all.map((it) => it.getBoundingClientRect())) tops.set(x, Math.min(y, tops.get(x) ?? y));
    return [...tops.values()];
  });
  assert.ok(tops.length > 1, "they stand beside each other");
  assert.equal(new Set(tops).size, 1, tops.join(", "));
  await page.context().close();
});

test("what opens by a button has one sign of that, opened as closed", async () => {
  const page = await browser.open({ viewport: { width: 375, height: 900 } });
  await signIn(page, server);
  for (const [name, button] of /** @type {const} */ ([["dataset", ".more-ways"], ["area", ".danger"]])) {
    await page.goto(addresses[name] ?? "");
    const summary = page.locator(`${button} > summary:visible`).first();
    const sign = () => summary.evaluate((it) => getComputedStyle(it, "::before").content);
    assert.equal(await sign(), "none", name);
    await summary.click();
    assert.equal(await sign(), "none", `${name}, opened`);
  }
  await page.context().close();
});

test("a text from right to left is read so where it is shown and where it is typed", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  const cell = page.locator('.grid tbody tr:not(.faulty) td[data-name="Last Name"]').first();
  await cell.waitFor();
  // its scripts are there
  await page.waitForLoadState("load");
  await cell.dblclick();
  const input = page.locator(".editor input:not([type=hidden])");
  await input.fill("חברת Apple");
  assert.equal(await input.evaluate((it) => getComputedStyle(it).unicodeBidi), "plaintext");
  await page.keyboard.press("Enter");
  const shown = page.locator(".grid .value").getByText("חברת Apple", { exact: true });
  await shown.waitFor();
  const [first, last] = await shown.evaluate((it) => {
    const text = it.firstChild;
    if (!text) return [];
    return [0, it.textContent.length - 1].map((at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().x;
    });
  });
  assert.ok(first !== undefined && last !== undefined && first > last, `it begins at the right: ${first}, ${last}`);
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems, 400, 404), []);
});
