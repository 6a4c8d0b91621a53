//! A server elsewhere: its address, and who asks it, by an API key or by signing in. No secret is taken from the
//! command line, where every user of the machine can read it.

use super::connection::{CONNECT_TIMEOUT, Connection, SILENCE_MAX, refusal, unreachable};
use crate::failure::usage;
use crate::io::{standard_error, standard_input};
use crate::plain_links::PlainLinks;
use crate::watch::Watch;
use crate::{secret_input, web_address};
use anyhow::{Context as _, anyhow};
use clap::Args;
use manifest::failure::{Failure, FailureCode};
use manifest::operations::{Outcome, Request};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where management is, below a server's address.
pub(super) const MANAGEMENT: &str = "/admin/api/v1";
/// How long a connection may be silent before it is asked whether it is there.
const KEEPALIVE: Duration = Duration::from_secs(15);
const NO_HTTP: &str = "HTTP can't be set up";

/// Which server is asked, and as whom.
#[derive(Args, Clone)]
#[command(next_help_heading = "A server elsewhere")]
pub(crate) struct ServerArgs {
    /// Ask the server at this address, such as `https://data.example.org`, instead of working on the data folder
    #[arg(long, env = "FIELDSTONE_SERVER", value_name = "URL", value_parser = web_address::server)]
    server: Option<String>,

    /// A file with the API key to ask with, `-` for standard input; without it, the environment's counts
    /// (`FIELDSTONE_KEY`)
    #[arg(long, value_name = "FILE", conflicts_with = "sign_in")]
    key_file: Option<PathBuf>,

    /// Refused on the command line, where `ps` shows it
    #[arg(
        long,
        env = "FIELDSTONE_KEY",
        value_name = "KEY",
        hide = true,
        hide_env_values = true
    )]
    key: Option<String>,

    /// Sign in as this user, for this command alone; a code of a second factor is read from standard input
    #[arg(long, value_name = "USERNAME")]
    sign_in: Option<String>,

    /// A file with that user's password, `-` for standard input; without it, a terminal is asked
    #[arg(long, value_name = "FILE", requires = "sign_in")]
    sign_in_password_file: Option<PathBuf>,

    /// A file with certificates (PEM) to trust beside the machine's own
    #[arg(long, env = "FIELDSTONE_CA_FILE", value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

impl ServerArgs {
    /// The files that it is to read.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let named = [&self.key_file, &self.sign_in_password_file, &self.ca_file];
        named.into_iter().flatten().cloned().collect()
    }

    /// Has an operation carried out by the server that was named; gives the request back where none was. `tenant` is
    /// the one that who signs in belongs to.
    pub(super) async fn carry_out(
        &self,
        tenant: Option<&str>,
        links: PlainLinks,
        request: Request,
        watch: &mut Watch,
    ) -> Result<anyhow::Result<Outcome>, Request> {
        match &self.server {
            None => Err(request),
            Some(server) => Ok(self.ask((server, links), tenant, &request, watch).await),
        }
    }

    async fn ask(
        &self,
        (server, links): (&str, PlainLinks),
        tenant: Option<&str>,
        request: &Request,
        watch: &mut Watch,
    ) -> anyhow::Result<Outcome> {
        let http = http(server, self.ca_file.as_deref())?;
        let http = http.read_timeout(SILENCE_MAX).build();
        let http = http.context(NO_HTTP)?;
        let authorization = self.authorize(&http, (server, links), tenant).await?;
        let connection = Connection {
            http,
            url: format!("{server}{MANAGEMENT}/operations"),
            authorization,
        };
        let outcome = connection.carry_out(request, watch).await;
        if self.sign_in.is_some() {
            sign_out(&connection.http, server, &connection.authorization).await;
        }
        outcome
    }

    /// Connects to the server that was named, for requests of management; `None` where none was.
    pub(super) async fn connect(
        &self,
        tenant: Option<&str>,
        links: PlainLinks,
    ) -> anyhow::Result<Option<Remote>> {
        let Some(server) = &self.server else {
            return Ok(None);
        };
        let http = http(server, self.ca_file.as_deref())?;
        // what is sent may take long, and who is gone without a word is found out
        let http = http.tcp_keepalive(KEEPALIVE).build();
        let http = http.context(NO_HTTP)?;
        let authorization = self.authorize(&http, (server, links), tenant).await?;
        Ok(Some(Remote {
            http,
            server: server.clone(),
            authorization,
            is_signed_in: self.sign_in.is_some(),
        }))
    }

    async fn authorize(
        &self,
        http: &reqwest::Client,
        (server, links): (&str, PlainLinks),
        tenant: Option<&str>,
    ) -> anyhow::Result<HeaderValue> {
        links.require("--server", server, "the credential travels")?;
        let secret = match &self.sign_in {
            Some(username) => self.signed_in(http, server, tenant, username).await?,
            None => self.api_key()?,
        };
        let mut authorization = HeaderValue::from_str(&secret).map_err(|_| {
            usage("the key has a character that no key has; was more than it copied?")
        })?;
        authorization.set_sensitive(true);
        Ok(authorization)
    }

    fn api_key(&self) -> anyhow::Result<String> {
        match (&self.key_file, &self.key) {
            (Some(path), _) => secret_input::read(path),
            (None, Some(key)) => Ok(key.clone()),
            (None, None) => Err(usage(
                "--server asks for a credential: give --key-file FILE, FIELDSTONE_KEY, or --sign-in USERNAME",
            )),
        }
    }

    /// Signs in; gives the session's token.
    async fn signed_in(
        &self,
        http: &reqwest::Client,
        server: &str,
        tenant: Option<&str>,
        username: &str,
    ) -> anyhow::Result<String> {
        let password = self.password(username)?;
        let mut body = json!({"username": username, "password": password, "token": true});
        if let Some(tenant) = tenant {
            body["tenant"] = tenant.into();
        }
        let url = format!("{server}{MANAGEMENT}/sessions");
        let send = async |body: &Value| {
            let sent = http.post(&url).json(body).send().await;
            sent.map_err(|error| unreachable(&error))
        };
        let mut answer = send(&body).await?;
        if answer.status() == 403 {
            let refused: Value = answer.json().await.unwrap_or_default();
            if refused["code"] != "SECOND_FACTOR_REQUIRED" {
                let message = refused["message"].as_str().unwrap_or_default().to_owned();
                return Err(not_signed_in(FailureCode::Forbidden, message).context("can't sign in"));
            }
            body["code"] = code()?.into();
            answer = send(&body).await?;
        }
        if answer.status() == 401 {
            let message = format!(
                "can't sign in as {username}: user name, password, code or tenant (--tenant) is not right"
            );
            return Err(not_signed_in(FailureCode::Unauthenticated, message));
        }
        if !answer.status().is_success() {
            return Err(anyhow::Error::new(refusal(answer).await).context("can't sign in"));
        }
        let session: Value = answer
            .json()
            .await
            .context("the sign-in's answer is no JSON")?;
        let token = session["token"].as_str();
        Ok(token
            .context("the sign-in's answer has no token")?
            .to_owned())
    }

    fn password(&self, username: &str) -> anyhow::Result<String> {
        match &self.sign_in_password_file {
            Some(path) => secret_input::read(path),
            None if standard_input().is_terminal() => {
                let password = rpassword::prompt_password(format!("password of {username}: "));
                password.context("can't read the password")
            }
            None => Err(usage(
                "--sign-in asks for a password: give --sign-in-password-file FILE (`-` for standard input)",
            )),
        }
    }
}

