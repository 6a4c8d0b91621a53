//! Signatures as the Standard Webhooks specification has them: HMAC-SHA256 over id, time and body.

use crate::nouns::WEBHOOK_SECRET_PREFIX;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The value of `webhook-signature`.
pub(super) fn signature(secret: &str, id: &str, timestamp: i64, body: &str) -> String {
    let key = secret.strip_prefix(WEBHOOK_SECRET_PREFIX).unwrap_or(secret);
    // a secret of ours is base64
    let key = STANDARD
        .decode(key)
        .unwrap_or_else(|_| key.as_bytes().to_vec());
    // INVARIANT: any length is a key
    let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(&key) else {
        return String::new();
    };
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body.as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_one_of_the_specifications_own_example() {
        let signed = signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
