/** Records judged by their Fieldstone schema, as the server judges them: `fieldstone.wasm`, in a browser or elsewhere. */

export type * from "./fieldstone.js";

/** What the Node module has. */
export type Fieldstone = typeof import("./fieldstone.js");

/** Starts the module: of its bytes, compiled or not, or of what a `fetch` of it answers. It asks for nothing itself. */
export function load(
  source: BufferSource | WebAssembly.Module | Response | Promise<BufferSource | WebAssembly.Module | Response>,
): Promise<Fieldstone>;
