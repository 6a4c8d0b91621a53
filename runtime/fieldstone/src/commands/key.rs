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

    /// When it stops working, such as 2027-01-01T00:00:00Z; never, without it
    #[arg(long, value_name = "TIME")]
    expires: Option<Timestamp>,

    #[command(flatten)]
    rights: RightsArgs,

    #[command(flatten)]
    place: TenantArgs,
}

pub(crate) async fn run(common: &Common, verb: KeyCommand) -> anyhow::Result<ExitCode> {
    match verb {
        KeyCommand::Create(create) => {
            let made = ApiKey {
                name: create.name,
                description: create.description,
                expires: create.expires,
                active: None,
                areas: create.rights.areas()?,
                roles: create.rights.roles,
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
