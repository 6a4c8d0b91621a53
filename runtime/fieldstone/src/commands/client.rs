//! `fieldstone client`: application clients.

use super::credential::{self, Named, Place, Rights};
use crate::manifest::credentials::Kind;
use crate::manifest::{Client, Tenant};
use crate::settings::Common;
use clap::{Args, Subcommand};
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Make an application client and print its id and secret, this once
    Create(Create),
    /// List application clients
    List(Place),
    /// Switch an application client off
    Disable(Named),
    /// Switch an application client on
    Enable(Named),
    /// Delete an application client for good
    Delete(Named),
}

#[derive(Args)]
pub(crate) struct Create {
    /// Its name, unique within the tenant
    name: String,

    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// How long its tokens live, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    token_seconds: i64,

    #[command(flatten)]
    rights: Rights,

    #[command(flatten)]
    place: Place,
}

pub(crate) async fn run(common: &Common, verb: Verb) -> anyhow::Result<ExitCode> {
    match verb {
        Verb::Create(create) => {
            let made = Client {
                name: create.name,
                description: create.description,
                token_seconds: create.token_seconds,
                active: None,
                areas: create.rights.areas()?,
                roles: create.rights.roles,
            };
            let tenant = Tenant {
                clients: vec![made],
                ..Tenant::default()
            };
            credential::create(common, create.place, tenant).await
        }
        Verb::List(place) => credential::list(common, Kind::Client, place).await,
        Verb::Disable(named) => credential::disable(common, Kind::Client, named).await,
        Verb::Enable(named) => credential::enable(common, Kind::Client, named).await,
        Verb::Delete(named) => credential::delete(common, Kind::Client, named).await,
    }
}