fn not_signed_in(code: FailureCode, message: String) -> anyhow::Error {
    let causes = Vec::new();
    Failure {
        message,
        causes,
        code,
    }
    .into()
}

/// A code of the second factor, from standard input.
fn code() -> anyhow::Result<String> {
    let mut out = standard_error();
    // a prompt that nobody sees holds nothing up
    let _ = write!(out, "code of the second factor: ");
    let _ = out.flush();
    let mut line = String::new();
    let read = standard_input().read_line(&mut line);
    read.context("can't read the code of the second factor")?;
    match line.trim() {
        "" => Err(anyhow!(
            "the user has a second factor, and standard input holds no code of it"
        )),
        code => Ok(code.to_owned()),
    }
}

/// Ends the session; one that can't be ended ends by itself.
async fn sign_out(http: &reqwest::Client, server: &str, authorization: &HeaderValue) {
    let ended = http
        .delete(format!("{server}{MANAGEMENT}/session"))
        .header(AUTHORIZATION, authorization.clone())
        .send()
        .await;
    if let Err(error) = ended {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the session was not ended; it ends when it is not used"
        );
    }
}

/// A server elsewhere that knows who asks.
pub(super) struct Remote {
    pub(super) http: reqwest::Client,
    /// Its address.
    pub(super) server: String,
    pub(super) authorization: HeaderValue,
    is_signed_in: bool,
}

impl Remote {
    /// Ends the session, if there is one.
    pub(super) async fn close(self) {
        if self.is_signed_in {
            sign_out(&self.http, &self.server, &self.authorization).await;
        }
    }
}

/// Connections to a server that the machine, or the file, trusts.
fn http(server: &str, ca_file: Option<&Path>) -> anyhow::Result<reqwest::ClientBuilder> {
    let tls = tls(server.starts_with("https://"), ca_file)?;
    let client = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        // a credential goes to the address it was given for, and nowhere else
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("fieldstone/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls);
    Ok(client)
}

/// TLS that trusts nobody, for addresses that are never https.
pub(super) fn no_tls() -> anyhow::Result<rustls::ClientConfig> {
    tls(false, None)
}

fn tls(is_https: bool, ca_file: Option<&Path>) -> anyhow::Result<rustls::ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?;
    if !is_https {
        let nobody = rustls::RootCertStore::empty();
        return Ok(builder.with_root_certificates(nobody).with_no_client_auth());
    }
    let roots = match ca_file {
        Some(path) => certificates(path)?,
        None => Vec::new(),
    };
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(roots, provider);
    let verifier = verifier.context("the machine trusts no certificates; give --ca-file FILE")?;
    // "dangerous" is any verifier that is not the library's own; this one is the platform's
    let builder = builder
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    Ok(builder.with_no_client_auth())
}

fn certificates(path: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let shown = path.display();
    let all = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.with_context(|| format!("can't read certificates from {shown}"))?;
    if all.is_empty() {
        return Err(anyhow!("{shown} holds no certificate (PEM)"));
    }
    Ok(all)
}
