//! The create that stores are asked for where groups of commits and checkpoints are measured. It asks nothing itself.

use store::catalog::{Actor, ActorKind};
use store::records::{Change, NewContent, Write};

/// A record of so many bytes, whose key stands anywhere among the others.
pub(crate) fn record(number: u64, bytes: usize) -> Write {
    let key = format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let text = "x".repeat(bytes.saturating_sub(40));
    Write {
        dataset: 1,
        actor: Actor {
            kind: ActorKind::Operator,
            id: "o".to_owned(),
            name: "o".to_owned(),
            email: None,
            full_name: None,
            via: None,
            job: None,
        },
        at: wire::Timestamp::from_millis(0),
        judged_under: None,
        audit: None,
        change: Change::Create {
            nonce: 7,
            content: NewContent {
                body: format!(r#"{{"Code":"{key}","Text":"{text}"}}"#),
                primary_key: Some(key),
                schema_version: 1,
                errors: None,
                hidden: None,
            },
        },
    }
}
