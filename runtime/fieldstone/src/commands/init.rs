//! `fieldstone init`: a tenant and its administrator.

use super::password::PasswordArgs;
use crate::control::{self, StoreNeed};
use crate::output;
use crate::settings::Common;
use crate::watch::Watch;
use clap::{ArgAction, Args};
use manifest::failure::{Failure, FailureCode};
use manifest::operations::{Outcome, Request};
use manifest::{AllAreas, ApplyMode, Areas, Manifest, Tenant, User};
use service::manage::ADMINISTRATOR;
use std::process::ExitCode;
use store::catalog::{Verb, Verbs};

/// What to do where the administrator is there already.
const THERE_ALREADY: &str = "nothing was made; sign in with the user that is there (`fieldstone user list` names all), give another name with --username, or make another tenant with --tenant";

#[derive(Args)]
pub(crate) struct InitOptions {
    /// The tenant's name
    #[arg(long, value_name = "NAME")]
    tenant: String,

    /// The administrator's user name
    #[arg(long, value_name = "NAME", default_value = "admin")]
    username: String,

    /// The administrator's e-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: String,

    /// The administrator's full name
    #[arg(long, value_name = "NAME", default_value = "")]
    full_name: String,

    #[command(flatten)]
    password: PasswordArgs,

    /// Begin an empty store, though the folder has files of a store whose database is gone or empty
    #[arg(long, action = ArgAction::SetTrue)]
    create: bool,
}

pub(crate) async fn run(common: &Common, options: InitOptions) -> anyhow::Result<ExitCode> {
    let administrator = User {
        username: options.username,
        full_name: Some(options.full_name),
        email: options.email,
        password: options.password.read()?,
        active: None,
        second_factor_required: None,
        roles: Some(vec![ADMINISTRATOR.to_owned()]),
        areas: Some(Areas::All(AllAreas {
            all: Vec::<Verb>::from(Verbs::ALL),
        })),
    };
    let tenant = Tenant {
        name: Some(options.tenant),
        users: vec![administrator],
        ..Tenant::default()
    };
    let request = Request::Apply {
        manifest: Manifest {
            tenants: vec![tenant],
        },
        mode: ApplyMode {
            only_new: true,
            ..ApplyMode::default()
        },
    };
    let need = if options.create {
        StoreNeed::Created
    } else {
        StoreNeed::Any
    };
    let outcome = control::submit(common, need, request, &mut Watch::new(common.format)).await;
    let outcome = outcome.map_err(|error| match Failure::of(&error).code {
        FailureCode::Conflict => error.context(THERE_ALREADY),
        _ => error,
    });
    if let Outcome::Applied(report) = outcome? {
        return Ok(output::made(&report, common.format)?.into());
    }
    Ok(ExitCode::SUCCESS)
}
