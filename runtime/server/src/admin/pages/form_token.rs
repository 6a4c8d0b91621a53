//! The token of a session, or the secret of a browser without one, as it stands in forms: other bytes on each page, so that how
//! well a page can be compressed tells nothing of it.

use service::Entropy;

/// The token, masked by chance: as many random bytes in hexadecimal, and the token mixed with them.
pub(super) fn masked(token: &str, entropy: &dyn Entropy) -> String {
    let mut mask = vec![0; token.len()];
    entropy.fill(&mut mask);
    let mixed = token.bytes().zip(&mask).map(|(byte, mask)| byte ^ mask);
    let bytes = mask.iter().copied().chain(mixed);
    let digit = |four: u8| char::from_digit(four.into(), 16);
    let digits = bytes.flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.flatten().collect()
}

/// The token that was masked; `None` for what is no masked one.
pub(super) fn unmasked(sent: &str) -> Option<String> {
    if !sent.is_ascii() || !sent.len().is_multiple_of(4) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(sent.get(at * 2..at * 2 + 2)?, 16).ok();
    let half = sent.len() / 4;
    let own = (0..half).map(|at| Some(byte(at)? ^ byte(at + half)?));
    let own: Option<Vec<u8>> = own.collect();
    String::from_utf8(own?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::SystemEntropy;

    #[test]
    fn a_token_is_another_on_each_page_and_is_read_all_the_same() {
        let token = "0f93-token";
        let (one, other) = (masked(token, &SystemEntropy), masked(token, &SystemEntropy));
        assert_ne!(one, other);
        assert_eq!(unmasked(&one).as_deref(), Some(token));
        assert_eq!(unmasked(&other).as_deref(), Some(token));
    }

    #[test]
    fn what_is_no_masked_token_is_none() {
        for sent in ["", "abc", "zzzz", "äöää", "00ff+1-1"] {
            assert!(
                unmasked(sent).is_none_or(|token| token.is_empty()),
                "{sent}"
            );
        }
    }
}
