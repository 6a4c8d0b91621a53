//! Tokens of sign-ins that wait for a code: they say whose password was right, for a while and for one browser, and let
//! nobody in. The hash of the password, the state of the second factor and how often all sessions were ended are part of what
//! is signed: a password that is changed, a code that is taken and sessions that are ended, at whatever server, make all tokens
//! of their user void.
//!
//! ```text
//! 01JD…  .  1770000300000      .  Zm9v…
//! whose     until when, in ms     what proves it
//! ```

use crate::signing::SigningSecrets;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use parking_lot::RwLock;
use sha2::Sha256;
use store::catalog::User;
use wire::Timestamp;

/// What the key is for.
const PURPOSE: &str = "pending sign-ins";
/// Bytes of what proves it.
const MAC: usize = 32;

/// Who makes and knows the tokens of a deployment.
pub(crate) struct PendingTokens {
    key: RwLock<Hmac<Sha256>>,
}

/// A token as it was sent, of which nothing is proven yet.
pub(super) struct SentToken<'t> {
    pub(super) user: &'t str,
    pub(super) until: Timestamp,
    mac: [u8; MAC],
}

impl<'t> SentToken<'t> {
    /// `None` for what is no token.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (rest, sent) = text.rsplit_once('.')?;
        let (user, until) = rest.rsplit_once('.')?;
        let mut mac = [0; MAC];
        let length = URL_SAFE_NO_PAD.decode_slice(sent, &mut mac);
        (length == Ok(MAC)).then_some(())?;
        Some(SentToken {
            user,
            until: Timestamp::from_millis(until.parse().ok()?),
            mac,
        })
    }
}

impl PendingTokens {
    /// The maker with these secrets, of which it knows the one in use alone: a token lives for minutes.
    pub(crate) fn new(secrets: &SigningSecrets) -> Self {
        PendingTokens {
            key: RwLock::new(secrets.in_use().mac(PURPOSE)),
        }
    }

    /// The same, which keeps these secrets.
    pub(crate) fn copy(&self) -> Self {
        PendingTokens {
            key: RwLock::new(self.key.read().clone()),
        }
    }

    /// Signs with other secrets from now on.
    pub(crate) fn use_secrets(&self, secrets: &SigningSecrets) {
        *self.key.write() = secrets.in_use().mac(PURPOSE);
    }

    /// The token of a user whose password was right just now, in a browser that keeps this secret.
    pub(super) fn token(&self, user: &User, browser_secret: &str, until: Timestamp) -> String {
        let mac = self.mac(user, browser_secret, until).finalize();
        let mac = URL_SAFE_NO_PAD.encode(mac.into_bytes());
        format!("{}.{}.{mac}", user.id, until.millis())
    }

    /// Whether a token was made here for this user, as it is, and for a browser with this secret. Compares in constant
    /// time.
    pub(super) fn is_of(&self, sent: &SentToken<'_>, user: &User, browser_secret: &str) -> bool {
        let mac = self.mac(user, browser_secret, sent.until);
        sent.user == user.id && mac.verify_slice(&sent.mac).is_ok()
    }

    fn mac(&self, user: &User, browser_secret: &str, until: Timestamp) -> Hmac<Sha256> {
        let factor = user.second_factor.as_ref();
        let (secret, step) = factor.map_or(("", 0), |own| (&*own.secret, own.last_step));
        let (until, step) = (until.millis().to_string(), step.to_string());
        let sign_outs = user.sign_outs.to_string();
        let parts = [
            &*user.id,
            &until,
            browser_secret,
            &user.password_hash,
            secret,
            &step,
            &sign_outs,
        ];
        let recovery = factor.into_iter().flat_map(|own| &own.recovery_hashes);
        let mut mac = self.key.read().clone();
        for part in parts.into_iter().chain(recovery.map(String::as_str)) {
            // with its length before it, no part can run into the next
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tokens(secret: &str) -> PendingTokens {
        PendingTokens::new(&SigningSecrets::of(secret.to_owned()))
    }

    fn ada() -> User {
        let actor = json!({"kind": "user", "id": "ada", "name": "ada"});
        let at = Timestamp::from_millis(1_770_000_000_000);
        let user = json!({
            "id": "ada", "tenant": "t", "username": "ada", "full_name": "Ada", "email": "ada@example.org",
            "password_hash": "hash", "must_change_password": false, "sign_outs": 0, "active": true, "roles": [],
            "grants": [], "last_used_at": null,
            "second_factor": {"secret": "S", "confirmed": true, "last_step": 7, "recovery_hashes": ["a", "b"]},
            "stamp": {"created_by": actor, "created_at": at, "updated_by": actor, "updated_at": at},
        });
        serde_json::from_value(user).unwrap()
    }

    #[test]
    fn a_token_is_of_its_user_as_it_is_its_browser_its_moment_and_its_deployment() {
        let until = Timestamp::from_millis(1_770_000_300_000);
        let (own, others) = (tokens("a secret"), tokens("another"));
        let user = ada();
        let text = own.token(&user, "browser", until);
        let sent = SentToken::parse(&text).unwrap();
        assert_eq!((sent.user, sent.until), ("ada", until));
        assert!(own.is_of(&sent, &user, "browser"));
        assert!(!own.is_of(&sent, &user, "another browser") && !own.is_of(&sent, &user, ""));
        assert!(!others.is_of(&sent, &user, "browser"));
        let changes: [fn(&mut User); 6] = [
            |user| user.id.push('2'),
            |user| user.password_hash.push('2'),
            |user| user.sign_outs += 1,
            |user| user.second_factor = None,
            |user| user.second_factor.as_mut().unwrap().last_step = 8,
            |user| {
                let factor = user.second_factor.as_mut().unwrap();
                factor.recovery_hashes.truncate(1);
            },
        ];
        for (at, change) in changes.into_iter().enumerate() {
            let mut changed = ada();
            change(&mut changed);
            assert!(!own.is_of(&sent, &changed, "browser"), "{at}");
        }
        // nobody makes it live longer
        let longer = text.replace("1770000300000", "1770000900000");
        let longer = SentToken::parse(&longer).unwrap();
        assert!(!own.is_of(&longer, &user, "browser"));
    }

    #[test]
    fn what_is_no_token_is_none() {
        for text in [
            "",
            "ada",
            "ada.1",
            "ada.1.x",
            "ada.x.",
            "ключ.1.ключ",
            "...",
        ] {
            assert!(SentToken::parse(text).is_none(), "{text}");
        }
    }
}
