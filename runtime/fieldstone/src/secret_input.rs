//! Secrets that a command is given: from a file or standard input, never from the command line, which every user of
//! the machine can read.

use crate::io::standard_input;
use anyhow::{Context as _, bail};
use service::secrets::{
    API_KEY_PREFIX, CLIENT_SECRET_PREFIX, INVITATION_PREFIX, SESSION_PREFIX, SET_UP_PREFIX,
    TOKEN_PREFIX,
};
use std::io::Read as _;
use std::path::Path;

/// Bytes that a secret is looked for in.
const BYTES_MAX: u64 = 64 << 10;

/// What secrets begin with: keys, tokens and the like of this service.
const BEGINNINGS: [&str; 6] = [
    API_KEY_PREFIX,
    TOKEN_PREFIX,
    SESSION_PREFIX,
    INVITATION_PREFIX,
    SET_UP_PREFIX,
    CLIENT_SECRET_PREFIX,
];

/// Whether a text is a secret, by what it begins with: it is not to be shown, whatever it was given for.
fn is_secret(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    let mut beginnings = BEGINNINGS.iter();
    beginnings.any(|beginning| text.starts_with(beginning))
}

/// Refuses a secret that stands where the path of its file is expected, which would be shown as what can't be read.
fn refuse_secret(path: &Path) -> anyhow::Result<()> {
    if path.to_str().is_some_and(is_secret) && !path.exists() {
        bail!(
            "a secret stands where a file that holds it is expected; write it into one, which others can't read, and take a new secret: every user of the machine could read this one (`ps`)"
        );
    }
    Ok(())
}

/// The secret in a file, or on standard input where the path is `-`, without the line's end behind it.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    refuse_secret(path)?;
    let shown = match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    };
    let mut text = String::new();
    let read = if path == Path::new("-") {
        standard_input().take(BYTES_MAX).read_to_string(&mut text)
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
