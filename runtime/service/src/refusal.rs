//! Why the service did not do what was asked, as data: the one kind of error that every door gets. It says
//! whose fault it is and reads as a sentence for the caller; which status code that is, HTTP alone knows.

mod reasons;

use crate::quota::Quota;
use reasons::summary;
use std::borrow::Cow;
use store::StoreError;
use wire::manage::Problem;
use wire::{ErrorCode, FieldError};

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The credential is none, for whatever reason.
    #[error("the credential is missing or not accepted")]
    Unauthenticated,
    /// The caller's roles or areas do not allow it.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// Someone else chose the password of the user; until it has chosen one, it may do nothing else.
    #[error("the password was chosen by someone else; change it first, then sign in again")]
    PasswordChangeRequired,
    /// The session's user showed its password too long ago for a change of this kind.
    #[error(
        "this change needs a fresh proof of who asks; prove the session by the password and send it again"
    )]
    ProofRequired,
    /// The password is right, and the user has a second factor.
    #[error("the user has a second factor; send its `code` along with the password")]
    SecondFactorRequired,
    /// A second factor is required of the user; until it has set one up, it may do nothing else.
    #[error("a second factor is required of the user; set one up first")]
    SecondFactorSetupRequired,
    /// A quota of the tenant is used up.
    #[error(
        "the tenant may have {quota} {what}, and this would be more; {}, or ask the operator for more",
        .what.remedy()
    )]
    QuotaExceeded {
        /// What there may be so many of.
        what: Quota,
        /// How many.
        quota: u64,
    },
    /// There is no such thing, or it is deleted, or another tenant's.
    #[error("{0}")]
    NotFound(Cow<'static, str>),
    /// The record is not there, or deleted.
    #[error("the dataset has no data object of this id; it may have been deleted")]
    RecordNotFound,
    /// A parameter of the request is wrong.
    #[error("{0}")]
    Parameter(Cow<'static, str>),
    /// Changes behind the position that was sent are not kept any more.
    #[error(
        "the changes behind this position are not kept any more; read the dataset's records anew and go on from \
         `latest`, taken before"
    )]
    PositionLost,
    /// The position that was sent is of changes that the store does not have, because it was restored since.
    #[error(
        "the position is from before the service was restored, and numbers were given again since; read the dataset's records \
         anew and go on from `latest`, taken before"
    )]
    PositionOfOtherEpoch,
    /// What was sent to management is wrong: all of it that is.
    #[error("{}", summary(.0))]
    Invalid(Vec<Problem>),
    /// The body is no record.
    #[error("{message}")]
    InvalidBody {
        /// What is wrong.
        message: String,
        /// Which keys it is about.
        fields: Vec<FieldError>,
    },
    /// The primary key has no value.
    #[error("the primary key has no value; send one")]
    PrimaryKeyRequired {
        /// The field's display name.
        field: String,
    },
    /// Another record has the primary key.
    #[error("another data object of the dataset has this primary key; send another value")]
    DuplicateKey {
        /// The field's display name.
        field: String,
    },
    /// The record has another version than the one sent.
    #[error(
        "the version sent is {sent} and the stored one {stored}; read the data object again and repeat the change on it"
    )]
    VersionConflict {
        /// The one sent, as it was written; of a very long one the beginning.
        sent: String,
        /// The one it has.
        stored: i64,
    },
    /// Another request changed the record at the same moment.
    #[error(
        "another request changed the data object at the same moment; nothing was deleted, so try again"
    )]
    Concurrent,
    /// Something of the same name is there, or the change contradicts what is there.
    #[error("{0}")]
    Conflict(Cow<'static, str>),
    /// Passwords were tried too often, or too many at the same time; worth another try after so many
    /// seconds.
    #[error(
        "passwords are tried too often, or too many at a time; try again after the seconds in `Retry-After`"
    )]
    TooOften {
        /// How long to wait.
        seconds: u64,
    },
    /// What would answer is not there yet; worth another try after so many seconds.
    #[error("the service is not ready for this; try again after the seconds in `Retry-After`")]
    NotReady {
        /// How long to wait.
        seconds: u64,
    },
    /// The store can't be read, or takes no writes; worth another try after so many seconds.
    #[error("the service is not ready: {reason}; try again after the seconds in `Retry-After`")]
    Unready {
        /// Why.
        reason: &'static str,
        /// How long to wait.
        seconds: u64,
    },
    /// The search took longer than it may; worth another try, or a simpler search, after so many seconds.
    #[error(
        "the search took longer than it may; look for less, or try again after the seconds in `Retry-After`"
    )]
    TooLong {
        /// How long to wait.
        seconds: u64,
    },
    /// There is no memory to spare for it now; worth another try after so many seconds.
    #[error(
        "the service has no memory to spare for this now; try again after the seconds in `Retry-After`"
    )]
    NoRoom {
        /// How long to wait.
        seconds: u64,
    },
    /// What was sent is larger than the limit.
    #[error("the body is larger than {bytes_max} bytes; send less")]
    TooLarge {
        /// The limit in bytes.
        bytes_max: u64,
    },
    /// A download link that ran out, or that was not issued here.
    #[error(
        "the link has run out or is not one of this service; read the data object again for a new one"
    )]
    LinkRefused,
    /// The store failed.
    #[error("the store failed")]
    Store(#[source] StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::RecordsFull { quota } => Refusal::QuotaExceeded {
                what: Quota::Records,
                quota,
            },
            error => Refusal::Store(error),
        }
    }
}

