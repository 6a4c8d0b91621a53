//! How a grid is asked for. The address says it all, the way back to the pages before included, and a saved view keeps it.

use super::visit::{Form, Visit};
use service::manage::SavedViewView;
use service::search::{Quotes, unquoted};
use url::form_urlencoded::Serializer;

/// Pages that the address of one knows the way back to, and bytes of their keys: of a sorted list, a key has values in it.
const BACK_MAX: usize = 50;
const BACK_BYTES_MAX: usize = 2_000;

/// How a grid is asked for.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) query: String,
    pub(super) sort: String,
    pub(super) columns: Vec<String>,
    pub(super) key: Option<String>,
    /// The keys of the pages before this one, the nearest last. That of the first page is empty.
    pub(super) before: Vec<String>,
}

impl Asked {
    pub(super) fn of<P>(visit: &Visit<P>) -> Self {
        let columns = visit.parameter("columns").unwrap_or_default();
        // boxes that were ticked come one by one
        let ticked = visit.parameters("column");
        let (query, typed) = apart(&visit.parameter("q").unwrap_or_default());
        Asked {
            query,
            sort: typed.unwrap_or_else(|| visit.parameter("sort").unwrap_or_default()),
            columns: ids(&columns).chain(ticked).collect(),
            key: visit.parameter("pageKey").filter(|key| !key.is_empty()),
            before: visit.parameters("before"),
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

    /// The same from its first page on.
    pub(super) fn first_page(&self) -> Self {
        Asked {
            key: None,
            before: Vec::new(),
            ..self.clone()
        }
    }

    /// The page behind this one, which its key says; it knows the way back, as far as an address has room for it.
    pub(super) fn next_page(&self, key: String) -> Self {
        let mut before = self.before.clone();
        before.push(self.key.clone().unwrap_or_default());
        let mut bytes = 0;
        let near = before.iter().rev().take(BACK_MAX).take_while(|key| {
            bytes += key.len();
            bytes <= BACK_BYTES_MAX
        });
        let near = near.count();
        before.drain(..before.len() - near);
        Asked {
            key: Some(key),
            before,
            ..self.clone()
        }
    }

    /// The page before this one, where the way to it is known.
    pub(super) fn previous_page(&self) -> Option<Self> {
        self.key.as_ref()?;
        let (key, before) = self.before.split_last()?;
        Some(Asked {
            key: Some(key.clone()).filter(|key| !key.is_empty()),
            before: before.to_vec(),
            ..self.clone()
        })
    }

    /// The address of the same grid, behind its path.
    pub(super) fn address(&self) -> String {
        let mut pairs = Serializer::new(String::new());
        for (name, value) in [
            ("q", &*self.query),
            ("sort", &*self.sort),
            ("columns", &*self.columns.join(" ")),
            ("pageKey", self.key.as_deref().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                pairs.append_pair(name, value);
            }
        }
        pairs.extend_pairs(self.before.iter().map(|key| ("before", key)));
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

/// The ids of a list that a space parts.
fn ids(list: &str) -> impl Iterator<Item = String> {
    let all = list.split(' ').filter(|id| !id.is_empty());
    all.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the pages that one comes to from this one by going back.
    fn back_from(mut here: Asked) -> Vec<String> {
        let mut keys = Vec::new();
        while let Some(previous) = here.previous_page() {
            keys.push(previous.key.clone().unwrap_or_default());
            here = previous;
        }
        keys
    }

    fn walked(keys: impl Iterator<Item = String>) -> Asked {
        keys.fold(Asked::default(), |here, key| here.next_page(key))
    }

    #[test]
    fn a_page_knows_the_way_back_to_the_first_one() {
        let key = |at: usize| format!("k{at}");
        let third = walked((1..=3).map(key));
        assert_eq!(
            third.address(),
            "?pageKey=k3&before=&before=k1&before=k2",
            "the first page has no key"
        );
        assert_eq!(back_from(third.clone()), ["k2", "k1", ""]);
        assert_eq!(third.first_page().address(), "?");
        assert_eq!(back_from(Asked::default()), [""; 0]);
        // one that is known by its key alone does not know what was before it
        let alone = Asked {
            key: Some(key(1)),
            ..Asked::default()
        };
        assert_eq!(back_from(alone), [""; 0]);
    }

    #[test]
    fn the_way_back_is_as_long_as_an_address_has_room_for() {
        let far = walked((1..=80).map(|at| format!("k{at}")));
        let back = back_from(far);
        assert_eq!((back.len(), &*back[0]), (BACK_MAX, "k79"));
        let long = walked((1..=9).map(|at| at.to_string().repeat(600)));
        assert_eq!(back_from(long).len(), 3);
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
