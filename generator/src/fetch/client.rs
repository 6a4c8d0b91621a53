//! Requests to a service: addresses, the token of an application, retries, and what each refusal means to
//! the person who asked.

use super::credential::{Credential, credential};
use super::error::FetchError;
use super::trust;
use schema::json::{Value, parse, write_string};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use ureq::tls::TlsConfig;

const TIMEOUT: Duration = Duration::from_secs(60);
const ATTEMPTS: u32 = 3;
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// A service, and the credential shown to it.
pub(crate) struct Client {
    agent: ureq::Agent,
    base: String,
    credential: Credential,
    /// The token of a client's credentials.
    token: RefCell<Option<String>>,
}

/// What is looked at of a response.
struct Response {
    status: u16,
    /// Where it leads, if it does.
    location: Option<String>,
    text: String,
}

impl Client {
    /// The service at a base address, and the file of certificates to trust, if one was named.
    pub(crate) fn open(url: &str, ca_file: Option<&Path>) -> Result<Self, FetchError> {
        let base = url.trim().trim_end_matches('/');
        let rest = base
            .strip_prefix("https://")
            .or_else(|| base.strip_prefix("http://"));
        if rest.is_none_or(|rest| rest.is_empty() || rest.contains(['@', '?', '#'])) {
            return Err(FetchError::new(
                "the base address is no plain web address",
                "name it like https://data.example.org, without a user name, `?` or `#`",
            ));
        }
        let tls = TlsConfig::builder()
            .root_certs(trust::roots(base, ca_file)?)
            .build();
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // a credential goes to the address it was given for, and nowhere else
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(TIMEOUT))
            .tls_config(tls)
            .user_agent(concat!("fieldstone-generator/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Client {
            agent: config.into(),
            base: base.to_owned(),
            credential: credential()?,
            token: RefCell::new(None),
        })
    }

    /// The address of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// What the service answers to GET; `right` is what the credential needs for it.
    pub(crate) fn get(&self, path: &str, right: &str) -> Result<String, FetchError> {
        let mut response = self.request(path, &self.authorization()?)?;
        if response.status == 401 && self.token.take().is_some() {
            // the token ran out under way
            response = self.request(path, &self.authorization()?)?;
        }
        match response.status {
            200 => Ok(response.text),
            _ => Err(self.refusal(&response, path, right)),
        }
    }

    /// Sends GET, again where that may help.
    fn request(&self, path: &str, authorization: &str) -> Result<Response, FetchError> {
        self.with_retry(|| {
            self.agent
                .get(self.address(path))
                .header("Authorization", authorization)
                .call()
        })
    }

    /// The value of `Authorization`: the key, or a token.
    fn authorization(&self) -> Result<String, FetchError> {
        let (id, secret) = match &self.credential {
            Credential::ApiKey(key) => return Ok(key.clone()),
            Credential::App { id, secret } => (id, secret),
        };
        if let Some(token) = &*self.token.borrow() {
            return Ok(token.clone());
        }
        let mut body = "{\"client_id\":".to_owned();
        write_string(&mut body, id);
        body.push_str(",\"client_secret\":");
        write_string(&mut body, secret);
        body.push('}');
        let path = "/oauth2/token";
        let response = self.with_retry(|| {
            let request = self.agent.post(self.address(path));
            request
                .header("Content-Type", "application/json")
                .send(&body)
        })?;
        if response.status != 200 {
            return Err(self.refusal(&response, path, "a client that is switched on"));
        }
        let root = parse(&response.text).ok();
        let token = root.as_ref().and_then(|root| root.get("access_token"));
        let Some(Value::String(token)) = token.map(|node| &node.value) else {
            return Err(not_the_interface(
                &self.address(path),
                "it holds no `access_token`",
            ));
        };
        self.token.replace(Some(token.to_string()));
        Ok(token.to_string())
    }

    /// Sends what is safe to repeat until there is an answer.
    fn with_retry(
        &self,
        send: impl Fn() -> Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Response, FetchError> {
        let mut attempt = 1;
        loop {
            let answer = send().map_err(|error| self.unreachable(&error));
            let (response, again) = match answer.map(read) {
                Ok(Ok(response)) => {
                    let again = matches!(response.status, 429 | 502..=504);
                    (Ok(response), again)
                }
                Ok(Err(error)) => {
                    let again = !matches!(error, ureq::Error::BodyExceedsLimit(_));
                    (Err(self.broken_off(&error)), again)
                }
                Err(error) => (Err(error), true),
            };
            if !again || attempt == ATTEMPTS {
                return response;
            }
            std::thread::sleep(Duration::from_millis(200 << attempt));
            attempt += 1;
        }
    }

    fn unreachable(&self, error: &ureq::Error) -> FetchError {
        let proxy = self.proxy();
        let help = match (trust::help(&error.to_string()), proxy) {
            (Some(help), _) => help,
            (None, Some(_)) => {
                "is the proxy right, and does it reach the service? what NO_PROXY names needs none"
            }
            (None, None) => "is the address right, and the service running?",
        };
        let way = by_way_of(proxy);
        FetchError::new(format!("no answer from {}{way}: {error}", self.base), help)
    }

    fn broken_off(&self, error: &ureq::Error) -> FetchError {
        let base = &self.base;
        if matches!(error, ureq::Error::BodyExceedsLimit(_)) {
            let message = format!("the answer of {base} is too long: {error}");
            return FetchError::new(message, "is it the address of a Fieldstone service?");
        }
        let way = by_way_of(self.proxy());
        let message = format!("the answer of {base} broke off{way}: {error}");
        FetchError::new(message, "ask again")
    }

    /// The variable that names the proxy on the way to the service, by the library's own order.
    fn proxy(&self) -> Option<&'static str> {
        let proxy = self.agent.config().proxy()?;
        let address: ureq::http::Uri = self.base.parse().ok()?;
        if proxy.is_no_proxy(&address) {
            return None;
        }
        let is_named = |name: &&str| {
            let value = std::env::var(name);
            value.is_ok_and(|value| ureq::Proxy::new(&value).is_ok())
        };
        PROXIES.into_iter().find(is_named)
    }

    fn refusal(&self, response: &Response, path: &str, right: &str) -> FetchError {
        let address = self.address(path);
        let (name, status) = (self.credential.name(), response.status);
        let message = message(response);
        match status {
            401 => FetchError::new(
                format!("the service does not accept the credential of {name} (401)"),
                "it is mistyped, unknown, expired or switched off; is it one of this service?",
            ),
            403 => FetchError::new(
                format!("the credential of {name} may not do this (403): GET {address}"),
                format!("it needs {right}"),
            ),
            404 => FetchError::new(
                format!("there is nothing at {address} (404){message}"),
                "is the base address right? what is deleted while it is fetched is not found either",
            ),
            300..=399 => {
                let to = response.location.as_ref();
                let to = to.map_or_else(String::new, |to| format!(" to {to}"));
                FetchError::new(
                    format!("{address} answers with a redirect ({status}){to}"),
                    "name the address it leads to; a credential is not sent elsewhere",
                )
            }
            500..=599 => FetchError::new(
                format!("the service failed ({status}) at {address}{message}"),
                "try again later; the service's log tells why",
            ),
            _ => FetchError::new(
                format!("the service refused ({status}) at {address}{message}"),
                "is it a Fieldstone service, and its version not older than this program?",
            ),
        }
    }
}

