//! All tests of the generator's library and program. They are one program, so that they are linked once.

mod support;

mod ca_file;
mod configuration;
mod diff;
mod examples;
mod exports;
mod fetch_redirect;
mod folders;
mod fuzzed;
mod infer;
mod infer_others_files;
mod json;
mod lint;
mod lock;
mod output;
mod program;
mod sample;
mod validate;
mod without_ids;
mod written_files;
