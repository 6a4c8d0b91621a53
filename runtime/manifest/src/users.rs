//! Users of a manifest. A password is set when a user is made, and never changed by a manifest.

use crate::access::Access;
use crate::model::{Areas, User};
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec};
use service::Refusal;
use service::manage::{NewUser, Password, UserContent};
use service::secrets::random_text;
use store::catalog;

const PASSWORD_LENGTH: usize = 20;

impl Spec for User {
    type Noun = catalog::User;
    type Content = UserContent;

    fn name(&self) -> &str {
        &self.username
    }

    fn rights(&self) -> Option<(Option<&[String]>, Option<&Areas>)> {
        Some((self.roles.as_deref(), self.areas.as_ref()))
    }

    fn content(&self, access: &Access, old: Option<&catalog::User>) -> anyhow::Result<UserContent> {
        let full_name = match (self.full_name.as_deref(), old) {
            (Some(""), _) | (None, None) => self.username.as_str(),
            (Some(name), _) => name,
            (None, Some(old)) => old.full_name.as_str(),
        };
        let active = self.active.or(old.map(|user| user.active));
        let password = self.password.as_deref().filter(|_| old.is_none());
        Ok(UserContent {
            username: self.username.clone(),
            full_name: full_name.to_owned(),
            email: self.email.clone(),
            password: password.map(Password::new),
            second_factor_required: self.second_factor_required,
            active: active.unwrap_or(true),
            roles: access.roles.clone(),
            grants: access.grants.clone(),
        })
    }

    fn changes(&self, old: &catalog::User, content: &UserContent) -> Vec<PropertyChange> {
        let is_required = content.second_factor_required;
        PropertyChange::among([
            (
                "username",
                old.username.as_str().into(),
                content.username.as_str().into(),
            ),
            (
                "fullName",
                old.full_name.as_str().into(),
                content.full_name.as_str().into(),
            ),
            (
                "email",
                old.email.as_str().into(),
                content.email.as_str().into(),
            ),
            (
                "secondFactorRequired",
                old.second_factor_required.into(),
                is_required.unwrap_or(old.second_factor_required).into(),
            ),
            ("active", old.active.into(), content.active.into()),
        ])
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        let (users, content) = (edit.service.users(), edit.content);
        if let Some(id) = edit.id {
            let user = users.change(&edit.by, id, content).await?;
            return Ok(Receipt::of(&user.id));
        }
        let (password, secret) = if let Some(password) = content.password {
            (password, None)
        } else {
            let made = random_text(edit.service.entropy(), PASSWORD_LENGTH);
            (Password::new(made.as_str()), Some(made))
        };
        let new = NewUser {
            username: content.username,
            full_name: content.full_name,
            email: content.email,
            password,
            must_change_password: false,
            second_factor_required: content.second_factor_required.unwrap_or_default(),
            active: content.active,
            roles: content.roles,
            grants: content.grants,
        };
        let user = users.register(&edit.by, new).await?;
        Ok(Receipt {
            secret,
            ..Receipt::of(&user.id)
        })
    }
}
