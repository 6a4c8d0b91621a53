//! What can go wrong with a request. No text here holds a credential, and none holds the address of a
//! record: a primary key may be personal.

use engine::typed::StoredError;
use std::fmt;
use std::time::Duration;
use thiserror::Error;
use wire::{ErrorCode, FieldError};

/// Why a request did not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The client can't be made from what it was given.
    #[error("the client can't be made: {0}")]
    Setup(String),
    /// The request can't be made from what it was given; nothing was sent.
    #[error("the request can't be made: {0}")]
    Request(String),
    /// The service refused.
    #[error(transparent)]
    Refused(Box<ServiceRefusal>),
    /// The service gave no token for the client's id and secret.
    #[error("no token for the application client: {0}")]
    Token(Box<ServiceRefusal>),
    /// The service was not reached, or the connection broke. Whether a write was done is not known,
    /// unless `sent` is false.
    #[error("{}", told_network(.origin, *.sent, *.answered, *.proxy, &**.source))]
    Network {
        /// Scheme, host and port.
        origin: String,
        /// Whether the service may have seen the request.
        sent: bool,
        /// Whether an answer had begun.
        answered: bool,
        /// The variable that names the proxy on the way, such as `HTTPS_PROXY`.
        proxy: Option<&'static str>,
        /// What broke.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer is longer than the client takes.
    #[error(
        "the answer has more than {limit} bytes; ask for smaller pages or raise the client's limit"
    )]
    TooLong {
        /// The most it takes.
        limit: usize,
    },
    /// The answer is not what the interface promises.
    #[error("the answer to {0} is not what the interface promises: {1}")]
    Answer(&'static str, String),
    /// A file is known by its id only, which opens nothing.
    #[error(
        "a file is downloaded by the link that its record shows; read the record again for one"
    )]
    NoLink,
    /// The content to upload broke off.
    #[error("the content to upload could not be read")]
    Content(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A record in the answer is none.
    #[error("a record in the answer can't be read")]
    Record(#[from] StoredError),
    /// No area, schema or dataset has this id or name, as far as the credential sees.
    #[error(
        "no {noun} with the id or name {name:?} is to be seen; check the spelling and the areas granted to the credential"
    )]
    Unknown {
        /// `business area`, `schema` or `dataset`.
        noun: &'static str,
        /// What was looked for.
        name: String,
    },
    /// More than one has this name.
    #[error("more than one {noun} has the name {name:?}; use the id")]
    Ambiguous {
        /// `business area`, `schema` or `dataset`.
        noun: &'static str,
        /// What was looked for.
        name: String,
    },
    /// The schema now writes dates or times otherwise than the type reads them: the text of one day would be another.
    #[error("the schema writes dates or times otherwise than the type; generate the type anew: {}", listed(.0))]
    Formats(Vec<String>),
    /// The store in this process failed.
    #[error("the store failed")]
    Store(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A record with faults was to be changed as its type, which it does not fit.
    #[error("the record has faults and does not fit its type; change it with `update_json`, faulty are {}", names(.0))]
    Faulty(Vec<FieldError>),
}

/// What kind of refusal it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The credential is none, for whatever reason.
    Unauthenticated,
    /// Its roles or areas do not allow it.
    Forbidden,
    /// The place is not there.
    NotFound,
    /// `DATA_OBJECT_NOT_FOUND`
    RecordNotFound,
    /// `INVALID_REQUEST_BODY`
    InvalidBody,
    /// `PRIMARY_KEY_REQUIRED`
    PrimaryKeyRequired,
    /// `DUPLICATE_PRIMARY_KEY`
    DuplicateKey,
    /// `DATA_OBJECT_VERSION_CONFLICT`
    VersionConflict,
    /// `DATA_OBJECT_CONCURRENT_MODIFICATION`
    Concurrent,
    /// Too many requests.
    TooMany,
    /// What was sent is larger than the service takes.
    TooLarge,
    /// The download link ran out, or was not issued by the service.
    LinkRefused,
    /// What was asked for is not kept any more: changes behind a position, also where the service was restored since.
    Gone,
    /// The service is not able to answer now, or failed.
    Service,
    /// Anything else, such as a parameter.
    Other,
}

