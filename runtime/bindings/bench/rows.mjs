// Rows judged and read as objects: by the engine, and by ajv with JSON Schema's share of the same rules.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fieldstone from "fieldstone";

const [folder, rows] = process.argv.slice(2);
const count = Number(rows);
const read = (name) => readFileSync(join(folder, name), "utf8");
const order = read("order.json").trim();
const texts = Array.from({ length: 1000 }, (_, n) => order.replace("SO20417733", `SO2041${String(n).padStart(4, "0")}`));
const bytes = texts.map((text) => Buffer.from(text));

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(read("order.json-schema.json")));
const checker = new fieldstone.Checker(read("order.schema.json"));

function rate(from, one) {
  const started = performance.now();
  let seen = 0;
  for (let at = 0; at < count; at += 1) seen += Number(one(from[at % 1000]));
  if (seen !== count) throw new Error("each row is clean");
  return (count / (performance.now() - started)) * 1000;
}

const best = (from, one) => Math.max(rate(from, one), rate(from, one));
const theirs = best(texts, (row) => validate(JSON.parse(row)));
const record = (row) => {
  const checked = checker.check(row);
  return checked.isClean && JSON.parse(checked.normalForm) !== null;
};
for (const [name, one] of [["verdict", (row) => checker.isClean(row)], ["record as object", record]]) {
  const ours = best(bytes, one);
  const [a, b] = [ours, theirs].map((figure) => Math.round(figure).toLocaleString("en"));
  console.log(`Node, ${name}: ${a} rows/s; ajv ${b} rows/s; ${(ours / theirs).toFixed(2)} x`);
}
