//! How a grid is asked for. The address says it all, the way back to the pages before included, and a saved view keeps it.

use super::original::short_mark;
use super::pagination::Position;
use super::places::Place;
use super::visit::{Form, Visit};
use service::manage::SavedViewView;
use service::search::{Quotes, unquoted};
use std::collections::BTreeSet;
use url::form_urlencoded::{Serializer, parse};

/// How a grid is asked for.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) query: String,
    pub(super) sort: String,
    pub(super) columns: Vec<String>,
    pub(super) position: Position,
}

impl Asked {
    pub(super) fn of<P>(visit: &Visit<P>) -> Self {
        Asked {
            position: Position::of(visit),
            ..Asked::of_address(visit.query())
        }
    }

    /// As what stands behind `?` in an address asks for it, from its first page on.
    pub(super) fn of_address(behind: &str) -> Self {
        let said = |name: &str| {
            let mut all = parse(behind.as_bytes());
            let own = all.find_map(|(own, value)| (own == name).then(|| value.into_owned()));
            own.unwrap_or_default()
        };
        let columns = said("columns");
        // boxes that were ticked come one by one
        let ticked = parse(behind.as_bytes()).filter(|(own, _)| own == "column");
        let ticked = ticked.map(|(_, value)| value.into_owned());
        let (query, typed) = apart(&said("q"));
        Asked {
            query,
            sort: typed.unwrap_or_else(|| said("sort")),
            columns: ids(&columns).chain(ticked).collect(),
            ..Asked::default()
        }
    }

    /// As a form of the page brings it along.
    pub(super) fn of_form(form: &Form) -> Self {
        Asked {
            query: form.text("q").trim().to_owned(),
            sort: form.text("sort").to_owned(),
            columns: ids(form.text("columns")).collect(),
            ..Asked::default()
        }
    }

    /// As it was saved.
    pub(super) fn of_view(view: &SavedViewView) -> Self {
        Asked {
            query: view.query.clone(),
            sort: view.sort.clone(),
            columns: view.columns.clone(),
            ..Asked::default()
        }
    }

    /// The same with the ids of its columns, where their marks stand in place of them.
    pub(super) fn with_ids(mut self, place: &Place) -> Self {
        if self.has_marks() {
            let named: BTreeSet<String> = std::mem::take(&mut self.columns).into_iter().collect();
            let fields = place.version().schema.active_fields();
            let own = fields.filter(|it| named.contains(&it.id) || named.contains(&marked(&it.id)));
            self.columns = own.map(|field| field.id.clone()).collect();
        }
        self
    }

    /// Whether marks stand in place of ids of its columns.
    pub(super) fn has_marks(&self) -> bool {
        self.columns.iter().any(|own| own.starts_with(MARKED))
    }

    /// The same from its first page on.
    pub(super) fn first_page(&self) -> Self {
        self.page(Position::default())
    }

    /// The same at another page.
    pub(super) fn page(&self, position: Position) -> Self {
        Asked {
            position,
            ..self.clone()
        }
    }

    /// The address of the same grid, behind its path.
    pub(super) fn address(&self) -> String {
        let mut pairs = Serializer::new(String::new());
        for (name, value) in [
            ("q", &*self.query),
            ("sort", &*self.sort),
            ("columns", &*named(&self.columns)),
        ] {
            if !value.is_empty() {
                pairs.append_pair(name, value);
            }
        }
        self.position.add_to(&mut pairs);
        match pairs.finish() {
            pairs if pairs.is_empty() => "?".to_owned(),
            pairs => format!("?{pairs}"),
        }
    }
}

/// What stands before a field in a query to put what is found in its order.
pub(super) const ORDER: &str = "sort=";