/// Variables that name a proxy, the first that does first.
const PROXIES: [&str; 6] = [
    "ALL_PROXY",
    "all_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
];

fn by_way_of(proxy: Option<&str>) -> String {
    proxy.map_or_else(String::new, |name| {
        format!(", by way of the proxy of {name}")
    })
}

fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Response, ureq::Error> {
    let status = response.status().as_u16();
    let location = response.headers().get("Location");
    let location = location.and_then(|to| to.to_str().ok()).map(str::to_owned);
    let bytes = response
        .body_mut()
        .with_config()
        .limit(ANSWER_BYTES_MAX)
        .read_to_vec()?;
    Ok(Response {
        status,
        location,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    })
}

/// What an error's body says, for the end of a message.
fn message(response: &Response) -> String {
    let root = parse(&response.text).ok();
    let message = root.as_ref().and_then(|root| root.get("message"));
    match message.map(|node| &node.value) {
        Some(Value::String(text)) => {
            let one_line: String = text
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .take(300)
                .collect();
            format!(": {one_line}")
        }
        _ => String::new(),
    }
}

/// The error for an answer that is not what the interface promises.
pub(crate) fn not_the_interface(address: &str, why: &str) -> FetchError {
    FetchError::new(
        format!("the answer of {address} is not what the interface promises: {why}"),
        "is it the address of a Fieldstone service?",
    )
}

/// Appends `/` and a segment, percent-encoded.
pub(crate) fn segment(path: &mut String, text: &str) {
    path.push('/');
    encode(path, text);
}

/// Percent-encodes all but what means itself everywhere.
pub(crate) fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // INVARIANT: writing to a String cannot fail
            let _ = write!(out, "%{byte:02X}");
        }
    }
}
