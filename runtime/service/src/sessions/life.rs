//! How long a session lives: it ends after its time, and before it when nobody uses it for a while. Its uses are noted in
//! memory and written coarsely, never one commit for each request.

use super::session::SESSION_SECONDS;
use crate::Service;
use crate::ended::is_too_late;
use store::catalog::{Kind, Session};
use wire::Timestamp;

/// In how many parts of the time that a session may be idle its uses are written.
const IDLE_PARTS: i64 = 10;

impl Service {
    /// Whether a session still opens anything; notes that it was used.
    pub(crate) fn use_session(&self, session: &Session, now: Timestamp) -> bool {
        let is_alive = self.is_alive(session, now);
        // what was written is good enough for a while
        let age = now.millis() - session.used_at.millis();
        if is_alive && age > self.idle_max() / IDLE_PARTS {
            self.last_used.note(Kind::Session, &session.hash, now);
        }
        is_alive
    }

    /// Whether a session still opens anything.
    pub(crate) fn is_alive(&self, session: &Session, now: Timestamp) -> bool {
        if self.ended.has(Kind::Session, &session.hash) {
            return false;
        }
        let idle = now.millis() - self.used_at(session).millis();
        let is_in_time =
            now < session.expires_at && !is_too_late(session.expires_at, SESSION_SECONDS, now);
        let is_alive = is_in_time && idle < self.idle_max();
        if !is_alive {
            // a clock that goes back makes it no younger
            self.ended.note(Kind::Session, &session.hash);
        }
        is_alive
    }

    /// When a session was used last, as far as that is known.
    pub(super) fn used_at(&self, session: &Session) -> Timestamp {
        let noted = self.last_used.noted(Kind::Session, &session.hash);
        session.used_at.max(noted.unwrap_or(session.used_at))
    }

    /// Milliseconds that a session may stay unused.
    pub(crate) fn idle_max(&self) -> i64 {
        let idle_max = self.settings().session_idle_max.as_millis();
        i64::try_from(idle_max).unwrap_or(i64::MAX)
    }
}
