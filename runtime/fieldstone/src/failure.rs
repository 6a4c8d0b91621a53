//! Why a command failed: the sentence for people, an object for programs, and the code that the process ends
//! with. It judges nothing: the error that comes up says what went wrong. `docs/commands.md`, "Errors of commands".

use crate::settings::Format;
use serde::{Deserialize, Serialize};
use service::Refusal;
use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;
use store::StoreError;

/// How a process ends. `docs/commands.md`, "Exit codes".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done.
    Done = 0,
    /// It was not, or not to its end.
    Failed = 1,
    /// What was asked for can't be understood, or contradicts itself.
    Usage = 2,
    /// It was done, and some records were left out.
    LeftOut = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A command line, a variable or a settings file that contradicts itself: exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of the command line.
pub(crate) fn usage(text: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(text.into()))
}

/// An error as programs read it, and as it travels from a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// What went wrong.
    pub(crate) message: String,
    /// Why, the nearest cause first.
    #[serde(default)]
    pub(crate) causes: Vec<String>,
    /// A word that stays the same.
    pub(crate) code: FailureCode,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FailureCode {
    /// The command line can't be understood, or contradicts itself.
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
    /// There is no such thing.
    NotFound,
    /// There is one of this name, or the change contradicts what is there.
    Conflict,
    /// What was sent can't be understood, or is against the rules.
    Invalid,
    /// `check` found contradictions.
    Unsound,
    /// Anything else.
    Failed,
}

impl Failure {
    /// What an error tells.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
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

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        match self.code {
            FailureCode::Usage => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    /// Tells people, on standard error.
    pub(crate) fn tell(&self) {
        eprintln!("error: {self}");
    }

    /// Tells people, and programs where they asked for it: an object `error`, alone on standard output.
    pub(crate) fn tell_all(&self, format: Format) {
        self.tell();
        if format == Format::Json {
            let object = serde_json::json!({"error": self});
            // who does not read any more needs no telling
            let _ = writeln!(std::io::stdout().lock(), "{object:#}");
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

impl FailureCode {
    /// What one error says of it, if anything.
    fn of(cause: &(dyn std::error::Error + 'static)) -> Option<Self> {
        if cause.is::<Usage>() {
            return Some(FailureCode::Usage);
        }
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return FailureCode::of_refusal(refusal);
        }
        if let Some(error) = cause.downcast_ref::<StoreError>() {
            return match error {
                StoreError::InUse(_) => Some(FailureCode::FolderInUse),
                StoreError::Missing(_) => Some(FailureCode::NoStore),
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
            | Refusal::QuotaExceeded { .. } => Some(FailureCode::Forbidden),
            Refusal::NotFound(_) | Refusal::RecordNotFound => Some(FailureCode::NotFound),
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
            | Refusal::TooLong { .. }
            | Refusal::NoRoom { .. }
            | Refusal::LinkRefused
            | Refusal::Store(_) => None,
        }
    }
}
