//! Searches that were answered before: what was asked, what that is in the words of the full-text index, and the answer.
//! The bare server asks the index the same, counts what it finds, and answers with the same bytes.

use anyhow::{Context as _, ensure};
use axum::body::Bytes;
use rusqlite::{OpenFlags, params};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where searches are asked.
pub(crate) const SEARCH: &str = "/v1/dataobjects/search";
/// Up to where hits are counted.
const TOTAL_MAX: i64 = 1_000;
const PLACES: &str = "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid >= 0
   ORDER BY rowid LIMIT ?2";

/// A search, and its answer.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct KnownSearch {
    /// Behind the `?` of the address.
    pub(crate) query: String,
    /// What the index is asked.
    pub(crate) text: String,
    pub(crate) answer: String,
}

/// Writes searches to a file, one in each line.
pub(crate) fn write(file: &Path, searches: &[KnownSearch]) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(file)?);
    for search in searches {
        serde_json::to_writer(&mut lines, search)?;
        lines.write_all(b"\n")?;
    }
    Ok(lines.flush()?)
}

/// Searches as the bare server has them.
#[derive(Default)]
pub(crate) struct Searches {
    index: PathBuf,
    known: HashMap<String, (String, Bytes)>,
    /// Connections that nobody uses now.
    idle: Mutex<Vec<rusqlite::Connection>>,
}

impl Searches {
    pub(crate) fn read(index: PathBuf, file: &Path) -> anyhow::Result<Self> {
        let mut known = HashMap::new();
        let lines = File::open(file).context("can't read the searches")?;
        for line in BufReader::new(lines).lines() {
            let search: KnownSearch = serde_json::from_str(&line?)?;
            known.insert(search.query, (search.text, search.answer.into()));
        }
        Ok(Searches {
            index,
            known,
            idle: Mutex::default(),
        })
    }

    /// The answer of a search it knows.
    pub(crate) fn find(&self, query: &str) -> Option<anyhow::Result<Bytes>> {
        let (text, answer) = self.known.get(query)?;
        Some(self.ask(text).map(|()| answer.clone()))
    }

    fn ask(&self, text: &str) -> anyhow::Result<()> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let index = match taken {
            Some(index) => index,
            None => opened(&self.index)?,
        };
        ensure!(count(&index, text)? > 0, "nothing is found");
        idle().push(index);
        Ok(())
    }
}

/// A file of the service's, to be read.
pub(crate) fn opened(file: &Path) -> anyhow::Result<rusqlite::Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    rusqlite::Connection::open_with_flags(file, flags)
        .with_context(|| format!("can't open {}", file.display()))
}

/// How many records match, up to where hits are counted.
pub(crate) fn count(index: &rusqlite::Connection, text: &str) -> anyhow::Result<i64> {
    let mut statement = index.prepare_cached(PLACES)?;
    let mut rows = statement.query(params![text, TOTAL_MAX])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        // as who wants the places does
        let _place: i64 = row.get(0)?;
        count += 1;
    }
    Ok(count)
}
