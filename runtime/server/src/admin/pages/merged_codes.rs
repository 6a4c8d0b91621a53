//! Two change one list of codes at a time: what one of them made of it is brought onto what the other one made of it, code by
//! code. What an author did not touch stays as the other one made it; what both changed is as the author has it, and is told.
//! It knows neither forms nor documents.
//!
//! | was | theirs | mine | both |
//! | - | - | - | - |
//! | `A B C` | `A B C X` | `A C` | `A C X` |
//! | `A B C` | `A C` | `A B=changed C` | `A B=changed C`, of which `B` is told |
//! | `A B C` | `A B C X` | `C B A` | `C X B A` |

use super::numbers::grouped;
use super::pair_lines::quoted;
use super::texts::{Texts, filled};
use std::collections::HashMap;

/// Codes that are told by name at most, of those that both changed.
const TOLD_MAX: usize = 10;

/// An entry of a list, and its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coded<T> {
    pub(super) code: String,
    pub(super) entry: T,
}

/// What became of a list that two changed.
pub(super) struct Merged<T> {
    pub(super) entries: Vec<T>,
    /// The codes that both changed, each in its own way.
    pub(super) contested: Vec<String>,
}

/// What was made of a list in `mine`, brought onto what was made of it in `theirs`. `both` makes one entry of two that were
/// changed, and says whether they contradict each other.
pub(super) fn merged<T: Clone + PartialEq>(
    [base, theirs, mine]: [&[Coded<T>]; 3],
    both: impl Fn(Option<&T>, &T, &T) -> (T, bool),
) -> Merged<T> {
    let [base, theirs, mine] = [base, theirs, mine].map(Keyed::of);
    let (mut settled, mut contested) = (HashMap::new(), Vec::new());
    let own = mine.order.iter().filter(|key| !theirs.has(key));
    for key in theirs.order.iter().chain(own) {
        let [was, other, own] = [&base, &theirs, &mine].map(|it| it.entries.get(key).copied());
        let (entry, is_contested) = settle([was, other, own], &both);
        if is_contested {
            contested.push(key.0.to_owned());
        }
        if let Some(entry) = entry {
            settled.insert(*key, entry);
        }
    }
    let entries = if is_moved(&base, &mine) {
        ordered(&mine, &theirs, settled)
    } else {
        ordered(&theirs, &mine, settled)
    };
    Merged { entries, contested }
}

/// A code, and how many of the same stand before it.
type Key<'l> = (&'l str, usize);

/// A list by its codes.
struct Keyed<'l, T> {
    order: Vec<Key<'l>>,
    entries: HashMap<Key<'l>, &'l T>,
}

impl<'l, T> Keyed<'l, T> {
    fn of(list: &'l [Coded<T>]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut keyed = Keyed {
            order: Vec::with_capacity(list.len()),
            entries: HashMap::with_capacity(list.len()),
        };
        for Coded { code, entry } in list {
            let count = counts.entry(code).or_default();
            let key = (code.as_str(), *count);
            *count += 1;
            keyed.order.push(key);
            keyed.entries.insert(key, entry);
        }
        keyed
    }

    fn has(&self, key: &Key<'l>) -> bool {
        self.entries.contains_key(key)
    }
}

/// What becomes of an entry as it was, as theirs is and as mine is; and whether both changed it, each in its own way.
fn settle<T: Clone + PartialEq>(
    [was, theirs, mine]: [Option<&T>; 3],
    both: &impl Fn(Option<&T>, &T, &T) -> (T, bool),
) -> (Option<T>, bool) {
    if theirs == mine || mine == was {
        return (theirs.cloned(), false);
    }
    if theirs == was {
        return (mine.cloned(), false);
    }
    match (theirs, mine) {
        (Some(theirs), Some(mine)) => {
            let (entry, is_contested) = both(was, theirs, mine);
            (Some(entry), is_contested)
        }
        // one took away what the other one changed
        (_, mine) => (mine.cloned(), true),
    }
}

/// Whether mine moved entries that were there.
fn is_moved<T>(base: &Keyed<'_, T>, mine: &Keyed<'_, T>) -> bool {
    let before = base.order.iter().filter(|key| mine.has(key));
    before.ne(mine.order.iter().filter(|key| base.has(key)))
}

