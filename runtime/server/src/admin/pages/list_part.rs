//! A part of a list that is whole in memory: of a long one as many entries as a page has room for, or of those that a filter
//! finds. A list that has room on one page is shown whole, and nothing is told of it. Other lists of the page stay where they are.

use super::numbers::grouped;
use super::texts::{Texts, filled};
use super::visit::{Form, Visit, Visitor};
use std::ops::Range;
use url::form_urlencoded::{Serializer, parse};

/// Entries of a part, at most.
pub(super) const ENTRIES_MAX: usize = 100;
/// Characters of their texts, about: where they are long, a part has fewer entries.
const CHARS_MAX: usize = 40_000;

/// What is asked for of a list.
#[derive(Clone, Default)]
pub(super) struct Wanted {
    /// What the list is called in the address of a page that has another one; nothing where it is alone.
    pub(super) list: &'static str,
    pub(super) find: String,
    /// The number of the part, from nothing on.
    pub(super) part: usize,
    /// The parameters of the address by which the other lists of its page are where they are.
    pub(super) beside: Vec<(String, String)>,
}

impl Wanted {
    /// As an address asks for it.
    pub(super) fn of<P, C: Visitor>(visit: &Visit<P, C>) -> Self {
        Wanted::of_list(visit, "")
    }

    /// As an address asks for the list that is called so, beside another one on its page.
    pub(super) fn of_list<P, C: Visitor>(visit: &Visit<P, C>, list: &'static str) -> Self {
        let said = |of: &str| visit.parameter(&parameter(of, list)).unwrap_or_default();
        Wanted {
            list,
            find: said("find").trim().to_owned(),
            part: said("part").parse().unwrap_or_default(),
            beside: beside(visit.query(), list),
        }
    }

    /// As a form asks for the list in it that is called so: the part of the button that was pressed, else the one that is
    /// shown; of another filter the first one.
    pub(super) fn of_form(form: &Form, list: &str) -> Self {
        if is_sought_anew(form, list) {
            return Wanted {
                find: form.text(&format!("find-{list}")).trim().to_owned(),
                ..Wanted::default()
            };
        }
        let pressed = form.text(LOOK).strip_prefix(list);
        let pressed = pressed.and_then(|at| at.strip_prefix('-')?.parse().ok());
        let shown = Wanted::shown_in(form, list);
        Wanted {
            part: pressed.unwrap_or(shown.part),
            ..shown
        }
    }

    /// The part that the page shows which a form stands on.
    pub(super) fn shown_in(form: &Form, list: &str) -> Self {
        Wanted {
            find: form.text(&format!("of-{list}")).to_owned(),
            part: form.text(&format!("at-{list}")).parse().unwrap_or_default(),
            ..Wanted::default()
        }
    }

    /// The part with this line of what is found, where there is such a line; its parts have so many entries at most.
    pub(super) fn led_to(self, entries_max: usize, sizes: &[usize], line: Option<usize>) -> Self {
        let part = line.map(|line| part_with(entries_max, sizes, line));
        Wanted {
            part: part.unwrap_or(self.part),
            ..self
        }
    }

    /// Whether one of these texts has what is sought in it.
    pub(super) fn finds(&self, texts: &[&str]) -> bool {
        let sought = self.find.to_lowercase();
        sought.is_empty()
            || texts
                .iter()
                .any(|text| text.to_lowercase().contains(&sought))
    }
}

/// The button of a form by which another part of a list in it is shown, and nothing is saved.
const LOOK: &str = "look";
/// The one that the Enter key presses.
const ENTER: &str = "enter";

/// Whether a form asks for another filter of a list than it was made with.
pub(super) fn is_sought_anew(form: &Form, list: &str) -> bool {
    form.text(&format!("find-{list}")).trim() != form.text(&format!("of-{list}"))
}

/// Whether a form was sent to show another part of one of these lists in it: by its button, or by Enter in its filter.
pub(super) fn is_look(form: &Form, lists: &[&str]) -> bool {
    let has_entered = form.get(ENTER).is_some();
    has_looked(form) || has_entered && lists.iter().any(|list| is_sought_anew(form, list))
}

/// Whether the button was pressed by which another part of a list in a form is shown.
pub(super) fn has_looked(form: &Form) -> bool {
    form.get(LOOK).is_some()
}

