// Every case of fixtures/conformance through the Node module, or the WebAssembly module whose folder is named: texts and
// bytes, compared exactly.

import { deepStrictEqual } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, schemas, wasm] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const fieldstone =
  wasm === undefined ? require("fieldstone") : await require(wasm).load(readFileSync(join(wasm, "fieldstone.wasm")));
const { Checker, Lookups, Rejected } = fieldstone;

// what a case does not list is unknown, files too
const lookupsOf = ({ lookups }) => lookups && new Lookups(JSON.stringify({ domains: {}, files: {}, ...lookups }));

function outcome(checker, told) {
  const lookups = lookupsOf(told);
  try {
    const checked =
      told.stored === undefined
        ? checker.check(told.input ?? Buffer.from(told.input_hex, "hex"), lookups)
        : checker.merge(told.stored, told.change, lookups);
    return {
      normal_form: checked.normalForm,
      primary_key: checked.primaryKey ?? null,
      errors: JSON.parse(checked.errors),
    };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const named = (at) => told.rejected?.[at]?.name !== undefined;
    return {
      rejected: error.items.map(({ code, offset, name }, at) => ({ code, offset, ...(named(at) && { name }) })),
    };
  }
}

const documents = JSON.parse(readFileSync(schemas, "utf8"));
let count = 0;
const wrong = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const { cases } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const checkers = Object.fromEntries(
    Object.entries(documents[file]).map(([key, document]) => [key, new Checker(document)]),
  );
  for (const told of cases) {
    const { normal_form, primary_key, errors, rejected } = told;
    count += 1;
    try {
      deepStrictEqual(outcome(checkers[told.schema], told), rejected ? { rejected } : { normal_form, primary_key, errors });
    } catch (error) {
      wrong.push(`${file}: ${told.name}\n${error.message}`);
    }
  }
}
if (wrong.length > 0 || count < 2500) {
  console.error(`${wrong.length} of ${count} cases\n${wrong.join("\n")}`);
  process.exit(1);
}
console.log(`${count} conformance cases in ${wasm === undefined ? "Node" : "WebAssembly"}`);
