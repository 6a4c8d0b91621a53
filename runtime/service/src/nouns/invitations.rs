//! Invitations: whoever manages users hands one over, and its user chooses a password with it, once and in time. Until
//! then nobody signs in as the user: it has a password that nobody knows. The code is shown once and never kept.
//! docs/interface.md, "Invitations".

use super::engine::{Nouns, replace};
use super::noun::Content;
use super::profile::{HashedUser, Profile, judge};
use super::users::{OfOthers as _, end_sessions};
use crate::ended::is_too_late;
use crate::rights::Principal;
use crate::{Caller, Refusal, Service, passwords, secrets};
use std::fmt;
use std::sync::Arc;
use store::catalog::{AuditAction, Catalog, Invitation, Kind, Resource, User, Verb};
use tracing::Instrument as _;
use wire::Timestamp;
use wire::manage::{Invitee, Password};

/// Seconds for which an invitation works.
const INVITATION_SECONDS: i64 = 7 * 24 * 3600;
/// Letters and digits of its code behind the prefix.
const CODE_LENGTH: usize = 40;

/// A user with its invitation, whose code is shown this once.
#[derive(Clone)]
pub struct NewInvitation {
    /// Who is invited.
    pub user: Arc<User>,
    /// What lets the user choose its password.
    pub code: String,
}

impl fmt::Debug for NewInvitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewInvitation").finish_non_exhaustive()
    }
}

impl Content for Invitee {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        judge([&self.username, &self.full_name, &self.email], None)
    }

    fn name(&self) -> &str {
        &self.username
    }
}

impl From<Invitee> for Profile {
    fn from(invitee: Invitee) -> Self {
        Profile {
            username: invitee.username,
            full_name: invitee.full_name,
            email: invitee.email,
            second_factor_required: Some(invitee.second_factor_required),
            active: true,
            roles: invitee.roles,
            grants: invitee.grants,
        }
    }
}

impl Nouns<'_, User> {
    /// Makes a user and an invitation for it.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn invite(self, by: &Caller, invitee: Invitee) -> Result<NewInvitation, Refusal> {
        invitee.judge(self.service.now())?;
        // before the costly part, and again when it is decided
        let caller = self.service.newest(by)?;
        caller.rights().require(Resource::Users, Verb::Add)?;
        self.service.require_proof(by, Resource::Users, Verb::Add)?;
        let (code, invitation) = self.service.new_invitation();
        let hashed = HashedUser {
            profile: invitee.into(),
            password_hash: self.service.nobodys_password(by.tenant()).await?,
            must_change_password: true,
            invitation: Some(invitation),
        };
        let user = self.create(by, "", hashed).await?;
        Ok(NewInvitation { user, code })
    }

    /// Invites a user that is there anew: the password that it has and an invitation of before work no more, and its
    /// sessions end.
    ///
    /// # Errors
    /// No such user, the caller itself, rights the caller does not have.
    pub async fn invite_again(self, by: &Caller, id: &str) -> Result<NewInvitation, Refusal> {
        let caller = self.service.newest(by)?;
        let sight = caller.sight();
        sight.find::<User>(id, Verb::Edit)?;
        self.service
            .require_proof(by, Resource::Users, Verb::Edit)?;
        let (code, invitation) = self.service.new_invitation();
        let password_hash = self.service.nobodys_password(by.tenant()).await?;
        let invited = self.revise(by, id, move |change, old| {
            old.require_another(change)?;
            Ok(User {
                password_hash: password_hash.clone(),
                must_change_password: true,
                password_ends_at: None,
                invitation: Some(invitation.clone()),
                ..old.clone()
            })
        });
        let user = invited.await?;
        Ok(NewInvitation { user, code })
    }

    /// Ends all sessions of a user, and what was begun of a sign-in.
    ///
    /// # Errors
    /// No such user, rights the caller does not have.
    pub async fn end_sessions(self, by: &Caller, id: &str) -> Result<(), Refusal> {
        self.service
            .require_proof(by, Resource::Users, Verb::Edit)?;
        let span = tracing::debug_span!("sessions.end_of_user", user = id);
        let id = id.to_owned();
        let ended = self.service.change(by, move |change| {
            let user = change.sight().find::<User>(&id, Verb::Edit)?;
            end_sessions(change, &id);
            change.void_sign_ins(user);
            change.note(AuditAction::SignOut, Kind::User, &id, [None, None]);
            Ok(())
        });
        ended.instrument(span).await
    }
}