/// A query, and the order that is typed in it: `sort=` and a field, behind a `-` where the last is to come first. It is no
/// part of the language: it becomes the order that stands in the address.
fn apart(typed: &str) -> (String, Option<String>) {
    let (mut query, mut order) = (String::new(), None);
    let mut quotes = Quotes::default();
    let is_end = |sign: char| {
        let is_quoted = quotes.pass(sign);
        !is_quoted && (sign.is_whitespace() || matches!(sign, '(' | ')'))
    };
    for part in typed.split_inclusive(is_end) {
        match part.strip_prefix(ORDER) {
            Some(field) if !field.trim().is_empty() => {
                let end = field.trim_end_matches(|sign: char| !matches!(sign, '(' | ')'));
                query.extend(end.chars().next_back());
                let field = field.trim_end_matches(|sign: char| {
                    sign.is_whitespace() || matches!(sign, '(' | ')')
                });
                let (sign, name) = field.split_at(usize::from(field.starts_with('-')));
                order = Some(format!("{sign}{}", unquoted(name)));
            }
            _ => query.push_str(part),
        }
    }
    (query.trim().to_owned(), order)
}

/// Bytes of the ids of columns that an address has, at most: where there are more, it has a mark of each in place of it, since a
/// page has many such addresses.
const IDS_BYTES_MAX: usize = 4_000;
/// What stands before a mark, and the digits that it has: two fields that have one in common stand there together.
pub(super) const MARKED: char = '~';
const MARK_DIGITS: usize = 8;

/// Columns as addresses and forms name them.
pub(super) fn named(columns: &[String]) -> String {
    names(columns).join(" ")
}

/// The same, one by one.
pub(super) fn names(columns: &[String]) -> Vec<String> {
    let bytes: usize = columns.iter().map(String::len).sum();
    if bytes <= IDS_BYTES_MAX {
        return columns.to_vec();
    }
    columns.iter().map(|own| marked(own)).collect()
}

/// The mark of a column, as it stands in place of its id.
pub(super) fn marked(column: &str) -> String {
    format!("{MARKED}{}", mark(column))
}

/// The digits of the mark of a column, which is named by its id or by its mark.
pub(super) fn mark(column: &str) -> String {
    match column.strip_prefix(MARKED) {
        Some(own) => own.to_owned(),
        None => short_mark(column, MARK_DIGITS),
    }
}

/// The ids of a list that a space parts.
fn ids(list: &str) -> impl Iterator<Item = String> {
    let all = list.split(' ').filter(|id| !id.is_empty());
    all.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_addresses_by_their_ids_or_where_these_are_long_by_marks() {
        let ids = |count: usize| -> Vec<String> {
            let ids = (0..count).map(|at| format!("{at:036}"));
            ids.collect()
        };
        assert_eq!(named(&ids(3)), ids(3).join(" "));
        let many = named(&ids(500));
        assert_eq!(many.len(), 500 * (MARK_DIGITS + 2) - 1);
        let marks: Vec<String> = many.split(' ').map(str::to_owned).collect();
        assert_eq!(marks[7], marked(&ids(8)[7]));
        // what is marked already stays as it is
        assert_eq!(named(&marks), many);
    }

    #[test]
    fn an_order_that_is_typed_in_a_query_is_taken_out_of_it() {
        for (typed, query, order) in [
            ("is:faulty", "is:faulty", None),
            ("sort=Name", "", Some("Name")),
            ("is:faulty sort=-Name DE", "is:faulty DE", Some("-Name")),
            ("a sort=-\"Credit Limit\"", "a", Some("-Credit Limit")),
            ("(a sort=Name) b", "(a ) b", Some("Name")),
            ("sort=A sort=B", "", Some("B")),
            ("sort=\"a b\",-C", "", Some("\"a b\",-C")),
            ("a sort=\"x\\\" y\" b", "a b", Some("x\" y")),
            ("\"sort=Name\"", "\"sort=Name\"", None),
            ("resort=x sort=", "resort=x sort=", None),
        ] {
            let order = order.map(str::to_owned);
            assert_eq!(apart(typed), (query.to_owned(), order), "{typed}");
        }
    }
}
