// @ts-check
// What several stories of a steward begin or end with: signing in, a schema from a file, its dataset, a key.

import assert from "node:assert/strict";

/** The columns of a file of suppliers. */
export const HEADER = "Number,Name,Country,Mail,Since\n";
/** A file of suppliers. */
export const SAMPLE = `${HEADER}${Array.from({ length: 40 }, (_, at) => {
  const number = String(at + 1).padStart(4, "0");
  const day = String((at % 28) + 1).padStart(2, "0");
  return `S${number},Supplier ${number},${["DE", "FR", "IT"][at % 3]},sales${at}@example.org,2024-01-${day}`;
}).join("\n")}\n`;

/** @typedef {{ page: import("playwright-core").Page, hand: import("./hands.js").Hand, schema: string }} Story */

/** @param {Story} story @param {{ url: string, password: string }} server */
export async function signIn({ page, hand }, server) {
  await page.goto(`${server.url}/app/`);
  await hand.fill(page.getByLabel("User name"), "admin");
  await hand.fill(page.getByLabel("Password"), server.password);
  await hand.press(page.getByRole("button", { name: "Sign in" }));
  await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
  // its scripts are there
  await page.waitForLoadState("load");
}

/** @param {Story} story */
export async function makeDataset({ page, hand, schema }) {
  const button = (/** @type {string} */ name) => page.getByRole("button", { name, exact: true });
  await hand.press(page.getByRole("link", { name: "Schemas", exact: true }));
  await hand.press(page.getByRole("link", { name: "New schema: Customer Master" }));
  await hand.file(page.getByLabel("File", { exact: true }), { name: "suppliers.csv", text: SAMPLE });
  await hand.press(button("Propose a schema"));
  await hand.fill(page.locator("#s-name"), schema);
  await hand.press(button("Review the schema"));
  await hand.press(button("Save as a draft"));
  await page.getByRole("heading", { name: schema, exact: true }).waitFor();
  await hand.press(page.locator(".crumbs").getByRole("link", { name: "Customer Master" }));
  await hand.press(page.getByLabel(`New dataset ${schema}`));
  const section = page.locator("section.area", { has: page.getByRole("heading", { name: schema, exact: true }) });
  await hand.fill(section.locator("details[open]").getByLabel("Name", { exact: true }), `All of ${schema}`);
  await hand.press(section.getByRole("button", { name: "Create the dataset" }));
  // a form that is filled in leads on when the server has answered a question of the page's
  await page.getByRole("link", { name: `All of ${schema}`, exact: true }).first().waitFor();
}

/** @param {Story} story */
export async function publish({ page, hand, schema }) {
  await hand.press(page.getByRole("link", { name: "Schemas", exact: true }));
  await hand.press(page.getByRole("link", { name: schema, exact: true }));
  await hand.press(page.getByRole("button", { name: "Publish", exact: true }));
  await page.locator(".figures b", { hasText: "published" }).waitFor();
}

/** @param {Story} story @returns the line that sets the key, which is shown this once */
export async function makeKey({ page, hand, schema }) {
  await hand.press(page.getByRole("link", { name: "Access", exact: true }));
  await hand.fill(page.getByLabel(/^Name/).last(), `Reader of ${schema}`);
  await hand.tick(page.getByRole("checkbox", { name: /^MEMBER\b/ }));
  await hand.tick(page.getByLabel("Customer Master: see", { exact: true }));
  await hand.press(page.getByRole("button", { name: "Create the key" }));
  const shown = page.locator(".notice.good .secret");
  await shown.first().waitFor();
  await page.waitForLoadState("load");
  const [secret, line] = await shown.allInnerTexts();
  assert.equal(line, `export FIELDSTONE_API_KEY=${secret}`);
  return line ?? "";
}
