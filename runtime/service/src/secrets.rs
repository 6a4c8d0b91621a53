//! Secrets: how they are made, recognised and hashed. docs/interface.md, "Credentials".

use crate::Entropy;
use sha2::{Digest, Sha256};

/// What every API key begins with.
pub const API_KEY_PREFIX: &str = "fst_";
/// What every access token begins with.
pub const TOKEN_PREFIX: &str = "fsa_";
/// What every token of a signed-in user begins with.
pub const SESSION_PREFIX: &str = "fsu_";
/// What every client secret begins with.
pub const CLIENT_SECRET_PREFIX: &str = "fsc_";
/// What the code of every invitation begins with.
pub const INVITATION_PREFIX: &str = "fsi_";
/// What the code of a set-up begins with.
pub const SET_UP_PREFIX: &str = "fss_";

const RANDOM: usize = 34;
const CHECKSUM: usize = 6;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// `length` unpredictable letters and digits.
pub fn random_text(entropy: &dyn Entropy, length: usize) -> String {
    let mut text = String::with_capacity(length);
    let mut bytes = [0; 64];
    while text.len() < length {
        entropy.fill(&mut bytes);
        // 248 is the largest multiple of 62 in a byte: beyond it, some letters would come more often
        let letters = bytes
            .iter()
            .filter(|byte| **byte < 248)
            .map(|byte| LETTERS[usize::from(byte % 62)]);
        text.extend(letters.take(length - text.len()).map(char::from));
    }
    text
}

/// A new API key: `fst_`, 34 random letters and digits, 6 of checksum.
pub fn new_api_key(entropy: &dyn Entropy) -> String {
    let random = random_text(entropy, RANDOM);
    let checksum = checksum(&random);
    format!("{API_KEY_PREFIX}{random}{checksum}")
}

/// Whether a text has the form of an API key and its checksum is right: a mistyped key needs no look-up.
pub fn is_api_key(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(API_KEY_PREFIX) else {
        return false;
    };
    rest.len() == RANDOM + CHECKSUM
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && checksum(&rest[..RANDOM]) == rest[RANDOM..]
}

fn checksum(random: &str) -> String {
    let digest = Sha256::new()
        .chain_update(API_KEY_PREFIX)
        .chain_update(random)
        .finalize();
    digest[..CHECKSUM]
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 62)]))
        .collect()
}

/// How a key is shown after its creation: prefix and last four characters.
pub fn masked(key: &str) -> String {
    let tail = key.len().saturating_sub(4);
    format!("{API_KEY_PREFIX}…{}", &key[tail..])
}

/// SHA-256 in hex: how keys, tokens and client secrets are kept.
pub fn hash(secret: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(secret) {
        for half in [byte >> 4, byte & 0xf] {
            hex.push(char::from(DIGITS[usize::from(half)]));
        }
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    #[test]
    fn a_key_has_the_interfaces_form_and_a_mistyped_one_is_recognised() {
        let key = new_api_key(&CountingEntropy::default());
        assert_eq!(key.len(), API_KEY_PREFIX.len() + 40);
        assert!(is_api_key(&key));
        for at in 4..key.len() {
            let mut wrong = key.clone().into_bytes();
            wrong[at] = if wrong[at] == b'x' { b'y' } else { b'x' };
            assert!(
                !is_api_key(std::str::from_utf8(&wrong).unwrap()),
                "position {at}"
            );
        }
        assert!(!is_api_key(&key[..key.len() - 1]));
        assert_eq!(masked(&key), format!("fst_…{}", &key[40..]));
    }
}
