//! A kind of page that is asked for: its route, what follows it, and what must be on it. Its address is made of the route as the
//! application's table has it, so that it asks for a page of that route and of no other. Nothing is sent here.

use crate::records::WORDS;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Where the application is.
const APPLICATION: &str = "/app";
/// Records that are deleted before pages are asked for: those with the lowest numbers.
pub(super) const DELETED: u64 = 60;
/// Records on a page of the grid.
pub(super) const FULL: usize = 50;

/// What is known of the store while its pages are asked for.
#[derive(Default)]
pub(super) struct Known {
    /// Records that the dataset had before some were deleted.
    pub(super) records: u64,
    /// Some that were seen in the grid.
    pub(super) seen: Vec<String>,
    /// What follows the address on the grid's page that comes next.
    pub(super) next: String,
    /// What stands in an address behind a word, such as the id of an area behind `areas`.
    pub(super) behind: BTreeMap<&'static str, String>,
}

impl Known {
    /// What stands in an address behind this word.
    fn behind(&self, word: &str, mixed: u64) -> anyhow::Result<&str> {
        let own = match word {
            "records" => one_of(&self.seen, mixed).map(String::as_str),
            "cells" => Some("f5"),
            "versions" => Some("0"),
            "as" => Some("rust"),
            _ => self.behind.get(word).map(String::as_str),
        };
        own.with_context(|| format!("nothing is known of {word}"))
    }
}

fn one_of<T>(all: &[T], mixed: u64) -> Option<&T> {
    let at = mixed.checked_rem(all.len() as u64)?;
    all.get(usize::try_from(at).ok()?)
}

/// A word that each sixteenth record has.
pub(super) fn word(mixed: u64) -> &'static str {
    one_of(&WORDS, mixed).copied().unwrap_or_default()
}

/// What must be on a page.
pub(super) enum Must {
    Have(&'static str),
    /// A text so many times.
    Repeat(&'static str, usize),
    /// So many records in the grid.
    Show(RangeInclusive<usize>),
}

impl Must {
    pub(super) fn holds(&self, page: &str) -> bool {
        match self {
            Must::Have(text) => page.contains(text),
            Must::Repeat(text, times) => page.matches(text).count() == *times,
            Must::Show(count) => count.contains(&rows(page)),
        }
    }
}

/// Records in the grid of a page.
pub(super) fn rows(page: &str) -> usize {
    page.matches("<tr data-record=\"").count()
}

pub(super) struct Kind {
    pub(super) what: &'static str,
    /// Its address, as the application's table has it.
    route: &'static str,
    /// What follows the address, by a number that is another at each turn.
    query: fn(&Known, u64) -> String,
    pub(super) must: Must,
    /// Whether what it shows is where the next page of the grid goes on.
    pub(super) is_walk: bool,
    /// Whether it is a part of a page that is already there, and no page.
    pub(super) is_part: bool,
}

impl Kind {
    /// A page that is asked for by its address alone.
    pub(super) const fn of(what: &'static str, route: &'static str, must: Must) -> Self {
        Kind {
            what,
            route,
            query: |_, _| String::new(),
            must,
            is_walk: false,
            is_part: false,
        }
    }

    /// The same, with this behind its address.
    pub(super) const fn asking(self, query: fn(&Known, u64) -> String) -> Self {
        Kind { query, ..self }
    }

    /// The same, which shows where the next page of the grid goes on.
    pub(super) const fn walking(self) -> Self {
        Kind {
            is_walk: true,
            ..self
        }
    }

    /// The same, which is asked for as a part of a page.
    pub(super) const fn part_only(self) -> Self {
        Kind {
            is_part: true,
            ..self
        }
    }

    /// What it is asked for by: the route with what stands for each of its parts, and the query.
    pub(super) fn path(&self, known: &Known, mixed: u64) -> anyhow::Result<String> {
        let mut path = APPLICATION.to_owned();
        let mut before = "";
        for part in self.route.split('/').skip(1) {
            path.push('/');
            path.push_str(if part.starts_with('{') {
                known.behind(before, mixed)?
            } else {
                part
            });
            before = part;
        }
        path.push_str(&(self.query)(known, mixed));
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_what_it_must_have_is_none() {
        let page = "<tr data-record=\"a\"></tr><tr data-record=\"b\"></tr>";
        assert_eq!(rows(page), 2);
        assert!(Must::Show(1..=2).holds(page) && !Must::Show(1..=1).holds(page));
        assert!(Must::Have("record").holds(page) && !Must::Have("history").holds(page));
        assert!(Must::Repeat("</tr>", 2).holds(page) && !Must::Repeat("<tr", 1).holds(page));
    }

    #[test]
    fn an_address_is_its_route_with_what_is_known() {
        let route = "/datasets/{id}/records/{record}/cells/{field}";
        let kind = Kind::of("a cell", route, Must::Have("")).asking(|_, _| "?columns=f5".into());
        let mut known = Known {
            seen: vec!["a".to_owned(), "b".to_owned()],
            ..Known::default()
        };
        assert!(kind.path(&known, 1).is_err());
        known.behind.insert("datasets", "d".to_owned());
        let path = kind.path(&known, 1).unwrap();
        assert_eq!(path, "/app/datasets/d/records/b/cells/f5?columns=f5");
        known.seen.clear();
        assert!(kind.path(&known, 1).is_err());
        let home = Kind::of("home", "/", Must::Have(""));
        assert_eq!(home.path(&known, 1).unwrap(), "/app/");
    }
}
