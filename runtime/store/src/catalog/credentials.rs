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
    /// The key that it was before, while that still works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ReplacedKey>,
    /// Those that it was before that one, the newest first, while they still work. They stand beside it, so that a
    /// server of an earlier version, which knows of one, reads the row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced_before: Vec<ReplacedKey>,
    /// Whether it is switched on.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was last used.
    #[serde(default)]
    pub last_used_at: LastUsedAt,
    /// Who made it, and when.
    pub stamp: Stamp,
}

impl ApiKey {
    /// Whether its time has passed, by now or as it was found before.
    pub fn has_ended_by(&self, now: Timestamp) -> bool {
        self.has_ended || self.expires_at.is_some_and(|end| end <= now)
    }

    /// The keys that it was before and that may still work, the newest first.
    pub fn earlier(&self) -> impl Iterator<Item = &ReplacedKey> {
        self.replaced.iter().chain(&self.replaced_before)
    }

    /// The same with these as the keys that it was before, the newest first.
    #[must_use]
    pub fn with_earlier(self, earlier: impl IntoIterator<Item = ReplacedKey>) -> Self {
        let mut earlier = earlier.into_iter();
        ApiKey {
            replaced: earlier.next(),
            replaced_before: earlier.collect(),
            ..self
        }
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
    #[serde(default)]
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
    #[serde(default)]
    pub must_change_password: bool,
    /// When the password stops working, if someone else chose it and it was not changed by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_ends_at: Option<Timestamp>,
    /// What signing in asks for beside the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor: Option<SecondFactor>,
    /// What lets it choose its password once, without the one it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
    /// How often all its sessions were ended at once: a sign-in that was begun before goes on no more.
    #[serde(default)]
    pub sign_outs: u64,
    /// Whether it may sign in.
    pub active: bool,
    /// The ids of its roles.
    pub roles: Vec<String>,
    /// The areas it reaches.
    pub grants: Vec<Grant>,
    /// When it was last used.
    #[serde(default)]
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
    /// When it was last used, as far as that was written: now and then only. One of before this was kept
    /// has been idle for ever.
    #[serde(default)]
    pub used_at: Timestamp,
    /// When it began; the start of time for one of before this was kept.
    #[serde(default)]
    pub begun_at: Timestamp,
    /// When its user last showed the password. One of before this was kept never did.
    #[serde(default)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const AT: &str = "2026-01-01T00:00:00.000Z";

    fn row(more: &[(&str, Value)]) -> Value {
        let by = json!({"kind": "user", "id": "u", "name": "ada"});
        let stamp = json!({"created_by": by, "created_at": AT, "updated_by": by, "updated_at": AT});
        let mut row = json!({"id": "k", "tenant": "t", "name": "key", "description": "", "hash": "h", "masked": "m",
            "expires_at": null, "active": true, "roles": [], "grants": [], "last_used_at": null, "stamp": stamp});
        for (name, value) in more {
            row[*name] = value.clone();
        }
        row
    }

    #[test]
    fn a_key_keeps_the_form_in_which_versions_that_knew_one_earlier_secret_wrote_it() {
        let old = |hash: &str| json!({"hash": hash, "until": AT});
        let several = [
            ("replaced", old("b")),
            ("replaced_before", json!([old("a")])),
        ];
        for (count, hashes) in [&[][..], &["b"], &["b", "a"]].into_iter().enumerate() {
            let row = row(&several[..count]);
            let key: ApiKey = serde_json::from_value(row.clone()).unwrap();
            let earlier: Vec<_> = key.earlier().map(|old| old.hash.as_str()).collect();
            assert_eq!(earlier, hashes);
            assert_eq!(serde_json::to_value(&key).unwrap(), row);
            let all: Vec<_> = key.earlier().cloned().collect();
            assert!(key.clone().with_earlier(all) == key);
        }
    }
}
