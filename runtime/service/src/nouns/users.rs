//! Users: people who sign in. A user that is switched off, deleted or given a new password is signed
//! out everywhere; the last administrator stays.

use super::change::Change;
use super::engine::Nouns;
use super::noun::{Content, Noun, Switchable, require_no_longer};
use super::profile::{HashedContent, HashedUser};
use super::saved_views::remove_saved_views;
use super::views::{masked, stamp_view};
use crate::passwords;
use crate::rights::{Lifetime, Principal, Replacement, is_factor_required, keep_an_administrator};
use crate::{Caller, Refusal};
use std::sync::Arc;
use store::catalog::{AuditAction, Catalog, Ending, Holder, Resource, User, Verb};
use wire::manage::{NewUser, UserContent, UserView};

/// What a user is told who changes its own password or address as if it were another's.
const OWN: &str =
    "your own password and e-mail address change in your session, and with the password you have";

/// What a key or client is told that changes the password or address of who made it.
const OF_MAKER: &str = "this user made this key or client, changed it last, or may have, so it changes neither the \
    user's password nor e-mail address nor second factor: the user does, in a session";

impl Noun for User {
    const RESOURCE: Resource = Resource::Users;
    const NAME: &'static str = "user";
    const ONE: &'static str = "a user";

    type New = HashedUser;
    type Content = HashedContent;
    type View = UserView;

    fn view(&self) -> UserView {
        let user = self.clone();
        UserView {
            user_id: user.id,
            username: user.username,
            full_name: user.full_name,
            email: user.email,
            active: user.active,
            roles: user.roles,
            grants: user.grants,
            must_change_password: user.must_change_password,
            password_ends_at: user.password_ends_at,
            invitation_ends_at: user.invitation.map(|it| it.ends_at),
            second_factor: user.second_factor.is_some_and(|factor| factor.confirmed),
            second_factor_required: user.second_factor_required,
            last_used_at: user.last_used_at.get(),
            stamp: stamp_view(user.stamp),
        }
    }

    fn trail(&self) -> UserView {
        UserView {
            full_name: masked(&self.full_name),
            email: masked(&self.email),
            ..self.view()
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        hashed: &HashedUser,
    ) -> Result<Self, Refusal> {
        let HashedUser {
            profile,
            password_hash,
            must_change_password,
            invitation,
        } = hashed.clone();
        Ok(User {
            id,
            tenant: change.tenant().to_owned(),
            username: profile.username,
            full_name: profile.full_name,
            email: profile.email,
            password_hash,
            must_change_password,
            password_ends_at: change
                .initial_password_ends_at
                .filter(|_| must_change_password && invitation.is_none()),
            second_factor: None,
            second_factor_required: profile.second_factor_required.unwrap_or_default(),
            invitation,
            sign_outs: 0,
            active: profile.active,
            roles: profile.roles,
            grants: profile.grants,
            last_used_at: None.into(),
            stamp: change.stamp(),
        })
    }

    /// A password that another one chose is to be changed by the user; the operator's stays.
    fn with(&self, change: &mut Change<'_>, hashed: &HashedContent) -> Result<Self, Refusal> {
        let profile = hashed.profile.clone();
        let hash = hashed.password_hash.as_ref();
        let (must_change_password, password_ends_at) = match hash {
            Some(_) if change.rights().is_operator() => (false, None),
            Some(_) => (true, change.initial_password_ends_at),
            None => (self.must_change_password, self.password_ends_at),
        };
        Ok(User {
            username: profile.username,
            full_name: profile.full_name,
            email: profile.email,
            password_hash: hash.unwrap_or(&self.password_hash).clone(),
            must_change_password,
            password_ends_at,
            invitation: self.invitation.clone().filter(|_| hash.is_none()),
            second_factor_required: profile
                .second_factor_required
                .unwrap_or(self.second_factor_required),
            active: profile.active,
            roles: profile.roles,
            grants: profile.grants,
            ..self.clone()
        })
    }

    /// User names are the same however they are written.
    fn namesake<'c>(
        catalog: &'c Catalog,
        tenant: &str,
        _: &str,
        name: &str,
    ) -> Option<&'c Arc<Self>> {
        catalog.user_named(tenant, name)
    }

    fn permit_content(&self, change: &Change<'_>, content: &HashedContent) -> Result<(), Refusal> {
        if content.password_hash.is_some() || content.profile.email != self.email {
            self.require_another(change)?;
        }
        change.check_access(content.access())?;
        require_no_longer(change, self, content)
    }

    fn permit_new(change: &Change<'_>, _: &str, new: &HashedUser) -> Result<(), Refusal> {
        change.check_access(new.access())?;
        change.principal.require_no_longer(Lifetime::Open)
    }

    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        keep_one(change, &self.id, Some(self))?;
        let is_new_password = self.password_hash != old.password_hash;
        let factor = |user: &User| user.second_factor.as_ref().is_some_and(|own| own.confirmed);
        if is_new_password {
            change.principal.require_no_longer(Lifetime::Open)?;
        }
        if !self.active || is_new_password {
            end_sessions(change, &self.id);
        }
        Ok(if is_new_password {
            AuditAction::ChangePassword
        } else if factor(self) != factor(old) {
            AuditAction::ChangeSecondFactor
        } else {
            AuditAction::Update
        })
    }

    fn before_delete(&self, change: &mut Change<'_>) -> Result<(), Refusal> {
        keep_one(change, &self.id, None)?;
        end_sessions(change, &self.id);
        remove_saved_views(change, &self.id);
        Ok(())
    }
}

