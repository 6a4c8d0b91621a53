//! `fieldstone client`: application clients.

use super::credential::{self, CredentialArgs, RightsArgs, TenantArgs};
use crate::settings::Common;
use clap::{Args, Subcommand};
use manifest::credentials::CredentialKind;
use manifest::{Client, Tenant};
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum ClientCommand {
    /// Make an application client and print its id and secret, this once
    Create(CreateClient),
    /// List application clients
    List(TenantArgs),
    /// Switch an application client off
    Disable(CredentialArgs),
    /// Switch an application client on
    Enable(CredentialArgs),
    /// Delete an application client for good
    Delete(CredentialArgs),
}

#[derive(Args)]
pub(crate) struct CreateClient {
    /// Its name, unique within the tenant
    name: String,

    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// How long its tokens live, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    token_seconds: i64,

    #[command(flatten)]
    rights: RightsArgs,

    #[command(flatten)]
    place: TenantArgs,
}

pub(crate) async fn run(common: &Common, verb: ClientCommand) -> anyhow::Result<ExitCode> {
    match verb {
        ClientCommand::Create(create) => {
            let made = Client {
                name: create.name,
                description: Some(create.description),
                token_seconds: Some(create.token_seconds),
                active: None,
                areas: Some(create.rights.areas()?),
                roles: Some(create.rights.roles),
            };
            let tenant = Tenant {
                clients: vec![made],
                ..Tenant::default()
            };
            credential::create(common, create.place, tenant).await
        }
        ClientCommand::List(place) => credential::list(common, CredentialKind::Client, place).await,
        ClientCommand::Disable(named) => {
            credential::disable(common, CredentialKind::Client, named).await
        }
        ClientCommand::Enable(named) => {
            credential::enable(common, CredentialKind::Client, named).await
        }
        ClientCommand::Delete(named) => {
            credential::delete(common, CredentialKind::Client, named).await
        }
    }
}
