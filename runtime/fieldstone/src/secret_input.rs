//! Secrets that a command is given: from a file or standard input, never from the command line, which every user of
//! the machine can read.

use anyhow::{Context as _, bail};
use std::io::Read as _;
use std::path::Path;

/// Bytes that a secret is looked for in.
const BYTES_MAX: u64 = 64 << 10;

/// The secret in a file, or on standard input where the path is `-`, without the line's end behind it.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let shown = match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    };
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().take(BYTES_MAX).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text))
    };
    read.with_context(|| format!("can't read a secret from {shown}"))?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    if text.is_empty() {
        bail!("{shown} holds no secret; write it there, with nothing else");
    }
    if text.contains('\n') {
        bail!("{shown} holds more than one line; write the secret there, with nothing else");
    }
    Ok(text)
}
