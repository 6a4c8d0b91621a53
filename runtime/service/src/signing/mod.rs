//! Signing secrets: what download links, the tokens of known browsers and those between two steps of a sign-in are signed
//! with. One is in use, those before it are retired and only known, so that what they signed can live out its time. Ids of
//! records and page keys have keys of their own ([`IdKeys`](crate::ids::IdKeys)), which never change. It signs nothing itself.
//!
//! They are in a file or, for servers that share a database and have none, in the store (`kept.rs`):
//!
//! ```text
//! # in use first; a retired one has the moment at which it was replaced behind it
//! kZ0…43 letters and digits…
//! 9fQ…43 letters and digits… retired 2026-11-22T04:30:00.000Z
//! ```

mod file;
mod in_use;
mod kept;
mod start;

pub use file::{SIGNING_SECRET_FILE, SigningSecretError};
pub use in_use::RotatedSecret;

pub(crate) use file::SigningSecretFile;
pub(crate) use in_use::SeenSecrets;
pub(crate) use start::{SecretPlace, Start};

use crate::Entropy;
use crate::secrets::random_text;
use hmac::{Hmac, KeyInit as _};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use store::catalog::{Catalog, Noun};
use wire::Timestamp;

/// Letters and digits of a secret that is made here: 256 bits.
const LENGTH: usize = 43;
/// Characters that a secret of someone else's making has at least.
const LENGTH_MIN: usize = 32;
/// Characters that it has at most.
const LENGTH_MAX: usize = 1024;
/// What stands between a retired secret and its moment.
const RETIRED: &str = "retired";

/// One secret.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SigningSecret {
    text: String,
    retired_at: Option<Timestamp>,
}

/// The secret in use, and those before it, the latest first.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SigningSecrets {
    in_use: SigningSecret,
    retired: Vec<SigningSecret>,
}

impl SigningSecret {
    /// What names it in what it signed: it follows from the secret and tells nothing of it.
    pub(crate) fn id(&self) -> String {
        let digest = Sha256::new()
            .chain_update("id of a signing secret")
            .chain_update(&self.text)
            .finalize();
        let hex = |byte: &u8| format!("{byte:02x}");
        digest[..4].iter().map(hex).collect()
    }

    /// The key for one purpose.
    fn key(&self, purpose: &str) -> [u8; 32] {
        let digest = Sha256::new()
            .chain_update(purpose)
            .chain_update(&self.text)
            .finalize();
        digest.into()
    }

    /// What signs with that key.
    pub(crate) fn mac(&self, purpose: &str) -> Hmac<Sha256> {
        // INVARIANT: a key for HMAC has no wrong length
        let mac = Hmac::new_from_slice(&self.key(purpose));
        mac.expect("any length will do")
    }

    /// When it was replaced; `None` while it is in use.
    pub(crate) fn retired_at(&self) -> Option<Timestamp> {
        self.retired_at
    }
}

impl SigningSecrets {
    /// One secret, in use.
    pub(crate) fn of(text: String) -> Self {
        SigningSecrets {
            in_use: SigningSecret {
                text,
                retired_at: None,
            },
            retired: Vec::new(),
        }
    }

    /// A new secret.
    pub(crate) fn fresh(entropy: &dyn Entropy) -> Self {
        Self::of(random_text(entropy, LENGTH))
    }

    /// The one that signs.
    pub(crate) fn in_use(&self) -> &SigningSecret {
        &self.in_use
    }

    /// All of them, the one in use first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &SigningSecret> {
        std::iter::once(&self.in_use).chain(&self.retired)
    }

    /// The same with a new secret in use.
    pub(crate) fn rotated(&self, now: Timestamp, entropy: &dyn Entropy) -> Self {
        self.followed_by(Self::fresh(entropy), now)
    }

    /// New ones that know these as retired.
    fn followed_by(&self, mut next: Self, now: Timestamp) -> Self {
        let before = SigningSecret {
            retired_at: Some(now),
            ..self.in_use.clone()
        };
        next.retired = [&[before], &self.retired[..]].concat();
        next
    }

    /// Adds those of elsewhere that are not known, as retired: the one that was in use there as of now. Whether there were
    /// any.
    fn take_over(&mut self, others: &Self, now: Timestamp) -> bool {
        let is_known = |other: &&SigningSecret| self.all().any(|known| known.text == other.text);
        let new = others.all().filter(|other| !is_known(other));
        let new: Vec<_> = new
            .map(|other| SigningSecret {
                text: other.text.clone(),
                retired_at: Some(other.retired_at.unwrap_or(now)),
            })
            .collect();
        let has_new = !new.is_empty();
        self.retired = [new, std::mem::take(&mut self.retired)].concat();
        has_new
    }

    /// Tells whether two are the same, without holding what they are.
    fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.to_text()).into()
    }

    /// Reads the text of a file; `Err` says what is wrong and never quotes the text.
    fn parse(text: &str) -> Result<Self, String> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (number, first) = lines.next().ok_or("it holds no secret")?;
        let at = |number: usize, what: &str| format!("line {number}: {what}");
        let in_use = secret(first).map_err(|what| at(number, what))?;
        if in_use.retired_at.is_some() {
            return Err(at(
                number,
                "the first secret is the one in use; it can't be retired",
            ));
        }
        let mut retired = Vec::new();
        for (number, line) in lines {
            let secret = secret(line).map_err(|what| at(number, what))?;
            if secret.retired_at.is_none() {
                let what = "say when it was replaced: `SECRET retired 2026-11-22T04:30:00.000Z`";
                return Err(at(number, what));
            }
            retired.push(secret);
        }
        Ok(SigningSecrets { in_use, retired })
    }

    /// The text of a file.
    fn to_text(&self) -> String {
        let mut text = "# Signing secrets: the first is in use; the others are known until what they signed has\n\
            # run out. Who has the first can forge download links. `fieldstone secret rotate` makes a new one.\n"
            .to_owned();
        text.push_str(&lines(self.all()));
        text
    }
}

