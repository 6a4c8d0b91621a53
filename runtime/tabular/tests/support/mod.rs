//! What the tests share: rows as texts, and sources that give as little at a time as they please.
#![allow(dead_code, reason = "`hostile` uses a part of it")]

#[cfg(feature = "xlsx")]
pub(crate) mod book;
pub(crate) mod clean;

use std::io::{self, Cursor, Read};
use tabular::{Content, Options, Reader};

/// Gives at most `chunk` bytes at a time.
pub(crate) struct Dripping {
    pub(crate) source: Cursor<Vec<u8>>,
    pub(crate) chunk: usize,
}

impl Read for Dripping {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = into.len().min(self.chunk);
        self.source.read(&mut into[..count])
    }
}

/// Each row in a line of its own: where it is, and its cells, its text or its fault.
pub(crate) fn rows(bytes: &[u8], options: Options<'_>, chunk: usize) -> Vec<String> {
    let source = Cursor::new(bytes.to_vec());
    let reader = Reader::open(Dripping { source, chunk }, options);
    // what only seems to be packed is an error
    let Ok(mut reader) = reader else {
        return vec!["no file".to_owned()];
    };
    let mut out = Vec::new();
    loop {
        let row = match reader.next() {
            Ok(Some(row)) => row,
            Ok(None) => return out,
            Err(error) => {
                out.push(format!("error: {error}"));
                return out;
            }
        };
        let place = |place: tabular::Place| format!("{}:{}", place.line, place.column);
        let what = match row.content {
            Ok(Content::Json) => String::from_utf8_lossy(row.raw).into_owned(),
            Ok(Content::Cells(cells)) => {
                let cells = (0..cells.count()).map(|index| cells.get(index));
                format!("{:?}", cells.collect::<Vec<_>>())
            }
            Err((fault, at)) => format!("{} at {}", fault.code(), place(at)),
        };
        out.push(format!("{} {what}", place(row.place)));
    }
}

/// The rows of a text, as it comes.
pub(crate) fn rows_of(text: &str) -> Vec<String> {
    rows(text.as_bytes(), Options::default(), usize::MAX)
}
