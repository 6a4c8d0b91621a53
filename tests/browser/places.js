// @ts-check
// The pages that there are, each with the way to it: the one list of what is judged and what has a contact sheet.

import { serveBusy, serveNothing, servePast } from "./program.js";
import * as ways from "./ways.js";

/**
 * @typedef {(page: import("playwright-core").Page) => Promise<import("playwright-core").Response | null>} Walk
 * @typedef {string | Walk} Way
 */

/** What stands where a part of a page is on its way. */
export const AWAITED = ".waiting, .counting, .htmx-request";

/**
 * Goes to a page by its address, or by what is done to see it, and waits for the parts that come behind it.
 * @param {import("playwright-core").Page} page
 * @param {Way} way
 */
export async function go(page, way) {
  const answer = await (typeof way === "string" ? page.goto(way) : way(page));
  await page.locator(AWAITED).first().waitFor({ state: "detached" });
  return answer;
}

/** The dataset of the demo whose list is the shortest. @param {import("playwright-core").Page} page @param {string} url */
async function emptyDataset(page, url) {
  await page.goto(`${url}/app/`);
  return page.getByRole("link", { name: "Currencies", exact: true }).getAttribute("href");
}

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
  const empty = `${url}${await emptyDataset(page, url)}`;
  const made = await ways.madeFor(page, url, there);
  await page.goto(`${url}/app/schemas`);
  const schema = await page.getByRole("link", { name: "Airport", exact: true }).getAttribute("href");
  return {
    front: `${url}/`,
    schemas: `${url}/app/schemas`,
    schema: `${url}${schema}`,
    "schema-editor": `${url}${schema}/edit?field=1`,
    "schema-versions": `${url}${schema}/versions`,
    "schema-contradictions": ways.contradicting(`${url}${schema}/edit?field=1`),
    "schema-review": ways.reviewing(`${url}${schema}/edit`, "Name"),
    "schema-proposed": ways.proposed(`${url}${area}/schemas/new`),
    "schema-difference": `${made.schema}/versions?from=1&to=2`,
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
    "by-field": `${there}?q=is%3Afaulty&by=`,
    misread: `${there}?q=%22`,
    faults: `${there}/faults`,
    editing: ways.editing(`${there}?q=is%3Afaulty`),
    "deleted-none": `${empty}/deleted`,
    deleted: `${there}/deleted`,
    completing: ways.completing(there),
    "saved-view": ways.saving(there),
    pasted: ways.pasted(there),
    selected: `${there}/selected?${form}`,
    "selected-found": `${there}/selected?all=true&q=is%3Afaulty`,
    new: `${there}/new`,
    record: `${url}${record}`,
    conflict: ways.conflict(`${url}${record}`),
    history: `${url}${record}/history`,
    "history-deleted": ways.pastOfDeleted(`${there}/deleted`),
    "record-version": `${url}${record}/versions/0`,
    import: `${there}/import`,
    trial: ways.trial(there),
    "import-tried": ways.tried(there),
    export: `${there}/export`,
    mend: `${there}/mend?field=Status&q=is%3Afaulty`,
    mended: ways.mended(there),
    areas: `${url}/app/areas`,
    area: `${url}${area}`,
    keys: `${url}/app/keys`,
    "key-made": ways.posted(`${url}/app/keys`, { name: ways.once("Reader") }),
    key: made.key,
    audit: `${url}/app/audit`,
    jobs: `${url}/app/jobs`,
    users: `${url}/app/users`,
    user: made.user,
    "new-user": `${url}/app/users/new`,
    "user-made": ways.invited(url),
    roles: `${url}/app/roles`,
    role: made.role,
    "new-role": `${url}/app/roles/new`,
    clients: `${url}/app/clients`,
    client: made.client,
    "new-client": `${url}/app/clients/new`,
    "client-made": ways.posted(`${url}/app/clients/new`, { name: ways.once("Shop") }),
    webhooks: `${url}/app/webhooks`,
    webhook: made.webhook,
    "new-webhook": `${url}/app/webhooks/new`,
    "webhook-made": ways.posted(`${url}/app/webhooks/new`, { name: ways.once("Shop"), url: "https://shop.example.org/changes" }),
    domains: `${url}/app/domains`,
    domain: made.domain,
    "new-domain": `${url}/app/domains/new`,
    usage: `${url}/app/usage`,
    settings: `${url}/app/settings`,
    "whole-api": `${url}/app/api`,
    profile: `${url}/app/profile`,
    invitation: `${url}/app/invitation`,
    "invitation-ended": ways.posted(`${url}/app/invitation`, { code: "fsi_none" }),
    "set-up-over": `${url}/app/setup`,
    "invitation-valid": ways.welcomed(url),
    factor: ways.factor(url),
    kept: ways.kept(url),
    palette: ways.palette(url),
    password: `${url}/app/password`,
    "not-found": `${url}/app/nowhere`,
  };
}

