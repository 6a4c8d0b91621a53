//! Download links: signed with a secret of the deployment, good for one file of one dataset until a moment. A link
//! names the secret it was signed with, so that secrets can be replaced while links live out their time.
//! The dataset is part of what is signed, so that a record can't get a link to another dataset's file.

use crate::ids::FILES_PATH;
use crate::signing::{SigningSecret, SigningSecrets};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use parking_lot::RwLock;
use sha2::Sha256;
use std::sync::Arc;
use wire::Timestamp;

/// Bytes of a signature.
const SIGNATURE: usize = 32;

/// The signer of a deployment.
pub(crate) struct Links {
    /// The one in use first.
    keys: RwLock<Arc<[LinkKey]>>,
}

/// What one secret makes of links.
struct LinkKey {
    id: String,
    mac: Hmac<Sha256>,
    retired_at: Option<Timestamp>,
}

/// Which secret signed a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignedBy {
    /// The one in use.
    SecretInUse,
    /// One that was replaced at this moment: it signed nothing afterwards.
    SecretRetiredAt(Timestamp),
}

/// What a download link says.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// The file's id.
    pub id: String,
    /// `dataset`
    pub dataset: String,
    /// `expires`: seconds since 1970 began.
    pub expires: String,
    /// `key`: the id of the secret that signed it.
    pub key: String,
    /// `signature`
    pub signature: String,
}

impl LinkKey {
    fn of(secret: &SigningSecret) -> Self {
        LinkKey {
            id: secret.id(),
            mac: secret.mac("download links"),
            retired_at: secret.retired_at(),
        }
    }

    fn mac(&self, parts: &[&str]) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        for part in parts {
            // with its length before it, no part can run into the next
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }

    /// Whether it signed a link. Compares in constant time.
    fn signed(&self, link: &Link, signature: &[u8; SIGNATURE]) -> bool {
        let parts = [&*link.dataset, &link.id, &link.expires, &link.key];
        link.key == self.id && self.mac(&parts).verify_slice(signature).is_ok()
    }
}

impl Links {
    /// The signer with these secrets.
    pub(crate) fn new(secrets: &SigningSecrets) -> Self {
        Links {
            keys: RwLock::new(secrets.all().map(LinkKey::of).collect()),
        }
    }

    /// The same, which keeps these secrets.
    pub(crate) fn copy(&self) -> Self {
        Links {
            keys: RwLock::new(self.keys()),
        }
    }

    /// Signs with other secrets from now on.
    pub(crate) fn use_secrets(&self, secrets: &SigningSecrets) {
        *self.keys.write() = secrets.all().map(LinkKey::of).collect();
    }

    fn keys(&self) -> Arc<[LinkKey]> {
        self.keys.read().clone()
    }

    /// A link.
    pub(super) fn write(&self, base: &str, dataset: &str, id: &str, expires: i64) -> String {
        let expires = expires.to_string();
        let keys = self.keys();
        // INVARIANT: there is always a secret in use
        let key = &keys[0];
        let mac = key.mac(&[dataset, id, &expires, &key.id]);
        let signature = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
        let key = &key.id;
        format!(
            "{base}{FILES_PATH}{id}?dataset={dataset}&expires={expires}&key={key}&signature={signature}"
        )
    }

    /// Which secret signed the link, run out or not; `None` when it was not issued here.
    pub(super) fn signed_by(&self, link: &Link) -> Option<SignedBy> {
        let mut signature = [0; SIGNATURE];
        let length = URL_SAFE_NO_PAD.decode_slice(&link.signature, &mut signature);
        if length != Ok(SIGNATURE) {
            return None;
        }
        let keys = self.keys();
        let key = keys.iter().find(|key| key.signed(link, &signature))?;
        Some(match key.retired_at {
            None => SignedBy::SecretInUse,
            Some(moment) => SignedBy::SecretRetiredAt(moment),
        })
    }

    /// The id in a reference from a record of a dataset: the reference itself, or the file that a link of
    /// this deployment was issued for. `None` for what can't be either.
    pub(super) fn id_of<'r>(&self, dataset: &str, reference: &'r str) -> Option<&'r str> {
        if is_file_id(reference) {
            return Some(reference);
        }
        self.link_of(dataset, reference).map(|(id, _)| id)
    }

    /// The id in a link of a record of a dataset, and what the link says behind the path of all files. `None` for a text that
    /// this deployment did not sign, whatever it looks like.
    pub(super) fn link_of<'t>(&self, dataset: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (_, rest) = text.split_once(FILES_PATH)?;
        let (id, link) = read(text)?;
        (link.dataset == dataset && self.signed_by(&link).is_some()).then_some((id, rest))
    }
}

impl Link {
    /// Takes a parameter of the link's query; others are not its own.
    pub fn set(&mut self, name: &str, value: &str) {
        let slot = match name {
            "dataset" => &mut self.dataset,
            "expires" => &mut self.expires,
            "key" => &mut self.key,
            "signature" => &mut self.signature,
            _ => return,
        };
        // what stands twice was not issued here
        slot.push_str(value);
    }
}