/// What a page tells of the part that it shows.
pub(super) struct ListPart {
    /// What the list is called in the address, beside another one.
    list: &'static str,
    pub(super) find: String,
    /// The number of the part.
    pub(super) at: usize,
    /// Which entries these are, and of how many.
    pub(super) told: String,
    pub(super) previous: Option<OtherPart>,
    pub(super) next: Option<OtherPart>,
    /// The parameters of the address by which the other lists of the page are where they are.
    pub(super) beside: Vec<(String, String)>,
}

/// Another part of the same list.
pub(super) struct OtherPart {
    /// Its number.
    pub(super) at: usize,
    /// The parameters of its address.
    pub(super) query: String,
}

impl OtherPart {
    fn of(at: usize, wanted: &Wanted) -> Self {
        let mut query = Serializer::new(String::new());
        if !wanted.find.is_empty() {
            query.append_pair(&parameter("find", wanted.list), &wanted.find);
        }
        query.append_pair(&parameter("part", wanted.list), &at.to_string());
        query.extend_pairs(&wanted.beside);
        OtherPart {
            at,
            query: query.finish(),
        }
    }
}

/// What an address asks of a list that is called so, and of one that is alone; and of one that goes on by key (`pagination.rs`).
const OF_CALLED: [&str; 2] = ["find-", "part-"];
const OF_LISTS: [&str; 5] = ["find", "part", BEFORE, "pageKey", "pageSize"];
/// What may be there and say nothing: the key of the first page.
const BEFORE: &str = "before";

/// What an address asks of other lists than the one that is called so.
fn beside(query: &str, list: &str) -> Vec<(String, String)> {
    let own = ["find", "part"].map(|of| parameter(of, list));
    let is_of_list = |name: &str| {
        OF_LISTS.contains(&name) || OF_CALLED.iter().any(|begin| name.starts_with(*begin))
    };
    let is_other = |name: &str| is_of_list(name) && own.iter().all(|own| own != name);
    let all = parse(query.as_bytes());
    let others =
        all.filter(|(name, value)| is_other(name) && (name == BEFORE || !value.is_empty()));
    let others = others.map(|(name, value)| (name.into_owned(), value.into_owned()));
    others.collect()
}

/// The parameter by which an address asks this of a list that is called so.
fn parameter(of: &str, list: &str) -> String {
    if list.is_empty() {
        of.to_owned()
    } else {
        format!("{of}-{list}")
    }
}

impl ListPart {
    /// The parameter of its filter.
    pub(super) fn find_name(&self) -> String {
        parameter("find", self.list)
    }

    /// What stands behind the path in the address at which the list is whole again.
    pub(super) fn unfiltered(&self) -> String {
        if self.beside.is_empty() {
            return String::new();
        }
        let mut query = Serializer::for_suffix("?".to_owned(), 1);
        query.extend_pairs(&self.beside);
        query.finish()
    }

    /// The entries that are shown of those that the filter finds, whose texts have so many characters each; and what is told of
    /// that, where they are not all.
    pub(super) fn of(
        sizes: &[usize],
        wanted: &Wanted,
        texts: &Texts,
    ) -> (Range<usize>, Option<Self>) {
        ListPart::of_at_most(ENTRIES_MAX, sizes, wanted, texts)
    }

    /// The same of a list whose parts have so many entries at most.
    pub(super) fn of_at_most(
        entries_max: usize,
        sizes: &[usize],
        wanted: &Wanted,
        texts: &Texts,
    ) -> (Range<usize>, Option<Self>) {
        let begins = beginnings(entries_max, sizes);
        if begins.len() == 1 && wanted.find.is_empty() {
            return (0..sizes.len(), None);
        }
        let at = wanted.part.min(begins.len() - 1);
        let end = begins.get(at + 1).copied().unwrap_or(sizes.len());
        let range = begins[at]..end;
        let count = |number: usize| grouped(number as u64, texts);
        let [first, to, of] = [range.start + 1, end, sizes.len()].map(count);
        let own = &texts.lists;
        let told = match (sizes.is_empty(), wanted.find.is_empty()) {
            (true, _) => own.none_found.to_owned(),
            (false, true) => filled(own.shown, &[&first, &to, &of]),
            (false, false) => filled(own.shown_found, &[&first, &to, &of, &wanted.find]),
        };
        let part = ListPart {
            list: wanted.list,
            find: wanted.find.clone(),
            at,
            told,
            previous: at.checked_sub(1).map(|at| OtherPart::of(at, wanted)),
            next: (end < sizes.len()).then(|| OtherPart::of(at + 1, wanted)),
            beside: wanted.beside.clone(),
        };
        (range, Some(part))
    }
}