/// Who can do something about a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// Whoever asked: with another request, another credential, or later.
    Caller,
    /// Whoever runs the service: the disk, the folder, the settings.
    Operator,
    /// Whoever wrote it.
    Service,
}

impl Refusal {
    /// Whose fault it is.
    pub fn blame(&self) -> Blame {
        match self {
            Refusal::Store(StoreError::Panicked | StoreError::Overtaken) => Blame::Service,
            Refusal::Store(_)
            | Refusal::NotReady { .. }
            | Refusal::Unready { .. }
            | Refusal::TooLong { .. }
            | Refusal::NoRoom { .. } => Blame::Operator,
            _ => Blame::Caller,
        }
    }

    /// The code that it is told by, if it has one.
    pub fn code(&self) -> Option<ErrorCode> {
        Some(match self {
            Refusal::RecordNotFound => ErrorCode::DataObjectNotFound,
            Refusal::InvalidBody { .. } => ErrorCode::InvalidRequestBody,
            Refusal::PrimaryKeyRequired { .. } => ErrorCode::PrimaryKeyRequired,
            Refusal::DuplicateKey { .. } => ErrorCode::DuplicatePrimaryKey,
            Refusal::VersionConflict { .. } => ErrorCode::DataObjectVersionConflict,
            Refusal::Concurrent => ErrorCode::DataObjectConcurrentModification,
            Refusal::PasswordChangeRequired => ErrorCode::PasswordChangeRequired,
            Refusal::ProofRequired => ErrorCode::ProofRequired,
            Refusal::SecondFactorRequired => ErrorCode::SecondFactorRequired,
            Refusal::SecondFactorSetupRequired => ErrorCode::SecondFactorSetupRequired,
            Refusal::QuotaExceeded { .. } => ErrorCode::QuotaExceeded,
            _ => return None,
        })
    }

    /// The field that a coded refusal is about.
    pub fn field(&self) -> Option<&str> {
        match self {
            Refusal::PrimaryKeyRequired { field } | Refusal::DuplicateKey { field } => Some(field),
            Refusal::VersionConflict { .. } => Some("_version"),
            _ => None,
        }
    }

    /// A path of the data interface whose business area is not there, whatever the cause.
    pub(crate) fn no_area() -> Self {
        Refusal::NotFound("there is no business area of this id".into())
    }

    /// A path whose area is there and has no such schema, whatever the cause.
    pub(crate) fn no_schema() -> Self {
        Refusal::NotFound("the business area has no schema of this id".into())
    }

