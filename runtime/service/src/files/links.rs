//! Download links: signed with a key of the deployment, good for one file of one dataset until a moment.
//! The dataset is part of what is signed, so that a record can't get a link to another dataset's file.

use crate::ids::FILES_PATH;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// Bytes of a signature.
const SIGNATURE: usize = 32;

/// The signer of a deployment.
pub(crate) struct Links {
    key: Hmac<Sha256>,
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
    /// `signature`
    pub signature: String,
}

impl Links {
    /// The signer of a deployment's secret.
    pub(crate) fn new(secret: &str) -> Self {
        let key = Sha256::new()
            .chain_update("download links")
            .chain_update(secret)
            .finalize();
        // INVARIANT: a key for HMAC has no wrong length
        let key = Hmac::new_from_slice(&key).expect("any length will do");
        Links { key }
    }

    fn mac(&self, dataset: &str, id: &str, expires: &str) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        for part in [dataset, id, expires] {
            // with its length before it, no part can run into the next
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }

    /// A link.
    pub(super) fn write(&self, base: &str, dataset: &str, id: &str, expires: i64) -> String {
        let expires = expires.to_string();
        let signature =
            URL_SAFE_NO_PAD.encode(self.mac(dataset, id, &expires).finalize().into_bytes());
        format!("{base}{FILES_PATH}{id}?dataset={dataset}&expires={expires}&signature={signature}")
    }

    /// Whether the link was issued here, expired or not. Compares in constant time.
    pub(super) fn is_ours(&self, link: &Link) -> bool {
        let mut signature = [0; SIGNATURE];
        let length = URL_SAFE_NO_PAD.decode_slice(&link.signature, &mut signature);
        let mac = self.mac(&link.dataset, &link.id, &link.expires);
        length == Ok(SIGNATURE) && mac.verify_slice(&signature).is_ok()
    }

    /// The id in a reference from a record of a dataset: the reference itself, or the file that a link of
    /// this deployment was issued for. `None` for what can't be either.
    pub(super) fn id_of<'r>(&self, dataset: &str, reference: &'r str) -> Option<&'r str> {
        if is_file_id(reference) {
            return Some(reference);
        }
        let (_, rest) = reference.split_once(FILES_PATH)?;
        let (id, query) = rest.split_once('?')?;
        let mut link = Link {
            id: id.to_owned(),
            ..Link::default()
        };
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            link.set(name, value);
        }
        (link.dataset == dataset && self.is_ours(&link)).then_some(id)
    }
}

impl Link {
    /// Takes a parameter of the link's query; others are not its own.
    pub fn set(&mut self, name: &str, value: &str) {
        let slot = match name {
            "dataset" => &mut self.dataset,
            "expires" => &mut self.expires,
            "signature" => &mut self.signature,
            _ => return,
        };
        // what stands twice was not issued here
        slot.push_str(value);
    }
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

    const ID: &str = "0190a5b4-0000-7000-8000-000000000001";

    fn link_of(text: &str) -> Link {
        let (_, rest) = text.split_once(FILES_PATH).expect("a link");
        let (id, query) = rest.split_once('?').expect("a query");
        let mut link = Link {
            id: id.to_owned(),
            ..Link::default()
        };
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            link.set(name, value);
        }
        link
    }

    #[test]
    fn a_link_is_recognised_until_anything_of_it_changes() {
        let links = Links::new("secret");
        let text = links.write("https://example.org", "d", ID, 1000);
        let link = link_of(&text);
        assert!(links.is_ours(&link));
        assert!(!Links::new("other").is_ours(&link));
        let other = |change: fn(&mut Link)| {
            let mut link = link.clone();
            change(&mut link);
            !links.is_ours(&link)
        };
        assert!(other(|link| link.id = ID.replace('1', "2")));
        assert!(other(|link| link.dataset.push('e')));
        assert!(other(|link| link.expires = "1001".to_owned()));
        assert!(other(|link| link.expires = "01000".to_owned()));
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
            assert!(!links.is_ours(&wrong), "character {at}");
        }
    }

    #[test]
    fn a_reference_is_an_id_or_a_link_of_the_dataset() {
        let links = Links::new("secret");
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