/// Secrets as they stand in a file.
fn lines<'s>(secrets: impl IntoIterator<Item = &'s SigningSecret>) -> String {
    let mut text = String::new();
    for secret in secrets {
        text.push_str(&secret.text);
        if let Some(moment) = secret.retired_at {
            // INVARIANT: writing to a String cannot fail
            let _ = write!(text, " {RETIRED} {moment}");
        }
        text.push('\n');
    }
    text
}

fn secret(line: &str) -> Result<SigningSecret, &'static str> {
    let mut words = line.split_ascii_whitespace();
    let text = words.next().unwrap_or_default();
    if !(LENGTH_MIN..=LENGTH_MAX).contains(&text.len())
        || !text.bytes().all(|b| b.is_ascii_graphic())
    {
        return Err("a secret is 32 to 1024 letters, digits and signs, without white space");
    }
    let retired_at = match (words.next(), words.next(), words.next()) {
        (None, ..) => None,
        (Some(RETIRED), Some(moment), None) => {
            let moment = moment.parse().map_err(|_| "the moment can't be read")?;
            Some(moment)
        }
        _ => return Err("behind a secret stands nothing, or `retired` and a moment"),
    };
    Ok(SigningSecret {
        text: text.to_owned(),
        retired_at,
    })
}

/// What a store keeps that has the secrets of a file itself, the retired ones too; nothing where there is no such file.
///
/// # Errors
/// The file can't be read.
pub fn kept_by_store(file: &Path) -> Result<Vec<Noun>, SigningSecretError> {
    let secrets = SigningSecretFile::new(file.to_owned()).read()?;
    Ok(secrets.map_or_else(Vec::new, |secrets| kept::write(&secrets).put))
}

/// Looks whether a server finds the signing secrets of a store that begins with this file; without one, its store is to keep
/// them itself.
///
/// # Errors
/// [`SigningSecretError::Lost`] and [`SigningSecretError::NoFile`] where it would make new ones; when the file can't be read.
pub fn require_secrets(file: Option<&Path>, catalog: &Catalog) -> Result<(), SigningSecretError> {
    let are_lost = are_lost_without_file(catalog);
    let Some(path) = file else {
        return if are_lost {
            Err(SigningSecretError::NoFile)
        } else {
            Ok(())
        };
    };
    let file = SigningSecretFile::new(path.to_owned());
    match file.read()? {
        None if are_lost => Err(file.is_lost()),
        None | Some(_) => Ok(()),
    }
}

/// Whether a store keeps no secrets itself and has tenants, for whom something was signed.
fn are_lost_without_file(catalog: &Catalog) -> bool {
    !catalog.tenants.is_empty() && kept::of(catalog).is_none()
}

/// Whether a store keeps signing secrets by the setting of this id.
pub fn is_kept_in(setting: &str) -> bool {
    [kept::SECRET, kept::RETIRED_SECRETS].contains(&setting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    #[test]
    fn secrets_come_back_from_their_text_and_a_rotated_one_is_retired() {
        let entropy = CountingEntropy::default();
        let first = SigningSecrets::fresh(&entropy);
        let second = first.rotated(Timestamp::from_millis(1_700_000_000_000), &entropy);
        assert!(SigningSecrets::parse(&second.to_text()).as_ref() == Ok(&second));
        assert_ne!(first.in_use().id(), second.in_use().id());
        let all: Vec<_> = second.all().map(SigningSecret::id).collect();
        assert_eq!(all, [second.in_use().id(), first.in_use().id()]);
        assert_eq!(second.to_text().lines().count(), 4);
    }

    #[test]
    fn a_bare_secret_will_do_and_what_can_not_be_read_is_told_without_the_secret() {
        let bare = "0123456789abcdef0123456789abcdef";
        let read = SigningSecrets::parse(&format!("{bare}\n")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.in_use().text, bare);
        let moment = "2026-11-22T04:30:00.000Z";
        for wrong in [
            String::new(),
            "# nothing".to_owned(),
            "short".to_owned(),
            format!("{bare} {bare}"),
            format!("{bare} retired {moment}"),
            format!("{bare}\n{bare}"),
            format!("{bare}\n{bare} retired"),
            format!("{bare}\n{bare} retired yesterday"),
            format!("{bare}\n{bare} retired {moment} x"),
        ] {
            let problem = SigningSecrets::parse(&wrong).err();
            let problem = problem.unwrap_or_else(|| panic!("{wrong} was read"));
            assert!(!problem.contains(bare), "{problem}");
        }
    }
}
