// @ts-check
// What is done to see pages that have no address of their own.

import { createHmac } from "node:crypto";
import { PASSWORD, signIn } from "./program.js";
import { SAMPLE } from "./steps.js";

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {import("./places.js").Walk} Walk
 */

/**
 * Signs in, and opens the list of a dataset by its link on home; its address.
 * @param {Page} page
 * @param {import("./program.js").Server} server
 * @param {string} name
 */
export async function openDataset(page, server, name) {
  await signIn(page, server);
  // faults name it, too
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  // its scripts are there
  await page.waitForLoadState("load");
  return page.url();
}

/**
 * What is shown of cells that are pasted into a list: some change, some would be faulty, some have no place.
 * @param {string} list
 * @returns {Walk}
 */
export const pasted = (list) => async (page) => {
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
 * Types, and waits for what is found for all of it: whoever types slowly is answered for fewer letters, too.
 * @param {Page} page @param {string} text what the query ends with then @param {() => Promise<void>} type
 */
export async function answeredFor(page, text, type) {
  const answer = page.waitForResponse((it) => new URL(it.url()).searchParams.get("q")?.endsWith(text) === true);
  await type();
  await (await answer).finished();
  // it is shown by the page's next frame
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/**
 * A list whose field for queries proposes what may be typed next.
 * @param {string} list
 * @returns {Walk}
 */
export const completing = (list) => async (page) => {
  const answer = await page.goto(list);
  await page.getByRole("combobox", { name: "Filter" }).pressSequentially("fault:Country");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  return answer;
};

/**
 * A list that is about to be saved as a view.
 * @param {string} list
 * @returns {Walk}
 */
export const saving = (list) => async (page) => {
  const answer = await page.goto(`${list}?q=Status%3Aactive&sort=-Last+Name`);
  await page.locator(".views summary").click();
  return answer;
};

/**
 * What a press of a button leads to.
 * @param {Page} page @param {import("playwright-core").Locator} button
 */
export async function submitted(page, button) {
  const answer = page.waitForNavigation();
  await button.click();
  return answer;
}

const primary = (/** @type {Page} */ page) => page.locator("main button.primary");

/**
 * A form, filled in by the names of its inputs and sent.
 * @param {string} form its address @param {Record<string, string>} inputs @param {string[]} ticks
 * @returns {Walk}
 */
export const posted = (form, inputs, ticks = []) => async (page) => {
  await page.goto(form);
  for (const tick of ticks) await page.getByLabel(tick, { exact: true }).check();
  for (const [name, value] of Object.entries(inputs)) await page.locator(`main [name="${name}"]`).fill(value);
  for (const box of await page.locator('main [name="dataset"]').all()) await box.check();
  return submitted(page, primary(page));
};

/**
 * The form by which the first tenant is made, with a password that is too short.
 * @param {string} link
 * @returns {Walk}
 */
export const refusedSetUp = (link) =>
  posted(link, { tenant: "Acme", "full-name": "Ada Admin", username: "ada", email: "ada@example.org", password: "short" });

/**
 * A page that draws how many were faulty day by day.
 * @param {string} home @param {string} [dataset] among whose faults it is; else it is home itself
 * @returns {Walk}
 */
export const days = (home, dataset) => async (page) => {
  let answer = await page.goto(home);
  if (dataset) {
    const list = await page.getByRole("link", { name: dataset, exact: true }).getAttribute("href");
    answer = await page.goto(`${new URL(list ?? "", home)}/faults`);
  }
  await page.locator(".trend polyline").first().waitFor({ state: "attached" });
  return answer;
};

/** A name that nothing else has. @param {string} text */
export const once = (text) => `${text} ${Date.now().toString(36)}`;

/**
 * Someone who is invited, with the link that is shown this once.
 * @param {string} url @param {string[]} ticks what it is given, by the words beside it
 * @returns {Walk}
 */
export const invited = (url, ticks = []) => (page) => {
  const username = once("grace").replace(" ", "-");
  return posted(`${url}/app/users/new`, { "full-name": "Grace Guest", username, email: `${username}@example.org` }, ticks)(page);
};

/** The page that such a link leads to. @param {string} url @returns {Walk} */
export const welcomed = (url) => async (page) => {
  await invited(url)(page);
  return opened(page, (await page.locator(".secret").textContent()) ?? "");
};

/** The page that the link of an invitation leads to. @param {Page} page @param {string} link */
async function opened(page, link) {
  const welcome = page.waitForResponse((it) => it.request().method() === "POST");
  await page.goto(link);
  const { hash } = new URL(page.url());
  // no script took the code from the address and sent it
  if (hash) {
    await page.locator("#code").fill(hash.slice(1));
    await primary(page).click();
  }
  await page.locator("[name=password]").waitFor();
  return welcome;
}

/**
 * Someone who was invited and has no role, signed in.
 * @param {Page} page the administrator's @param {string} url @param {Page} own the guest's
 */
export async function signInGuest(page, url, own) {
  await invited(url)(page);
  return enter(page, own);
}

/**
 * Someone who may look at records and users and do nothing else, signed in.
 * @param {Page} page the administrator's @param {string} url @param {Page} own the reader's
 */
export async function signInReader(page, url, own) {
  const role = once("Looks");
  const allowed = ["BUSINESS AREAS", "SCHEMA MODELS", "DATASETS", "DATA OBJECTS", "DATASET OBJECTS SEARCH", "USERS"];
  await page.goto(`${url}/app/roles/new`);
  await page.locator('main [name="name"]').fill(role);
  for (const resource of allowed) await page.locator(`main [value="${resource}:view"]`).check();
  await submitted(page, primary(page));
  await invited(url, [role, "Customer Master: see"])(page);
  return enter(page, own);
}

/**
 * Takes the invitation that is shown, and signs in with what it gave.
 * @param {Page} page the administrator's @param {Page} own
 * @returns the user name
 */
async function enter(page, own) {
  await opened(own, (await page.locator(".secret").textContent()) ?? "");
  const username = await own.locator("[name=username]").inputValue();
  await own.locator("[name=password]").fill(PASSWORD);
  await submitted(own, primary(own));
  await own.getByLabel("User name").fill(username);
  await own.getByLabel("Password").fill(PASSWORD);
  await submitted(own, primary(own));
  return username;
}

/** The code that an authenticator shows now. @param {string} secret in base 32 */
function codeOf(secret) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.trim()].map((it) => letters.indexOf(it).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((it) => parseInt(it, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", key).update(step).digest();
  const number = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/**
 * Gives whoever is signed in a second factor.
 * @param {Page} page @param {string} url
 * @returns the recovery codes, each good for one sign-in
 */
export async function giveFactor(page, url) {
  await factor(url)(page);
  const secret = (await page.locator("main code.secret").first().textContent()) ?? "";
  await page.locator("#code").fill(codeOf(secret));
  await submitted(page, primary(page));
  return page.locator(".codes code").allInnerTexts();
}

/**
 * The page that asks for the code of a second factor, behind a right password.
 * @param {string} url @param {string} username
 * @returns {Walk}
 */
export const codeAsked = (url, username) => async (page) => {
  await page.context().clearCookies();
  await page.goto(`${url}/app/sign-in`);
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  const answer = page.waitForResponse((it) => it.request().method() === "POST");
  await primary(page).click();
  await page.getByLabel(/^Code/).waitFor();
  return answer;
};

/** A second factor that is being set up. @param {string} url @returns {Walk} */
export const factor = (url) => async (page) => {
  await page.goto(`${url}/app/profile`);
  return submitted(page, page.getByRole("button", { name: "Set up a second factor" }));
};

/** A form that was filled in and can't be taken, for it has no token of the session. @param {string} url @returns {Walk} */
export const kept = (url) => async (page) => {
  await page.goto(`${url}/app/roles/new`);
  await page.locator("main [name=token]").evaluate((it) => it.setAttribute("value", "none"));
  await page.locator("main [name=name]").fill("Nobody");
  return submitted(page, primary(page));
};

/** The palette, open, with what a few letters find. @param {string} url @returns {Walk} */
export const palette = (url) => async (page) => {
  const answer = await page.goto(`${url}/app/`);
  await page.waitForFunction(() => document.readyState === "complete");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("cust");
  // what is found for fewer letters is shown until then
  await page.getByRole("dialog").getByRole("link", { name: "Search all records: cust", exact: true }).waitFor();
  return answer;
};

/** A cell of the list that is being changed. @param {string} list @returns {Walk} */
export const editing = (list) => async (page) => {
  const answer = await page.goto(list);
  await page.locator(".grid td.fault").first().focus();
  await page.keyboard.press("Enter");
  await page.locator(".editor :focus").waitFor();
  return answer;
};

/** Between two looks at a page that tells nothing by itself, and so many of them until what is looked for counts as never to come. */
const LOOK_MS = 200;
const LOOKS_MAX = 1_500;

/**
 * Loads a page anew until something is so: a job begins a moment after the server, and without scripts nobody is told of its end.
 * @param {Page} page @param {() => Promise<unknown>} isSo
 */
export async function reloadedUntil(page, isSo) {
  for (let looks = 0; looks < LOOKS_MAX && !(await isSo()); looks += 1) {
    await page.waitForTimeout(LOOK_MS);
    await page.reload();
  }
}

/** A job, once it has ended. @param {Page} page */
async function ended(page) {
  await page.locator("#live:not([hx-get])").waitFor();
  return page.reload();
}

/**
 * A page that tells of a job while it is under way.
 * @param {string} address
 * @returns {Walk}
 */
export const underWay = (address) => async (page) => {
  // it begins a moment after the server does
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const answer = await page.goto(address);
    if (await page.locator("#live[hx-get]").count()) return answer;
    await page.waitForTimeout(LOOK_MS);
  }
  throw new Error(`no job is under way at ${address}`);
};

/** The page of a job that is under way. @param {string} url @returns {Walk} */
export const jobUnderWay = (url) => async (page) => {
  await underWay(`${url}/app/jobs`)(page);
  const address = await page.locator("main .job a").first().getAttribute("href");
  return underWay(`${url}${address}`)(page);
};

/**
 * A file that is tried, with rows that would be faulty and one that can't be stored.
 * @param {string} list
 * @returns {Walk}
 */
export const trial = (list) => async (page) => {
  await page.goto(`${list}/import`);
  const rows = ["Customer Number;E-mail;Credit Limit;Shoe", "C7000901;no address;many;44", "C7000902;ada@example.org;100;45", ";x@example.org;100;46"];
  const buffer = Buffer.from(rows.join("\n"));
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "delivery.csv", mimeType: "text/csv", buffer });
  await submitted(page, primary(page));
  return ended(page);
};

/** The form of an import after it was tried, with what the file was read as. @param {string} list @returns {Walk} */
export const tried = (list) => async (page) => {
  await trial(list)(page);
  return submitted(page, page.getByRole("link", { name: "Import this file" }));
};

/** What a repair would do. @param {string} list @returns {Walk} */
export const mended = (list) => async (page) => {
  await page.goto(`${list}/mend?field=E-mail&action=set&with=nobody%40example.org&q=fault%3AE-mail`);
  await submitted(page, primary(page));
  return ended(page);
};

/** A record that someone else changed meanwhile. @param {string} record @returns {Walk} */
export const conflict = (record) => async (page) => {
  await page.goto(record);
  const input = page.getByLabel(/^Last Name/).first();
  const [name, theirs] = [await input.getAttribute("name"), once("Theirs")];
  await page.evaluate(async ([name = "", theirs = ""]) => {
    const form = /** @type {HTMLFormElement} */ (document.querySelector("form.record"));
    const body = new FormData(form);
    body.set(name, theirs);
    await fetch(form.action, { method: "post", body: new URLSearchParams(/** @type {any} */ (body)) });
  }, [name ?? "", theirs]);
  await input.fill("Mine");
  return submitted(page, page.locator(".record .actions button"));
};

/** The form of a schema, with something that contradicts. @param {string} editor @returns {Walk} */
export const contradicting = (editor) => async (page) => {
  await page.goto(editor);
  await page.locator("#f-name").fill("");
  return submitted(page, page.getByRole("button", { name: "Check", exact: true }).last());
};

/** What a change of a schema would do, before it is saved. @param {string} editor @param {string} field @returns {Walk} */
export const reviewing = (editor, field) => async (page) => {
  await page.goto(editor);
  await page.getByRole("button", { name: `Edit: ${field}`, exact: true }).click();
  await page.locator("#f-max").fill("3");
  const answer = await submitted(page, primary(page));
  await page.locator("#effects table").waitFor();
  return answer;
};

/** A schema that a file proposes, with what speaks for it. @param {string} form @returns {Walk} */
export const proposed = (form) => async (page) => {
  await page.goto(form);
  const buffer = Buffer.from(SAMPLE);
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "suppliers.csv", mimeType: "text/csv", buffer });
  return submitted(page, page.getByRole("button", { name: "Propose a schema" }));
};

