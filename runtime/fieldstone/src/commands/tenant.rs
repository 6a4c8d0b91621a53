//! `fieldstone tenant`: what the operator does with whole tenants. `fieldstone init` makes one.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::output;
use crate::settings::Common;
use crate::watch::Watch;
use clap::{Args, Subcommand};
use manifest::operations::{Outcome, Request};
use manifest::tenants::TenantRequest;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum TenantCommand {
    /// List tenants
    List(TenantsArgs),
    /// Give a tenant another name; its people say the new one when they sign in
    Rename(RenameTenant),
}

#[derive(Args)]
pub(crate) struct RenameTenant {
    /// The name that it has
    from: String,

    /// The name that it gets
    to: String,

    #[command(flatten)]
    place: TenantsArgs,
}

/// Where they are.
#[derive(Args)]
pub(crate) struct TenantsArgs {
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) async fn run(common: &Common, verb: TenantCommand) -> anyhow::Result<ExitCode> {
    let (request, place) = match verb {
        TenantCommand::List(place) => (TenantRequest::List, place),
        TenantCommand::Rename(RenameTenant { from, to, place }) => {
            (TenantRequest::Rename { from, to }, place)
        }
    };
    let is_rename = matches!(request, TenantRequest::Rename { .. });
    let request = Request::Tenants(request);
    let mut watch = Watch::new(common.format);
    let (server, need) = (&place.server, StoreNeed::Existing);
    let outcome = control::submit_to(server, None, common, need, request, &mut watch);
    if let Outcome::Tenants(tenants) = outcome.await? {
        match tenants.as_slice() {
            [one] if is_rename => output::tenant(one, common.format)?,
            several => output::tenants(several, common.format)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}
