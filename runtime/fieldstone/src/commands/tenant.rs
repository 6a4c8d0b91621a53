//! `fieldstone tenant`: what the operator does with whole tenants. `fieldstone init` makes one.

use crate::control::{self, StoreNeed};
use crate::output;
use crate::settings::Common;
use clap::{Args, Subcommand};
use manifest::operations::{Outcome, Request};
use manifest::tenants::TenantRequest;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum TenantCommand {
    /// List tenants
    List,
    /// Give a tenant another name; its people say the new one when they sign in
    Rename(RenameTenant),
}

#[derive(Args)]
pub(crate) struct RenameTenant {
    /// The name that it has
    from: String,

    /// The name that it gets
    to: String,
}

pub(crate) async fn run(common: &Common, verb: TenantCommand) -> anyhow::Result<ExitCode> {
    let request = match verb {
        TenantCommand::List => TenantRequest::List,
        TenantCommand::Rename(RenameTenant { from, to }) => TenantRequest::Rename { from, to },
    };
    let is_rename = matches!(request, TenantRequest::Rename { .. });
    let request = Request::Tenants(request);
    if let Outcome::Tenants(tenants) = control::submit(common, StoreNeed::Existing, request).await?
    {
        match tenants.as_slice() {
            [one] if is_rename => output::tenant(one, common.format)?,
            several => output::tenants(several, common.format)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}
