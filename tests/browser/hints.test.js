// @ts-check
// What a page shows of what one would miss else: columns that are cut off, what goes below a bar that stays, how all is ticked
// at once, what can be copied, and that nobody answered.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, serveHostile, signIn, unexpected } from "./program.js";
import { openDataset, submitted } from "./ways.js";

/** @type {Awaited<ReturnType<typeof serveHostile>>} */
let server;
/** @type {Awaited<ReturnType<typeof browse>>} */
let browser;

before(async () => {
  server = await serveHostile();
  browser = await browse();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @typedef {import("playwright-core").Page} Page */

test("columns that are cut off are told of until one has come to the last", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await openDataset(page, server, "Customers");
  const scroll = page.locator(".scroll:has(.grid)");
  const told = page.getByText("More columns to the right");
  await told.waitFor();
  const edge = () =>
    scroll.evaluate((it) => {
      const { content, width, right } = getComputedStyle(it, "::after");
      return { isThere: content !== "none", width: parseFloat(width), right };
    });
  const { isThere, width, right } = await edge();
  assert.ok(isThere && width >= 8 && right === "0px", "there is an edge at the right");
  // it is over the cells, and they are clicked through it
  const box = await scroll.boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + box.width - 8, box.y + box.height / 2];
  const hit = await page.evaluate(([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest("td, th")?.tagName, [x, y]);
  assert.ok(hit, "a cell is below it");
  const place = await told.boundingBox();
  // it goes along with what is scrolled: what it stands in is as wide as all columns
  const wide = await scroll.evaluate((it) => it.scrollWidth - parseFloat(getComputedStyle(it).gridTemplateColumns));
  assert.ok(Math.abs(wide) <= 1, `${wide} px of the columns are beside it`);
  const fades = () => page.locator(".grid tbody th").first().evaluate((it) => getComputedStyle(it, "::after").content !== "none");
  assert.equal(await fades(), false, "nothing has gone below the keys");
  await scroll.evaluate((it) => it.scrollTo(60, 0));
  await page.locator(".scroll[data-past]").waitFor();
  assert.ok(await fades(), "what has gone below the keys fades");
  await scroll.evaluate((it) => it.scrollTo(it.scrollWidth, 0));
  await told.waitFor({ state: "hidden" });
  assert.equal((await edge()).isThere, false);
  await scroll.evaluate((it) => it.scrollTo(0, 0));
  await told.waitFor();
  assert.deepEqual(await told.boundingBox(), place, "nothing moves");
  const summary = page.locator("details.columns summary");
  const [, shown, all] = /\((\d+)\/(\d+)\)/.exec(await summary.innerText()) ?? [];
  assert.equal(Number(shown), await page.locator(".grid thead th").count());
  assert.ok(Number(all) > Number(shown), "there are more than are shown");
  await page.context().close();
});

test("a list of rows of one line ends between two of them, however high the window is", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await openDataset(page, server, "Customers");
  for (const height of [900, 777, 640]) {
    await page.setViewportSize({ width: 1440, height });
    const cut = await page.locator(".scroll:has(.grid)").evaluate((it) => {
      const end = it.getBoundingClientRect().bottom - 1;
      const rows = [...it.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
      return rows.filter((row) => row.top < end - 1 && row.bottom > end + 1).map((row) => [row.top, row.bottom, end]);
    });
    assert.deepEqual(cut, [], `${height}`);
  }
  await page.context().close();
});

test("what is rarely done with a dataset is opened first on a small page, and stands there on a large one", async () => {
  for (const width of [360, 1440]) {
    const page = await browser.open({ viewport: { width, height: 900 } });
    await openDataset(page, server, "Customers");
    const head = page.locator(".head");
    const way = head.getByRole("link", { name: "Import", exact: true });
    assert.ok(await head.getByRole("link", { name: "New record", exact: true }).isVisible());
    assert.equal(await way.isVisible(), width > 640);
    assert.equal(await head.locator("summary").isVisible(), width <= 640);
    if (width <= 640) {
      const { top } = await page.locator(".grid").evaluate((it) => it.getBoundingClientRect());
      assert.ok(top < 560, `the list begins in the first half of the page or near it: ${top}`);
      await head.locator("summary").click();
    }
    await way.waitFor();
    await page.context().close();
  }
});

for (const width of [360, 1440]) {
  test(`a cell's editor is in view with its buttons, whichever cell it is of, ${width} px wide`, async () => {
    const page = await browser.open({ viewport: { width, height: 800 } });
    await openDataset(page, server, "Customers");
    const editor = page.locator(".editor");
    for (const name of ["First Name", "Country", "Discount"]) {
      for (const cell of [page.locator(`.grid td[data-name="${name}"]`).first(), page.locator(`.grid td[data-name="${name}"]`).last()]) {
        await cell.dblclick();
        await editor.locator(":focus").waitFor();
        const box = await editor.boundingBox();
        const isIn = box && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= 800;
        assert.ok(isIn, `${name}: ${JSON.stringify(box)}`);
        assert.ok(await editor.getByRole("button", { name: "Save", exact: true }).isVisible());
        await editor.getByRole("button", { name: "Cancel", exact: true }).click();
        await editor.waitFor({ state: "detached" });
      }
    }
    await page.context().close();
  });
}

for (const [width, columns] of /** @type {const} */ ([[1440, 2], [1024, 1]])) {
  test(`so many fields of a record stand beside each other, in their order: ${columns}, ${width} px wide`, async () => {
    const page = await browser.open({ viewport: { width, height: 900 } });
    await openDataset(page, server, "Customers");
    await page.locator(".grid tbody th a").first().click();
    const fields = page.locator("form.record > .field");
    await fields.first().waitFor();
    const tops = await fields.evaluateAll((all) => all.slice(0, 4).map((it) => it.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 4 / columns);
    assert.deepEqual(tops, [...tops].sort((one, other) => one - other));
    await page.context().close();
  });
}

test("a table that is wider than a small page has the same edge, and so it has once a part of the page is another", async () => {
  const page = await browser.open({ viewport: { width: 360, height: 900 } });
  await openDataset(page, server, "Customers");
  await page.locator(".scroll[data-cut] > table").waitFor();
  const told = page.getByText("More columns to the right");
  const [table, below] = [await page.locator(".scroll").boundingBox(), await told.boundingBox()];
  assert.ok(table && below && Math.abs(below.y - table.y - table.height) < 2, "it is told directly below");
  await page.locator(".scroll").evaluate((it) => it.scrollTo(it.scrollWidth, 0));
  await page.locator(".scroll:not([data-cut])").waitFor();
  await told.waitFor({ state: "hidden" });
  await page.goto(`${server.url}/app/`);
  await page.locator(".bars .scroll").first().waitFor();
  for (const scroll of await page.locator(".bars .scroll").all()) {
    const isCut = await scroll.evaluate((it) => it.scrollWidth > it.clientWidth);
    assert.equal((await scroll.getAttribute("data-cut")) !== null, isCut);
  }
  await page.context().close();
});

test("on a small page each row of a table is a block that has all of its cells, and a table to who hears it", async () => {
  const page = await browser.open({ viewport: { width: 360, height: 900 } });
  await openDataset(page, server, "Customers");
  const dataset = page.url();
  for (const address of [`${server.url}/app/audit`, `${server.url}/app/keys`, `${server.url}/app/users`, `${dataset}/faults`]) {
    await page.goto(address);
    const table = page.getByRole("table").first();
    const heads = await table.getByRole("columnheader").count();
    assert.ok(heads > 3, `${address}: ${heads}`);
    assert.ok((await table.getByRole("row").count()) > 1, address);
    const cells = await table.locator("tbody td").evaluateAll((all) =>
      all.filter((it) => it.checkVisibility()).map((it) => {
        const { right } = it.getBoundingClientRect();
        return { right, label: getComputedStyle(it, "::before").content };
      }),
    );
    assert.ok(cells.length > 0 && cells.every((it) => it.right <= 360), address);
    assert.ok(cells.some((it) => it.label !== "none" && it.label !== '""'), `${address}: what stands before a cell is told`);
    assert.equal(await page.getByText("More columns to the right").first().isVisible(), false);
  }
  await page.context().close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`what is not ticked is as open as an input, and a tick is told by colour and by its mark, ${colorScheme}`, async () => {
    const page = await browser.open({ colorScheme, viewport: { width: 1440, height: 900 } });
    await signIn(page, server);
    await page.goto(`${server.url}/app/roles/new`);
    const grounds = (/** @type {import("playwright-core").Locator} */ it) =>
      it.evaluate((it) => [getComputedStyle(it).backgroundColor, getComputedStyle(it, "::before").backgroundColor]);
    const box = page.locator(".rights input[name=allow]").first();
    const [input] = await grounds(page.locator("main [name=name]"));
    const [open, none] = await grounds(box);
    assert.equal(open, input);
    await box.check();
    const [ticked, mark] = await grounds(box);
    assert.notEqual(ticked, open);
    assert.notEqual(mark, none);
    assert.notEqual(mark, ticked);
    await page.context().close();
  });
}

test("where all columns are in view nothing is said of more", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await openDataset(page, server, "Currencies");
  await page.locator(".grid tbody tr").first().waitFor();
  const { wide, own } = await page.locator(".scroll:has(.grid)").evaluate((it) => ({ wide: it.scrollWidth, own: it.clientWidth }));
  assert.ok(wide <= own, "there is nothing to scroll to");
  assert.equal(await page.getByText("More columns to the right").isVisible(), false);
  assert.equal(await page.locator(".scroll[data-cut]").count(), 0);
  await page.context().close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`a bar that stays has a line over what goes below it, and no shade, ${colorScheme}`, async () => {
    const page = await browser.open({ colorScheme, viewport: { width: 1024, height: 600 } });
    await openDataset(page, server, "Customers");
    const form = (await page.locator(".grid tbody th a").first().getAttribute("href")) ?? "";
    await page.goto(`${server.url}/app/schemas`);
    const schema = (await page.getByRole("link", { name: "Every Type", exact: true }).first().getAttribute("href")) ?? "";
    for (const [path, bar] of [[form, ".record .actions"], [`${schema}/edit`, ".actions.near"]]) {
      await page.goto(`${server.url}${path}`);
      const { bottom, isOver, shadows } = await page.locator(bar ?? "").first().evaluate((it) => {
        const { left, top, bottom } = it.getBoundingClientRect();
        const below = document.elementsFromPoint(left + 40, top + 4);
        const isOver = below.some((own) => !own.contains(it) && !it.contains(own));
        return { bottom, isOver, shadows: getComputedStyle(it).boxShadow.match(/rgba?\([^)]*\)/g) ?? [] };
      });
      assert.ok(bottom <= 601, `${bar} stays at the bottom: ${bottom}`);
      assert.ok(isOver, `${bar} is over what the page goes on with`);
      assert.equal(shadows.length, 1, `${bar}: ${shadows}`);
    }
    await page.context().close();
  });
}

test("a row of all ticks and unticks each column, and tells when some are ticked", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.goto(`${server.url}/app/roles/new`);
  const all = page.getByRole("checkbox", { name: "All: see", exact: true });
  const others = page.locator('.rights input[value$=":view"]');
  const states = () => others.evaluateAll((boxes) => boxes.map((it) => /** @type {HTMLInputElement} */ (it).checked));
  const isSome = () => all.evaluate((it) => /** @type {HTMLInputElement} */ (it).indeterminate);
  assert.ok((await others.count()) > 5);
  await all.check();
  assert.ok((await states()).every((it) => it));
  assert.equal(await page.locator('.rights input[value$=":add"]:checked').count(), 0, "and no other column");
  await others.first().uncheck();
  assert.ok((await isSome()) && !(await all.isChecked()), "some are, and not all");
  await others.first().check();
  assert.ok(!(await isSome()) && (await all.isChecked()));
  await all.press("Space");
  assert.ok((await states()).every((it) => !it));
  await page.locator(".rights tbody tr").first().getByRole("button", { name: "All", exact: true }).press("Enter");
  const every = page.locator(".rights input[name=allow]");
  assert.equal(await page.locator(".rights input[name=allow]:checked").count(), await every.count());
  // what is sent are the rows themselves
  await page.locator('main [name="name"]').fill("Everything");
  const sent = page.waitForRequest((it) => it.method() === "POST");
  await submitted(page, page.locator("main button.primary"));
  const body = new URLSearchParams((await sent).postData() ?? "");
  assert.equal(body.getAll("allow").length, new Set(body.getAll("allow")).size);
  assert.ok(body.getAll("allow").every((it) => it.includes(":")));
  // in the areas of a user, too
  await page.goto(`${server.url}/app/users/new`);
  await page.getByRole("checkbox", { name: "All: see", exact: true }).check();
  assert.equal(await page.locator('.rights input[name=grant][value$=":view"]:not(:checked)').count(), 0);
  await page.context().close();
});