/** A schema that gets a second version. @param {Page} page @param {string} schema */
async function publishAgain(page, schema) {
  await page.goto(`${schema}/edit?field=1`);
  await page.locator("#s-description").fill("As the standard says");
  await page.locator("#f-isRequired").evaluate((it) => /** @type {HTMLElement} */ (it).click());
  await submitted(page, primary(page));
  await submitted(page, page.getByRole("button", { name: "Publish" }));
}

/**
 * The past of a record that is deleted, and what removes it for good.
 * @param {string} list
 * @returns {Walk}
 */
export const pastOfDeleted = (list) => async (page) => {
  await page.goto(list);
  const href = await page.getByRole("link", { name: "History" }).first().getAttribute("href");
  const answer = await page.goto(new URL(String(href), list).href);
  await page.getByText("Remove for good").first().click();
  return answer;
};

/** A record that is deleted. @param {Page} page @param {string} list */
async function deleteOne(page, list) {
  await page.goto(list);
  await page.locator(".grid tbody tr:not(.faulty) th a").last().click();
  await page.locator("summary", { hasText: "Delete this record" }).click();
  await submitted(page, page.locator(".danger[open] button"));
}

/** What was made of what a demo lacks, once for each server. @type {Map<string, Promise<Made>>} */
const made = new Map();

