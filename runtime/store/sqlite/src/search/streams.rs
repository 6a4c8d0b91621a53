//! The records of one dataset that an expression finds, in order of places, from any place on. What the
//! full-text index can tell alone is one stream of its own; ranges are others; what joins them goes from
//! the next of one to the next of the other.

use super::compile::{compile, is_text};
use super::looking::Looking;
use super::values::ValueStream;
use crate::error::Failure;
use rusqlite::params;
use store::search::{Aim, Expression};

pub(super) const PLACES: &str =
    "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid >= ?2 ORDER BY rowid LIMIT ?3";

/// How many places are read at a time: at first, at least and at most.
const CHUNK: usize = 128;
const CHUNK_MIN: usize = 64;
const CHUNK_MAX: usize = 4096;
/// After so many jumps, all places are read, if they are not more than so many: one jump costs the index as much as the
/// next thousand places.
const LISTS: [(usize, usize); 2] = [(32, 250_000), (512, 1_000_000)];
/// The places that an expression finds in a dataset.
pub(super) enum Stream<'c> {
    /// There are none.
    Nothing,
    /// What the full-text index finds.
    Text(TextStream<'c>),
    /// What has a key in a range.
    Values(Box<ValueStream<'c>>),
    /// What one of them finds.
    Any(Vec<Stream<'c>>),
    /// What all of the first find, of which there is one at least, and all of the second have, or have not.
    All(Vec<Stream<'c>>, Vec<(Stream<'c>, bool)>),
}

impl<'c> Stream<'c> {
    /// The stream of an expression.
    pub(super) fn of(
        looking: &'c Looking<'c>,
        expression: &Expression,
        aim: &Aim,
    ) -> Result<Self, Failure> {
        if is_text(expression) {
            return Ok(match compile(expression, aim, looking.columns) {
                Some(text) => Stream::Text(TextStream::new(looking, text)),
                None => Stream::Nothing,
            });
        }
        match expression {
            Expression::Range(fields) => {
                let own = fields
                    .iter()
                    .filter(|field| field.schema == aim.fields.schema);
                let numbers = looking.columns.of(&aim.fields.schema);
                let mut streams = Vec::new();
                for field in own {
                    if let Some(number) = numbers.and_then(|numbers| numbers.get(&field.field)) {
                        let range = field.range.clone();
                        let stream = ValueStream::new(looking, aim.dataset, *number, range)?;
                        streams.push(Stream::Values(Box::new(stream)));
                    }
                }
                Ok(match streams.len() {
                    0 => Stream::Nothing,
                    1 => streams.remove(0),
                    _ => Stream::Any(streams),
                })
            }
            Expression::Any(parts) => {
                let streams = parts.iter().map(|part| Stream::of(looking, part, aim));
                Ok(Stream::Any(streams.collect::<Result<_, _>>()?))
            }
            Expression::All(parts) => Stream::all(looking, parts, aim),
            other => Stream::all(looking, std::slice::from_ref(other), aim),
        }
    }

    fn all(looking: &'c Looking<'c>, parts: &[Expression], aim: &Aim) -> Result<Self, Failure> {
        let (text, others): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_text(part));
        let (mut streams, mut checks) = (Vec::new(), Vec::new());
        for part in others {
            if let Expression::Not(inner) = part {
                checks.push((Stream::of(looking, inner, aim)?, false));
                continue;
            }
            match Stream::of(looking, part, aim)? {
                Stream::Nothing => return Ok(Stream::Nothing),
                // looked up for each record rather than sought, unless nothing else leads
                Stream::Values(values) if !values.is_listed() => {
                    checks.push((Stream::Values(values), true));
                }
                stream => streams.push(stream),
            }
        }
        if !text.is_empty() {
            let text = Expression::All(text.into_iter().cloned().collect());
            streams.push(Stream::of(looking, &text, aim)?);
        }
        if streams.is_empty() {
            let lead = checks.iter().position(|(_, is_wanted)| *is_wanted);
            streams.push(match lead {
                Some(lead) => checks.swap_remove(lead).0,
                None => Stream::of(looking, &Expression::All(Vec::new()), aim)?,
            });
        }
        Ok(Stream::All(streams, checks))
    }

    /// The first place at `from` or behind it.
    pub(super) fn seek(&mut self, from: i64) -> Result<Option<i64>, Failure> {
        match self {
            Stream::Nothing => Ok(None),
            Stream::Text(text) => text.seek(from),
            Stream::Values(values) => values.seek(from),
            Stream::Any(streams) => {
                let mut first: Option<i64> = None;
                for stream in streams {
                    if let Some(place) = stream.seek(from)? {
                        first = Some(first.map_or(place, |first| first.min(place)));
                    }
                }
                Ok(first)
            }
            Stream::All(streams, checks) => {
                let mut at = from;
                'next: loop {
                    let mut agreed = at;
                    for stream in &mut *streams {
                        let Some(place) = stream.seek(agreed)? else {
                            return Ok(None);
                        };
                        agreed = place;
                    }
                    if streams.len() > 1 && agreed > at {
                        // those before the last one may not have it
                        at = agreed;
                        if !has_all(streams, agreed)? {
                            continue 'next;
                        }
                    }
                    for (check, is_wanted) in &mut *checks {
                        if check.has(agreed)? != *is_wanted {
                            at = agreed + 1;
                            continue 'next;
                        }
                    }
                    return Ok(Some(agreed));
                }
            }
        }
    }

    /// Whether a place is one of them.
    pub(super) fn has(&mut self, place: i64) -> Result<bool, Failure> {
        Ok(match self {
            Stream::Nothing => false,
            Stream::Text(text) => text.seek(place)? == Some(place),
            Stream::Values(values) => values.has(place)?,
            Stream::Any(streams) => {
                for stream in streams {
                    if stream.has(place)? {
                        return Ok(true);
                    }
                }
                false
            }
            Stream::All(streams, checks) => {
                for (check, is_wanted) in checks {
                    if check.has(place)? != *is_wanted {
                        return Ok(false);
                    }
                }
                has_all(streams, place)?
            }
        })
    }
}

