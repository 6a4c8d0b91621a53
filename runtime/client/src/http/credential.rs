//! Credentials, and the tokens that client credentials are exchanged for. Nothing here shows a secret.

use crate::ClientError;
use parking_lot::RwLock;
use reqwest::header::HeaderValue;
use schema::json::write_string;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::TokenAnswer;

/// The longest time before its end that a token is renewed.
const RENEW_BEFORE: Duration = Duration::from_secs(60);

/// How long after a renewal that failed the next one waits, while the token is good.
const RENEW_AGAIN: Duration = Duration::from_secs(5);

/// No token is used longer, whatever its answer says.
const LIFETIME_MAX: Duration = Duration::from_secs(24 * 3600);

/// What a client shows the service. docs/interface.md, "Credentials".
#[derive(Clone)]
pub struct Credential(CredentialKind);

#[derive(Clone)]
enum CredentialKind {
    ApiKey(String),
    Client { id: String, secret: String },
}

impl Credential {
    /// An API key.
    pub fn api_key(key: impl Into<String>) -> Self {
        Credential(CredentialKind::ApiKey(key.into()))
    }

    /// The id and secret of an application client: they are exchanged for tokens, which are renewed
    /// before they run out.
    pub fn client(id: impl Into<String>, secret: impl Into<String>) -> Self {
        Credential(CredentialKind::Client {
            id: id.into(),
            secret: secret.into(),
        })
    }
}

/// Tells the kind only.
impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            CredentialKind::ApiKey(_) => "Credential::api_key(<hidden>)",
            CredentialKind::Client { .. } => "Credential::client(<hidden>)",
        })
    }
}

/// The value of `Authorization`, however it comes about.
pub(super) enum Authority {
    Fixed(HeaderValue),
    Exchanged(Exchange),
}

impl Authority {
    pub(super) fn of(credential: Credential) -> Result<Self, ClientError> {
        match credential.0 {
            CredentialKind::ApiKey(key) => Ok(Authority::Fixed(header(key.trim())?)),
            CredentialKind::Client { id, secret } => {
                let mut body = "{\"client_id\":".to_owned();
                write_string(&mut body, &id);
                body.push_str(",\"client_secret\":");
                write_string(&mut body, &secret);
                body.push('}');
                Ok(Authority::Exchanged(Exchange {
                    body,
                    token: RwLock::new(None),
                    turn: tokio::sync::Mutex::new(()),
                }))
            }
        }
    }
}

/// Client credentials and their token of the moment.
pub(super) struct Exchange {
    /// What the token endpoint is sent.
    pub(super) body: String,
    token: RwLock<Option<Arc<AccessToken>>>,
    /// Whoever renews holds it, so that many requests cause one renewal.
    pub(super) turn: tokio::sync::Mutex<()>,
}

/// A token in use.
pub(super) struct AccessToken {
    pub(super) header: HeaderValue,
    renew_at: Instant,
    ends_at: Instant,
}

impl Exchange {
    /// The token, unless it is about to run out.
    pub(super) fn fresh(&self, now: Instant) -> Option<Arc<AccessToken>> {
        self.current().filter(|token| now < token.renew_at)
    }

    /// The token, unless it has run out: good enough when no other is to be had.
    pub(super) fn usable(&self, now: Instant) -> Option<Arc<AccessToken>> {
        self.current().filter(|token| now < token.ends_at)
    }

    fn current(&self) -> Option<Arc<AccessToken>> {
        let token = self.token.read();
        token.clone()
    }

    /// Takes the token of an answer that was asked for at `asked`.
    pub(super) fn accept(
        &self,
        answer: &str,
        asked: Instant,
    ) -> Result<Arc<AccessToken>, ClientError> {
        // what the reader says of a wrong answer could quote it
        let wrong = || ClientError::Answer("a token request", "it holds no token".to_owned());
        let answer: TokenAnswer = serde_json::from_str(answer).map_err(|_| wrong())?;
        let seconds = u64::try_from(answer.expires_in).unwrap_or(0);
        let lifetime = Duration::from_secs(seconds).min(LIFETIME_MAX);
        let token = Arc::new(AccessToken {
            header: header(&answer.access_token).map_err(|_| wrong())?,
            // counted from the question, because the answer may have been under way for a while
            renew_at: asked + lifetime.saturating_sub(RENEW_BEFORE.min(lifetime / 5)),
            ends_at: asked + lifetime,
        });
        *self.token.write() = Some(token.clone());
        Ok(token)
    }

