// @ts-check
// The program with its demo, and a browser in which its administrator has signed in. What the browser's console says
// against a page, above all of its policy, is kept.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PROGRAM = process.env.FIELDSTONE ?? "fieldstone";
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * A server of its own with the demo.
 * @param {number} [records] so many customers come in while it serves
 */
export async function serve(records = 0) {
  const folder = mkdtempSync(join(tmpdir(), "fieldstone-browser-"));
  const process_ = spawn(PROGRAM, ["serve", "--demo", "--data", join(folder, "data"), "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
    // most stories count records; the demo's many customers would come in meanwhile
    env: { ...process.env, FIELDSTONE_DEMO_RECORDS: process.env.FIELDSTONE_DEMO_RECORDS ?? String(records) },
  });
  let told = "";
  process_.stderr.on("data", (piece) => (told += piece));
  const url = await new Promise((resolve, reject) => {
    let out = "";
    process_.stdout.on("data", (piece) => {
      out += piece;
      const found = /listening on (\S+)/.exec(out);
      if (found) resolve(found[1]);
    });
    process_.on("exit", (code) => reject(new Error(`the program ended with ${code}: ${told}`)));
  });
  const password = /password (\S+)/.exec(told)?.[1] ?? "";
  const stop = async () => {
    const ended = new Promise((resolve) => process_.on("exit", resolve));
    process_.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, password, stop };
}

/** A browser; `problems` fills with what its console complains of. */
export async function browse() {
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  /** @type {string[]} */
  const problems = [];
  /** @param {import("playwright-core").BrowserContextOptions} options */
  const open = async (options) => {
    const context = await browser.newContext({ locale: "en-GB", ...options });
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
    return page;
  };
  return { open, problems, close: () => browser.close() };
}

/**
 * @param {import("playwright-core").Page} page
 * @param {{ url: string, password: string }} server
 */
export async function signIn(page, { url, password }) {
  await page.goto(`${url}/app/`);
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
}

/**
 * @typedef {string | ((page: import("playwright-core").Page) => Promise<import("playwright-core").Response | null>)} Way
 */

/**
 * Goes to a page by its address, or by what is done to see it.
 * @param {import("playwright-core").Page} page
 * @param {Way} way
 */
export const go = (page, way) => (typeof way === "string" ? page.goto(way) : way(page));

/**
 * What is shown of cells that are pasted into a list: some change, some would be faulty, some have no place.
 * @param {string} list
 * @returns {Way}
 */
const pasted = (list) => async (page) => {
  await page.goto(list);
  await page.locator('.grid td[data-name="Last Name"]').first().focus();
  const answer = page.waitForResponse((it) => new URL(it.url()).pathname.endsWith("/paste"));
  await page.evaluate(() => {
    const rows = ["Müller\tmueller@example.org", "Nowak\tno address", "Xu\txu@example.org"];
    while (rows.length < 55) rows.push("Beyond\tbeyond@example.org");
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", rows.join("\n"));
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByRole("heading", { name: "Pasted cells" }).waitFor();
  return answer;
};

/**
 * A list whose field for queries proposes what may be typed next.
 * @param {string} list
 * @returns {Way}
 */
const completing = (list) => async (page) => {
  const answer = await page.goto(list);
  await page.getByRole("combobox", { name: "Filter" }).pressSequentially("fault:Country");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  return answer;
};

/**
 * A list that is about to be saved as a view.
 * @param {string} list
 * @returns {Way}
 */
const saving = (list) => async (page) => {
  const answer = await page.goto(`${list}?q=Status%3Aactive&sort=-Last+Name`);
  await page.locator(".views summary").click();
  return answer;
};

/**
 * The pages that there are, by name, as seen from the demo.
 * @param {import("playwright-core").Page} page
 * @param {string} url
 * @returns {Promise<Record<string, Way>>}
 */
export async function pagesOf(page, url) {
  await page.goto(`${url}/app/`);
  const dataset = await page.getByRole("link", { name: "Customers", exact: true }).getAttribute("href");
  const there = `${url}${dataset}`;
  await page.goto(`${there}?q=is%3Afaulty`);
  const record = await page.locator(".grid tbody th a").first().getAttribute("href");
  const own = record?.split("/").pop() ?? "";
  const form = new URLSearchParams({ show: "true", value: "Everywhere", field: "" });
  form.append("record", own);
  await page.goto(`${there}/selected?${form}`);
  form.set("field", (await page.locator("#field option").first().getAttribute("value")) ?? "");
  await page.goto(`${url}/app/areas`);
  const area = await page.getByRole("link", { name: "Customer Master", exact: true }).getAttribute("href");
  await page.goto(`${url}/app/schemas`);
  const schema = await page.locator("tbody th a").first().getAttribute("href");
  return {
    schemas: `${url}/app/schemas`,
    schema: `${url}${schema}`,
    "schema-editor": `${url}${schema}/edit?field=1`,
    "schema-versions": `${url}${schema}/versions`,
    "schema-new": `${url}${area}/schemas/new`,
    "sign-in": `${url}/app/sign-in`,
    home: `${url}/app/`,
    "all-faults": `${url}/app/faults`,
    search: `${url}/app/search?q=munich`,
    go: `${url}/app/go?q=cust`,
    api: `${there}/api`,
    dataset: there,
    faulty: `${there}?q=is%3Afaulty`,
    nothing: `${there}?q=nothingofthekind`,
    misread: `${there}?q=%22`,
    faults: `${there}/faults`,
    deleted: `${there}/deleted`,
    completing: completing(there),
    "saved-view": saving(there),
    pasted: pasted(there),
    selected: `${there}/selected?${form}`,
    "selected-found": `${there}/selected?all=true&q=is%3Afaulty`,
    new: `${there}/new`,
    record: `${url}${record}`,
    history: `${url}${record}/history`,
    import: `${there}/import`,
    export: `${there}/export`,
    mend: `${there}/mend?field=Status&q=is%3Afaulty`,
    areas: `${url}/app/areas`,
    area: `${url}${area}`,
    keys: `${url}/app/keys`,
    audit: `${url}/app/audit`,
    jobs: `${url}/app/jobs`,
    users: `${url}/app/users`,
    "new-user": `${url}/app/users/new`,
    roles: `${url}/app/roles`,
    "new-role": `${url}/app/roles/new`,
    clients: `${url}/app/clients`,
    "new-client": `${url}/app/clients/new`,
    webhooks: `${url}/app/webhooks`,
    "new-webhook": `${url}/app/webhooks/new`,
    domains: `${url}/app/domains`,
    "new-domain": `${url}/app/domains/new`,
    usage: `${url}/app/usage`,
    settings: `${url}/app/settings`,
    "whole-api": `${url}/app/api`,
    profile: `${url}/app/profile`,
    invitation: `${url}/app/invitation`,
    password: `${url}/app/password`,
    "not-found": `${url}/app/nowhere`,
  };
}
