//! What is said of a user: judged before its password is hashed, which is costly, and carried on with the hash alone.

use super::content::Texts;
use super::noun::Content;
use crate::{Refusal, passwords};
use store::catalog::{Grant, Invitation};
use wire::Timestamp;
use wire::manage::{NewUser, Password, UserContent};

/// What there is to say of a user but its password, which is left behind once it is hashed.
#[derive(Clone)]
pub(super) struct Profile {
    pub(super) username: String,
    pub(super) full_name: String,
    pub(super) email: String,
    pub(super) second_factor_required: Option<bool>,
    pub(super) active: bool,
    pub(super) roles: Vec<String>,
    pub(super) grants: Vec<Grant>,
}

/// A user to be made, with the hash of its password.
#[derive(Clone)]
pub struct HashedUser {
    pub(super) profile: Profile,
    pub(super) password_hash: String,
    pub(super) must_change_password: bool,
    pub(super) invitation: Option<Invitation>,
}

/// What changes a user, with the hash of its new password, if it gets one.
pub struct HashedContent {
    pub(super) profile: Profile,
    pub(super) password_hash: Option<String>,
}

impl From<NewUser> for Profile {
    fn from(new: NewUser) -> Self {
        Profile {
            username: new.username,
            full_name: new.full_name,
            email: new.email,
            second_factor_required: Some(new.second_factor_required),
            active: new.active,
            roles: new.roles,
            grants: new.grants,
        }
    }
}

impl From<UserContent> for Profile {
    fn from(content: UserContent) -> Self {
        Profile {
            username: content.username,
            full_name: content.full_name,
            email: content.email,
            second_factor_required: content.second_factor_required,
            active: content.active,
            roles: content.roles,
            grants: content.grants,
        }
    }
}

/// Both were judged before the password was hashed, which is costly.
impl Content for HashedUser {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Ok(())
    }

    fn name(&self) -> &str {
        &self.profile.username
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.profile.roles, &self.profile.grants))
    }
}

impl Content for HashedContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Ok(())
    }

    fn name(&self) -> &str {
        &self.profile.username
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        Some((&self.profile.roles, &self.profile.grants))
    }
}

impl Content for NewUser {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        let names = [&self.username, &self.full_name, &self.email];
        judge(names, Some(&self.password))
    }

    fn name(&self) -> &str {
        &self.username
    }
}

impl Content for UserContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        let names = [&self.username, &self.full_name, &self.email];
        judge(names, self.password.as_ref())
    }

    fn name(&self) -> &str {
        &self.username
    }
}

pub(super) fn judge(
    [username, full_name, email]: [&String; 3],
    password: Option<&Password>,
) -> Result<(), Refusal> {
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
