//! Why the service did not do what was asked: what the caller did wrong, as data. Which status code that
//! is, HTTP alone knows.

use engine::validate::Rejected;
use store::StoreError;
use wire::FieldError;

/// A refusal.
#[derive(Debug)]
pub enum Refusal {
    /// The credential is none, for whatever reason.
    Unauthenticated,
    /// The credential's roles or areas do not allow it.
    Forbidden,
    /// The path names something that is not there.
    NotFound,
    /// The record is not there, or deleted.
    RecordNotFound,
    /// A parameter of the request is wrong.
    Parameter(String),
    /// The body is no record.
    InvalidBody {
        /// What is wrong.
        message: String,
        /// Which keys it is about.
        fields: Vec<FieldError>,
    },
    /// The primary key has no value.
    PrimaryKeyRequired {
        /// The field's display name.
        field: String,
    },
    /// Another record has the primary key.
    DuplicateKey {
        /// The field's display name.
        field: String,
    },
    /// The record has another version than the one sent.
    VersionConflict {
        /// The one sent.
        sent: i64,
        /// The one it has.
        stored: i64,
    },
    /// Another request changed the record at the same moment.
    Concurrent,
    /// Something of the same name is there, or the change contradicts what is there.
    Conflict(String),
    /// What would answer is not there yet; worth another try after so many seconds.
    NotReady {
        /// How long to wait.
        seconds: u64,
    },
    /// What was sent is larger than the limit.
    TooLarge {
        /// The limit in bytes.
        bytes_max: u64,
    },
    /// A download link that ran out, or that was not issued here.
    LinkRefused,
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::Store(error)
    }
}

/// How many reasons an answer tells; a body can be wrong in more ways than anyone reads.
const REASONS_MAX: usize = 100;

impl From<Rejected> for Refusal {
    fn from(rejected: Rejected) -> Self {
        let (told, rest) = match rejected.items().split_at_checked(REASONS_MAX) {
            Some((told, rest)) if !rest.is_empty() => (told, rest.len()),
            _ => (rejected.items(), 0),
        };
        let texts: Vec<String> = told.iter().map(ToString::to_string).collect();
        let message = match rest {
            0 => texts.join("; "),
            rest => format!("{}; and {rest} more", texts.join("; ")),
        };
        let named = told.iter().zip(texts).filter_map(|(item, errors)| {
            Some(FieldError {
                name: item.name.clone()?,
                errors,
            })
        });
        Refusal::InvalidBody {
            message,
            fields: named.collect(),
        }
    }
}
