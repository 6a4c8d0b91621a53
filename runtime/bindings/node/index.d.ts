/** Records judged by their Fieldstone schema, as the server judges them. */

/** The text is no schema, or one that contradicts itself: every reason, with its place. */
export class SchemaError extends Error {}

/** A body that is no flat JSON object of the schema's active fields. Nothing of it was judged. */
export class Rejected extends Error {
  readonly items: readonly Rejection[];
}

/** A reason why a body is refused as a whole. */
export interface Rejection {
  readonly code: string;
  /** In bytes, from the beginning of the body. */
  readonly offset: number;
  /** The key or field that it is about, where there is one. */
  readonly name?: string;
  readonly text: string;
}

/** What is wrong with a value. It never holds the value. */
export interface Fault {
  readonly field: string;
  /** Of a value among several, from 1. */
  readonly position?: number;
  /** The rule that was broken. */
  readonly code: string;
  /** In bytes, from the beginning of the body; none for a value that is missing or was stored. */
  readonly offset?: number;
  readonly text: string;
}

/** A judged record. */
export interface Checked {
  /** The JSON text as it is stored: every active field in the schema's order. */
  readonly normalForm: string;
  readonly primaryKey?: string;
  /** `_errors`, as JSON text. */
  readonly errors: string;
  readonly faults: readonly Fault[];
  readonly isClean: boolean;
  /** False where a value needed look-ups that were not given. */
  readonly isFullyJudged: boolean;
}

/** What is known outside the schema, from JSON: `domains` (codes by domain id) and `files` (facts by reference). */
export class Lookups {
  constructor(table: string | Uint8Array);
  private readonly native: object;
}

/** Judges records of one schema. */
export class Checker {
  /** Of a schema-detail document, as the interface's endpoint 4 answers it. */
  constructor(schema: string | Uint8Array);
  /** Judges the body of a new record. */
  check(body: string | Uint8Array, lookups?: Lookups): Checked;
  /** Judges a change of a stored record: what it leaves out stays, `null` clears. */
  merge(stored: string, change: string | Uint8Array, lookups?: Lookups): Checked;
  /** Whether a record has no fault; a body that would be refused is not clean. */
  isClean(body: string | Uint8Array, lookups?: Lookups): boolean;
}
