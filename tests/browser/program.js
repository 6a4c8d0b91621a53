// @ts-check
// The program with its demo, and a browser in which its administrator has signed in. What the browser's console says
// against a page, above all of its policy, is kept.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

const PROGRAM = process.env.FIELDSTONE ?? "fieldstone";
/** What lends a PostgreSQL. */
const PROOFS = process.env.PROOFS ?? "proofs";
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Longer than anything takes that comes at all, on a machine that does much else with a program that is not optimized. */
const TIMEOUT_MS = 120_000;
/** A schema whose names try to break out of where they stand: every page must bear them, and no visitor of the demo is to meet them. */
const HOSTILE = join(process.env.REPOSITORY ?? "../..", "fixtures", "hostile.yaml");

/**
 * A server of its own with the demo.
 * @param {number} [records] so many customers come in while it serves
 */
export const serve = (records = 0) => start((folder) => ["serve", "--demo", "--data", folder], records);

/** A server of its own with the demo, and with hostile names beside it. */
export async function serveHostile() {
  const server = await serve();
  execFileSync(PROGRAM, ["apply", HOSTILE, "--data", server.data], { stdio: ["ignore", "ignore", "pipe"] });
  return server;
}

/** A server of its own with so many customers to come that their job is under way for a while, where the program is fast, too. */
export const serveBusy = () => serve(1_000_000);

/** Of those who are made here. */
export const PASSWORD = "Nine lamps over a quiet harbour";

/**
 * A server of its own with a tenant that has nothing yet, whose sessions show their password anew before each change of access.
 * @param {number} [proofSeconds] for which one that was shown counts
 */
export const serveNothing = (proofSeconds = 1) => start((folder) => {
  const tenant = ["init", "--data", folder, "--tenant", "Acme", "--email", "ada@example.org", "--full-name", "Ada Admin"];
  execFileSync(PROGRAM, tenant, { env: { ...process.env, FIELDSTONE_PASSWORD: PASSWORD }, stdio: "ignore" });
  return ["serve", "--data", folder, "--proof-seconds", `${proofSeconds}`];
}, 0);

/** A server of its own with a store of its first day, which has no tenant. */
export const serveUnmade = () => start((folder) => ["serve", "--data", folder], 0);

/** A PostgreSQL of its own with an empty database, until it is stopped or this process ends. */
export async function borrowDatabase() {
  const lender = spawn(PROOFS, ["database"], { stdio: ["pipe", "pipe", "pipe"] });
  let told = "";
  lender.stderr.on("data", (piece) => (told += piece));
  const ended = new Promise((resolve) => lender.on("exit", resolve));
  const address = await new Promise((resolve, reject) => {
    let out = "";
    lender.stdout.on("data", (piece) => {
      out += piece;
      const [line, ...rest] = out.split("\n");
      if (rest.length > 0) resolve(line);
    });
    lender.on("exit", (code) => reject(new Error(`no database is lent, but ${code}: ${told}`)));
  });
  const stop = async () => {
    lender.stdin.end();
    await ended;
  };
  return { address: String(address), stop };
}

/**
 * A server on a database, with a folder of its own.
 * @param {string} address
 * @param {boolean} hasDemo
 */
export const serveOn = (address, hasDemo) =>
  start((folder) => ["serve", ...(hasDemo ? ["--demo"] : []), "--data", folder, "--database", address], 0);

/** Counts of the days before today: fewer were faulty day by day, and on two of them nobody counted. */
const PAST = `import sqlite3, sys, time
today = int(time.time()) // 86400
store = sqlite3.connect(sys.argv[1], timeout=60)
for ago in [ago for ago in range(1, 30) if ago not in (9, 10)]:
    store.execute("""INSERT OR REPLACE INTO daily_counts (dataset, day, records, errored)
        SELECT dataset, ?, records, min(records, errored * ? / 40) FROM dataset_state""", (today - ago, 40 + ago))
store.commit()
`;

/** A server of its own with the demo, in which days were counted before. */
export async function servePast() {
  const server = await serve();
  execFileSync("python3", ["-c", PAST, join(server.data, "fieldstone.db")]);
  return server;
}

/**
 * @param {(folder: string) => string[]} begin what it is started with
 * @param {number} records
 */
async function start(begin, records) {
  const folder = mkdtempSync(join(tmpdir(), "fieldstone-browser-"));
  const data = join(folder, "data");
  const process_ = spawn(PROGRAM, [...begin(data), "--listen", "127.0.0.1:0"], {
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
  const password = /password (\S+)/.exec(told)?.[1] ?? PASSWORD;
  const stop = async () => {
    const ended = new Promise((resolve) => process_.on("exit", resolve));
    process_.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  /** The link by which the first tenant is made, once it was told. */
  const setUp = async () => {
    for (let looks = 0; looks < 1_200 && !told.includes("/setup#"); looks += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    return /\S+\/setup#\S+/.exec(told)?.[0] ?? "";
  };
  return { url, password, data, stop, setUp };
}

/** A browser; `problems` fills with what its console complains of. */
export async function browse() {
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  /** @type {string[]} */
  const problems = [];
  /** @param {import("playwright-core").BrowserContextOptions} options */
  const open = async (options) => {
    const context = await browser.newContext({ locale: "en-GB", ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    page.on("console", (message) => {
      const told = `${page.url()}: ${message.text()} ${message.location().url}`;
      if (message.type() === "error" || message.type() === "warning") problems.push(told);
    });
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
    return page;
  };
  return { open, problems, close: () => browser.close() };
}

/** @typedef {Awaited<ReturnType<typeof start>>} Server */
/** @typedef {Awaited<ReturnType<typeof browse>>} Browser */

/**
 * What the tests of a file share: servers, each begun as is said under its name, and a browser. They end behind the last test.
 * @template {string} Name
 * @param {Record<Name, () => Promise<Server>>} begins
 * @returns {Promise<Record<Name, Server> & { browser: Browser }>}
 */
export async function begin(begins) {
  /** @type {(() => Promise<void>)[]} */
  const ends = [];
  const end = async () => {
    for (const it of ends.splice(0).reverse()) await it();
  };
  after(end);
  try {
    /** @type {Record<string, Server>} */
    const servers = {};
    for (const [name, own] of /** @type {[string, () => Promise<Server>][]} */ (Object.entries(begins))) {
      const server = await own();
      servers[name] = server;
      ends.push(server.stop);
    }
    const browser = await browse();
    ends.push(browser.close);
    return Object.assign(/** @type {Record<Name, Server>} */ (servers), { browser });
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Which of the browser's complaints are none of a page that was refused as it should be: told by the words of the browser,
 * since an address may have the same digits, and never of a script or a style.
 * @param {string[]} problems
 * @param {number[]} refused the statuses that such pages have
 */
export const unexpected = (problems, ...refused) =>
  problems.filter((it) => {
    const [, status] = /: Failed to load resource: the server responded with a status of (\d{3}) \([^)]*\) \S*$/.exec(it) ?? [];
    return !refused.includes(Number(status)) || /\/assets\/\S*$/.test(it);
  });

/**
 * Signs in, and waits until the page's scripts are there: they hear keys.
 * @param {import("playwright-core").Page} page
 * @param {{ url: string, password: string }} server
 */
export async function signIn(page, { url, password }) {
  await page.goto(`${url}/app/`);
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
  await page.waitForLoadState("load");
}
