//! A primary key as one register: what each request does to it when it happens at one moment, and what it is answered then.

/// What is there under a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) enum State {
    #[default]
    Absent,
    /// The id is not known while the create was not answered and nobody looked.
    Live {
        id: Option<String>,
        version: u64,
        number: u64,
    },
}

/// A request for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    Create {
        number: u64,
    },
    Update {
        id: String,
        version: u64,
        number: u64,
    },
    Delete {
        id: String,
    },
    Get,
}

/// What it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Created(String),
    /// An update or a delete was done.
    Done,
    /// The key is taken.
    Duplicate,
    /// The record has another version.
    Conflict,
    /// There is none.
    Missing,
    Found {
        id: String,
        version: u64,
        number: u64,
    },
    /// No answer came, or one that says nothing of what was done.
    Unknown,
}

/// The state behind a request that happens in a state and is answered so; none, if it can't be.
pub(crate) fn step(state: &State, ask: &Ask, told: &Told) -> Option<State> {
    match (ask, state) {
        (Ask::Create { number }, State::Absent) => match told {
            Told::Created(id) => Some(live(Some(id.clone()), 0, *number)),
            Told::Unknown => Some(live(None, 0, *number)),
            _ => None,
        },
        (Ask::Create { .. }, State::Live { .. }) => kept(state, *told == Told::Duplicate),
        (
            Ask::Update {
                id,
                version,
                number,
            },
            State::Live {
                id: Some(there),
                version: at,
                ..
            },
        ) if id == there => match told {
            Told::Done | Told::Unknown if version == at => {
                Some(live(Some(id.clone()), version + 1, *number))
            }
            Told::Conflict => kept(state, version != at),
            _ => None,
        },
        (
            Ask::Delete { id },
            State::Live {
                id: Some(there), ..
            },
        ) if id == there => match told {
            Told::Done | Told::Unknown => Some(State::Absent),
            // someone wrote between
            Told::Conflict => Some(state.clone()),
            _ => None,
        },
        (Ask::Update { .. } | Ask::Delete { .. }, _) | (Ask::Get, State::Absent) => {
            kept(state, *told == Told::Missing)
        }
        (
            Ask::Get,
            State::Live {
                id,
                version,
                number,
            },
        ) => match told {
            Told::Found {
                id: seen,
                version: at,
                number: value,
            } if (version, number) == (at, value) && id.as_ref().is_none_or(|id| id == seen) => {
                Some(live(Some(seen.clone()), *version, *number))
            }
            _ => None,
        },
    }
}

fn live(id: Option<String>, version: u64, number: u64) -> State {
    State::Live {
        id,
        version,
        number,
    }
}

fn kept(state: &State, is_right: bool) -> Option<State> {
    is_right.then(|| state.clone())
}
