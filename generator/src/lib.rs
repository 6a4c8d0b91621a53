//! Fieldstone schemas to typed Rust: for build scripts as [`Config`], and as a program. All of the library is in
//! `fieldstone-codegen`; what else the program does, such as `fetch` and `validate`, is in `main.rs`.

pub use codegen::*;
