// @ts-check
// What a reader's eye holds on to: nothing moves when a part of a page arrives, and a grid's head and keys stay in view.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AWAITED } from "./places.js";
import { begin, serve, serveHostile, signIn, unexpected } from "./program.js";
import { reloadedUntil } from "./ways.js";

/** The browser excuses what moves so soon after a key; answers come later than that here, as over a slow line. */
const EXCUSED_MS = 500;
/** How much of what is in view may move, as browsers count it: the numbers of home may have one more digit. */
const SHIFT_MAX = 0.005;
const COLUMNS = 12;
/** Enough that a job is watched for a while. */
const RECORDS = 100_000;
/** How long they may take on a slow machine that does much else. */
const IMPORT_MAX = 600_000;

/** @typedef {import("playwright-core").Page} Page */

const { browser, server } = await begin({ server: serveHostile });

/** A page that counts what moves, and whose parts arrive late. @param {{ width: number, height: number }} viewport */
async function watched(viewport) {
  const page = await browser.open({ viewport });
  await watch(page);
  return page;
}

/** @param {Page} page */
async function watch(page) {
  await page.addInitScript(() => {
    /** @type {any[]} */
    const shifts = [];
    Object.assign(globalThis, { shifts });
    const observer = new PerformanceObserver((list) => {
      for (const it of /** @type {any[]} */ (list.getEntries())) {
        const sources = it.sources.map((/** @type {any} */ own) => own.node?.id || own.node?.className || own.node?.nodeName);
        if (!it.hadRecentInput) shifts.push({ value: it.value, sources });
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
  await page.route(
    () => true,
    async (route) => {
      if (route.request().headers()["hx-request"]) await new Promise((resolve) => setTimeout(resolve, EXCUSED_MS * 1.5));
      await route.fallback();
    },
  );
}

/** Nothing moved on the page since it was opened. @param {Page} page @param {string} when */
async function assertSteady(page, when) {
  // what was drawn last is told a moment later
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  const shifts = await page.evaluate(() => /** @type {any} */ (globalThis).shifts);
  const sum = shifts.reduce((/** @type {number} */ all, /** @type {any} */ it) => all + it.value, 0);
  assert.ok(sum < SHIFT_MAX, `${when}: ${sum} ${JSON.stringify(shifts)}`);
}

/** Where something stands on its page, however far that is scrolled. @param {Page} page @param {string} selector */
const top = (page, selector) => page.locator(selector).evaluate((it) => it.getBoundingClientRect().top + scrollY);

for (const viewport of [{ width: 1440, height: 2400 }, { width: 1440, height: 900 }, { width: 320, height: 900 }]) {
  const size = `${viewport.width} × ${viewport.height}`;

  test(`nothing moves when parts of pages arrive, ${size}`, async () => {
    const page = await watched(viewport);
    await signIn(page, server);
    await page.locator(".bars table").waitFor();
    await assertSteady(page, "what home loads");
    if (viewport.width <= 640) {
      const room = await page.locator(".bars").boundingBox();
      assert.ok((room?.height ?? Infinity) < viewport.height * 0.6, `a small page has a few of them: ${room?.height}`);
    }
    await page.getByRole("link", { name: "faulty records in Customers" }).click();
    const faulty = page.locator('.grid td.fault[data-name="First Name"]').first();
    const next = faulty.locator("xpath=following-sibling::td[1]");
    // keys are heard once the scripts have run
    await faulty.waitFor();
    await page.waitForFunction(() => document.readyState === "complete");
    await faulty.focus();
    const boxes = async () => [await faulty.boundingBox(), await next.boundingBox()];
    const [own, beside] = await boxes();
    await page.keyboard.press("Enter");
    await page.locator(".editor :focus").waitFor();
    await assertSteady(page, "a cell's editor");
    const [opened, pushed] = await boxes();
    assert.deepEqual([opened?.width, opened?.height], [own?.width, own?.height]);
    // a small page is scrolled to where one types
    assert.equal((pushed?.x ?? 0) - (opened?.x ?? 0), (beside?.x ?? 0) - (own?.x ?? 0));
    await page.keyboard.press("Escape");
    await page.locator(".editor").waitFor({ state: "detached" });
    await assertSteady(page, "a cell's editor that is left");
    await page.locator('.grid td[data-name="First Name"]:not(.fault)').first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".editor :focus").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(`Ada ${viewport.width}`);
    await page.keyboard.press("Enter");
    await page.locator(".editor").waitFor({ state: "detached" });
    await assertSteady(page, "a cell that is saved");
    await page.goto(`${server.url}/app/schemas`);
    await page.getByRole("link", { name: "Airport", exact: true }).click();
    await page.getByRole("link", { name: "Edit fields" }).click();
    await page.getByRole("button", { name: "Edit: Name", exact: true }).click();
    const told = page.locator("#told:not(.good)");
    const tried = await top(page, "#t-0");
    // what is typed before the script has taken the field is typed again
    for (let looks = 0; looks < 6 && !(await told.isVisible()); looks += 1) {
      await page.locator("#f-max").fill("");
      await page.locator("#f-max").fill("many");
      await told.waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
    await told.waitFor();
    assert.equal(await top(page, "#t-0"), tried, "what is tried stays below what contradicts");
    await page.locator("#f-max").fill("3");
    await page.locator("#told.good").waitFor();
    assert.equal(await top(page, "#t-0"), tried);
    await assertSteady(page, "what contradicts");
    await page.locator("#t-0").fill("Munich");
    await page.locator("#tried li").first().waitFor();
    await assertSteady(page, "what is tried");
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.locator("#effects table").waitFor();
    await assertSteady(page, "the effects on stored records");
    await page.context().close();
  });

  test(`nothing moves when ticked records, or found ones, are given another field, ${size}`, async () => {
    const page = await watched(viewport);
    await signIn(page, server);
    await page.getByRole("link", { name: "Customers", exact: true }).click();
    const record = page.locator(".grid tbody th a").first();
    const [list, id] = ((await record.getAttribute("href")) ?? "").split("/records/");
    await page.goto(`${server.url}${list}/selected?${new URLSearchParams({ record: id ?? "" })}`);
    const field = page.locator("#field");
    await page.waitForFunction(() => document.readyState === "complete");
    /** @param {RegExp} answers @param {number[]} tops */
    const chooseOthers = async (answers, tops) => {
      for (const label of ["Tags", "Birth Date", "Delivery Countries", "Status", "Phone"]) {
        const answer = page.waitForResponse((it) => answers.test(it.url()));
        await field.selectOption({ label });
        await answer;
        await page.locator(AWAITED).first().waitFor({ state: "detached" });
        await assertSteady(page, label);
        tops.push(await top(page, "form.record .actions"));
      }
      assert.equal(new Set(tops).size, 1, `what follows the value stays: ${tops}`);
    };
    await chooseOthers(/\/selected\/look$/, [await top(page, "form.record .actions")]);
    await page.goto(`${server.url}${list}/mend?action=set`);
    await page.waitForFunction(() => document.readyState === "complete");
    await page.locator("#new-value").waitFor();
    await chooseOthers(/\/mend\?/, [await top(page, "form.record .actions")]);
    await page.context().close();
  });

  if (viewport.width > 640) {
    test(`nothing moves on home, on the page of a job and on the list of jobs until it has ended, ${size}`, async () => {
      const own = await serve(RECORDS);
      try {
        const home = await watched(viewport);
        await signIn(home, own);
        const job = home.locator("section.jobs .job");
        await reloadedUntil(home, () => job.count());
        const address = await job.first().getByRole("link").getAttribute("href");
        const page = await home.context().newPage();
        await watch(page);
        await page.goto(`${own.url}${address}`);
        const list = await home.context().newPage();
        await watch(list);
        await list.goto(`${own.url}/app/jobs`);
        const cancel = page.locator("summary", { hasText: "Cancel" });
        await cancel.waitFor();
        const before = await cancel.boundingBox();
        const undo = page.getByRole("button", { name: "Undo" });
        await undo.waitFor({ timeout: IMPORT_MAX });
        await assertSteady(page, "a job until it has ended");
        assert.equal((await undo.boundingBox())?.y, before?.y, "what is offered stays where it was");
        await home.locator("#live:not([hx-get])").waitFor({ timeout: IMPORT_MAX });
        assert.match(await job.first().innerText(), /done/);
        await assertSteady(home, "home until the job has ended");
        await list.locator("#live:not([hx-get])").waitFor({ timeout: IMPORT_MAX });
        await assertSteady(list, "the list of jobs until all have ended");
        await home.reload();
        assert.equal(await job.count(), 0, "the next visit tells of no job that has ended");
        await home.context().close();
      } finally {
        await own.stop();
      }
    });
  }

  if (viewport.height > 900) continue;
  test(`nothing moves when a fault is mended among others, ${size}`, async () => {
    const page = await watched(viewport);
    await signIn(page, server);
    await page.getByRole("link", { name: "faulty records in Every Type" }).click();
    const faults = page.locator(".grid .fault");
    // the only fault of its row, which needs less room without it
    const only = (/** @type {string} */ name) => page.locator(`.grid tr:not(:has(.fault ~ .fault)) td.fault[data-name="${name}"]`).first();
    await only("Time").focus();
    const sizes = () =>
      page.locator(".grid thead th, .grid tbody tr").evaluateAll((all) => all.map((it) => [it.getBoundingClientRect().width, it.getBoundingClientRect().height]));
    const [before, count] = [await sizes(), await faults.count()];
    const mend = async (/** @type {string} */ how, /** @type {string} */ key) => {
      await Promise.all([page.waitForResponse((it) => it.request().method() === "POST"), page.keyboard.press(key)]);
      await page.waitForResponse((it) => it.url().includes("/figures"));
      await assertSteady(page, how);
      assert.deepEqual(await sizes(), before, how);
    };
    await page.keyboard.press("Enter");
    await page.locator(".editor :focus").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("12:30:00");
    await mend("a value that is typed", "Enter");
    await only("Boolean").focus();
    await mend("a proposal that is taken", "1");
    assert.equal(await faults.count(), count - 2);
    await page.context().close();
  });

  test(`a grid's head and keys stay in view, ${size}`, async () => {
    const page = await browser.open({ viewport });
    await signIn(page, server);
    await page.getByRole("link", { name: "Customers", exact: true }).click();
    const heads = page.locator(".grid thead th");
    await heads.first().waitFor();
    await page.waitForLoadState("load");
    assert.equal(await heads.count(), COLUMNS);
    const scroll = page.locator(".scroll:has(.grid)");
    const frame = await scroll.boundingBox();
    assert.ok(frame);
    const row = page.locator(".grid tbody tr").nth(3);
    const places = async () => {
      const boxes = [heads.first(), heads.nth(2), row.locator("th"), row.locator("td").nth(1)].map((it) => it.boundingBox());
      const [corner, above, own, cell] = (await Promise.all(boxes)).map((it) => ({ x: Math.round(it?.x ?? NaN), y: Math.round(it?.y ?? NaN) }));
      return { corner, above, own, cell };
    };
    const before = await places();
    await scroll.evaluate((it) => it.scrollTo(60, 0));
    const aside = await places();
    assert.deepEqual([aside.corner, aside.own], [before.corner, before.own], "the keys stay while it goes aside");
    assert.deepEqual([aside.above?.x, aside.cell?.x], [(before.above?.x ?? NaN) - 60, (before.cell?.x ?? NaN) - 60]);
    await scroll.evaluate((it) => it.scrollTo(0, 60));
    const down = await places();
    assert.deepEqual([down.corner, down.above], [before.corner, before.above], "the head stays while it goes down");
    assert.deepEqual([down.own?.y, down.cell?.y], [(before.own?.y ?? NaN) - 60, (before.cell?.y ?? NaN) - 60]);
    await scroll.evaluate((it) => it.scrollTo(it.scrollWidth, it.scrollHeight));
    const [left, top] = await scroll.evaluate((it) => [it.scrollLeft, it.scrollTop]);
    assert.ok((left ?? 0) > 0 && (top ?? 0) > 0, "there is more than is in view");
    const head = await heads.last().boundingBox();
    const key = await page.locator(".grid tbody th").last().boundingBox();
    const near = (/** @type {number | undefined} */ one, /** @type {number} */ other) => Math.abs((one ?? Infinity) - other) < 2;
    assert.ok(near(head?.y, frame.y), "the head is at the top");
    assert.ok(near(key?.x, frame.x), "the keys are at the left");
    assert.ok((key?.y ?? Infinity) < frame.y + frame.height, "the last row is in view");
    // from the last cell to the left and up, no cell that has the focus is below one that stays
    await page.locator(".grid tbody tr").last().locator("td").last().focus();
    // there and back, so that the keyboard has led there
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    for (const [arrow, steps] of /** @type {const} */ ([["ArrowLeft", COLUMNS - 2], ["ArrowUp", 30]])) {
      for (let step = 0; step < steps; step += 1) {
        await page.keyboard.press(arrow);
        const [name, above] = await page.evaluate(() => {
          const cell = /** @type {HTMLElement} */ (document.activeElement);
          const { left, right, top } = cell.getBoundingClientRect();
          // beside the keys of a small page there is no room for all of a cell
          const places = innerWidth > 640 ? [left + 4] : [left + 4, (left + right) / 2, right - 4];
          const seen = places.map((at) => document.elementFromPoint(at, top + 4));
          return [cell.dataset.name, seen.some((it) => cell.contains(it)) ? undefined : seen[0]?.outerHTML.slice(0, 80)];
        });
        assert.equal(above, undefined, `${arrow} ${step}: ${name}`);
      }
    }
    await page.context().close();
  });
}

test("rows stand on the grid of four pixels, and grow with the letters", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  /** How high things are without their lines, of which each is a hair. @param {string} selector */
  const heights = (selector) =>
    page.locator(selector).evaluateAll((all) => all.map((it) => it.clientHeight).filter((it) => it > 0));
  /** @param {string} selector */
  const beside = async (selector) => {
    const all = await heights(selector);
    assert.ok(all.length > 4, selector);
    return all.filter((it) => it % 4).map((it) => `${selector}: ${it}`);
  };
  await page.locator(".bars table").waitFor();
  const found = [...(await beside(".bars :is(th, td)")), ...(await beside(".line, .tile, h1, h2"))];
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator(".grid tbody td").first().waitFor();
  await page.waitForLoadState("load");
  found.push(...(await beside(".grid :is(th, td)")));
  assert.deepEqual(found, []);
  const [own] = await heights(".grid tbody td");
  const large = await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% !important; }");
    document.adoptedStyleSheets = [sheet];
    return getComputedStyle(document.body).lineHeight;
  });
  assert.equal(large, "40px");
  const [grown] = await heights(".grid tbody td");
  assert.ok((grown ?? 0) - (own ?? Infinity) >= 20, `${own} ${grown}`);
  await page.context().close();
});

test("numbers end at one edge and texts begin at one", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.locator(".grid thead th").first().waitFor();
  await page.waitForLoadState("load");
  /** Where the texts of a column stand, and how they are aligned. @param {string} name */
  const edges = (name) =>
    page.locator(`.grid td[data-name="${name}"]:not(.fault) .value`).evaluateAll((values) =>
      values.filter((it) => it.textContent).map((it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        const { left, right } = range.getBoundingClientRect();
        const { textAlign, fontVariantNumeric } = getComputedStyle(it);
        return { left, right, width: Math.round(right - left), textAlign, fontVariantNumeric };
      }),
    );
  const spread = (/** @type {number[]} */ all) => Math.max(...all) - Math.min(...all);
  const numbers = await edges("Credit Limit");
  const texts = await edges("Last Name");
  for (const column of [numbers, texts]) assert.ok(new Set(column.map((it) => it.width)).size > 1, "some are longer than others");
  assert.deepEqual([...new Set(numbers.map((it) => `${it.textAlign} ${it.fontVariantNumeric}`))], ["end tabular-nums"]);
  assert.ok(spread(numbers.map((it) => it.right)) < 1, "numbers end at one edge");
  assert.deepEqual([...new Set(texts.map((it) => it.textAlign))], ["start"]);
  assert.ok(spread(texts.map((it) => it.left)) < 1, "texts begin at one edge");
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems), []);
});
