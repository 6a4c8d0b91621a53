//! Users: people who sign in. A user that is switched off, deleted or given a new password is signed
//! out everywhere; the last administrator stays.

use super::draft::Draft;
use super::holders::{check_access, cover};
use super::names::{Texts, taken};
use super::rights::{Replaced, keep_an_administrator};
use super::sessions::end_sessions;
use super::{Denied, UserView};
use super::{Password, passwords};
use crate::manage::Content;
use crate::manage::NewUser;
use crate::manage::UserContent;
use crate::manage::View;
use crate::manage::views::masked_user;
use crate::{Caller, PageRequest, Service, ids};
use std::sync::Arc;
use store::catalog::{ActorKind, Resource, User, Verb};
use wire::Page;
use wire::Timestamp;

fn judge(
    username: &str,
    full_name: &str,
    email: &str,
    password: Option<&Password>,
) -> Result<(), Denied> {
    let mut texts = Texts::default();
    texts
        .name("$.username", username)
        .name("$.fullName", full_name);
    if engine::Email::parse(email).is_err() {
        texts.wrong("$.email", "must be an e-mail address");
    }
    if let Some(problem) = password.and_then(|password| passwords::problem(password, "$.password"))
    {
        texts.wrong(&problem.path, problem.message);
    }
    texts.judged()
}

impl Content for NewUser {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let password = Some(&self.password);
        judge(&self.username, &self.full_name, &self.email, password)
    }
}

impl Content for UserContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let password = self.password.as_ref();
        judge(&self.username, &self.full_name, &self.email, password)
    }
}

impl Service {
    /// Makes a user.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have.
    pub async fn create_user(&self, by: &Caller, new: NewUser) -> Result<Arc<User>, Denied> {
        new.judge(self.now())?;
        // before the costly part, and again when it is decided
        self.may_now(by, Resource::Users, Verb::Add)?;
        let password_hash = passwords::hashed(&new.password, self.entropy()).await?;
        let id = ids::new_id(self.now(), self.entropy());
        self.change(by, move |draft| {
            draft.require(Resource::Users, Verb::Add)?;
            check_access(draft, &new.roles, &new.grants)?;
            free(draft, &new.username, "")?;
            let user = draft.put(User {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                username: new.username.clone(),
                full_name: new.full_name.clone(),
                email: new.email.clone(),
                password_hash: password_hash.clone(),
                active: new.active,
                roles: new.roles.clone(),
                grants: new.grants.clone(),
                last_used_at: None.into(),
                stamp: draft.stamp(),
            });
            draft.remember("create", ["user", &id], None, Some(masked_user(&user)));
            Ok(user)
        })
        .await
    }

    /// Changes a user; from the next request on.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, rights the caller does not have, no administrator left.
    pub async fn update_user(
        &self,
        by: &Caller,
        user: &str,
        content: UserContent,
    ) -> Result<Arc<User>, Denied> {
        content.judge(self.now())?;
        self.may_now(by, Resource::Users, Verb::Edit)?;
        let password_hash = match &content.password {
            Some(password) => Some(passwords::hashed(password, self.entropy()).await?),
            None => None,
        };
        let id = user.to_owned();
        self.change(by, move |draft| {
            let old = user_of(draft, &id, Verb::Edit)?;
            check_access(draft, &content.roles, &content.grants)?;
            free(draft, &content.username, &id)?;
            let hash = password_hash.as_ref().unwrap_or(&old.password_hash);
            let new = User {
                username: content.username.clone(),
                full_name: content.full_name.clone(),
                email: content.email.clone(),
                password_hash: hash.clone(),
                active: content.active,
                roles: content.roles.clone(),
                grants: content.grants.clone(),
                ..(*old).clone()
            };
            replace(draft, &old, new)
        })
        .await
    }

    /// Lets a user sign in, or no longer.
    ///
    /// # Errors
    /// No such user, rights the caller does not have, no administrator left.
    pub async fn set_user_active(
        &self,
        by: &Caller,
        user: &str,
        active: bool,
    ) -> Result<Arc<User>, Denied> {
        let id = user.to_owned();
        self.change(by, move |draft| {
            let old = user_of(draft, &id, Verb::Edit)?;
            let new = User {
                active,
                ..(*old).clone()
            };
            replace(draft, &old, new)
        })
        .await
    }