impl From<ErrorCode> for Cause {
    fn from(code: ErrorCode) -> Self {
        match code {
            ErrorCode::InvalidRequestBody => Cause::InvalidBody,
            ErrorCode::PrimaryKeyRequired => Cause::PrimaryKeyRequired,
            ErrorCode::DuplicatePrimaryKey => Cause::DuplicateKey,
            ErrorCode::DataObjectVersionConflict => Cause::VersionConflict,
            ErrorCode::DataObjectNotFound => Cause::RecordNotFound,
            ErrorCode::DataObjectConcurrentModification => Cause::Concurrent,
            ErrorCode::PasswordChangeRequired
            | ErrorCode::ProofRequired
            | ErrorCode::SecondFactorRequired
            | ErrorCode::SecondFactorSetupRequired
            | ErrorCode::QuotaExceeded => Cause::Forbidden,
        }
    }
}

/// A refusal of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServiceRefusal {
    /// What kind it is.
    pub cause: Cause,
    /// The status code; `None` in process, where there are none.
    pub status: Option<u16>,
    /// The code, such as `DUPLICATE_PRIMARY_KEY`.
    pub code: Option<String>,
    /// What the service said.
    pub message: String,
    /// Which fields it is about.
    pub fields: Vec<FieldError>,
    /// What to name when asking the service's operator.
    pub request_id: Option<String>,
    /// How long the service asked to wait before trying again.
    pub retry_after: Option<Duration>,
}

impl ServiceRefusal {
    /// A refusal with a message and nothing else.
    pub fn new(cause: Cause, message: impl Into<String>) -> Self {
        ServiceRefusal {
            cause,
            status: None,
            code: None,
            message: message.into(),
            fields: Vec::new(),
            request_id: None,
            retry_after: None,
        }
    }
}