    /// A path whose schema is there and has no such dataset, whatever the cause.
    pub(crate) fn no_dataset() -> Self {
        Refusal::NotFound("the schema has no dataset of this id".into())
    }

    /// A noun that is not there.
    pub fn no_such(noun: &str) -> Self {
        Refusal::NotFound(Cow::Owned(format!("there is no such {noun}")))
    }

    /// A parameter that stands twice: which one is meant, nobody knows.
    pub fn repeated(name: &str) -> Self {
        Refusal::Parameter(Cow::Owned(format!("`{name}` stands twice; send it once")))
    }

    /// One thing that is wrong with what was sent to management.
    pub(crate) fn invalid(path: &str, message: impl Into<String>) -> Self {
        Refusal::Invalid(vec![Problem::new(path, message)])
    }

    /// The same as management tells it: a wrong parameter is a problem of the query.
    #[must_use]
    pub fn of_management(self) -> Self {
        match self {
            Refusal::Parameter(message) => Refusal::invalid("query", message),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_whose_fault_it_is() {
        for (refusal, blame) in [
            (Refusal::Unauthenticated, Blame::Caller),
            (Refusal::TooOften { seconds: 1 }, Blame::Caller),
            (Refusal::TooLarge { bytes_max: 1 }, Blame::Caller),
            (Refusal::Concurrent, Blame::Caller),
            (Refusal::NotReady { seconds: 1 }, Blame::Operator),
            (Refusal::NoRoom { seconds: 1 }, Blame::Operator),
            (Refusal::TooLong { seconds: 1 }, Blame::Operator),
            (StoreError::Closed.into(), Blame::Operator),
            (StoreError::NoPlace { dataset: 1 }.into(), Blame::Operator),
            (StoreError::Damaged("it".into()).into(), Blame::Operator),
            (StoreError::RecordsFull { quota: 1 }.into(), Blame::Caller),
            (StoreError::Panicked.into(), Blame::Service),
            (StoreError::Overtaken.into(), Blame::Service),
        ] {
            assert_eq!(refusal.blame(), blame, "{refusal:?}");
        }
    }

    #[test]
    fn what_the_data_interface_has_a_code_for_says_which_field_it_is_about() {
        let field = || "Name".to_owned();
        let conflict = Refusal::VersionConflict {
            sent: "1".into(),
            stored: 2,
        };
        let body = Refusal::InvalidBody {
            message: "it is no object".into(),
            fields: Vec::new(),
        };
        let required = Refusal::PrimaryKeyRequired { field: field() };
        let duplicate = Refusal::DuplicateKey { field: field() };
        for (refusal, code, field) in [
            (Refusal::RecordNotFound, ErrorCode::DataObjectNotFound, None),
            (body, ErrorCode::InvalidRequestBody, None),
            (required, ErrorCode::PrimaryKeyRequired, Some("Name")),
            (duplicate, ErrorCode::DuplicatePrimaryKey, Some("Name")),
            (
                conflict,
                ErrorCode::DataObjectVersionConflict,
                Some("_version"),
            ),
            (
                Refusal::Concurrent,
                ErrorCode::DataObjectConcurrentModification,
                None,
            ),
        ] {
            assert_eq!(refusal.code(), Some(code), "{refusal:?}");
            assert_eq!(refusal.field(), field, "{refusal:?}");
        }
        for without in [
            Refusal::Unauthenticated,
            Refusal::LinkRefused,
            Refusal::no_such("area"),
        ] {
            assert_eq!(
                (without.code(), without.field()),
                (None, None),
                "{without:?}"
            );
        }
    }

    #[test]
    fn a_parameter_is_a_problem_of_the_query_to_management() {
        let Refusal::Invalid(problems) = Refusal::Parameter("is wrong".into()).of_management()
        else {
            panic!("another refusal");
        };
        assert_eq!(
            (&*problems[0].path, &*problems[0].message),
            ("query", "is wrong")
        );
        assert!(matches!(
            Refusal::Concurrent.of_management(),
            Refusal::Concurrent
        ));
    }
}
