//! `fieldstone user`: users.

use super::credential::{self, CredentialArgs, RightsArgs, TenantArgs};
use super::password::PasswordArgs;
use crate::settings::Common;
use clap::{Args, Subcommand};
use manifest::credentials::CredentialKind;
use manifest::{Tenant, User};
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// Make a user
    Create(CreateUser),
    /// List users
    List(TenantArgs),
    /// Switch a user off
    Disable(CredentialArgs),
    /// Switch a user on
    Enable(CredentialArgs),
    /// Delete a user for good
    Delete(CredentialArgs),
    /// Let a user who lost its second factor sign in with the password alone
    RemoveSecondFactor(CredentialArgs),
}

#[derive(Args)]
pub(crate) struct CreateUser {
    /// The name to sign in with
    username: String,

    /// The e-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: String,

    /// The full name
    #[arg(long, value_name = "NAME", default_value = "")]
    full_name: String,

    #[command(flatten)]
    password: PasswordArgs,

    /// Require a second factor: at the first sign-in the user sets one up, and can do nothing else before
    #[arg(long)]
    second_factor_required: bool,

    #[command(flatten)]
    rights: RightsArgs,

    #[command(flatten)]
    place: TenantArgs,
}

pub(crate) async fn run(common: &Common, verb: UserCommand) -> anyhow::Result<ExitCode> {
    match verb {
        UserCommand::Create(create) => {
            let made = User {
                username: create.username,
                full_name: Some(create.full_name),
                email: create.email,
                password: create.password.read()?,
                active: None,
                second_factor_required: create.second_factor_required.then_some(true),
                areas: Some(create.rights.areas()?),
                roles: Some(create.rights.roles),
            };
            let tenant = Tenant {
                users: vec![made],
                ..Tenant::default()
            };
            credential::create(common, create.place, tenant).await
        }
        UserCommand::List(place) => credential::list(common, CredentialKind::User, place).await,
        UserCommand::Disable(named) => {
            credential::disable(common, CredentialKind::User, named).await
        }
        UserCommand::Enable(named) => credential::enable(common, CredentialKind::User, named).await,
        UserCommand::RemoveSecondFactor(named) => {
            credential::remove_second_factor(common, named).await
        }
        UserCommand::Delete(named) => credential::delete(common, CredentialKind::User, named).await,
    }
}