impl fmt::Display for ServiceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the service refused")?;
        match (self.status, &self.code) {
            (Some(status), Some(code)) => write!(f, " ({status} {code})")?,
            (Some(status), None) => write!(f, " ({status})")?,
            (None, Some(code)) => write!(f, " ({code})")?,
            (None, None) => {}
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        for FieldError { name, errors } in &self.fields {
            // the message has said what is wrong, and often of what
            match (
                self.message.contains(errors),
                names_field(&self.message, name),
            ) {
                (true, true) => {}
                (true, false) => write!(f, "; {name}")?,
                (false, _) => write!(f, "; {name}: {errors}")?,
            }
        }
        match &self.request_id {
            Some(id) => write!(f, "; request {id}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ServiceRefusal {}

/// Whether a text has a name as words of its own: `Code` is none of `Codes`.
fn names_field(text: &str, name: &str) -> bool {
    let mut found = text.match_indices(name);
    name.is_empty()
        || found.any(|(start, found)| {
            let before = text[..start].chars().next_back();
            let behind = text[start + found.len()..].chars().next();
            let mut beside = before.into_iter().chain(behind);
            !beside.any(|letter| letter.is_alphanumeric() || letter == '_')
        })
}

fn names(errors: &[FieldError]) -> String {
    let names: Vec<&str> = errors.iter().map(|error| error.name.as_str()).collect();
    names.join(", ")
}

fn told_network(
    origin: &str,
    sent: bool,
    answered: bool,
    proxy: Option<&str>,
    source: &(dyn std::error::Error + 'static),
) -> String {
    let way = proxy.map_or_else(String::new, |name| {
        format!(", by way of the proxy of {name}")
    });
    if answered {
        return format!("the answer of {origin} broke off{way}; ask again");
    }
    let left = if sent { "" } else { ", the request never left" };
    let help = match proxy {
        _ if is_of_certificate(source) => {
            "is its certificate for this name, trusted here, and not expired?"
        }
        Some(_) => "is the proxy right, and does it reach the service?",
        None => "is the address right and the service running?",
    };
    format!("no answer from {origin}{way}{left}; {help}")
}

/// Whether a connection was given up because the service's certificate was not taken. The libraries on the way hand it on as
/// errors of their own, so that only its words tell.
fn is_of_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(|error| error.to_string().contains("invalid peer certificate"))
}

fn listed(texts: &[String]) -> String {
    texts.join("; ")
}

impl ClientError {
    /// The service's refusal, where it is one.
    pub fn refusal(&self) -> Option<&ServiceRefusal> {
        match self {
            ClientError::Refused(refused) | ClientError::Token(refused) => Some(refused),
            _ => None,
        }
    }

    /// What kind of refusal it is, where it is one.
    pub fn cause(&self) -> Option<Cause> {
        self.refusal().map(|refused| refused.cause)
    }

    /// Whether another write came first: read the record again and send the change once more.
    pub fn is_version_conflict(&self) -> bool {
        self.cause() == Some(Cause::VersionConflict)
    }

    /// Whether another record has the primary key.
    pub fn is_duplicate_key(&self) -> bool {
        self.cause() == Some(Cause::DuplicateKey)
    }

    /// Whether the record, or the place it was looked for in, is not there.
    pub fn is_not_found(&self) -> bool {
        matches!(self.cause(), Some(Cause::NotFound | Cause::RecordNotFound))
    }
}

impl From<ServiceRefusal> for ClientError {
    fn from(refused: ServiceRefusal) -> Self {
        ClientError::Refused(Box::new(refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_nothing_twice() {
        let field = |name: &str, errors: &str| FieldError {
            name: name.to_owned(),
            errors: errors.to_owned(),
        };
        let told = |message: &str, fields: Vec<FieldError>| {
            let mut refusal = ServiceRefusal::new(Cause::InvalidBody, message);
            refusal.fields = fields;
            refusal.to_string()
        };
        let unknown = "the schema has no field of this name";
        assert_eq!(
            told(
                &format!("\"Gone\": {unknown}"),
                vec![field("Gone", unknown)]
            ),
            "the service refused: \"Gone\": the schema has no field of this name"
        );
        let key = "the primary key has no value";
        assert_eq!(
            told(key, vec![field("Code", key)]),
            "the service refused: the primary key has no value; Code"
        );
        assert_eq!(
            told("it is wrong", vec![field("Code", "it is too long")]),
            "the service refused: it is wrong; Code: it is too long"
        );
        // a name within another word is none
        let long = "the codes are wrong: too long";
        assert_eq!(
            told(long, vec![field("code", "too long")]),
            format!("the service refused: {long}; code")
        );
    }

    #[test]
    fn a_network_that_fails_is_told_with_who_may_be_to_blame() {
        let told_of = |source: &str, sent, answered, proxy| {
            let error = ClientError::Network {
                origin: "http://h".to_owned(),
                sent,
                answered,
                proxy,
                source: source.into(),
            };
            error.to_string()
        };
        let told = |sent, answered, proxy| told_of("broken", sent, answered, proxy);
        assert_eq!(
            told(false, false, None),
            "no answer from http://h, the request never left; is the address right and the service running?"
        );
        assert_eq!(
            told(true, false, Some("HTTPS_PROXY")),
            "no answer from http://h, by way of the proxy of HTTPS_PROXY; is the proxy right, and does it reach the service?"
        );
        assert_eq!(
            told(true, true, None),
            "the answer of http://h broke off; ask again"
        );
        let expired = "invalid peer certificate: Expired";
        assert_eq!(
            told_of(expired, false, false, None),
            "no answer from http://h, the request never left; is its certificate for this name, trusted here, and not expired?"
        );
    }
}
