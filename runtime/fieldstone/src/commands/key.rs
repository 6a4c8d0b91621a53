//! `fieldstone key`: API keys.

use super::credential::{self, Named, Place, Rights};
use crate::manifest::credentials::Kind;
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
    List(Place),
    /// Switch an API key off
    Disable(Named),
    /// Switch an API key on
    Enable(Named),
    /// Delete an API key for good
    Delete(Named),
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
    rights: Rights,

    #[command(flatten)]
    place: Place,
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
        Verb::List(place) => credential::list(common, Kind::Key, place).await,
        Verb::Disable(named) => credential::disable(common, Kind::Key, named).await,
        Verb::Enable(named) => credential::enable(common, Kind::Key, named).await,
        Verb::Delete(named) => credential::delete(common, Kind::Key, named).await,
    }
}