/**
 * The pages of a tenant that has nothing yet, and those that ask again who one is.
 * @param {string} url
 * @returns {Record<string, Way>}
 */
const pagesOfNothing = (url) => ({
  "first-home": `${url}/app/`,
  "first-schemas": `${url}/app/schemas`,
  "first-areas": `${url}/app/areas`,
  "first-jobs": `${url}/app/jobs`,
  "first-faults": `${url}/app/faults`,
  "first-search": `${url}/app/search?q=anything`,
  "first-keys": `${url}/app/keys`,
  "first-domains": `${url}/app/domains`,
  "first-clients": `${url}/app/clients`,
  "first-webhooks": `${url}/app/webhooks`,
  "first-webhook": `${url}/app/webhooks/new`,
  "first-area": `${url}/app/areas?next=%2Fapp%2Fkeys%23new#new`,
  "first-audit": `${url}/app/audit`,
  proof: ways.posted(`${url}/app/roles/new`, { name: "Auditors" }),
});

/**
 * What is seen of days that were counted: on home, and among the faults of a dataset.
 * @param {string} url of a server with such counts
 * @returns {Record<string, Way>}
 */
const pagesOfPast = (url) => ({
  "past-home": ways.days(`${url}/app/`),
  "past-faults": ways.days(`${url}/app/`, "Customers"),
});

/**
 * What whoever starts a service sees while there is no tenant.
 * @param {string} url @param {string} link by which the first tenant is made
 * @returns {Record<string, Way>}
 */
export const pagesOfUnmade = (url, link) => ({
  "set-up": link,
  "set-up-refused": ways.refusedSetUp(link),
  "unmade-sign-in": `${url}/app/sign-in`,
});

/**
 * What is seen while a job is under way.
 * @param {string} url of a server into which so many records come
 * @returns {Record<string, Way>}
 */
const pagesOfBusy = (url) => ({
  "busy-home": ways.underWay(`${url}/app/`),
  "busy-jobs": ways.underWay(`${url}/app/jobs`),
  "busy-job": ways.jobUnderWay(url),
});

/**
 * What someone sees who may do nothing.
 * @param {string} url
 * @returns {Record<string, Way>}
 */
const pagesOfGuest = (url) => ({
  "guest-home": `${url}/app/`,
  "guest-areas": `${url}/app/areas`,
  "guest-new": `${url}/app/roles/new`,
  "guest-users": `${url}/app/users`,
  "guest-keys": `${url}/app/keys`,
  "guest-audit": `${url}/app/audit`,
  "guest-schemas": `${url}/app/schemas`,
  "guest-profile": `${url}/app/profile`,
  "guest-palette": `${url}/app/go?q=`,
});

/**
 * What someone sees of records and users who may only look: a record with a fault, and one of the users.
 * @param {import("playwright-core").Page} page
 * @param {string} url
 * @returns {Promise<Record<string, Way>>}
 */
async function pagesOfReader(page, url) {
  await page.goto(`${url}/app/`);
  const dataset = await page.getByRole("link", { name: "Customers", exact: true }).getAttribute("href");
  const faulty = `${url}${dataset}?q=is%3Afaulty`;
  await page.goto(faulty);
  const record = await page.locator(".grid tbody th a").first().getAttribute("href");
  await page.goto(`${url}/app/users`);
  const user = await page.locator("main tbody th a").first().getAttribute("href");
  return { "reader-dataset": faulty, "reader-user": `${url}${user}`, "reader-record": `${url}${record}` };
}

/**
 * What is seen on servers beside that with the demo, by their administrator: how each of them begins, and its pages. That of a
 * store without a tenant has none: `pagesOfUnmade`.
 */
export const BESIDE = {
  nothing: { begin: serveNothing, pages: pagesOfNothing },
  past: { begin: servePast, pages: pagesOfPast },
  busy: { begin: serveBusy, pages: pagesOfBusy },
};

/**
 * What is seen on the demo by whom its administrator lets in, each in a browser of its own: who may do nothing, who may only look, and
 * who is asked for a code then.
 * @param {import("playwright-core").Page} page of the administrator
 * @param {string} url
 * @param {() => Promise<import("playwright-core").Page>} open
 * @returns {Record<string, { names: RegExp, look: (each: (own: import("playwright-core").Page, places: Record<string, Way>) => Promise<void>) => Promise<void> }>}
 */
export const visitorsOf = (page, url, open) => ({
  guest: {
    names: /^guest-/,
    look: async (each) => {
      const own = await open();
      await ways.signInGuest(page, url, own);
      await each(own, pagesOfGuest(url));
      await own.context().close();
    },
  },
  reader: {
    names: /^(reader-|sign-in-code$)/,
    look: async (each) => {
      const own = await open();
      const username = await ways.signInReader(page, url, own);
      await each(own, await pagesOfReader(own, url));
      await ways.giveFactor(own, url);
      await each(own, { "sign-in-code": ways.codeAsked(url, username) });
      await own.context().close();
    },
  },
});
