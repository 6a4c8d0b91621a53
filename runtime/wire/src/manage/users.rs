//! Users: people who sign in. A password is taken and never shown.

#[cfg(feature = "schemars")]
use super::limits::{EMAIL_BYTES_MAX, NAME_LENGTH_MAX, PASSWORD_BYTES_MAX, PASSWORD_LENGTH_MIN};
use super::{Grant, StampView, yes};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A password as it was sent. It is never shown.
#[derive(Clone, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// A password.
    pub fn new(text: impl Into<String>) -> Self {
        Password(text.into())
    }

    /// The password itself: to be hashed, never to be shown or kept.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

impl From<&str> for Password {
    fn from(text: &str) -> Self {
        Password::new(text)
    }
}

/// A user to be made.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewUser {
    /// The name it signs in with, unique in the store.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub username: String,
    /// Its full name.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub full_name: String,
    /// Its e-mail address.
    #[cfg_attr(feature = "schemars", schemars(email, length(max = EMAIL_BYTES_MAX)))]
    pub email: String,
    /// Its password.
    #[cfg_attr(feature = "schemars", schemars(with = "String", length(min = PASSWORD_LENGTH_MIN, max = PASSWORD_BYTES_MAX)))]
    pub password: Password,
    /// Whether it has to choose another password when it signs in first.
    #[serde(default)]
    pub must_change_password: bool,
    /// Whether it has to set up a second factor before it may do anything else, whatever its roles say.
    #[serde(default)]
    pub second_factor_required: bool,
    /// Whether it may sign in.
    #[serde(default = "yes")]
    pub active: bool,
    /// The ids of its roles.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The areas it reaches.
    #[serde(default)]
    pub grants: Vec<Grant>,
}

/// What can be changed of a user.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserContent {
    /// The name it signs in with, unique in the store.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub username: String,
    /// Its full name.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub full_name: String,
    /// Its e-mail address.
    #[cfg_attr(feature = "schemars", schemars(email, length(max = EMAIL_BYTES_MAX)))]
    pub email: String,
    /// A new password, which it has to change when it signs in next; absent, it keeps the one it has.
    #[cfg_attr(feature = "schemars", schemars(with = "Option<String>", length(min = PASSWORD_LENGTH_MIN, max = PASSWORD_BYTES_MAX)))]
    #[serde(default)]
    pub password: Option<Password>,
    /// Whether it has to set up a second factor before it may do anything else, whatever its roles say; absent, it stays
    /// as it is.
    #[serde(default)]
    pub second_factor_required: Option<bool>,
    /// Whether it may sign in.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
}

/// A user, without its password.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, as the interface shows it"
)]
pub struct UserView {
    /// Its id.
    pub user_id: String,
    /// The name it signs in with.
    pub username: String,
    /// Its full name.
    pub full_name: String,
    /// Its e-mail address.
    pub email: String,
    /// Whether it may sign in.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// Whether it has to choose another password before it may do anything else.
    pub must_change_password: bool,
    /// When the password it has to change stops working; `null` for one of its own, and for one without an end.
    pub password_ends_at: Option<Timestamp>,
    /// Until when its invitation lets it choose a password; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation_ends_at: Option<Timestamp>,
    /// Whether signing in asks for a code as well.
    pub second_factor: bool,
    /// Whether it has to have a second factor, whatever its roles say.
    pub second_factor_required: bool,
    /// When it was used last, some seconds late at most; `null` if it never was.
    pub last_used_at: Option<Timestamp>,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

/// A user to be made that chooses its password itself.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Invitee {
    /// The name it signs in with, unique in the store.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub username: String,
    /// Its full name.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub full_name: String,
    /// Its e-mail address.
    #[cfg_attr(feature = "schemars", schemars(email, length(max = EMAIL_BYTES_MAX)))]
    pub email: String,
    /// Whether it has to set up a second factor before it may do anything else, whatever its roles say.
    #[serde(default)]
    pub second_factor_required: bool,
    /// The ids of its roles.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The areas it reaches.
    #[serde(default)]
    pub grants: Vec<Grant>,
}