fn has_all(streams: &mut [Stream<'_>], place: i64) -> Result<bool, Failure> {
    for stream in streams {
        if !stream.has(place)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the full-text index finds. It is asked for some places at a time: for more, where all of them are
/// used, and for fewer, where most are jumped over.
pub(super) struct TextStream<'c> {
    looking: &'c Looking<'c>,
    text: String,
    /// All places from `from` to `to`.
    places: Vec<i64>,
    from: i64,
    to: i64,
    size: usize,
    /// How often the places that are there were asked.
    asked: usize,
    /// How often places were read elsewhere than behind the last ones.
    jumps: usize,
    /// How many of `LISTS` were tried.
    lists: usize,
}

impl<'c> TextStream<'c> {
    pub(super) fn new(looking: &'c Looking<'c>, text: String) -> Self {
        TextStream {
            looking,
            text,
            places: Vec::new(),
            from: 0,
            to: -1,
            size: CHUNK,
            asked: CHUNK,
            jumps: 0,
            lists: 0,
        }
    }

    /// The first place at `from` or behind it.
    fn seek(&mut self, from: i64) -> Result<Option<i64>, Failure> {
        if !(self.from..=self.to).contains(&from) {
            self.read(from)?;
        }
        self.asked += 1;
        let at = self.places.partition_point(|place| *place < from);
        Ok(self.places.get(at).copied())
    }

    fn read(&mut self, from: i64) -> Result<(), Failure> {
        self.jumps += usize::from(from != self.to.saturating_add(1));
        if let Some((jumps, most)) = LISTS.get(self.lists)
            && self.jumps > *jumps
        {
            self.lists += 1;
            self.read_some(0, *most)?;
            if self.to == i64::MAX {
                return Ok(());
            }
        }
        self.size = if self.asked >= self.size / 2 {
            (self.size * 2).min(CHUNK_MAX)
        } else {
            (self.size / 2).max(CHUNK_MIN)
        };
        self.asked = 0;
        self.read_some(from, self.size)
    }

    /// Reads so many places.
    fn read_some(&mut self, from: i64, most: usize) -> Result<(), Failure> {
        self.looking.look()?;
        let mut statement = self.looking.connection.prepare_cached(PLACES)?;
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![self.text, from, limit], |row| row.get(0))?;
        self.places.clear();
        for (index, place) in rows.enumerate() {
            if index % CHUNK_MAX == CHUNK_MAX - 1 {
                self.looking.look()?;
            }
            self.places.push(place?);
        }
        self.from = from;
        let last = self.places.last().copied();
        let is_end = self.places.len() < most;
        self.to = last.filter(|_| !is_end).unwrap_or(i64::MAX);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::Columns;
    use super::super::open;
    use super::*;
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    #[test]
    fn a_stream_that_is_jumped_about_in_reads_all_places_and_finds_the_same() {
        const ALL: i64 = 3000;
        let folder = tempfile::tempdir().unwrap();
        let connection = open::writer_connection(&folder.path().join(open::FILE)).unwrap();
        let transaction = connection.unchecked_transaction().unwrap();
        for place in 0..ALL {
            let text = if place % 3 == 1 { "amber" } else { "basalt" };
            let put = "INSERT INTO words (rowid, marker) VALUES (?1, ?2)";
            transaction.execute(put, params![place, text]).unwrap();
        }
        transaction.commit().unwrap();
        let columns = Columns::default();
        let looking = Looking {
            connection: &connection,
            columns: &columns,
            deadline: Instant::now() + Duration::from_secs(60),
            looks: Cell::new(0),
        };
        let mut stream = Stream::Text(TextStream::new(&looking, "amber".to_owned()));
        for turn in 0..400 {
            // there and back, farther than what is read at a time
            let place = turn * 1237 % ALL;
            assert_eq!(stream.has(place).unwrap(), place % 3 == 1, "{place}");
            let next = (place..ALL).find(|it| it % 3 == 1);
            assert_eq!(stream.seek(place).unwrap(), next, "{place}");
        }
        let Stream::Text(text) = &stream else {
            panic!("a text");
        };
        assert_eq!((text.from, text.to, text.places.len()), (0, i64::MAX, 1000));
        assert_eq!(text.lists, 1, "it is read once");
    }
}
