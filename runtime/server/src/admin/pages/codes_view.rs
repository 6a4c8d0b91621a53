//! What a page shows of a list of codes, and what it tells of that: all of a short one, of a long one a part.

use super::code_part::{CODES_SHOWN, CodePart, Pair, lines_at};
use super::numbers::grouped;
use super::pair_lines::lines_of;
use super::texts::{Texts, filled};

/// A part of a list, or all of a short one, as a page shows it.
pub(super) struct CodesView {
    /// What can be changed.
    pub(super) lines: String,
    /// What is told of the part; none where all is shown.
    pub(super) part: Option<PartView>,
}

/// What a page tells of the part that it shows.
pub(super) struct PartView {
    pub(super) part: CodePart,
    /// How many there are, and which of them these are.
    pub(super) told: String,
    /// What the tick means by which the lines are the whole list.
    pub(super) whole: String,
    /// Whether they are to be the whole list.
    pub(super) is_whole: bool,
    /// Where the part before this one begins, and the one behind it.
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
}

impl PartView {
    /// The same beside lines that are to be the whole list: of no code is said that it stays as it is.
    pub(super) fn of_whole(self) -> Self {
        PartView {
            told: String::new(),
            is_whole: true,
            ..self
        }
    }

    /// The same beside so many lines which are not those of the part as it is now, of a list of so many codes.
    pub(super) fn of_own(self, lines: usize, all: usize, texts: &Texts) -> Self {
        let [lines, all] = [lines, all].map(|number| grouped(number as u64, texts));
        PartView {
            told: filled(texts.codes.shown_own, &[&lines, &all]),
            ..self
        }
    }

    /// The part that begins elsewhere.
    pub(super) fn at(&self, from: usize) -> CodePart {
        CodePart {
            from,
            filter: self.part.filter.clone(),
        }
    }
}

impl CodesView {
    /// What a page shows of a list, of the part that is asked for where it is long.
    pub(super) fn of(all: &[Pair], part: &CodePart, texts: &Texts) -> Self {
        if all.len() <= CODES_SHOWN {
            return CodesView {
                lines: lines_of(all),
                part: None,
            };
        }
        let found = part.found(all);
        let last = found.len().saturating_sub(1) / CODES_SHOWN * CODES_SHOWN;
        let from = part.from.min(last);
        let until = found.len().min(from + CODES_SHOWN);
        let part = CodePart {
            from,
            filter: part.filter.clone(),
        };
        let own = &texts.codes;
        let count = |number: usize| grouped(number as u64, texts);
        let [first, to, of] = [from + 1, until, found.len()].map(count);
        let told = match (found.is_empty(), part.filter.is_empty()) {
            (true, _) => own.none_found.to_owned(),
            (false, true) => filled(own.shown, &[&first, &to, &of]),
            (false, false) => filled(own.shown_found, &[&first, &to, &of, &part.filter]),
        };
        CodesView {
            lines: lines_at(all, &found[from..until]),
            part: Some(PartView {
                told,
                whole: filled(own.whole, &[&count(all.len())]),
                is_whole: false,
                previous: (from > 0).then(|| from.saturating_sub(CODES_SHOWN)),
                next: (until < found.len()).then_some(until),
                part,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_shown_in_parts_and_a_filter_finds_codes_and_what_they_mean() {
        let texts = Texts::liked("en");
        let all: Vec<Pair> = (0..1200)
            .map(|at| [format!("C{at}"), format!("Code {}", at % 2)])
            .collect();
        let shown = |from, filter: &str| {
            let filter = filter.to_owned();
            CodesView::of(&all, &CodePart { from, filter }, texts)
        };
        let first = shown(0, "");
        assert_eq!(first.lines.lines().count(), CODES_SHOWN);
        let part = first.part.expect("a part");
        assert_eq!((part.previous, part.next), (None, Some(500)));
        // behind the end is the last part
        let last = shown(5000, "");
        assert_eq!(last.lines.lines().count(), 200);
        let part = last.part.expect("a part");
        assert_eq!((part.previous, part.next), (Some(500), None));
        let odd = shown(500, "code 1");
        assert_eq!(odd.lines.lines().next(), Some("C1001 = Code 1"));
        assert_eq!(odd.lines.lines().count(), 100);
        assert!(shown(0, "C7 ").lines.is_empty());
        assert!(
            CodesView::of(&all[..CODES_SHOWN], &CodePart::default(), texts)
                .part
                .is_none()
        );
    }

    #[test]
    fn what_is_typed_changes_the_part_alone() {
        let all: Vec<Pair> = (0..1200)
            .map(|at| [format!("C{at}"), String::new()])
            .collect();
        let part = CodePart {
            from: 500,
            filter: String::new(),
        };
        let shown = CodesView::of(&all, &part, Texts::liked("en"));
        assert_eq!(part.put(&all, &shown.lines), None);
        assert_eq!(part.put(&all, &shown.lines.replace('\n', "\r\n\r\n")), None);
        let typed = shown.lines.replace("C501\n", "") + "\nNEW = A new one";
        let after = part.put(&all, &typed).expect("a change");
        assert_eq!(after.len(), 1200);
        let is_same = |at: usize| after[at].former == Some(at) && after[at].pair == all[at];
        assert!((0..501).all(is_same));
        for (at, code) in [(501, "C502"), (998, "C999"), (999, "NEW"), (1000, "C1000")] {
            assert_eq!(after[at].pair[0], code);
        }
    }
}