    /// Leaves the token in use for a while, because it could not be renewed just now.
    pub(super) fn put_off(&self, now: Instant) {
        let mut token = self.token.write();
        if let Some(old) = token.take() {
            let left = old.ends_at.saturating_duration_since(now);
            *token = Some(Arc::new(AccessToken {
                header: old.header.clone(),
                renew_at: now + RENEW_AGAIN.min(left / 2),
                ends_at: old.ends_at,
            }));
        }
    }

    /// Lets go of a token that the service no longer takes, unless it was replaced already.
    pub(super) fn forget(&self, refused: &HeaderValue) {
        let mut token = self.token.write();
        if token.as_ref().is_some_and(|token| token.header == *refused) {
            *token = None;
        }
    }
}

fn header(value: &str) -> Result<HeaderValue, ClientError> {
    let setup = |why: &str| ClientError::Setup(format!("the credential {why}"));
    if value.is_empty() {
        return Err(setup("is empty"));
    }
    let mut header = HeaderValue::from_str(value)
        .map_err(|_| setup("has a character that no credential has; was more than it copied?"))?;
    header.set_sensitive(true);
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange() -> Exchange {
        match Authority::of(Credential::client("i\"d", "geheim")).unwrap() {
            Authority::Exchanged(exchange) => exchange,
            Authority::Fixed(_) => panic!("a client is exchanged"),
        }
    }

    #[test]
    fn a_token_is_fresh_until_a_while_before_its_end() {
        let exchange = exchange();
        assert_eq!(
            exchange.body,
            r#"{"client_id":"i\"d","client_secret":"geheim"}"#
        );
        let start = Instant::now();
        for (seconds, until) in [
            (i64::MAX, 86_340),
            (3600, 3540),
            (100, 80),
            (10, 8),
            (0, 0),
            (-5, 0),
        ] {
            let answer =
                format!(r#"{{"access_token":"t","expires_in":{seconds},"token_type":"Bearer"}}"#);
            exchange.accept(&answer, start).unwrap();
            let end = start + Duration::from_secs(until);
            assert!(exchange.fresh(end).is_none(), "{seconds}");
            if until > 0 {
                let before = start + Duration::from_secs(until - 1);
                assert!(exchange.fresh(before).is_some(), "{seconds}");
                assert!(exchange.usable(end).is_some(), "{seconds}");
                let over = start + LIFETIME_MAX.min(Duration::from_secs(seconds.unsigned_abs()));
                assert!(exchange.usable(over).is_none(), "{seconds}");
            }
        }
    }

    #[test]
    fn only_the_refused_token_is_forgotten() {
        let exchange = exchange();
        let now = Instant::now();
        let answer = r#"{"access_token":"new","expires_in":9,"token_type":"Bearer"}"#;
        exchange.accept(answer, now).unwrap();
        exchange.forget(&HeaderValue::from_static("old"));
        assert!(exchange.fresh(now).is_some());
        exchange.forget(&HeaderValue::from_static("new"));
        assert!(exchange.fresh(now).is_none());
    }

    #[test]
    fn nothing_shows_a_secret() {
        for credential in [
            Credential::api_key("geheim"),
            Credential::client("id", "geheim"),
        ] {
            assert!(!format!("{credential:?}").contains("geheim"));
        }
        let Err(error) = Authority::of(Credential::api_key("geheim\n1")) else {
            panic!("a line break is in no header");
        };
        assert!(!format!("{error} {error:?}").contains("geheim"));
        let error = exchange().accept(r#"{"access_token":"geheim"}"#, Instant::now());
        assert!(error.is_err_and(|error| !format!("{error:?}").contains("geheim")));
    }
}
