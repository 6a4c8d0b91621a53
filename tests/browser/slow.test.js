// @ts-check
// Over a slow line, where nobody answers and where a proxy does: what is typed, ticked, pasted or filled in is there still, and
// no stranger's answer stands on a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, focused, openList, sent, value } from "./cells.js";
import { begin, serve, unexpected } from "./program.js";

/** Numbers that no customer of the demo has. */
const NUMBER = "C7999009";
const OTHER_NUMBER = "C7999010";

const { browser, server } = await begin({ server: serve });

/** @param {string} name */
const open = (name) => openList(browser, server, name);

/** What a proxy says in the place of a server that it does not reach. */
const PROXY = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr></body></html>";

for (const status of [502, 200]) {
  test(`what a proxy answers in the server's place is told and stands nowhere on the page, and what is typed stays, ${status}`, async () => {
    const { page } = await open("Customers");
    const cell = await cellsOf(page, status === 502 ? 5 : 6);
    const was = await value(cell("First Name"));
    let isReached = true;
    await page.route(() => true, async (route) => {
      const isPart = route.request().headers()["hx-request"];
      if (isReached || !isPart) await route.fallback();
      else await route.fulfill({ status, contentType: "text/html", body: PROXY });
    });
    const told = page.locator("#failure").getByText(`could not be reached (${status})`);
    const editor = page.locator(".editor input:not([type=hidden])");
    isReached = false;
    await cell("First Name").focus();
    await page.keyboard.press("Enter");
    await told.waitFor();
    assert.equal(await value(cell("First Name")), was);
    assert.equal(await focused(page), "First Name");
    isReached = true;
    await page.keyboard.press("Enter");
    await editor.waitFor();
    await page.locator(".editor :focus").waitFor();
    await page.keyboard.type("Grace");
    isReached = false;
    await page.keyboard.press("Enter");
    await told.waitFor();
    assert.equal(await editor.inputValue(), "Grace");
    assert.ok(await editor.evaluate((it) => it === document.activeElement), "one goes on in it");
    await page.getByRole("combobox", { name: "Filter" }).pressSequentially("Stat");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).getByText(`could not be reached (${status})`).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByText("Bad Gateway").count(), 0);
    isReached = true;
    // one who turned to something else sent it once more, and has saved it by now where that came through
    await page.locator(".editor[inert]").waitFor({ state: "detached" });
    if (await editor.count()) await editor.press("Enter");
    await cell("First Name").locator(".value").getByText("Grace", { exact: true }).waitFor();
    await page.context().close();
  });
}

test("a value that is too long to be sent stays in its editor, and a shorter one is sent", async () => {
  const { page } = await open("Customers");
  const cell = await cellsOf(page, 8);
  await page.evaluate(() => (document.body.dataset.formBytes = "100"));
  await cell("First Name").focus();
  await page.keyboard.press("Enter");
  const editor = page.locator(".editor input:focus");
  await editor.waitFor();
  await page.keyboard.type("Adelaide");
  await page.keyboard.press("Enter");
  await page.locator("#failure .notice").waitFor();
  assert.equal(await editor.inputValue(), "Adelaide");
  await page.evaluate(() => (document.body.dataset.formBytes = "100000"));
  await page.keyboard.press("Enter");
  await cell("First Name").locator(".value").getByText("Adelaide", { exact: true }).waitFor();
  await page.locator(".editor").waitFor({ state: "detached" });
  await page.context().close();
});

test("ticks stay while values are changed, also that of the row whose key is opened", async () => {
  const { page } = await open("Customers");
  const bar = page.locator("#selection");
  const ticks = page.locator(".grid tbody tr:not(.faulty) .pick");
  for (const at of [1, 2, 3]) await ticks.nth(at).check();
  const all = () => bar.locator("output b").textContent();
  await page.locator(".grid tbody tr:not(.faulty) th").nth(1).focus();
  await page.keyboard.press("F2");
  await page.locator(".editor :focus").waitFor();
  assert.equal(await all(), "3");
  await page.keyboard.press("Escape");
  assert.equal(await all(), "3");
  const cell = await cellsOf(page, 2);
  await cell("First Name").dblclick();
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type("Grace");
  await sent(page, () => page.keyboard.press("Enter"));
  assert.equal(await all(), "3");
  await ticks.nth(1).uncheck();
  assert.equal(await all(), "2");
  await bar.getByRole("button", { name: "Change, export or delete selected" }).click();
  await page.getByRole("heading", { name: "Selected records", exact: true }).waitFor();
  assert.equal(await page.locator(".figures b").first().textContent(), "2");
  // who comes back finds them ticked
  await page.goBack();
  await bar.locator("output b", { hasText: "2" }).waitFor();
  await bar.getByLabel("All on this page").check();
  assert.equal(await all(), String(await page.locator(".grid .pick").count()));
  await page.context().close();
});

