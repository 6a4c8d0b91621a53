//! Why management did not do what was asked, as data. Which status code that is, the door knows.

use crate::Refusal;
use store::StoreError;
use wire::manage::Problem;

/// A refusal of management.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    /// The credential is none, for whatever reason.
    #[error("the credential is missing or not accepted")]
    Unauthenticated,
    /// The caller's roles or areas do not allow it.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such thing, or it is deleted, or another tenant's.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The change contradicts what is there.
    #[error("{0}")]
    Conflict(String),
    /// What was sent is wrong: all of it that is.
    #[error("{}", summary(.0))]
    Invalid(Vec<Problem>),
    /// Passwords were tried too often, or too many at the same time; worth another try after so many
    /// seconds.
    #[error(
        "passwords are tried too often, or too many at a time; try again after the seconds in `Retry-After`"
    )]
    TooOften {
        /// How long to wait.
        seconds: u64,
    },
    /// The service refused, for a reason of records.
    #[error("the service refused")]
    Refused(Refusal),
    /// The store failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
}

fn summary(problems: &[Problem]) -> String {
    match problems {
        [only] => format!("{}: {}", only.path, only.message),
        _ => format!("{} things are wrong; see `problems`", problems.len()),
    }
}

impl Denied {
    pub(super) fn invalid(path: &str, message: impl Into<String>) -> Self {
        Denied::Invalid(vec![Problem::new(path, message)])
    }
}

impl From<schema::Problems> for Denied {
    fn from(problems: schema::Problems) -> Self {
        let errors = problems
            .items
            .iter()
            .filter(|problem| problem.severity == schema::Severity::Error);
        let told = errors.map(|problem| {
            let message = format!("{}; {}", problem.message, problem.help);
            Problem::new(problem.path.to_string(), message)
        });
        Denied::Invalid(told.collect())
    }
}

/// What the service refuses on the way.
impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unauthenticated => Denied::Unauthenticated,
            Refusal::Parameter(message) => Denied::Invalid(vec![Problem::new("query", message)]),
            Refusal::Store(error) => Denied::Store(error),
            other => Denied::Refused(other),
        }
    }
}
