//! What a form of a request was filled in with, for whoever sees it refused. It copies nothing: a form is held as it was sent,
//! in the room of memory that it has.

use axum::body::Bytes;
use std::sync::{Arc, OnceLock};
use url::form_urlencoded;

type Pairs = Vec<(String, String)>;

/// A form as it was sent.
struct Sent {
    bytes: Bytes,
    /// Whether a file came behind it.
    has_file: bool,
}

impl Sent {
    fn whole(sent: &Bytes) -> Self {
        Sent {
            bytes: sent.clone(),
            has_file: false,
        }
    }

    fn before_file(pairs: &[(String, String)]) -> Self {
        let mut text = form_urlencoded::Serializer::new(String::new());
        Sent {
            bytes: text.extend_pairs(pairs).finish().into(),
            has_file: true,
        }
    }
}

/// The form of a request, once it was read.
#[derive(Clone, Default)]
pub(super) struct FilledIn {
    taken: Arc<OnceLock<Sent>>,
    stale: Arc<OnceLock<Sent>>,
}

impl FilledIn {
    /// Notes one that had the session's token.
    pub(super) fn take(&self, sent: &Bytes) {
        self.taken.get_or_init(|| Sent::whole(sent));
    }

    /// Notes what stood before the file of one that had the session's token, which is little.
    pub(super) fn take_before_file(&self, pairs: &[(String, String)]) {
        self.taken.get_or_init(|| Sent::before_file(pairs));
    }

    /// Notes one that a page of ours sent with the token of another session.
    pub(super) fn note_stale(&self, sent: &Bytes) {
        self.stale.get_or_init(|| Sent::whole(sent));
    }

    /// The same of what stood before a file.
    pub(super) fn note_stale_before_file(&self, pairs: &[(String, String)]) {
        self.stale.get_or_init(|| Sent::before_file(pairs));
    }

    /// How long the one is that had the session's token; nothing where there is none.
    pub(super) fn bytes(&self) -> usize {
        self.taken.get().map_or(0, |sent| sent.bytes.len())
    }

    /// Whether a file came with it.
    pub(super) fn has_file(&self) -> bool {
        let sent = self.taken.get().or_else(|| self.stale.get());
        sent.is_some_and(|sent| sent.has_file)
    }

    /// The inputs of one that had the session's token.
    pub(super) fn taken(&self) -> Option<Pairs> {
        self.taken.get().map(|sent| read_pairs(&sent.bytes))
    }

    /// Whether one was read that is of another session.
    pub(super) fn is_stale(&self) -> bool {
        self.stale.get().is_some() && self.taken.get().is_none()
    }

    /// Those of one of another session.
    pub(super) fn stale(&self) -> Option<Pairs> {
        let stale = self.stale.get().filter(|_| self.taken.get().is_none());
        stale.map(|sent| read_pairs(&sent.bytes))
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
        let room = budget
            .reserve(Owner::of("t", "a"), body.len())
            .expect("room");
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

    #[test]
    fn of_a_form_with_a_file_all_else_is_noted() {
        let pairs = [("name".to_owned(), "a & b".to_owned())];
        let filled_in = FilledIn::default();
        filled_in.take_before_file(&pairs);
        assert!(filled_in.has_file() && filled_in.bytes() > 0);
        assert_eq!(filled_in.taken().expect("a form"), pairs);
        // so is it of one of another session
        let filled_in = FilledIn::default();
        filled_in.note_stale_before_file(&pairs);
        assert!(filled_in.has_file() && filled_in.is_stale());
        assert_eq!(filled_in.stale().expect("a form"), pairs);
    }
}
