//! The way through the pages of a list, forward and back. Lists go on by key and none walks backwards, so the address of a page
//! has the keys of those before it: `before`, the nearest last.

use super::visit::Visit;
use url::form_urlencoded::{Serializer, parse};

/// Pages that the address of one knows the way back to, and bytes of their keys: of a sorted list, a key has values in it.
const BACK_MAX: usize = 50;
const BACK_BYTES_MAX: usize = 2_000;

/// Which page of a list is asked for, and those before it.
#[derive(Clone, Default)]
pub(super) struct Position {
    /// The first page has none.
    pub(super) key: Option<String>,
    /// The keys of the pages before this one, the nearest last. That of the first page is empty.
    before: Vec<String>,
}

impl Position {
    pub(super) fn of<P>(visit: &Visit<P>) -> Self {
        Position {
            key: visit.parameter("pageKey").filter(|key| !key.is_empty()),
            before: visit.parameters("before"),
        }
    }

    /// The page behind this one, which its key says; it knows the way back, as far as an address has room for it.
    fn next(&self, key: String) -> Self {
        let mut before = self.before.clone();
        before.push(self.key.clone().unwrap_or_default());
        let mut bytes = 0;
        let near = before.iter().rev().take(BACK_MAX).take_while(|key| {
            bytes += key.len();
            bytes <= BACK_BYTES_MAX
        });
        let near = near.count();
        before.drain(..before.len() - near);
        Position {
            key: Some(key),
            before,
        }
    }

    /// The page before this one, where the way to it is known.
    fn previous(&self) -> Option<Self> {
        self.key.as_ref()?;
        let (key, before) = self.before.split_last()?;
        Some(Position {
            key: Some(key.clone()).filter(|key| !key.is_empty()),
            before: before.to_vec(),
        })
    }

    /// Adds it to the parameters of an address.
    pub(super) fn add_to(&self, pairs: &mut Serializer<'_, String>) {
        if let Some(key) = &self.key {
            pairs.append_pair("pageKey", key);
        }
        pairs.extend_pairs(self.before.iter().map(|key| ("before", key)));
    }

    /// The pages around it, by the address of each; one follows where its key is known.
    pub(super) fn links(
        &self,
        next: Option<String>,
        address: impl Fn(Position) -> String,
    ) -> PageLinks {
        PageLinks {
            first: self.key.as_ref().map(|_| address(Position::default())),
            previous: self.previous().map(&address),
            next: next.map(|key| address(self.next(key))),
        }
    }
}

/// The addresses of the pages around the one that is shown. They are whole, since what is refused is answered by the page of
/// a list, too, at the address of its form.
#[derive(Default)]
pub(super) struct PageLinks {
    pub(super) first: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

impl PageLinks {
    /// Those of the list at a path, where these parameters of its address say what is listed.
    pub(super) fn of<P>(
        visit: &Visit<P>,
        path: &str,
        parameters: &[&str],
        next: Option<String>,
    ) -> Self {
        Position::of(visit).links(next, |at| {
            let mut pairs = Serializer::new(String::new());
            for name in parameters.iter().copied().chain(["pageSize"]) {
                if let Some(value) = visit.parameter(name).filter(|value| !value.is_empty()) {
                    pairs.append_pair(name, &value);
                }
            }
            at.add_to(&mut pairs);
            match pairs.finish() {
                pairs if pairs.is_empty() => path.to_owned(),
                pairs => format!("{path}?{pairs}"),
            }
        })
    }

    /// Whether there is any other page.
    pub(super) fn are_any(&self) -> bool {
        self.first.is_some() || self.previous.is_some() || self.next.is_some()
    }
}

/// The first page of the list of an address, where it is that of one of its pages.
pub(super) fn first_page_of(address: &str) -> Option<String> {
    let (path, query) = address.split_once('?')?;
    let pairs = || parse(query.as_bytes());
    if !pairs().any(|(name, _)| name == "pageKey") {
        return None;
    }
    let others = pairs().filter(|(name, _)| !matches!(&**name, "pageKey" | "before"));
    let others = Serializer::new(String::new()).extend_pairs(others).finish();
    Some(match &*others {
        "" => path.to_owned(),
        others => format!("{path}?{others}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the pages that one comes to from this one by going back.
    fn back_from(mut here: Position) -> Vec<String> {
        let mut keys = Vec::new();
        while let Some(previous) = here.previous() {
            keys.push(previous.key.clone().unwrap_or_default());
            here = previous;
        }
        keys
    }

    fn walked(keys: impl Iterator<Item = String>) -> Position {
        keys.fold(Position::default(), |here, key| here.next(key))
    }

    fn address(at: &Position) -> String {
        let mut pairs = Serializer::new(String::new());
        at.add_to(&mut pairs);
        pairs.finish()
    }

    #[test]
    fn a_page_knows_the_way_back_to_the_first_one() {
        let key = |at: usize| format!("k{at}");
        let third = walked((1..=3).map(key));
        assert_eq!(
            address(&third),
            "pageKey=k3&before=&before=k1&before=k2",
            "the first page has no key"
        );
        assert_eq!(back_from(third.clone()), ["k2", "k1", ""]);
        let links = third.links(None, |at| address(&at));
        assert_eq!(links.first.as_deref(), Some(""));
        assert_eq!(
            links.previous.as_deref(),
            Some("pageKey=k2&before=&before=k1")
        );
        assert_eq!(back_from(Position::default()), [""; 0]);
        let alone = Position::default().links(None, |at| address(&at));
        assert!(!alone.are_any(), "a list of one page leads nowhere");
        // one that is known by its key alone does not know what was before it
        let alone = Position {
            key: Some(key(1)),
            before: Vec::new(),
        };
        assert_eq!(back_from(alone), [""; 0]);
    }

    #[test]
    fn an_address_of_a_page_tells_that_of_the_first_one() {
        for (address, first) in [
            ("/jobs?pageKey=x", Some("/jobs")),
            (
                "/audit?noun=area&pageKey=x&before=&before=y&name=a%26b",
                Some("/audit?noun=area&name=a%26b"),
            ),
            ("/audit?noun=area", None),
            ("/jobs", None),
        ] {
            assert_eq!(first_page_of(address).as_deref(), first, "{address}");
        }
    }

    #[test]
    fn the_way_back_is_as_long_as_an_address_has_room_for() {
        let far = walked((1..=80).map(|at| format!("k{at}")));
        let back = back_from(far);
        assert_eq!((back.len(), &*back[0]), (BACK_MAX, "k79"));
        let long = walked((1..=9).map(|at| at.to_string().repeat(600)));
        assert_eq!(back_from(long).len(), 3);
    }
}
