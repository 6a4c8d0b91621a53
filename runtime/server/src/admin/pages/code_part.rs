//! A part of a long list of codes, as a page shows it: the lines of some of them, which can be changed, taken away and added to
//! while all others stay as they are. A list that is short is shown whole.
//!
//! A form that was made of a part says so: `codes-from` is where the part begins among the codes that have `codes-of` in them, and
//! `codes-shown`, where there is one, the lines that it was made of. With `codes-whole` its lines are the whole list.

use super::pair_lines::{lines_of, pairs};
use super::visit::Form;
use std::collections::{HashMap, HashSet, VecDeque};
use url::form_urlencoded::Serializer;

/// Codes that a page shows at once.
pub(super) const CODES_SHOWN: usize = 500;

/// A code with what it means.
pub(super) type Pair = [String; 2];

/// Which part of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CodePart {
    /// Where it begins, among the codes that the filter finds.
    pub(super) from: usize,
    /// What its codes have in them, or in what they mean.
    pub(super) filter: String,
}

impl CodePart {
    /// The part that a form was made of; none where its lines are the whole list.
    pub(super) fn of(form: &Form) -> Option<Self> {
        form.get("codes-from")?;
        let is_part = form.get("codes-whole").is_none();
        is_part.then(|| CodePart::of_form(form))
    }

    /// The part that the lines of a form stand beside, whether they are the whole list or not.
    pub(super) fn of_form(form: &Form) -> Self {
        CodePart {
            from: form.text("codes-from").parse().unwrap_or_default(),
            filter: form.text("codes-of").to_owned(),
        }
    }

    /// The part that a form asks for: the same, or the first one of another filter.
    pub(super) fn wanted(form: &Form) -> Self {
        let filter = form.text("codes-filter").trim();
        let from = form.text("codes-from").parse().unwrap_or_default();
        CodePart {
            from: if filter == form.text("codes-of") {
                from
            } else {
                0
            },
            filter: filter.to_owned(),
        }
    }

    /// The places of all codes that the filter finds.
    pub(super) fn found(&self, all: &[Pair]) -> Vec<usize> {
        let sought = self.filter.to_lowercase();
        let is_found = |text: &String| text.to_lowercase().contains(&sought);
        let found = all.iter().enumerate();
        let found = found.filter(|(_, pair)| sought.is_empty() || pair.iter().any(is_found));
        found.map(|(at, _)| at).collect()
    }

    /// The places of its codes in the list.
    fn places(&self, all: &[Pair]) -> Vec<usize> {
        let found = self.found(all).into_iter();
        found.skip(self.from).take(CODES_SHOWN).collect()
    }

    /// The list with the lines of a form in place of the codes of this part; none where they say what it says.
    pub(super) fn put(&self, all: &[Pair], text: &str) -> Option<Vec<ListEntry>> {
        put_lines(all, &self.places(all), text)
    }

    /// The parameters of its address; nothing of the first part of the list.
    pub(super) fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        if self.from > 0 {
            query.append_pair("codes-from", &self.from.to_string());
        }
        if !self.filter.is_empty() {
            query.append_pair("codes-filter", &self.filter);
        }
        query.finish()
    }
}

/// The list with the lines of a form in place of the codes of those that it was made of; none where they say what it says.
pub(super) fn put_shown(all: &[Pair], shown: &str, text: &str) -> Option<Vec<ListEntry>> {
    let shown: HashSet<String> = pairs(shown).map(|[code, _]| code).collect();
    let places = all.iter().enumerate();
    let places = places.filter(|(_, pair)| shown.contains(&pair[0]));
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    put_lines(all, &places, text)
}

/// The list with these lines in place of the codes at these places; none where they say what it says.
fn put_lines(all: &[Pair], places: &[usize], text: &str) -> Option<Vec<ListEntry>> {
    let lines: Vec<Pair> = pairs(text).collect();
    let is_same = pairs(&lines_at(all, places)).eq(lines.iter().cloned());
    (!is_same).then(|| put(all, places, lines))
}

/// An entry of a list after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListEntry {
    /// What its line says.
    pub(super) pair: Pair,
    /// Where it stood before; none of one that is new.
    pub(super) former: Option<usize>,
}

/// The list that lines are which stand in place of all of it.
pub(super) fn entries(all: &[Pair], lines: Vec<Pair>) -> Vec<ListEntry> {
    let places: Vec<usize> = (0..all.len()).collect();
    let former = former(all, &places, &lines);
    let lines = lines.into_iter().zip(former);
    lines
        .map(|(pair, former)| ListEntry { pair, former })
        .collect()
}

