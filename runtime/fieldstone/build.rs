//! Compresses the demo's records, seven megabytes of text, for the program to hold.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Smaller by a tenth at the highest level, which takes half a minute in a debug build.
const LEVEL: i32 = 9;

fn main() -> io::Result<()> {
    let data = Path::new("../../fixtures/data");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = PathBuf::from(out);
    println!("cargo::rerun-if-changed={}", data.display());
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "ndjson") {
            let compressed = zstd::encode_all(&*fs::read(&path)?, LEVEL)?;
            let name = path.file_stem().expect("it has an extension").display();
            fs::write(out.join(format!("{name}.ndjson.zst")), compressed)?;
        }
    }
    Ok(())
}
