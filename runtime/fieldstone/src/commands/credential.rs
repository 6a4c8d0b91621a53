//! What `key`, `client` and `user` have in common: how one is named, whom it belongs to, what it may do.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::failure::usage;
use crate::output;
use crate::settings::Common;
use crate::watch::Watch;
use clap::Args;
use manifest::credentials::{self, CredentialKind, Operation};
use manifest::operations::{Outcome, Request};
use manifest::{AllAreas, ApplyMode, Areas, Manifest, Tenant};
use std::collections::BTreeMap;
use std::process::ExitCode;
use store::catalog::{Verb, Verbs};

/// Where it is.
#[derive(Args)]
pub(crate) struct TenantArgs {
    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

/// One that is there.
#[derive(Args)]
pub(crate) struct CredentialArgs {
    /// Its name or id
    name: String,

    #[command(flatten)]
    place: TenantArgs,
}

/// What it may do, and where.
#[derive(Args)]
pub(crate) struct RightsArgs {
    /// A role's name, such as MEMBER; several times for several
    #[arg(long = "role", value_name = "NAME", required = true)]
    pub(crate) roles: Vec<String>,

    /// An area and what is allowed in it, such as `Customers=view,add,edit,delete`; the name alone
    /// allows all four, `*` is all areas, also those that are made later; several times for several
    #[arg(long = "area", value_name = "NAME[=VERBS]", value_parser = grant)]
    areas: Vec<(String, Vec<Verb>)>,
}

impl RightsArgs {
    /// The areas as a manifest has them.
    pub(crate) fn areas(&self) -> anyhow::Result<Areas> {
        let mut named = BTreeMap::new();
        for (area, verbs) in &self.areas {
            if named.insert(area.clone(), verbs.clone()).is_some() {
                return Err(usage(format!(
                    "--area names {area} twice; name it once, with all that is allowed in it"
                )));
            }
        }
        match named.remove("*") {
            None => Ok(Areas::Named(named)),
            Some(all) if named.is_empty() => Ok(Areas::All(AllAreas { all })),
            Some(_) => Err(usage(
                "--area names `*`, which is all areas, and others; name one or the other",
            )),
        }
    }
}

fn grant(text: &str) -> Result<(String, Vec<Verb>), String> {
    let Some((area, verbs)) = text.rsplit_once('=') else {
        return Ok((text.to_owned(), Verbs::ALL.into()));
    };
    let verbs = verbs.split(',').map(|verb| match verb.trim() {
        "view" => Ok(Verb::View),
        "add" => Ok(Verb::Add),
        "edit" => Ok(Verb::Edit),
        "delete" => Ok(Verb::Delete),
        other => Err(format!("`{other}` is none of view, add, edit and delete")),
    });
    Ok((area.to_owned(), verbs.collect::<Result<_, _>>()?))
}

/// Makes what the tenant holds.
pub(crate) async fn create(
    common: &Common,
    place: TenantArgs,
    tenant: Tenant,
) -> anyhow::Result<ExitCode> {
    let request = Request::Apply {
        manifest: Manifest {
            tenants: vec![Tenant {
                name: place.tenant.clone(),
                ..tenant
            }],
        },
        mode: ApplyMode {
            only_new: true,
            existing_tenant: true,
            ..ApplyMode::default()
        },
    };
    if let Outcome::Applied(report) = submit(common, &place, request).await? {
        return Ok(output::made(&report, common.format)?.into());
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows all of a kind.
pub(crate) async fn list(
    common: &Common,
    kind: CredentialKind,
    place: TenantArgs,
) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, place, Operation::List).await
}

/// Switches one on.
pub(crate) async fn enable(
    common: &Common,
    kind: CredentialKind,
    named: CredentialArgs,
) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, Operation::Enable(named.name)).await
}

/// Switches one off.
pub(crate) async fn disable(
    common: &Common,
    kind: CredentialKind,
    named: CredentialArgs,
) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, Operation::Disable(named.name)).await
}

/// Deletes one.
pub(crate) async fn delete(
    common: &Common,
    kind: CredentialKind,
    named: CredentialArgs,
) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, Operation::Delete(named.name)).await
}

/// Gives a key a new secret.
pub(crate) async fn rotate(
    common: &Common,
    named: CredentialArgs,
    grace_seconds: i64,
) -> anyhow::Result<ExitCode> {
    let what = Operation::Rotate {
        name: named.name,
        grace_seconds,
    };
    carry_out(common, CredentialKind::Key, named.place, what).await
}

/// Takes the second factor of a user away.
pub(crate) async fn remove_second_factor(
    common: &Common,
    named: CredentialArgs,
) -> anyhow::Result<ExitCode> {
    let what = Operation::RemoveSecondFactor(named.name);
    carry_out(common, CredentialKind::User, named.place, what).await
}

async fn carry_out(
    common: &Common,
    kind: CredentialKind,
    place: TenantArgs,
    what: Operation,
) -> anyhow::Result<ExitCode> {
    let is_list = matches!(what, Operation::List);
    let request = Request::Credentials(credentials::CredentialRequest {
        kind,
        tenant: place.tenant.clone(),
        what,
    });
    let outcome = submit(common, &place, request).await?;
    if let Outcome::Credentials(shown) = outcome {
        match shown.as_slice() {
            [one] if !is_list => output::credential(one, common.format)?,
            several => output::credentials(several, common.format)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Does what is asked, wherever the place is.
async fn submit(common: &Common, place: &TenantArgs, request: Request) -> anyhow::Result<Outcome> {
    let TenantArgs { tenant, server } = place;
    let (tenant, need) = (tenant.as_deref(), StoreNeed::Existing);
    let mut watch = Watch::new(common.format);
    control::submit_to(server, tenant, common, need, request, &mut watch).await
}
