//! `fieldstone key`: API keys.

use super::credential::{self, CredentialArgs, RightsArgs, TenantArgs};
use crate::manifest::credentials::CredentialKind;
use crate::manifest::{ApiKey, Tenant};
use crate::settings::Common;
use clap::{Args, Subcommand};
use runtime::value::Timestamp;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Make an API key and print it, this once
    Create(Create),
    /// List API keys
    List(TenantArgs),
    /// Switch an API key off
    Disable(CredentialArgs),
    /// Switch an API key on
    Enable(CredentialArgs),
    /// Delete an API key for good
    Delete(CredentialArgs),
}

#[derive(Args)]
pub(crate) struct Create {
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

pub(crate) async fn run(common: &Common, verb: Verb) -> anyhow::Result<ExitCode> {
    match verb {
        Verb::Create(create) => {
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
        Verb::List(place) => credential::list(common, CredentialKind::Key, place).await,
        Verb::Disable(named) => credential::disable(common, CredentialKind::Key, named).await,
        Verb::Enable(named) => credential::enable(common, CredentialKind::Key, named).await,
        Verb::Delete(named) => credential::delete(common, CredentialKind::Key, named).await,
    }
}