/// The id in what looks like a reference from a record of a dataset, whoever signed it: enough to keep a file, and
/// not enough to show it.
pub(super) fn named_id<'r>(dataset: &str, reference: &'r str) -> Option<&'r str> {
    if is_file_id(reference) {
        return Some(reference);
    }
    let (id, link) = read(reference)?;
    (link.dataset == dataset).then_some(id)
}

/// A link, read from a text, and its file's id in it.
fn read(text: &str) -> Option<(&str, Link)> {
    let (_, rest) = text.split_once(FILES_PATH)?;
    let (id, query) = rest.split_once('?')?;
    let mut link = Link {
        id: id.to_owned(),
        ..Link::default()
    };
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        link.set(name, value);
    }
    Some((id, link))
}

/// Whether a text has the form of a file's id: a UUID in small letters.
pub(super) fn is_file_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    const ID: &str = "0190a5b4-0000-7000-8000-000000000001";

    fn link_of(text: &str) -> Link {
        read(text).expect("a link").1
    }

    fn links(secret: &str) -> Links {
        Links::new(&SigningSecrets::of(secret.to_owned()))
    }

    #[test]
    fn a_link_tells_which_secret_signed_it_and_a_retired_one_signs_no_more() {
        let moment = Timestamp::from_millis(1_700_000_000_000);
        let entropy = CountingEntropy::default();
        let first = SigningSecrets::fresh(&entropy);
        let links = Links::new(&first);
        let text = links.write("https://example.org", "d", ID, 1000);
        let link = link_of(&text);
        assert_eq!(links.signed_by(&link), Some(SignedBy::SecretInUse));
        let second = first.rotated(moment, &entropy);
        links.use_secrets(&second);
        assert_eq!(
            links.signed_by(&link),
            Some(SignedBy::SecretRetiredAt(moment))
        );
        assert_eq!(links.id_of("d", &text), Some(ID));
        let new = link_of(&links.write("https://example.org", "d", ID, 1000));
        assert_ne!(new.key, link.key);
        assert_eq!(links.signed_by(&new), Some(SignedBy::SecretInUse));
    }

    #[test]
    fn a_link_is_recognised_until_anything_of_it_changes() {
        let (links, others) = (links("secret"), links("other"));
        let text = links.write("https://example.org", "d", ID, 1000);
        let link = link_of(&text);
        assert!(links.signed_by(&link).is_some());
        assert_eq!(others.signed_by(&link), None);
        let other = |change: fn(&mut Link)| {
            let mut link = link.clone();
            change(&mut link);
            links.signed_by(&link).is_none()
        };
        assert!(other(|link| link.id = ID.replace('1', "2")));
        assert!(other(|link| link.dataset.push('e')));
        assert!(other(|link| link.expires = "1001".to_owned()));
        assert!(other(|link| link.expires = "01000".to_owned()));
        assert!(other(|link| link.key.clear()));
        assert!(other(|link| link.key.push('0')));
        assert!(other(|link| link.signature.push('A')));
        assert!(other(|link| link.signature.truncate(42)));
        assert!(other(|link| link.signature.clear()));
        assert!(other(|link| link.set("expires", "0")));
        for at in 0..link.signature.len() {
            let mut wrong = link.clone();
            let swapped = if &wrong.signature[at..=at] == "A" {
                "B"
            } else {
                "A"
            };
            wrong.signature.replace_range(at..=at, swapped);
            assert!(links.signed_by(&wrong).is_none(), "character {at}");
        }
    }

    #[test]
    fn a_text_is_a_link_only_by_its_signature_whatever_its_host() {
        let links = links("secret");
        let own = links.write("https://example.org/base", "d", ID, 1000);
        let (_, rest) = own.split_once(FILES_PATH).unwrap();
        assert_eq!(links.link_of("d", &own), Some((ID, rest)));
        let elsewhere = own.replace("example.org/base", "a.example//evil.example");
        assert_eq!(links.link_of("d", &elsewhere), Some((ID, rest)));
        assert_eq!(links.link_of("e", &own), None);
        let others = Links::new(&SigningSecrets::of("other".to_owned()));
        let others = others.write("https://example.org/base", "d", ID, 1000);
        for text in [
            &*others,
            "https://a.example//evil.example/v1/files/x?y=1",
            &format!("https://example.org/v1/files/{ID}?y=1"),
            &own.replace(ID, "x"),
            ID,
            "no link",
        ] {
            assert_eq!(links.link_of("d", text), None, "{text}");
        }
    }

    #[test]
    fn a_reference_is_an_id_or_a_link_of_the_dataset() {
        let links = links("secret");
        let text = links.write("https://example.org", "d", ID, 0);
        assert_eq!(links.id_of("d", ID), Some(ID));
        assert_eq!(links.id_of("d", &text), Some(ID));
        assert_eq!(links.id_of("e", &text), None);
        let bare = format!("https://example.org/v1/files/{ID}");
        for wrong in [
            "",
            "file",
            &ID.to_uppercase(),
            &bare,
            &text.replace("expires=0", "expires=1"),
        ] {
            assert_eq!(links.id_of("d", wrong), None, "{wrong}");
        }
    }
}
