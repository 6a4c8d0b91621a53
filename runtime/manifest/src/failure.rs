//! Why an operation failed, as programs read it: it travels from a server to the command that asked, and stands in
//! what commands print. It judges nothing: the error that comes up says what went wrong. `docs/commands.md`, "Errors
//! of commands".

use serde::{Deserialize, Serialize};
use service::Refusal;
use std::fmt;
use store::StoreError;

/// An error as programs read it, and as it travels from a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// Why, the nearest cause first.
    pub causes: Vec<String>,
    /// A word that stays the same.
    pub code: FailureCode,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The command line or another setting can't be understood, or contradicts itself.
    Usage,
    /// The data folder holds no store.
    NoStore,
    /// Another process has the data folder, and does not take commands.
    FolderInUse,
    /// The address to listen on is taken.
    AddressInUse,
    /// No server answers at the address.
    Unreachable,
    /// The server does not know the credential.
    Unauthenticated,
    /// The credential lacks a right.
    Forbidden,
    /// A quota of the tenant is used up.
    QuotaExceeded,
    /// There is no such thing.
    NotFound,
    /// There is one of this name, or the change contradicts what is there.
    Conflict,
    /// What was sent can't be understood, or is against the rules.
    Invalid,
    /// Not now: the service is busy, has no room, or takes no writes.
    Unavailable,
    /// `check` found contradictions, or a store was not backed up or restored because of some.
    Unsound,
    /// Anything else.
    Failed,
}

impl Failure {
    /// One that nothing else is behind.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            causes: Vec::new(),
            code,
        }
    }

    /// As it is printed for programs: many show the message alone, so that it has all causes, as people read them.
    #[must_use]
    pub fn printed(&self) -> Self {
        Failure {
            message: self.to_string(),
            ..self.clone()
        }
    }

    /// What an error tells.
    pub fn of(error: &anyhow::Error) -> Self {
        let mut texts = Vec::new();
        let mut code = None;
        for cause in error.chain() {
            if let Some(Failure {
                message,
                causes,
                code: own,
            }) = cause.downcast_ref()
            {
                // it came from another process, with all of its causes
                texts.push(message.clone());
                texts.extend_from_slice(causes);
                code = Some(*own);
                break;
            }
            texts.push(cause.to_string());
            code = code.or_else(|| FailureCode::of(cause));
        }
        let mut texts = texts.into_iter();
        Failure {
            message: texts.next().unwrap_or_default(),
            causes: texts.collect(),
            code: code.unwrap_or(FailureCode::Failed),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for cause in &self.causes {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// An error of a manifest as what it is: what no store, file or right is to blame for, the manifest is.
pub(crate) fn of_manifest(error: anyhow::Error) -> anyhow::Error {
    let is_told = error.chain().any(|cause| {
        cause.is::<Failure>()
            || cause.is::<Refusal>()
            || cause.is::<StoreError>()
            || cause.is::<std::io::Error>()
    });
    if is_told {
        return error;
    }
    let code = FailureCode::Invalid;
    Failure {
        code,
        ..Failure::of(&error)
    }
    .into()
}

impl FailureCode {
    /// What one error says of it, if anything.
    fn of(cause: &(dyn std::error::Error + 'static)) -> Option<Self> {
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return FailureCode::of_refusal(refusal);
        }
        if let Some(error) = cause.downcast_ref::<StoreError>() {
            return match error {
                StoreError::InUse(_) => Some(FailureCode::FolderInUse),
                StoreError::Missing(_) => Some(FailureCode::NoStore),
                StoreError::Address(_) => Some(FailureCode::Usage),
                StoreError::ReadOnly
                | StoreError::Closed
                | StoreError::NoRoomForCopy { .. }
                | StoreError::TimedOut
                | StoreError::Lacking { .. }
                | StoreError::RolledBack(_)
                | StoreError::Locked(_)
                | StoreError::Overtaken => Some(FailureCode::Unavailable),
                _ => None,
            };
        }
        let io = cause.downcast_ref::<std::io::Error>()?;
        (io.kind() == std::io::ErrorKind::AddrInUse).then_some(FailureCode::AddressInUse)
    }

    fn of_refusal(refusal: &Refusal) -> Option<Self> {
        match refusal {
            Refusal::Unauthenticated => Some(FailureCode::Unauthenticated),
            Refusal::Forbidden(_)
            | Refusal::PasswordChangeRequired
            | Refusal::ProofRequired
            | Refusal::SecondFactorRequired
            | Refusal::SecondFactorSetupRequired
            | Refusal::LinkRefused => Some(FailureCode::Forbidden),
            Refusal::QuotaExceeded { .. } => Some(FailureCode::QuotaExceeded),
            Refusal::NotFound(_)
            | Refusal::RecordNotFound
            | Refusal::PositionLost
            | Refusal::PositionOfOtherEpoch => Some(FailureCode::NotFound),
            Refusal::Conflict(_)
            | Refusal::Concurrent
            | Refusal::DuplicateKey { .. }
            | Refusal::VersionConflict { .. } => Some(FailureCode::Conflict),
            Refusal::Parameter(_)
            | Refusal::Invalid(_)
            | Refusal::InvalidBody { .. }
            | Refusal::PrimaryKeyRequired { .. }
            | Refusal::TooLarge { .. } => Some(FailureCode::Invalid),
            Refusal::TooOften { .. }
            | Refusal::NotReady { .. }
            | Refusal::Unready { .. }
            | Refusal::TooLong { .. }
            | Refusal::NoRoom { .. } => Some(FailureCode::Unavailable),
            // it is the error's own cause, and judged as that
            Refusal::Store(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::Quota;
    use store::Lack;

    #[test]
    fn what_refuses_in_the_middle_has_its_code_whatever_it_is_wrapped_in() {
        use FailureCode as C;
        let quota = Refusal::QuotaExceeded {
            what: Quota::Records,
            quota: 1,
        };
        let lacking = StoreError::Lacking {
            what: Lack::Room,
            source: "no space left".into(),
        };
        let rolled_back = StoreError::RolledBack("deadlock detected".into());
        for (refusal, code) in [
            (Refusal::Forbidden("it may not".into()), C::Forbidden),
            (Refusal::Conflict("it is there".into()), C::Conflict),
            (quota, C::QuotaExceeded),
            (Refusal::NoRoom { seconds: 1 }, C::Unavailable),
            (Refusal::NotReady { seconds: 1 }, C::Unavailable),
            (Refusal::Store(StoreError::ReadOnly), C::Unavailable),
            (Refusal::Store(lacking), C::Unavailable),
            (Refusal::Store(rolled_back), C::Unavailable),
            (Refusal::Store(StoreError::Panicked), C::Failed),
            (Refusal::Parameter("it is wrong".into()), C::Invalid),
        ] {
            let error = anyhow::Error::new(refusal).context("in the file");
            let failure = Failure::of(&of_manifest(error));
            assert_eq!(failure.code, code, "{failure}");
        }
    }
}
