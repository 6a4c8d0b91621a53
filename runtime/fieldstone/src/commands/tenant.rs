//! `fieldstone tenant`: what the operator does with whole tenants. `fieldstone init` makes one.

use crate::control::{self, StoreNeed};
use crate::output::{self, Format};
use crate::settings::Common;
use clap::{Args, Subcommand};
use manifest::operations::{Outcome, Request};
use manifest::tenants::TenantRequest;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum TenantCommand {
    /// List tenants
    List(Shown),
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
    shown: Shown,
}

#[derive(Args)]
pub(crate) struct Shown {
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    output: Format,
}

pub(crate) async fn run(common: &Common, verb: TenantCommand) -> anyhow::Result<ExitCode> {
    let (request, shown) = match verb {
        TenantCommand::List(shown) => (TenantRequest::List, shown),
        TenantCommand::Rename(RenameTenant { from, to, shown }) => {
            (TenantRequest::Rename { from, to }, shown)
        }
    };
    let request = Request::Tenants(request);
    if let Outcome::Tenants(tenants) = control::submit(common, StoreNeed::Existing, request).await?
    {
        output::tenants(&tenants, shown.output)?;
    }
    Ok(ExitCode::SUCCESS)
}
