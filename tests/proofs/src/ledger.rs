//! What clients were told, kept by themselves: for each primary key what was asked and what was acknowledged, stamped by one
//! clock. It knows nothing of how the service keeps records, so it can tell when one is lost, doubled or made up.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Behind every stamp.
pub(crate) const EVER: u64 = u64::MAX;

/// One order of all that happens: requests, answers, and what a disk of ours is told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Arc<AtomicU64>);

impl Clock {
    /// The next stamp.
    pub(crate) fn tick(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    /// The stamp that is next, for what needs none of its own.
    pub(crate) fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// What a record may be found as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// There is none of this key.
    Absent,
    /// There is this one. The id is not known where a create was not answered.
    Live {
        id: Option<String>,
        version: u64,
        number: u64,
    },
}

impl State {
    /// The number of its write.
    fn number(&self) -> Option<u64> {
        match self {
            State::Absent => None,
            State::Live { number, .. } => Some(*number),
        }
    }

    /// Whether a record that was found is this one.
    fn is(&self, found: &State) -> bool {
        match (self, found) {
            (State::Absent, State::Absent) => true,
            (
                State::Live {
                    id,
                    version,
                    number,
                },
                State::Live {
                    id: other,
                    version: found,
                    number: seen,
                },
            ) => (id.is_none() || id == other) && (version, number) == (found, seen),
            _ => false,
        }
    }
}

/// One write of a key.
#[derive(Clone, Debug)]
struct Step {
    sent: u64,
    acknowledged: Option<u64>,
    after: State,
}

/// All writes of a key, in order. Only the last one may be open: its writer waits for each answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story(Vec<Step>);

impl Story {
    /// Notes what is about to be asked.
    pub(crate) fn send(&mut self, sent: u64, after: State) {
        self.0.push(Step {
            sent,
            acknowledged: None,
            after,
        });
    }

    /// The last write was acknowledged; a create tells the id.
    pub(crate) fn acknowledge(&mut self, at: u64, told: Option<String>) {
        if let Some(step) = self.0.last_mut() {
            step.acknowledged = Some(at);
            if let (State::Live { id, .. }, Some(told)) = (&mut step.after, told) {
                *id = Some(told);
            }
        }
    }

    /// The last write was refused: nothing was done.
    pub(crate) fn refuse(&mut self) {
        self.0.pop();
    }

    /// What may be found when the world ends behind a stamp.
    pub(crate) fn allowed(&self, at: u64) -> Vec<State> {
        let mut allowed = vec![State::Absent];
        for step in &self.0 {
            if step.acknowledged.is_some_and(|stamp| stamp <= at) {
                allowed.clear();
                allowed.push(step.after.clone());
            } else if step.sent <= at {
                allowed.push(step.after.clone());
            }
        }
        allowed
    }

    /// Whether what was found may be.
    pub(crate) fn allows(&self, at: u64, found: &State) -> bool {
        self.allowed(at).iter().any(|state| state.is(found))
    }

    /// Whether it was so at any time between two stamps.
    pub(crate) fn allows_between(&self, from: u64, to: u64, found: &State) -> bool {
        let stamps = self.0.iter().flat_map(|step| {
            let acknowledged = step.acknowledged.unwrap_or(EVER);
            [step.sent, acknowledged]
        });
        let mut stamps = stamps.filter(|stamp| (from..=to).contains(stamp));
        self.allows(from, found) || stamps.any(|stamp| self.allows(stamp, found))
    }

    /// What there is, where that is known.
    pub(crate) fn known(&self) -> Option<&State> {
        const NOTHING: &State = &State::Absent;
        match self.0.last() {
            None => Some(NOTHING),
            Some(step) => step.acknowledged.map(|_| &step.after),
        }
    }

    /// What was open turned out to be so.
    pub(crate) fn settle(&mut self, at: u64, found: State) {
        if self.known().is_none() {
            self.0.pop();
            self.0.push(Step {
                sent: at,
                acknowledged: Some(at),
                after: found,
            });
        }
    }

    /// Numbers of values that a later write, acknowledged before a stamp, replaced: no search may find them.
    pub(crate) fn replaced(&self, at: u64) -> impl Iterator<Item = u64> {
        let pairs = self.0.iter().zip(self.0.iter().skip(1));
        pairs.filter_map(move |(step, next)| match step.after {
            // what was open may have turned out to be as it was before
            State::Live { number, .. } if next.after.number() != Some(number) => {
                next.acknowledged.filter(|it| *it <= at).map(|_| number)
            }
            _ => None,
        })
    }
}

/// The stories of one writer's keys.
pub(crate) type Stories = BTreeMap<String, Story>;

#[cfg(test)]
mod tests {
    use super::*;

    fn live(version: u64) -> State {
        State::Live {
            id: Some("a".to_owned()),
            version,
            number: version,
        }
    }

    fn story() -> Story {
        let mut story = Story::default();
        let created = State::Live {
            id: None,
            version: 0,
            number: 0,
        };
        story.send(10, created);
        story.acknowledge(20, Some("a".to_owned()));
        story.send(30, live(1));
        story
    }

    #[test]
    fn what_was_acknowledged_must_be_there_and_what_was_sent_may_be() {
        let story = story();
        assert!(story.allows(9, &State::Absent) && !story.allows(9, &live(0)));
        assert!(story.allows(15, &State::Absent) && story.allows(15, &live(0)));
        assert!(!story.allows(25, &State::Absent) && story.allows(25, &live(0)));
        assert!(!story.allows(25, &live(1)));
        assert!(story.allows(EVER, &live(0)) && story.allows(EVER, &live(1)));
        assert!(!story.allows(EVER, &live(2)));
    }

    #[test]
    fn what_was_open_is_settled_by_what_is_found_and_a_refusal_leaves_nothing() {
        let mut story = story();
        assert_eq!(story.known(), None);
        story.settle(40, live(1));
        assert_eq!(story.known(), Some(&live(1)));
        story.send(50, State::Absent);
        story.refuse();
        assert!(!story.allows(EVER, &State::Absent));
    }

    #[test]
    fn a_copy_may_be_of_any_moment_while_it_was_made() {
        let mut story = story();
        story.acknowledge(35, None);
        assert!(story.allows_between(21, 40, &live(0)) && story.allows_between(21, 40, &live(1)));
        assert!(!story.allows_between(36, 40, &live(0)));
        assert!(!story.allows_between(21, 29, &live(1)));
    }
}
