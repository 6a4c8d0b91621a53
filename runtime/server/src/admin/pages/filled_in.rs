//! What a form of a request was filled in with, for whoever sees it refused. It copies nothing: a form is held as it was sent,
//! in the room of memory that it has.

use axum::body::Bytes;
use std::sync::{Arc, OnceLock};
use url::form_urlencoded;

type Pairs = Vec<(String, String)>;

/// The form of a request, once it was read.
#[derive(Clone, Default)]
pub(super) struct FilledIn {
    taken: Arc<OnceLock<Bytes>>,
    stale: Arc<OnceLock<Bytes>>,
}

impl FilledIn {
    /// Notes one that had the session's token.
    pub(super) fn take(&self, sent: &Bytes) {
        self.taken.get_or_init(|| sent.clone());
    }

    /// Notes one that a page of ours sent with the token of another session.
    pub(super) fn note_stale(&self, sent: &Bytes) {
        self.stale.get_or_init(|| sent.clone());
    }

    /// Whether one was read that had the session's token.
    pub(super) fn is_taken(&self) -> bool {
        self.taken.get().is_some()
    }

    /// The inputs of one that had the session's token.
    pub(super) fn taken(&self) -> Option<Pairs> {
        self.taken.get().map(|sent| read_pairs(sent))
    }

    /// Those of one of another session.
    pub(super) fn stale(&self) -> Option<Pairs> {
        let stale = self.stale.get().filter(|_| !self.is_taken());
        stale.map(|sent| read_pairs(sent))
    }
}

/// What a form was filled in with.
pub(super) fn read_pairs(sent: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(sent).into_owned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::{MemoryBudget, Owner};

    #[test]
    fn what_is_noted_of_a_form_is_in_the_room_that_it_was_sent_in() {
        let budget = MemoryBudget::new(1 << 20);
        let body = Bytes::from_static(b"name=Town&token=00");
        let room = budget.reserve(Owner::of("a"), body.len()).expect("room");
        let sent = room.attach(body);
        let filled_in = FilledIn::default();
        filled_in.note_stale(&sent);
        filled_in.take(&sent);
        drop(sent);
        assert_eq!(budget.taken(), 18, "it is there, and counts");
        let taken = filled_in.taken().expect("a form");
        assert_eq!(taken[0], ("name".to_owned(), "Town".to_owned()));
        assert!(filled_in.stale().is_none());
        drop(filled_in);
        assert_eq!(budget.taken(), 0);
    }
}