test("without scripts there is no row of all, which would do nothing", async () => {
  const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  await page.goto(`${server.url}/app/roles/new`);
  assert.equal(await page.getByRole("checkbox", { name: "All: see", exact: true }).isVisible(), false);
  await page.context().close();
});

for (const width of [360, 1440]) {
  test(`the button that copies covers no text, also where its word is long, ${width} px wide`, async () => {
    const page = await browser.open({ locale: "de-DE", viewport: { width, height: 900 } });
    await page.goto(`${server.url}/app/`);
    await page.locator("[name=username]").fill("admin");
    await page.locator("[name=password]").fill(server.password);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Customers", exact: true }).first().click();
    const more = page.locator(".head summary").filter({ visible: true });
    if (await more.count()) await more.first().click();
    await page.locator(".head").getByRole("link", { name: "API", exact: true }).click();
    const places = page.locator(".copying:has(pre)");
    await places.first().waitFor();
    assert.equal(await places.count(), await page.locator("pre.code").count(), "each has one");
    const covered = await places.evaluateAll((all) =>
      all.filter((place) => {
        const button = place.querySelector("button")?.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(place.querySelector("code") ?? place);
        const meets = (/** @type {DOMRect} */ it) => button && it.right > button.left && it.left < button.right && it.bottom > button.top && it.top < button.bottom;
        return [...range.getClientRects()].some(meets);
      }).map((it) => it.textContent?.slice(0, 60)),
    );
    assert.deepEqual(covered, []);
    await page.context().close();
  });
}

