//! No code: with a build script, the features of build dependencies are shared, too.

fn main() {}
