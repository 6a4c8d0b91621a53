//! What proves of a form without a session that a page of ours sent it: a secret by chance that a browser keeps in a cookie since
//! it was shown such a page, and that stands in the form behind the mask that tokens of sessions have. Tabs that
//! are opened after it have the same secret, and nothing of it is kept on the server.

use super::form_token;
use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::http::header::{HeaderMap, SET_COOKIE};
use axum::http::request::Parts;
use axum::middleware::Next;
use service::{Entropy, Service, secrets};
use std::sync::{Arc, OnceLock};

/// Letters and digits of a secret.
const LENGTH: usize = 32;

/// The secret of the browser that a request comes from.
#[derive(Clone, Default)]
pub(super) struct FormSecret(Arc<Held>);

#[derive(Default)]
struct Held {
    /// What the browser sent.
    sent: Option<String>,
    /// What a page of this request gives to a browser that sent none.
    given: OnceLock<String>,
}

impl FormSecret {
    fn of(headers: &HeaderMap, cookies: Cookies) -> Self {
        let sent = cookie(headers, cookies.form()).filter(|sent| is_secret(sent));
        FormSecret(Arc::new(Held {
            sent: sent.map(str::to_owned),
            given: OnceLock::new(),
        }))
    }

    /// That of a request.
    pub(super) fn of_request(parts: &Parts) -> Self {
        parts.extensions.get().cloned().unwrap_or_default()
    }

    /// The secret as it stands in a form.
    pub(super) fn masked(&self, entropy: &dyn Entropy) -> String {
        let given = || {
            self.0
                .given
                .get_or_init(|| secrets::random_text(entropy, LENGTH))
        };
        let secret = self.0.sent.as_ref().unwrap_or_else(given);
        form_token::masked(secret, entropy)
    }

    /// Whether a form has the secret that the browser sent.
    pub(super) fn is_in(&self, token: &str) -> bool {
        let token = form_token::unmasked(token).map(|token| secrets::hash(&token));
        // hashes are compared, so the time tells nothing of the secret
        let own = self.0.sent.as_ref().map(|sent| secrets::hash(sent));
        own.is_some() && token == own
    }
}

/// Gives the secret to a browser that was shown a page with it.
pub(super) async fn with_cookie(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let cookies = Cookies::of(service.settings());
    let secret = FormSecret::of(request.headers(), cookies);
    request.extensions_mut().insert(secret.clone());
    let mut response = next.run(request).await;
    let given = secret.0.given.get();
    if let Some(cookie) = given.and_then(|given| cookies.set_for_links(cookies.form(), given)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn is_secret(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|it| it.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use axum::http::header::COOKIE;
    use service::{Settings, SystemEntropy};

    fn sent(cookie: &str) -> FormSecret {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_str(cookie).expect("a cookie"));
        FormSecret::of(&headers, Cookies::of(&Settings::default()))
    }

    #[test]
    fn a_form_has_the_secret_of_the_browser_that_was_shown_its_page() {
        let first = FormSecret::default();
        let tokens = [(); 2].map(|()| first.masked(&SystemEntropy));
        assert_ne!(tokens[0], tokens[1]);
        let given = first.0.given.get().expect("a secret");
        // what no cookie came back for is no proof
        assert!(!first.is_in(&tokens[0]));
        let name = Cookies::of(&Settings::default()).form();
        let back = sent(&format!("a=b; {name}={given}"));
        assert!(tokens.iter().all(|token| back.is_in(token)));
        let later = back.masked(&SystemEntropy);
        assert!(back.is_in(&later) && back.0.given.get().is_none());
        let other = sent(&format!(
            "{name}={}",
            secrets::random_text(&SystemEntropy, LENGTH)
        ));
        for token in [&*tokens[0], "", "00", given.as_str()] {
            assert!(!other.is_in(token), "{token}");
        }
    }

    #[test]
    fn what_is_no_secret_of_ours_is_none() {
        let name = Cookies::of(&Settings::default()).form();
        for value in ["", "0", &"0".repeat(31), &"-".repeat(32), &"0".repeat(33)] {
            let secret = sent(&format!("{name}={value}"));
            assert!(
                !secret.is_in(&form_token::masked(value, &SystemEntropy)),
                "{value}"
            );
        }
    }
}