for (const width of [360, 700, 768, 1024, 1440]) {
  test(`what repairs a fault stands in the window, beside an example that is not broken, ${width} px wide`, async () => {
    const page = await browser.open({ viewport: { width, height: 900 } });
    await openDataset(page, server, "Customers");
    await page.goto(`${page.url()}/faults`);
    const frame = await page.locator(".scroll:has(> .faults)").boundingBox();
    assert.ok(frame);
    const ways = await page.locator(".faults tbody a[href*='/mend?']").all();
    assert.ok(ways.length > 5, `${ways.length} faults can be repaired`);
    for (const way of ways) {
      const box = await way.boundingBox();
      assert.ok(box && box.x >= frame.x && box.x + box.width <= frame.x + frame.width, await way.innerText());
    }
    const broken = await page.locator(".of-example .spaces").evaluateAll((all) =>
      all.filter((it) => /^\S{1,12}$/.test(it.textContent ?? "") && it.getClientRects().length > 1).map((it) => it.textContent),
    );
    assert.deepEqual(broken, []);
    await page.context().close();
  });
}

test("a line is copied where the browser gives the page no clipboard, as over an unencrypted line", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const reader = await page.context().newPage();
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }));
  await openDataset(page, server, "Customers");
  await page.locator(".head").getByRole("link", { name: "API", exact: true }).click();
  await page.bringToFront();
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
  const line = await page.locator("pre.code").first().textContent();
  await reader.goto(`${server.url}/app/sign-in`);
  await reader.bringToFront();
  assert.equal(await reader.evaluate(() => navigator.clipboard.readText()), line);
  await page.context().close();
});

