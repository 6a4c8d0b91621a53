//! Code to formatted text. It never changes what is said, only how it is laid out, and it neither knows what
//! the code is for nor writes it anywhere.

mod files;
mod printer;

pub(crate) use files::render;