impl Switchable for User {}

impl Nouns<'_, User> {
    /// Makes a user.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn register(self, by: &Caller, new: NewUser) -> Result<Arc<User>, Refusal> {
        new.judge(self.service.now())?;
        // before the costly part, and again when it is decided
        let caller = self.service.newest(by)?;
        caller.rights().require(Resource::Users, Verb::Add)?;
        self.service.require_proof(by, Resource::Users, Verb::Add)?;
        let words = [&*new.username, &new.full_name, &new.email];
        let fit =
            self.service
                .require_fit_password(by.tenant(), &new.password, "$.password", &words);
        fit.await?;
        let (pool, entropy) = (&self.service.hash_pool, self.service.entropy());
        let password_hash = passwords::hashed(pool, &new.password, by.tenant(), entropy).await?;
        let must_change_password = new.must_change_password;
        let hashed = HashedUser {
            profile: new.into(),
            password_hash,
            must_change_password,
            invitation: None,
        };
        self.create(by, "", hashed).await
    }

    /// Changes a user; from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have, no administrator left.
    pub async fn change(
        self,
        by: &Caller,
        id: &str,
        content: UserContent,
    ) -> Result<Arc<User>, Refusal> {
        self.change_seen(by, id, content, None).await
    }

    /// The same, if the user still is what whoever asks was shown: by the `mark` of that.
    ///
    /// # Errors
    /// As [`change`](Self::change), and that someone else changed it.
    pub async fn change_seen(
        self,
        by: &Caller,
        id: &str,
        content: UserContent,
        seen: Option<String>,
    ) -> Result<Arc<User>, Refusal> {
        content.judge(self.service.now())?;
        let caller = self.service.newest(by)?;
        caller.rights().require(Resource::Users, Verb::Edit)?;
        self.service
            .require_proof(by, Resource::Users, Verb::Edit)?;
        let password_hash = match &content.password {
            Some(password) => {
                let words = [&*content.username, &content.full_name, &content.email];
                let fit =
                    self.service
                        .require_fit_password(by.tenant(), password, "$.password", &words);
                fit.await?;
                let (pool, entropy) = (&self.service.hash_pool, self.service.entropy());
                Some(passwords::hashed(pool, password, by.tenant(), entropy).await?)
            }
            None => None,
        };
        let hashed = HashedContent {
            profile: content.into(),
            password_hash,
        };
        self.update_seen(by, id, hashed, seen).await
    }

    /// Takes a user's second factor away: for one that lost it, with its recovery codes.
    ///
    /// # Errors
    /// No such user, rights the caller does not have.
    pub async fn remove_second_factor(self, by: &Caller, id: &str) -> Result<Arc<User>, Refusal> {
        self.revise(by, id, |change, old| {
            if !matches!(change.principal, Principal::User(_)) {
                old.require_another(change)?;
            } else if change.principal.id() == old.id {
                require_optional_factor(old, change.catalog)?;
            }
            Ok(User {
                second_factor: None,
                ..old.clone()
            })
        })
        .await
    }
}

/// What of a user nobody does to its own: the session asks for the password there.
pub(super) trait OfOthers {
    /// Refuses the user itself, and keys and clients that may be the user's.
    fn require_another(&self, change: &Change<'_>) -> Result<(), Refusal>;
}

impl OfOthers for User {
    fn require_another(&self, change: &Change<'_>) -> Result<(), Refusal> {
        if !change.principal.may_be_user(&self.id, change.catalog) {
            return Ok(());
        }
        Err(Refusal::Forbidden(match change.principal {
            Principal::User(_) => OWN.into(),
            _ => OF_MAKER.into(),
        }))
    }
}

/// Refuses a user that takes away its own second factor while one is required of it.
pub(crate) fn require_optional_factor(user: &User, catalog: &Catalog) -> Result<(), Refusal> {
    if !is_factor_required(user, catalog) {
        return Ok(());
    }
    let text = "a second factor is required of you, so you can't remove it; if you lost it, ask who manages users";
    Err(Refusal::Conflict(text.into()))
}

fn keep_one(change: &Change<'_>, id: &str, new: Option<&User>) -> Result<(), Refusal> {
    if change.rights().is_operator() {
        return Ok(());
    }
    let replacement = Replacement::User(id, new);
    keep_an_administrator(change.catalog, change.tenant(), replacement)
}

/// Ends all sessions of a user.
pub(super) fn end_sessions(change: &mut Change<'_>, user: &str) {
    change.end(Ending::All(Holder::User(user.to_owned())));
}