test("what is on its way is told where it will stand", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, server);
  /** @type {() => void} */
  let answer = () => {};
  const answered = new Promise((resolve) => (answer = () => resolve(undefined)));
  await page.route("**/app/faults", async (route) => {
    await answered;
    await route.fallback();
  });
  await page.reload();
  const waiting = page.locator(".bars").getByRole("status");
  await waiting.waitFor();
  assert.notEqual(await waiting.innerText(), "");
  answer();
  await page.locator(".bars table").waitFor();
  assert.equal(await waiting.count(), 0);
  await page.context().close();
});

test("a part of a page that nobody answered for is told, until it is answered again", async () => {
  const page = await browser.open({ viewport: { width: 1440, height: 900 } });
  await openDataset(page, server, "Customers");
  await page.goto(`${page.url()}?q=is%3Afaulty`);
  const before = browser.problems.length;
  const cell = page.locator(".grid td.fault:not([data-fixed])").first();
  await page.route("**/cells/**", (route) => route.abort());
  await cell.focus();
  await page.keyboard.press("Enter");
  const told = page.getByRole("alert").filter({ hasText: "The server did not answer" });
  await told.waitFor();
  assert.equal(await told.count(), 1);
  assert.ok(await cell.isVisible(), "what was there stays");
  browser.problems.splice(before);
  await page.unroute("**/cells/**");
  await cell.focus();
  await page.keyboard.press("Enter");
  await page.locator(".editor :focus").waitFor();
  await told.waitFor({ state: "detached" });
  await page.context().close();
});

test("no page made the browser's console complain", () => {
  assert.deepEqual(unexpected(browser.problems), []);
});
