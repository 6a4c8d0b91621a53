//! Whether a history can have happened one request after another, each between its question and its answer: the search of
//! Wing and Gong with Lowe's memory of what was tried. A request that may happen now and
//! changes nothing happens at once: it can only make the others freer.
//!
//! It is our own, since many requests of a history were never answered, and these are to be in it: `todc-utils` (0.1.1), whose
//! `WGLChecker` is the same search, panics at a call without a response, and `stateright` (0.31), whose `LinearizabilityTester` is
//! made for short histories of a model, remembers nothing of what it tried. `lincheck` runs what it tests within `loom`, which a
//! server that is killed can't be, and `porcupine` is Go.

use super::model::{Ask, State, Told, step};
use std::collections::HashSet;

/// A request, when it was sent and when its answer was there.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) sent: u64,
    /// Never, if it is not known what became of it: it may have happened at any time from then on, or never.
    pub(crate) answered: Option<u64>,
    pub(crate) ask: Ask,
    pub(crate) told: Told,
}

/// Whether the requests for one key stand in one order that explains each answer.
pub(crate) fn is_linearizable(entries: &[Entry]) -> bool {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| entry.sent);
    let mut search = Search {
        done: vec![false; entries.len()],
        entries,
        tried: HashSet::new(),
    };
    search.goes_on()
}

struct Search<'e> {
    entries: Vec<&'e Entry>,
    done: Vec<bool>,
    /// What was tried: which requests had happened, and the state behind them.
    tried: HashSet<(Vec<u64>, State)>,
}

/// A step that was taken, and what else could be taken instead.
struct Taken {
    index: usize,
    before: State,
    /// Nothing else needs to be tried in its place.
    is_free: bool,
}

