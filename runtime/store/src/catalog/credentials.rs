//! Credentials: API keys, application clients with their tokens, users with their sessions. Secrets
//! are here only as hashes.

use super::{Grant, LastUsedAt, NounKey, Stamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use wire::Timestamp;

/// A long-lived key of an integration. docs/interface.md, "Credentials".
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// SHA-256 of the key, in hex.
    pub hash: String,
    /// Prefix and last four characters.
    pub masked: String,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// Whether that was found to have passed: it works no more, whatever a clock says that goes back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_ended: bool,
    /// Who made it, if it ends with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_with: Option<NounKey>,
    /// Its earlier secrets that may still work, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedKey>,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was last used.
    pub last_used_at: LastUsedAt,
    /// Who made it, and when.
    pub stamp: Stamp,
}

impl ApiKey {
    /// Whether its time has passed, by now or as it was found before.
    pub fn has_ended_by(&self, now: Timestamp) -> bool {
        self.has_ended || self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The secret that a key had before it got another one.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplacedKey {
    /// SHA-256 of it, in hex.
    pub hash: String,
    /// When it stops working.
    pub until: Timestamp,
}

/// An application client. docs/interface.md, "Tokens".
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// `client_id`
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// SHA-256 of the client secret, in hex: the secret is long and random, so no slow hash is needed.
    pub secret_hash: String,
    /// Whether it is switched on.
    pub active: bool,
    /// How long its tokens live, in seconds.
    pub token_seconds: i64,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was last used.
    pub last_used_at: LastUsedAt,
    /// Who made it, and when.
    pub stamp: Stamp,
}

/// An access token of an application client.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Token {
    /// SHA-256 of the token, in hex.
    pub hash: String,
    /// The client it was issued to.
    pub app: String,
    /// When it stops working.
    pub expires_at: Timestamp,
}

/// A person.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// The name it signs in with, unique in the store.
    pub username: String,
    /// Its full name.
    pub full_name: String,
    /// Its e-mail address.
    pub email: String,
    /// Argon2id, in PHC form.
    pub password_hash: String,
    /// Whether someone else chose the password, so that it has to be changed first of all.
    pub must_change_password: bool,
    /// When the password stops working, if someone else chose it and it was not changed by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_ends_at: Option<Timestamp>,
    /// What signing in asks for beside the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor: Option<SecondFactor>,
    /// Whether it has to have a second factor, whatever its roles say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_factor_required: bool,
    /// What lets it choose its password once, without the one it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
    /// How often all its sessions were ended at once: a sign-in that was begun before goes on no more.
    pub sign_outs: u64,
    /// Whether it may sign in.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was last used.
    pub last_used_at: LastUsedAt,
    /// Who made it, and when.
    pub stamp: Stamp,
}

/// An invitation, which whoever made it hands over: there is no mail.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// SHA-256 of its code, in hex.
    pub hash: String,
    /// When it stops working.
    pub ends_at: Timestamp,
}

/// A second factor: one-time codes by time (RFC 6238). The secret has to be readable, since codes are made of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// The secret that it shares with an authenticator, in base 32.
    pub secret: String,
    /// Whether a code was shown to be right; until then nothing asks for one.
    pub confirmed: bool,
    /// The time step of the newest code that was taken: no code up to it is taken again.
    pub last_step: u64,
    /// SHA-256 of the recovery codes that are left, in hex.
    pub recovery_hashes: Vec<String>,
}

/// A signed-in user: a browser's session, or a token of the management interface.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// SHA-256 of the session's secret, in hex.
    pub hash: String,
    /// The user.
    pub user: String,
    /// SHA-256 of the token that guards against cross-site requests, in hex.
    pub csrf_hash: String,
    /// When it stops working, however much it is used.
    pub expires_at: Timestamp,
    /// When it was last used, as far as that was written: now and then only.
    pub used_at: Timestamp,
    /// When it began.
    pub begun_at: Timestamp,
    /// When its user last showed the password.
    pub proved_at: Timestamp,
    /// The address that it was begun from, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// What the browser or the program called itself that it was begun by, or the beginning of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
}

/// Shows who it is, never a hash.
macro_rules! debug_without_hashes {
    ($($noun:ident: $($field:ident),*;)*) => {$(
        impl fmt::Debug for $noun {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($noun))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    )*};
}

debug_without_hashes! {
    ApiKey: id, tenant, name, active, expires_at;
    App: id, tenant, name, active;
    ReplacedKey: until;
    Token: app, expires_at;
    User: id, tenant, username, active;
    Session: user, expires_at;
    SecondFactor: confirmed;
    Invitation: ends_at;
}
