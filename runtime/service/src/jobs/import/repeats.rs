//! Rows of a dry run whose primary key or id a row before has. Each is compared with what is stored, so the report names them.
//! It does not know what the rows before would have made.

use super::Import;
use super::rows::Row;
use crate::jobs::context::Halt;
use engine::validate::Checked;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use wire::manage::ImportMode;

/// Keys that are remembered: as many as a table of 2^21 places takes, which has 36 MiB.
const KEYS_MAX: usize = (1 << 21) / 8 * 7;
/// Lines that the report names.
const LINES_MAX: usize = 10;

/// What stands for a key, where many are remembered.
pub(super) type KeyHash = [u8; 16];

/// The keys of a file, and the lines that have one of a line before.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    keys: HashSet<KeyHash>,
    lines: Vec<u64>,
    /// The first line whose key is not remembered.
    full_at: Option<u64>,
}

impl Repeats {
    /// Whether a row before has a key.
    pub(super) fn has(&self, key: &KeyHash) -> bool {
        self.keys.contains(key)
    }

    /// Notes the keys of rows.
    pub(super) fn note(&mut self, keys: HashSet<KeyHash>, first: u64, lines: Vec<u64>) {
        self.lines.extend(lines);
        self.lines.truncate(LINES_MAX + 1);
        if self.keys.len() + keys.len() > KEYS_MAX {
            self.full_at.get_or_insert(first);
        } else {
            self.keys.extend(keys);
        }
    }

    /// What the report says of them.
    fn messages(&self) -> Vec<String> {
        let mut messages = Vec::new();
        if !self.lines.is_empty() {
            let lines = self.lines.iter().take(LINES_MAX).map(u64::to_string);
            let lines = lines.collect::<Vec<_>>().join(", ");
            let more = if self.lines.len() > LINES_MAX {
                " …"
            } else {
                ""
            };
            messages.push(format!(
                "these lines have the primary key or id of a line before, and each was compared with what is stored, not with that line: {lines}{more}"
            ));
        }
        messages.extend(self.full_at.map(|line| {
            format!("the file has more rows than are remembered: keys that come twice are not named from line {line} on")
        }));
        messages
    }
}

impl Import<'_> {
    /// What stands for the record that a row of a dry run is of.
    pub(super) fn key_hash(&self, row: &Row, checked: &Checked) -> Option<KeyHash> {
        if !self.options.dry_run {
            return None;
        }
        match row
            .said_id()
            .filter(|_| self.options.mode != ImportMode::Create)
        {
            Some(id) => Some(hash(b"id", id)),
            None => checked.primary_key().map(hash_of_key),
        }
    }

    /// Tells the log which lines have the key of one before.
    pub(super) fn report_repeats(&self) -> Result<(), Halt> {
        let messages = self.repeats.messages();
        if !messages.is_empty() {
            let update = self.update(&self.cursor, &self.tally)?;
            self.context.step(Vec::new(), update, messages)?;
        }
        Ok(())
    }
}

pub(super) fn hash_of_key(key: &str) -> KeyHash {
    hash(b"key", key)
}

fn hash(what: &[u8], text: &str) -> KeyHash {
    let digest = Sha256::new_with_prefix(what).chain_update(text).finalize();
    let mut hash = [0; 16];
    hash.copy_from_slice(&digest[..16]);
    hash
}
