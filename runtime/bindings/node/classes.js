"use strict";

// The native part answers; what JavaScript expects of classes and exceptions is here, for the WebAssembly module too.
module.exports = function classesOf(native) {
  class SchemaError extends Error {
    name = "SchemaError";
  }

  class Rejected extends Error {
    name = "Rejected";

    constructor(items) {
      super(items.map(({ name, text }) => (name === undefined ? text : `${JSON.stringify(name)}: ${text}`)).join("; "));
      this.items = items;
    }
  }

  class Lookups {
    /** @type {object} */
    native;

    constructor(table) {
      this.native = new native.NativeLookups(textOf(table));
    }
  }

  class Checker {
    #native;

    constructor(schema) {
      try {
        this.#native = new native.NativeChecker(textOf(schema));
      } catch (error) {
        throw new SchemaError(error.message);
      }
    }

    check(body, lookups) {
      return told(this.#native.check(body, lookups?.native));
    }

    merge(stored, change, lookups) {
      return told(this.#native.merge(stored, change, lookups?.native));
    }

    isClean(body, lookups) {
      return this.#native.isClean(body, lookups?.native);
    }
  }

  function textOf(text) {
    return typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text);
  }

  function told(outcome) {
    if (outcome.rejections !== undefined) {
      throw new Rejected(outcome.rejections);
    }
    return { ...outcome, isClean: outcome.faults.length === 0 };
  }

  return { Checker, Lookups, Rejected, SchemaError };
};