impl Service {
    /// Gives a user the password that it chose, if it shows the code of its invitation, which is good for one time.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for a code that is none, was used or has ended, and for a user that is switched off; a
    /// password that is too short or easily guessed.
    pub async fn accept_invitation(
        &self,
        code: &str,
        password: &Password,
    ) -> Result<Arc<User>, Refusal> {
        const PATH: &str = "$.password";
        let user = self.invited_by(code)?;
        let span = tracing::debug_span!("invitations.accept", user = user.id);
        async {
            if let Some(problem) = passwords::problem(password, PATH) {
                return Err(Refusal::Invalid(vec![problem]));
            }
            let words = [&*user.username, &user.full_name, &user.email];
            self.require_fit_password(&user.tenant, password, PATH, &words)
                .await?;
            let hashing =
                passwords::hashed(&self.hash_pool, password, &user.tenant, self.entropy());
            let password_hash = hashing.await?;
            let hash = secrets::hash(code);
            self.change(Principal::User(user.clone()), move |change| {
                let user = invited(change.catalog, &hash, change.at).ok_or_else(none)?;
                let new = User {
                    password_hash: password_hash.clone(),
                    must_change_password: false,
                    password_ends_at: None,
                    invitation: None,
                    ..User::clone(user)
                };
                replace(change, &**user, new)
            })
            .await
            .map_err(|refusal| match refusal {
                // switched off at the same moment
                Refusal::Unauthenticated => none(),
                refusal => refusal,
            })
        }
        .instrument(span)
        .await
    }

    /// Who is invited by a code.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn invited_by(&self, code: &str) -> Result<Arc<User>, Refusal> {
        let is_code = code.starts_with(secrets::INVITATION_PREFIX)
            && code.len() == secrets::INVITATION_PREFIX.len() + CODE_LENGTH;
        let catalog = self.store().catalog();
        let user = is_code.then(|| invited(&catalog, &secrets::hash(code), self.now()));
        user.flatten().cloned().ok_or_else(none)
    }

    fn new_invitation(&self) -> (String, Invitation) {
        let text = secrets::random_text(self.entropy(), CODE_LENGTH);
        let code = format!("{}{text}", secrets::INVITATION_PREFIX);
        let invitation = Invitation {
            hash: secrets::hash(&code),
            ends_at: self.now().plus_seconds(INVITATION_SECONDS),
        };
        (code, invitation)
    }

    /// The hash of a password that nobody knows.
    async fn nobodys_password(&self, tenant: &str) -> Result<String, Refusal> {
        let text = secrets::random_text(self.entropy(), CODE_LENGTH);
        let password = Password::new(text);
        passwords::hashed(&self.hash_pool, &password, tenant, self.entropy()).await
    }
}

/// The user whose invitation has this hash and still works.
fn invited<'c>(catalog: &'c Catalog, hash: &str, now: Timestamp) -> Option<&'c Arc<User>> {
    let mut users = catalog.users.values();
    users.find(|user| {
        let own = user.invitation.as_ref();
        let is_in_time = |end: Timestamp| now < end && !is_too_late(end, INVITATION_SECONDS, now);
        user.active && own.is_some_and(|own| own.hash == hash && is_in_time(own.ends_at))
    })
}

fn none() -> Refusal {
    Refusal::NotFound(
        "this invitation is none, was used, or has ended; ask who manages users for another".into(),
    )
}