impl Search<'_> {
    fn goes_on(&mut self) -> bool {
        let (mut state, mut taken) = (State::Absent, Vec::<Taken>::new());
        let mut from = 0;
        loop {
            if self.is_over() {
                return true;
            }
            if let Some(index) = self.next_that_changes_nothing(&state) {
                self.done[index] = true;
                let before = state.clone();
                let is_free = true;
                taken.push(Taken {
                    index,
                    before,
                    is_free,
                });
                from = 0;
                continue;
            }
            if let Some((index, after)) = self.next(from, &state) {
                self.done[index] = true;
                if self.tried.insert((self.bits(), after.clone())) {
                    let before = std::mem::replace(&mut state, after);
                    let is_free = false;
                    taken.push(Taken {
                        index,
                        before,
                        is_free,
                    });
                    from = 0;
                } else {
                    self.done[index] = false;
                    from = index + 1;
                }
                continue;
            }
            loop {
                let Some(last) = taken.pop() else {
                    return false;
                };
                self.done[last.index] = false;
                state = last.before;
                from = last.index + 1;
                if !last.is_free {
                    break;
                }
            }
        }
    }

    /// Every request that was answered has happened.
    fn is_over(&self) -> bool {
        let mut open = self.entries.iter().zip(&self.done);
        open.all(|(entry, done)| *done || entry.answered.is_none())
    }

    /// A request that may happen now and leaves the state as it is.
    fn next_that_changes_nothing(&self, state: &State) -> Option<usize> {
        let mut from = 0;
        while let Some((index, after)) = self.next(from, state) {
            if after == *state {
                return Some(index);
            }
            from = index + 1;
        }
        None
    }

    /// The next request, from an index on, that may happen now.
    fn next(&self, from: usize, state: &State) -> Option<(usize, State)> {
        // none that was sent behind the first answer that is still to come
        let open = self.entries.iter().zip(&self.done);
        let answers = open.filter(|(_, done)| !**done);
        let first = answers.filter_map(|(entry, _)| entry.answered).min();
        let first = first.unwrap_or(u64::MAX);
        let may = |index: &usize| !self.done[*index] && self.entries[*index].sent < first;
        (from..self.entries.len())
            .take_while(|index| self.entries[*index].sent < first)
            .filter(may)
            .find_map(|index| {
                let entry = self.entries[index];
                Some((index, step(state, &entry.ask, &entry.told)?))
            })
    }

    fn bits(&self) -> Vec<u64> {
        let words = self.done.chunks(64);
        let word = |chunk: &[bool]| {
            let bits = chunk.iter().rev();
            bits.fold(0, |word, done| word << 1 | u64::from(*done))
        };
        words.map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(sent: u64, answered: u64, ask: Ask, told: Told) -> Entry {
        Entry {
            sent,
            answered: (told != Told::Unknown).then_some(answered),
            ask,
            told,
        }
    }

    fn create(sent: u64, answered: u64) -> Entry {
        let told = Told::Created("a".to_owned());
        entry(sent, answered, Ask::Create { number: 1 }, told)
    }

    fn update(sent: u64, answered: u64, version: u64, told: Told) -> Entry {
        let ask = Ask::Update {
            id: "a".to_owned(),
            version,
            number: 2 + version,
        };
        entry(sent, answered, ask, told)
    }

    fn get(sent: u64, answered: u64, version: u64) -> Entry {
        let told = Told::Found {
            id: "a".to_owned(),
            version,
            number: 1 + version,
        };
        entry(sent, answered, Ask::Get, told)
    }

    fn delete(sent: u64, answered: u64) -> Entry {
        entry(
            sent,
            answered,
            Ask::Delete { id: "a".to_owned() },
            Told::Done,
        )
    }

    fn missing(sent: u64, answered: u64) -> Entry {
        entry(sent, answered, Ask::Get, Told::Missing)
    }

    #[test]
    fn one_after_another_is_an_order() {
        let history = [create(0, 1), get(2, 3, 0), update(4, 5, 0, Told::Done)];
        assert!(is_linearizable(&history));
        let history = [&history[..], &[get(6, 7, 1), delete(8, 9), missing(10, 11)]].concat();
        assert!(is_linearizable(&history));
    }

    #[test]
    fn a_read_of_what_was_replaced_is_told() {
        let history = [create(0, 1), update(2, 3, 0, Told::Done), get(4, 5, 0)];
        assert!(!is_linearizable(&history));
        // beside the update it may be
        let history = [create(0, 1), update(2, 5, 0, Told::Done), get(3, 4, 0)];
        assert!(is_linearizable(&history));
    }

    #[test]
    fn two_reads_that_go_back_in_time_are_told() {
        let update = update(2, 9, 0, Told::Done);
        let history = [create(0, 1), update.clone(), get(3, 4, 1), get(5, 6, 0)];
        assert!(!is_linearizable(&history));
        let history = [create(0, 1), update, get(3, 4, 0), get(5, 6, 1)];
        assert!(is_linearizable(&history));
    }

    #[test]
    fn two_updates_of_one_version_are_told() {
        let done = || update(2, 9, 0, Told::Done);
        assert!(!is_linearizable(&[create(0, 1), done(), done()]));
        let lost = update(2, 9, 0, Told::Conflict);
        assert!(is_linearizable(&[create(0, 1), done(), lost]));
    }

    #[test]
    fn a_write_that_is_lost_is_told_and_one_without_an_answer_may_be() {
        assert!(!is_linearizable(&[create(0, 1), missing(2, 3)]));
        let open = update(2, 3, 0, Told::Unknown);
        let history = [create(0, 1), open, get(4, 5, 0)];
        assert!(is_linearizable(&history));
        let history = [&history[..], &[get(6, 7, 1)]].concat();
        assert!(is_linearizable(&history));
        // but it does not come and go
        let history = [&history[..], &[get(8, 9, 0)]].concat();
        assert!(!is_linearizable(&history));
    }

    #[test]
    fn many_that_overlap_are_searched_in_good_time() {
        let mut history = vec![create(0, 1)];
        for version in 0..40 {
            let at = 10 * version;
            history.push(update(2 + at, 9 + at, version, Told::Done));
            history.extend((0..6).map(|it| update(3 + at + it, 2_000, 1_000, Told::Conflict)));
        }
        assert!(is_linearizable(&history));
        // the last answer can't be explained
        history.push(get(3_000, 3_001, 7));
        history.truncate(60);
        history.push(get(3_000, 3_001, 1));
        assert!(!is_linearizable(&history));
    }
}