/// Which of these places each line stood at before, by its number: of those with its code one with its description, too, if
/// there is one. No two lines stood at one place.
fn former(all: &[Pair], places: &[usize], lines: &[Pair]) -> Vec<Option<usize>> {
    let mut former = vec![None; lines.len()];
    let mut is_found = vec![false; places.len()];
    for texts in [2, 1] {
        let mut by_texts: HashMap<&[String], VecDeque<usize>> = HashMap::new();
        for (nth, at) in places.iter().enumerate() {
            if !is_found[nth] {
                let texts = &all[*at][..texts];
                by_texts.entry(texts).or_default().push_back(nth);
            }
        }
        for (line, own) in lines.iter().zip(&mut former) {
            if own.is_none() {
                let same = by_texts.get_mut(&line[..texts]);
                *own = same.and_then(VecDeque::pop_front);
            }
            if let Some(nth) = *own {
                is_found[nth] = true;
            }
        }
    }
    former
}

/// The list with these lines in place of the codes at these places. A line whose code was there stays at its place, one that
/// is new takes the place of one that is gone, and what is more goes behind the line before it.
fn put(all: &[Pair], places: &[usize], lines: Vec<Pair>) -> Vec<ListEntry> {
    let former = former(all, places, &lines);
    let mut instead: Vec<Vec<ListEntry>> = vec![Vec::new(); places.len()];
    // the first place that nothing stands at yet, and the lines for what is before the next one that stays
    let (mut free, mut waiting) = (0, Vec::new());
    let mut behind = Vec::new();
    for (pair, nth) in lines.into_iter().zip(former) {
        let line = ListEntry {
            pair,
            former: nth.map(|nth| places[nth]),
        };
        let Some(nth) = nth.filter(|nth| *nth >= free) else {
            waiting.push(line);
            continue;
        };
        settle(&mut instead, free, nth, std::mem::take(&mut waiting));
        instead[nth].push(line);
        free = nth + 1;
    }
    if places.is_empty() {
        behind = waiting;
    } else {
        settle(&mut instead, free, places.len(), waiting);
    }
    let mut instead = places.iter().copied().zip(instead).peekable();
    let mut out = Vec::with_capacity(all.len());
    for (at, pair) in all.iter().enumerate() {
        match instead.next_if(|(place, _)| *place == at) {
            Some((_, own)) => out.extend(own),
            None => out.push(ListEntry {
                pair: pair.clone(),
                former: Some(at),
            }),
        }
    }
    out.append(&mut behind);
    out
}

/// The codes at these places, one a line.
pub(super) fn lines_at(all: &[Pair], places: &[usize]) -> String {
    lines_of(places.iter().map(|at| &all[*at]))
}

/// Gives lines the free places up to `end`; what is more goes to the last place before it.
fn settle(instead: &mut [Vec<ListEntry>], free: usize, end: usize, lines: Vec<ListEntry>) {
    let last = end.saturating_sub(1);
    for (place, line) in (free..).zip(lines) {
        instead[place.min(last)].push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(codes: &str) -> Vec<Pair> {
        let codes = codes.split_whitespace();
        codes.map(|code| [code.to_owned(), String::new()]).collect()
    }

    fn told(list: &[ListEntry]) -> String {
        let codes: Vec<&str> = list.iter().map(|it| it.pair[0].as_str()).collect();
        codes.join(" ")
    }

    /// Where each entry stood before.
    fn former(list: &[ListEntry]) -> Vec<Option<usize>> {
        list.iter().map(|it| it.former).collect()
    }

    #[test]
    fn lines_take_the_places_of_what_they_were_and_all_else_stays_where_it_is() {
        // what is shown are the codes in capital letters
        for (lines, after) in [
            ("A B C", "a A b B c C d"),
            ("A C", "a A b c C d"),
            ("A X C", "a A b X c C d"),
            ("A B C X", "a A b B c C X d"),
            ("X A B C", "a X A b B c C d"),
            ("A X B C", "a A X b B c C d"),
            ("X Y C", "a X b Y c C d"),
            ("A X Y Z", "a A b X c Y Z d"),
            ("B C A", "a b B c C A d"),
            ("", "a b c d"),
        ] {
            let all = list("a A b B c C d");
            let found = put(&all, &[1, 3, 5], list(lines));
            assert_eq!(told(&found), after, "{lines}");
            // what stood there before is known again, wherever it stands now
            let is_known = |it: &ListEntry| match it.former {
                Some(at) => all[at] == it.pair,
                None => !all.contains(&it.pair),
            };
            assert!(found.iter().all(is_known), "{lines}: {found:?}");
        }
        assert_eq!(told(&put(&list("a b"), &[], list("X Y"))), "a b X Y");
    }

    #[test]
    fn a_code_that_stands_twice_stays_twice() {
        let found = put(&list("A A B"), &[0, 1, 2], list("A A B X"));
        assert_eq!(told(&found), "A A B X");
        assert_eq!(former(&found), [Some(0), Some(1), Some(2), None]);
        // of two with one code each is known by what it means
        let pair = |code: &str, means: &str| [code.to_owned(), means.to_owned()];
        let all = [pair("A", "one"), pair("A", "two"), pair("A", "three")];
        let lines = [pair("A", "two"), pair("A", "other"), pair("A", "one")];
        let found = entries(&all, lines.to_vec());
        assert_eq!(former(&found), [Some(1), Some(2), Some(0)]);
    }
}