/** @typedef {{ role: string, domain: string, client: string, webhook: string, key: string, user: string, schema: string }} Made */

/**
 * The addresses of one of each that there is no page for in the demo.
 * @param {Page} page @param {string} url @param {string} list a dataset that loses a record
 */
export function madeFor(page, url, list) {
  const make = async () => {
    const at = async (/** @type {string} */ place) => {
      await page.goto(`${url}/app/${place}`);
      const links = page.locator(`main :is(th, li) a[href^="/app/${place}/"]:not([href$="/new"])`);
      return `${url}${await links.last().getAttribute("href")}`;
    };
    await posted(`${url}/app/roles/new`, { name: "Auditors", description: "May read the audit trail, and change nothing" }, ["Audit: see"])(page);
    await posted(`${url}/app/domains/new`, { name: "Sizes", codes: "S = small\nM = medium\nL = large" })(page);
    await posted(`${url}/app/webhooks/new`, { name: "Warehouse", url: "https://warehouse.example.org/changes" })(page);
    await deleteOne(page, list);
    await page.goto(`${url}/app/schemas`);
    const schema = `${url}${await page.getByRole("link", { name: "Currency", exact: true }).getAttribute("href")}`;
    await publishAgain(page, schema);
    return { role: await at("roles"), domain: await at("domains"), client: await at("clients"), webhook: await at("webhooks"), key: await at("keys"), user: await at("users"), schema };
  };
  const known = made.get(url) ?? make();
  made.set(url, known);
  return known;
}
