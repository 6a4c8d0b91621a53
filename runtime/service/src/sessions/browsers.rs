//! Browsers that signed in before. Each gets a token that says so and lets nobody in: it only tells its
//! owner from strangers who try passwords at the same account.

use crate::Entropy;
use crate::secrets;
use crate::signing::SigningSecrets;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use parking_lot::RwLock;
use sha2::Sha256;

/// What the key is for.
const PURPOSE: &str = "known browsers";
/// Letters and digits of a browser's id.
const ID: usize = 22;
/// Bytes of what proves it.
const MAC: usize = 32;

/// Who makes and knows the tokens of a deployment.
pub(crate) struct Browsers {
    key: RwLock<Hmac<Sha256>>,
}

impl Browsers {
    /// The maker with these secrets. It knows the one in use alone: who got hold of a retired one could make tokens
    /// without end, and each has tries of its own.
    pub(crate) fn new(secrets: &SigningSecrets) -> Self {
        Browsers {
            key: RwLock::new(secrets.in_use().mac(PURPOSE)),
        }
    }

    /// The same, which keeps these secrets.
    pub(crate) fn copy(&self) -> Self {
        Browsers {
            key: RwLock::new(self.key.read().clone()),
        }
    }

    /// Signs with other secrets from now on.
    pub(crate) fn use_secrets(&self, secrets: &SigningSecrets) {
        *self.key.write() = secrets.in_use().mac(PURPOSE);
    }

    /// The token of a browser in which this user has just signed in.
    pub(super) fn token(&self, user: &str, entropy: &dyn Entropy) -> String {
        let id = secrets::random_text(entropy, ID);
        let mac = URL_SAFE_NO_PAD.encode(self.mac(user, &id).finalize().into_bytes());
        format!("{id}{mac}")
    }

    /// The browser's id, if the token was made for this user. Compares in constant time.
    pub(super) fn id_of<'t>(&self, user: &str, token: &'t str) -> Option<&'t str> {
        let (id, sent) = token.split_at_checked(ID)?;
        let mut mac = [0; MAC];
        let length = URL_SAFE_NO_PAD.decode_slice(sent, &mut mac);
        let is_ours = length == Ok(MAC) && self.mac(user, id).verify_slice(&mac).is_ok();
        is_ours.then_some(id)
    }

    fn mac(&self, user: &str, id: &str) -> Hmac<Sha256> {
        let mut mac = self.key.read().clone();
        // the id has always the same length, so nothing runs into the next
        mac.update(id.as_bytes());
        mac.update(user.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    fn browsers(secret: &str) -> Browsers {
        Browsers::new(&SigningSecrets::of(secret.to_owned()))
    }

    #[test]
    fn a_token_is_known_for_its_user_and_deployment_alone() {
        let entropy = CountingEntropy::default();
        let (browsers, others) = (browsers("a secret"), browsers("another"));
        let token = browsers.token("ada", &entropy);
        assert_eq!(browsers.id_of("ada", &token), Some(&token[..ID]));
        assert_eq!(browsers.id_of("bob", &token), None);
        assert_eq!(others.id_of("ada", &token), None);
        let other = browsers.token("ada", &entropy);
        let mixed = format!("{}{}", &other[..ID], &token[ID..]);
        for wrong in [
            "",
            "x",
            "ключключключключключ",
            &token[..ID],
            &token[1..],
            &mixed,
        ] {
            assert_eq!(browsers.id_of("ada", wrong), None, "{wrong}");
        }
        assert_eq!(browsers.id_of("ada", &format!("{token}0")), None);
    }
}
