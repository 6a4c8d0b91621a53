//! The credential, from the environment. No message holds it.

use super::error::FetchError;

/// What the service is shown.
pub(super) enum Credential {
    ApiKey(String),
    App { id: String, secret: String },
}

impl Credential {
    /// The variable that it came from.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Credential::ApiKey(_) => "FIELDSTONE_API_KEY",
            Credential::App { .. } => "FIELDSTONE_CLIENT_ID",
        }
    }
}

/// The credential in the environment.
pub(super) fn credential() -> Result<Credential, FetchError> {
    const NAMES: [&str; 3] = [
        "FIELDSTONE_API_KEY",
        "FIELDSTONE_CLIENT_ID",
        "FIELDSTONE_CLIENT_SECRET",
    ];
    let [key, id, secret] = NAMES.map(|name| {
        let text = std::env::var(name).ok().map(|text| text.trim().to_owned());
        text.filter(|text| !text.is_empty())
    });
    let credential = match (key, id, secret) {
        (Some(key), None, None) => Credential::ApiKey(key),
        (None, Some(id), Some(secret)) => Credential::App { id, secret },
        (None, None, None) => {
            return Err(FetchError::new(
                "there is no credential",
                "set FIELDSTONE_API_KEY, or FIELDSTONE_CLIENT_ID and FIELDSTONE_CLIENT_SECRET",
            ));
        }
        (None, _, _) => {
            return Err(FetchError::new(
                "one of FIELDSTONE_CLIENT_ID and FIELDSTONE_CLIENT_SECRET is missing",
                "set both, or FIELDSTONE_API_KEY alone",
            ));
        }
        (Some(_), _, _) => {
            return Err(FetchError::new(
                "there are two credentials: an API key and a client's",
                "unset FIELDSTONE_API_KEY, or FIELDSTONE_CLIENT_ID and FIELDSTONE_CLIENT_SECRET",
            ));
        }
    };
    let fits = |text: &str| text.bytes().all(|byte| (0x20..0x7F).contains(&byte));
    match &credential {
        Credential::ApiKey(key) if !fits(key) => Err(FetchError::new(
            "FIELDSTONE_API_KEY holds a character that no key has",
            "was more than the key copied?",
        )),
        _ => Ok(credential),
    }
}
