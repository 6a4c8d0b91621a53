"use strict";

const classesOf = require("./classes.js");
const nativeOf = require("./native.js");

// bytes, a compiled module, or what a `fetch` answers
exports.load = async function load(source) {
  const from = await source;
  if (from instanceof WebAssembly.Module) {
    return classesOf(nativeOf(await WebAssembly.instantiate(from)));
  }
  const bytes = typeof Response !== "undefined" && from instanceof Response ? await from.arrayBuffer() : from;
  const { instance } = await WebAssembly.instantiate(bytes);
  return classesOf(nativeOf(instance));
};