/// The number of the part in which an entry is.
fn part_with(entries_max: usize, sizes: &[usize], entry: usize) -> usize {
    let begins = beginnings(entries_max, sizes);
    begins.iter().filter(|begin| **begin <= entry).count() - 1
}

/// Where the parts of a list begin, whose entries have texts of so many characters; that of an empty one, at nothing.
fn beginnings(entries_max: usize, sizes: &[usize]) -> Vec<usize> {
    let mut begins = vec![0];
    let (mut entries, mut chars) = (0, 0);
    for (at, size) in sizes.iter().enumerate() {
        if entries == entries_max || (entries > 0 && chars + size > CHARS_MAX) {
            begins.push(at);
            (entries, chars) = (0, 0);
        }
        entries += 1;
        chars += size;
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_as_many_entries_as_a_page_has_room_for_and_one_at_least() {
        for (sizes, begins) in [
            (vec![], vec![0]),
            (vec![10; ENTRIES_MAX], vec![0]),
            (vec![10; 2 * ENTRIES_MAX + 1], vec![0, 100, 200]),
            (vec![CHARS_MAX / 2; 5], vec![0, 2, 4]),
            (vec![3 * CHARS_MAX, 1, 1], vec![0, 1]),
        ] {
            assert_eq!(beginnings(ENTRIES_MAX, &sizes), begins);
        }
    }

    #[test]
    fn a_list_that_has_room_is_whole_and_of_a_longer_one_is_told_which_part_is_shown() {
        let texts = Texts::liked("en");
        let shown = |entries: usize, find: &str, part| {
            let wanted = Wanted {
                list: "",
                find: find.to_owned(),
                part,
                ..Wanted::default()
            };
            ListPart::of(&vec![10; entries], &wanted, texts)
        };
        assert!(shown(ENTRIES_MAX, "", 0).1.is_none());
        let (range, part) = shown(250, "", 1);
        let part = part.expect("a part");
        assert_eq!(range, 100..200);
        let at = |other: Option<OtherPart>| other.map(|other| other.at);
        assert_eq!((at(part.previous), at(part.next)), (Some(0), Some(2)));
        assert_eq!(part.told, "101 to 200 of 250");
        // behind the end is the last part
        let (range, part) = shown(250, "", 9);
        assert_eq!(range, 200..250);
        assert!(part.expect("a part").next.is_none());
        let (range, part) = shown(3, "a&b", 0);
        let part = part.expect("a part");
        assert_eq!(range, 0..3);
        assert_eq!(part.told, "1 to 3 of 3 with “a&b” in them");
        let wanted = |list| Wanted {
            list,
            find: "a&b".to_owned(),
            ..Wanted::default()
        };
        let query = |list| OtherPart::of(2, &wanted(list)).query;
        assert_eq!(query(""), "find=a%26b&part=2");
        assert_eq!(query("access"), "find-access=a%26b&part-access=2");
        let led_to = |entries_max, line| {
            let shown = Wanted {
                part: 1,
                ..Wanted::default()
            };
            shown.led_to(entries_max, &[10; 250], line).part
        };
        assert_eq!(led_to(ENTRIES_MAX, Some(200)), 2);
        assert_eq!(led_to(ENTRIES_MAX, Some(99)), 0);
        assert_eq!(led_to(250, Some(200)), 0);
        // what is led to nowhere stays where it is
        assert_eq!(led_to(ENTRIES_MAX, None), 1);
    }

    #[test]
    fn the_other_lists_of_a_page_stay_where_they_are_in_the_addresses_of_one() {
        let asked = "saved=1&find=a%26b&part=3&find-access=&part-access=2&before=&before=k1&pageKey=k2&pageSize=";
        let part = |list| {
            let wanted = Wanted {
                list,
                find: "c".to_owned(),
                part: 1,
                beside: beside(asked, list),
            };
            let (_, part) = ListPart::of(&[10; 250], &wanted, Texts::liked("en"));
            part.expect("a part")
        };
        for (list, next, unfiltered) in [
            (
                "",
                "find=c&part=2&part-access=2&before=&before=k1&pageKey=k2",
                "?part-access=2&before=&before=k1&pageKey=k2",
            ),
            (
                "access",
                "find-access=c&part-access=2&find=a%26b&part=3&before=&before=k1&pageKey=k2",
                "?find=a%26b&part=3&before=&before=k1&pageKey=k2",
            ),
        ] {
            let part = part(list);
            assert_eq!(part.next.as_ref().map(|next| &*next.query), Some(next));
            assert_eq!(part.unfiltered(), unfiltered);
        }
        assert!(beside("find=a&part=1&saved=1", "").is_empty());
    }
}