test("how many are found is told anew when one of them is mended", async () => {
  const { page, list } = await open("Customers");
  await page.goto(`${list}?q=is%3Afaulty`);
  const [found, faulty] = [page.locator("#hits b"), page.locator("#figures .bad b")];
  const was = await found.innerText();
  assert.equal(await faulty.innerText(), was);
  // its key alone is wrong
  await page.locator(".grid th.fault", { hasText: "c12" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".editor :focus").waitFor();
  await page.keyboard.type(OTHER_NUMBER);
  await page.keyboard.press("Enter");
  const fewer = String(Number(was) - 1);
  for (const number of [found, faulty]) await number.filter({ hasText: new RegExp(`^${fewer}$`) }).waitFor();
  await page.reload();
  assert.deepEqual([await found.innerText(), await faulty.innerText()], [fewer, fewer]);
  await page.context().close();
});

test("where nobody answers, the palette says so and the page stays with what is filled in", async () => {
  const { page } = await open("Customers");
  await page.goto(`${server.url}/app/keys`);
  const name = page.locator('main form.record [name="name"]').last();
  await name.fill("Reader");
  const form = page.url();
  await page.context().setOffline(true);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByText("The server did not answer").waitFor();
  await page.keyboard.type("customers");
  await page.keyboard.press("Enter");
  await palette.getByText("The server did not answer").waitFor();
  assert.equal(page.url(), form);
  await page.context().setOffline(false);
  await page.keyboard.type(" ");
  await palette.getByRole("link").first().waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await name.inputValue(), "Reader");
  await page.context().close();
});

test("where nobody answers, a form that is filled in stays, says that nothing was sent, and is sent the next time", async () => {
  const { page, list } = await open("Customers");
  await page.goto(`${list}/new`);
  const number = page.getByLabel(/^Customer Number/);
  await number.fill(NUMBER);
  const save = page.locator(".record .actions button").first();
  await page.context().setOffline(true);
  await save.click();
  await page.locator("#failure").getByText("nothing was sent").waitFor();
  assert.equal(page.url(), `${list}/new`);
  assert.equal(await number.inputValue(), NUMBER);
  await page.context().setOffline(false);
  await save.click();
  await page.getByText("Saved.").first().waitFor();
  assert.equal(await number.inputValue(), NUMBER);
  await page.context().close();
});

test("where nobody answers, what is pasted stays, says that nothing was sent, and is sent by its button", async () => {
  const { page, list } = await open("Customers");
  const paste = () =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "Augusta Ada");
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
  const again = page.getByRole("button", { name: "Try again with what was pasted" });
  const cell = await cellsOf(page, 7);
  assert.equal(await again.isVisible(), false);
  await cell("First Name").focus();
  await page.context().setOffline(true);
  await paste();
  await page.locator("#failure").getByText("nothing was sent").waitFor();
  assert.equal(page.url(), list);
  await again.waitFor();
  // who leaves it is asked first
  const asked = page.waitForEvent("dialog");
  const left = page.locator(".brand").click({ noWaitAfter: true });
  await (await asked).dismiss();
  await left;
  await page.context().setOffline(false);
  await again.click();
  await page.getByRole("heading", { name: "Pasted cells" }).waitFor();
  assert.deepEqual(await page.locator(".changes ins").allTextContents(), ["Augusta Ada"]);
  await page.goto(list);
  assert.equal(await again.isVisible(), false);
  await page.context().close();
});

test("no page made the browser's console complain, but of what nobody answered", () => {
  assert.deepEqual(unexpected(browser.problems, 502).filter((it) => !/net::ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/.test(it)), []);
});
