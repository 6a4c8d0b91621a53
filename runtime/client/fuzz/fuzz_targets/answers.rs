//! Any bytes as answers to a client. What must hold is in `body.rs`, and `tests/fuzzed.rs` asks the same of the corpus.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::withstand(bytes));
