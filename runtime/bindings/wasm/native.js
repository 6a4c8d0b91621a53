"use strict";

// What the Node module's native part has, over the memory of a WebAssembly instance.
const NONE = -1;

module.exports = function nativeOf(instance) {
  const wasm = instance.exports;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  function write(...texts) {
    const parts = texts.map((text) => (typeof text === "string" ? encoder.encode(text) : text));
    let at = wasm.room(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      // asked for each time: memory that grew is another buffer
      new Uint8Array(wasm.memory.buffer).set(part, at);
      at += part.length;
    }
    return parts.map((part) => part.length);
  }

  const answer = () => decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.answer(), wasm.answer_length()));

  function kept(object, text, make, drop) {
    write(text);
    const number = make();
    if (number === NONE) throw new Error(answer());
    drop.register(object, number);
    return number;
  }

  const checkers = new FinalizationRegistry(wasm.checker_drop);
  const tables = new FinalizationRegistry(wasm.lookups_drop);

  class NativeLookups {
    constructor(table) {
      this.number = kept(this, table, wasm.lookups_new, tables);
    }
  }

  class NativeChecker {
    #number;

    constructor(schema) {
      this.#number = kept(this, schema, wasm.checker_new, checkers);
    }

    check(body, lookups) {
      write(body);
      wasm.check(this.#number, lookups?.number ?? NONE);
      return JSON.parse(answer());
    }

    merge(stored, change, lookups) {
      const [bytes] = write(stored, change);
      wasm.merge(this.#number, lookups?.number ?? NONE, bytes);
      return JSON.parse(answer());
    }

    isClean(body, lookups) {
      return this.check(body, lookups).faults?.length === 0;
    }
  }

  return { NativeChecker, NativeLookups };
};
