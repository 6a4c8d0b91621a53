// @ts-check
// The lines that the page of a dataset's interface shows, run as they stand there.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";

const run = promisify(execFile);
const REPOSITORY = process.env.REPOSITORY ?? "../..";
const CARGO = process.env.CARGO ?? "cargo";
const GENERATOR = process.env.GENERATOR ?? "generator";

/** What is shown under a heading. @param {import("playwright-core").Page} page @param {string} heading */
export async function linesOf(page, heading) {
  const section = page.locator("section.area", { has: page.getByRole("heading", { name: heading, exact: true }) });
  const lines = section.locator("pre.code code");
  await lines.first().waitFor();
  await page.waitForLoadState("load");
  return lines.allTextContents();
}

/** What the line that is shown with a new key sets where it is pasted. @param {string} line */
export async function keySetBy(line) {
  const { FIELDSTONE_API_KEY: _, ...env } = process.env;
  const { stdout } = await run("bash", ["-euc", `${line}\nprintf %s "$FIELDSTONE_API_KEY"`], { env });
  return stdout;
}

/** @param {string} key */
const withKey = (key) => ({ env: { ...process.env, FIELDSTONE_API_KEY: key } });

/** Lines of a shell. @param {string} lines @param {string} key */
export async function runShell(lines, key) {
  const { stdout } = await run("bash", ["-euc", lines.replace(/^curl /, "curl -sS --fail ")], withKey(key));
  return stdout;
}

/** @param {string} lines @param {string} key */
export async function runPython(lines, key) {
  const { stdout } = await run("python3", ["-c", lines], withKey(key));
  return stdout;
}

/** How strict a program of Node.js may be that the lines stand in. @type {import("typescript").CompilerOptions} */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts"],
  typeRoots: [join(process.cwd(), "node_modules", "@types")],
  types: ["node"],
};

/** Lines of TypeScript whose types hold. @param {string} lines @param {string} key @param {string} folder */
export async function runTypeScript(lines, key, folder) {
  const source = join(folder, "lines.mts");
  writeFileSync(source, lines);
  const made = ts.createProgram([source], { ...STRICT, outDir: folder });
  const { diagnostics } = made.emit();
  const wrong = [...ts.getPreEmitDiagnostics(made), ...diagnostics];
  assert.deepEqual(wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")), []);
  const { stdout } = await run(process.execPath, [join(folder, "lines.mjs")], withKey(key));
  return stdout;
}

/**
 * A crate of its own, as the lines make it one after the other: the variable that says where the sources are, which is all that is
 * filled in; what the crate is made of; how the generator fetches the types; the program.
 * @param {string[]} lines @param {string} key @param {string} folder
 */
export async function runRust([source, crate, fetch, program], key, folder) {
  assert.equal(source, "export FIELDSTONE_SOURCE=…");
  rmSync(join(folder, "reader"), { recursive: true, force: true });
  const env = {
    ...withKey(key).env,
    FIELDSTONE_SOURCE: resolve(REPOSITORY),
    // without a network, and in the same folder each time, so that only the crate itself is compiled anew
    CARGO_NET_OFFLINE: "true",
    CARGO_TARGET_DIR: join(process.cwd(), "build"),
    RUSTFLAGS: "-Dwarnings",
  };
  // other stories are told beside, which wait for no compiler
  const programs = `generator() { "${GENERATOR}" "$@"; }\ncargo() { command nice ${CARGO} "$@"; }`;
  const pasted = (/** @type {string | undefined} */ lines) => `${programs}\n${lines}`;
  await run("bash", ["-euc", pasted(`${crate}\n${fetch}`)], { env, cwd: folder });
  const reader = join(folder, "reader");
  cpSync(join(REPOSITORY, "Cargo.lock"), join(reader, "Cargo.lock"));
  const { stdout } = await run("bash", ["-euc", pasted(program)], { env, cwd: reader });
  return stdout;
}

/**
 * A line that has the generator fetch a schema.
 * @param {string} line @param {string} key @param {string} folder
 * @returns the types that it wrote
 */
export async function runGenerator(line, key, folder) {
  const cwd = mkdtempSync(join(folder, "types-"));
  await run("bash", ["-euc", `generator() { "${GENERATOR}" "$@"; }\n${line}`], { ...withKey(key), cwd });
  const files = readdirSync(cwd, { recursive: true, encoding: "utf8" }).filter((it) => it.endsWith(".rs"));
  return files.map((it) => readFileSync(join(cwd, it), "utf8")).join("\n");
}