    /// Gives the calling user a new password, if it knows the one it has. All its sessions end.
    ///
    /// # Errors
    /// The caller is no user, the password it has is another or was guessed at too often, or the new one
    /// is too short.
    pub async fn change_own_password(
        &self,
        by: &Caller,
        old: &Password,
        new: &Password,
    ) -> Result<(), Denied> {
        if let Some(problem) = passwords::problem(new, "$.newPassword") {
            return Err(Denied::Invalid(vec![problem]));
        }
        let id = by.actor().id.clone();
        let is_user = by.actor().kind == ActorKind::User;
        let user = by.catalog().users.get(&id).filter(|_| is_user).cloned();
        let user = user.ok_or_else(|| Denied::Forbidden("only users have passwords".to_owned()))?;
        let attempt = self.attempts.of_user(&id, self.now())?;
        let is_right = passwords::is_right(old, Some(user.password_hash.clone())).await;
        if matches!(is_right, Ok(false)) {
            return Err(Denied::invalid(
                "$.password",
                "is not the password you have",
            ));
        }
        attempt.give_back();
        is_right?;
        let password_hash = passwords::hashed(new, self.entropy()).await?;
        self.change(by, move |draft| {
            let now = draft
                .catalog
                .users
                .get(&id)
                .cloned()
                .ok_or(Denied::Unauthenticated)?;
            if now.password_hash != user.password_hash {
                return Err(Denied::Conflict(
                    "the password was changed at the same moment".to_owned(),
                ));
            }
            let changed = User {
                password_hash: password_hash.clone(),
                ..(*now).clone()
            };
            replace(draft, &now, changed).map(|_| ())
        })
        .await
    }

    /// Deletes a user and its sessions, at once and for good.
    ///
    /// # Errors
    /// No such user, rights the caller does not have, no administrator left.
    pub async fn delete_user(&self, by: &Caller, user: &str) -> Result<(), Denied> {
        let id = user.to_owned();
        self.change(by, move |draft| {
            let old = user_of(draft, &id, Verb::Delete)?;
            keep_one(draft, &id, None)?;
            end_sessions(draft, &id);
            draft.remove("user", &id);
            draft.remember("delete", ["user", &id], Some(masked_user(&old)), None);
            Ok(())
        })
        .await
    }

    /// The tenant's users.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn users(&self, by: &Caller, page: &PageRequest) -> Result<Page<UserView>, Denied> {
        let sight = self.sight(by, Resource::Users)?;
        let made = |user: &User| user.stamp.created_at;
        let scope = format!("users {}", sight.tenant);
        self.noun_page(&scope, page, (&sight.catalog.users, made), |user| {
            (user.tenant == sight.tenant).then(|| UserView::of(user))
        })
    }

    /// One user.
    ///
    /// # Errors
    /// No such user, missing rights.
    pub fn user(&self, by: &Caller, id: &str) -> Result<Arc<User>, Denied> {
        let sight = self.sight(by, Resource::Users)?;
        let own = |user: &&Arc<User>| user.tenant == sight.tenant;
        let user = sight.catalog.users.get(id).filter(own);
        user.cloned().ok_or(Denied::NotFound("user"))
    }
}

fn keep_one(draft: &Draft<'_>, id: &str, new: Option<&User>) -> Result<(), Denied> {
    if draft.rights.is_operator() {
        return Ok(());
    }
    let replaced = Replaced {
        user: Some((id, new)),
        ..Replaced::default()
    };
    keep_an_administrator(draft.catalog, draft.tenant(), replaced)
}

fn replace(draft: &mut Draft<'_>, old: &User, new: User) -> Result<Arc<User>, Denied> {
    keep_one(draft, &old.id, Some(&new))?;
    let is_new_password = new.password_hash != old.password_hash;
    if !new.active || is_new_password {
        end_sessions(draft, &old.id);
    }
    let stamp = draft.restamp(&old.stamp);
    let new = draft.put(User { stamp, ..new });
    let action = if is_new_password {
        "change_password"
    } else {
        "update"
    };
    let views = (Some(masked_user(old)), Some(masked_user(&new)));
    draft.remember(action, ["user", &old.id], views.0, views.1);
    Ok(new)
}

/// A user of the tenant that the caller's own rights cover.
fn user_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<User>, Denied> {
    draft.require(Resource::Users, verb)?;
    let own = |user: &&Arc<User>| user.tenant == draft.tenant();
    let user = draft.catalog.users.get(id).filter(own);
    let user = user.cloned().ok_or(Denied::NotFound("user"))?;
    cover(draft, &user.roles, &user.grants)?;
    Ok(user)
}

fn free(draft: &Draft<'_>, username: &str, own: &str) -> Result<(), Denied> {
    let other = draft.catalog.users_by_name.get(username);
    match other {
        Some(user) if user.id != own => Err(taken("a user", username)),
        _ => Ok(()),
    }
}
