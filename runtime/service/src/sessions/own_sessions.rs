//! The sessions of whoever asks: seen, ended one by one, and all but the one that asks.

use crate::{Caller, Refusal, Service, secrets};
use std::sync::Arc;
use store::catalog::{AuditAction, Ending, Holder, Kind, Session, User};
use tracing::Instrument as _;
use wire::Page;
use wire::manage::SessionView;

/// Characters of a session's id.
const ID: usize = 32;

/// What a session is called where it is listed. It follows from the hash and leads back to nothing.
fn id_of(session: &Session) -> String {
    let mut id = secrets::hash(&format!("id of the session {}", session.hash));
    id.truncate(ID);
    id
}

/// The user that asks.
///
/// # Errors
/// [`Refusal::Forbidden`] for programs.
pub(super) fn user_of(by: &Caller) -> Result<&Arc<User>, Refusal> {
    by.user()
        .ok_or_else(|| Refusal::Forbidden("only users have sessions and passwords".into()))
}

impl Service {
    /// The caller's sessions that still open something, in order of beginning: no more than a user may have.
    ///
    /// # Errors
    /// The caller is no user.
    pub fn own_sessions(&self, by: &Caller) -> Result<Page<SessionView>, Refusal> {
        let user = user_of(by)?;
        let now = self.now();
        let mut own = self.store().sessions_of(&user.id);
        own.retain(|session| self.is_alive(session, now));
        own.sort_by_key(|session| (session.begun_at, session.hash.clone()));
        let current = by.session().map(|session| &*session.hash);
        let view = |session: &Arc<Session>| SessionView {
            session_id: id_of(session),
            current: current == Some(&session.hash),
            created_date: session.begun_at,
            last_used_at: self.used_at(session),
            expires_at: session.expires_at,
            address: session.address.clone(),
            user_agent: session.user_agent.clone(),
        };
        Ok(Page {
            items: own.iter().map(view).collect(),
            next_page_key: None,
        })
    }

    /// Ends one of the caller's sessions; it may be the one that asks.
    ///
    /// # Errors
    /// The caller is no user, or has no such session.
    pub async fn end_own_session(&self, by: &Caller, id: &str) -> Result<(), Refusal> {
        let user = user_of(by)?.id.clone();
        let mut own = self.store().sessions_of(&user).into_iter();
        let session = own.find(|session| id_of(session) == id);
        let hash = session
            .map(|session| session.hash.clone())
            .ok_or_else(|| Refusal::no_such("session"))?;
        let span = tracing::debug_span!("sessions.end_one", user);
        let ended = self.change(by, move |change| {
            change.remove(Kind::Session, &hash);
            change.note(AuditAction::SignOut, Kind::User, &user, [None, None]);
            Ok(())
        });
        ended.instrument(span).await
    }

    /// Ends all of the caller's sessions but the one that asks, and what was begun of a sign-in.
    ///
    /// # Errors
    /// The caller is no user.
    pub async fn end_other_sessions(&self, by: &Caller) -> Result<(), Refusal> {
        let user = user_of(by)?.id.clone();
        let but = by.session().map(|session| session.hash.clone());
        let but = but.ok_or(Refusal::Unauthenticated)?;
        let span = tracing::debug_span!("sessions.end_others", user);
        let ended = self.change(by, move |change| {
            change.end(Ending::Others {
                holder: Holder::User(user.clone()),
                but: but.clone(),
            });
            if let Some(own) = change.catalog.users.get(&user) {
                change.void_sign_ins(own);
            }
            change.note(AuditAction::SignOut, Kind::User, &user, [None, None]);
            Ok(())
        });
        ended.instrument(span).await
    }
}