/// The entries in the order of one list. Those that only the second one has stand behind what they stand behind there, and
/// behind what is new there in the first.
fn ordered<'l, T>(
    first: &Keyed<'l, T>,
    second: &Keyed<'l, T>,
    mut settled: HashMap<Key<'l>, T>,
) -> Vec<T> {
    let mut behind: HashMap<Option<Key<'l>>, Vec<Key<'l>>> = HashMap::new();
    let mut last = None;
    for key in second.order.iter().filter(|key| settled.contains_key(*key)) {
        if first.has(key) {
            last = Some(*key);
        } else {
            behind.entry(last).or_default().push(*key);
        }
    }
    let mut order = Vec::with_capacity(settled.len());
    let mut waiting = behind.remove(&None).unwrap_or_default();
    for key in first.order.iter().filter(|key| settled.contains_key(*key)) {
        if second.has(key) {
            order.append(&mut waiting);
        }
        order.push(*key);
        waiting.extend(behind.remove(&Some(*key)).unwrap_or_default());
    }
    order.append(&mut waiting);
    order.iter().filter_map(|key| settled.remove(key)).collect()
}

/// What is told of codes that both changed; nothing where there is none.
pub(super) fn told(contested: &[String], texts: &Texts) -> Option<String> {
    if contested.is_empty() {
        return None;
    }
    let first = contested.iter().take(TOLD_MAX);
    let first: Vec<String> = first.map(|code| quoted(code)).collect();
    let mut codes = first.join(", ");
    if contested.len() > TOLD_MAX {
        let more = grouped((contested.len() - TOLD_MAX) as u64, texts);
        codes = format!("{codes} {}", (texts.and_more)(&more));
    }
    Some(filled(texts.codes.both_changed, &[&codes]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of codes, of which some have a text behind `=`.
    fn list(text: &str) -> Vec<Coded<String>> {
        let coded = |entry: &str| Coded {
            code: entry.split('=').next().unwrap_or_default().to_owned(),
            entry: entry.to_owned(),
        };
        text.split_whitespace().map(coded).collect()
    }

    /// What becomes of both, and which codes are contested.
    fn found(base: &str, theirs: &str, mine: &str) -> [String; 2] {
        let [base, theirs, mine] = [base, theirs, mine].map(list);
        let merged = merged([&base[..], &theirs, &mine], |_, _, mine| {
            (mine.clone(), true)
        });
        [merged.entries.join(" "), merged.contested.join(" ")]
    }

    #[test]
    fn codes_come_go_and_change_as_either_one_made_it() {
        for (base, theirs, mine, both, contested) in [
            ("A B C", "A B C", "A B C", "A B C", ""),
            ("A B C", "A B C X", "A C", "A C X", ""),
            ("A B C", "A C", "A B C X", "A C X", ""),
            ("A B C", "A=1 B C", "A B C=2", "A=1 B C=2", ""),
            ("A B C", "A B C X", "A B C Y", "A B C X Y", ""),
            ("A B C", "X A B C", "Y A B C", "X Y A B C", ""),
            ("A B C", "A X B C", "A B Y C", "A X B Y C", ""),
            ("A B", "A B X=1", "A B X=1", "A B X=1", ""),
            ("A B", "B", "B", "B", ""),
            // both changed the same
            ("A B", "A=1 B", "A=2 B", "A=2 B", "A"),
            ("A B", "A B X=1", "A B X=2", "A B X=2", "X"),
            ("A B C", "A C", "A B=1 C", "A B=1 C", "B"),
            ("A B C", "A B=1 C", "A C", "A C", "B"),
            // a code that stands twice
            ("A A=1", "A A=1 X", "A A=2", "A A=2 X", ""),
            ("", "A", "B", "A B", ""),
        ] {
            let expected = [both, contested].map(str::to_owned);
            let told = format!("{base} | {theirs} | {mine}");
            assert_eq!(found(base, theirs, mine), expected, "{told}");
        }
    }

    #[test]
    fn the_order_is_that_of_who_moved_what_was_there_and_the_authors_where_both_did() {
        for (base, theirs, mine, both) in [
            ("A B C", "C B A", "A B C X", "C X B A"),
            ("A B C", "A B C X", "C B A", "C X B A"),
            ("A B C", "B A C", "C A B", "C A B"),
            ("A B C D", "A X B D", "D C B A", "D B A X"),
        ] {
            let told = format!("{base} | {theirs} | {mine}");
            assert_eq!(found(base, theirs, mine)[0], both, "{told}");
        }
    }

    #[test]
    fn of_many_codes_that_both_changed_some_are_told_by_name() {
        let texts = Texts::liked("en");
        assert_eq!(told(&[], texts), None);
        let codes: Vec<String> = (0..12).map(|at| format!("C{at}")).collect();
        let few = told(&codes[..2], texts).expect("they are told");
        assert!(few.contains("C0, C1"), "{few}");
        let many = told(&codes, texts).expect("they are told");
        assert!(many.contains("C9 and 2 more"), "{many}");
    }
}
