//! `fieldstone key`: API keys.

use super::credential::{self, CredentialArgs, RightsArgs, TenantArgs};
use crate::settings::Common;
use clap::{Args, Subcommand};
use manifest::credentials::CredentialKind;
use manifest::{ApiKey, Tenant};
use std::process::ExitCode;
use wire::Timestamp;

#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Make an API key and print it, this once
    Create(CreateKey),
    /// List API keys
    List(TenantArgs),
    /// Switch an API key off
    Disable(CredentialArgs),
    /// Switch an API key on
    Enable(CredentialArgs),
    /// Delete an API key for good
    Delete(CredentialArgs),
    /// Give an API key a new secret and print it, this once; the old one works for a while
    Rotate(RotateKey),
}

#[derive(Args)]
pub(crate) struct RotateKey {
    #[command(flatten)]
    named: CredentialArgs,

    /// How long the old secret still works, in seconds; 0 for no longer
    #[arg(long, value_name = "SECONDS", default_value_t = 24 * 3600)]
    grace: i64,
}

#[derive(Args)]
pub(crate) struct CreateKey {
    /// Its name, unique within the tenant
    name: String,

    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// When it stops working: 2027-01-01, as that day begins (UTC), or 2027-01-01T18:30:00+02:00; never, without it
    #[arg(long, value_name = "TIME", value_parser = moment)]
    expires: Option<Timestamp>,

    #[command(flatten)]
    rights: RightsArgs,

    #[command(flatten)]
    place: TenantArgs,
}

/// A day, which is its first moment in UTC, or a moment as RFC 3339 has it.
fn moment(text: &str) -> Result<Timestamp, String> {
    let is_day = text.len() == 10 && text.is_ascii();
    let whole = is_day.then(|| format!("{text}T00:00:00Z"));
    let read = whole.as_deref().unwrap_or(text).parse();
    read.map_err(|_| {
        "it is no moment; write a day that exists, such as 2027-01-01 (its beginning, UTC), or a moment with its zone, such as 2027-01-01T18:30:00Z".to_owned()
    })
}

pub(crate) async fn run(common: &Common, verb: KeyCommand) -> anyhow::Result<ExitCode> {
    match verb {
        KeyCommand::Create(create) => {
            let made = ApiKey {
                name: create.name,
                description: Some(create.description),
                expires: create.expires,
                active: None,
                areas: Some(create.rights.areas()?),
                roles: Some(create.rights.roles),
            };
            let tenant = Tenant {
                api_keys: vec![made],
                ..Tenant::default()
            };
            credential::create(common, create.place, tenant).await
        }
        KeyCommand::List(place) => credential::list(common, CredentialKind::Key, place).await,
        KeyCommand::Disable(named) => credential::disable(common, CredentialKind::Key, named).await,
        KeyCommand::Enable(named) => credential::enable(common, CredentialKind::Key, named).await,
        KeyCommand::Delete(named) => credential::delete(common, CredentialKind::Key, named).await,
        KeyCommand::Rotate(RotateKey { named, grace }) => {
            credential::rotate(common, named, grace).await
        }
    }
}
