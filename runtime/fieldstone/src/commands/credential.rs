//! What `key`, `client` and `user` have in common: how one is named, whom it belongs to, what it may do.

use crate::door::{self, Store};
use crate::manifest::apply::Mode;
use crate::manifest::credentials::{self, Kind, What};
use crate::manifest::{AllAreas, Areas, Manifest, Tenant};
use crate::operator::{Outcome, Request};
use crate::output::{self, Format};
use crate::settings::Common;
use anyhow::bail;
use clap::Args;
use runtime::store::catalog::{Verb, Verbs};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Where it is, and how the result is printed.
#[derive(Args)]
pub(crate) struct Place {
    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    output: Format,
}

/// One that is there.
#[derive(Args)]
pub(crate) struct Named {
    /// Its name or id
    name: String,

    #[command(flatten)]
    place: Place,
}

/// What it may do, and where.
#[derive(Args)]
pub(crate) struct Rights {
    /// A role's name, such as MEMBER; several times for several
    #[arg(long = "role", value_name = "NAME", required = true)]
    pub(crate) roles: Vec<String>,

    /// An area and what is allowed in it, such as `Customers=view,add,edit,delete`; the name alone
    /// allows all four, `*` is every area there is; several times for several
    #[arg(long = "area", value_name = "NAME[=VERBS]", value_parser = grant)]
    areas: Vec<(String, Vec<Verb>)>,
}

impl Rights {
    /// The areas as a manifest has them.
    pub(crate) fn areas(&self) -> anyhow::Result<Areas> {
        let mut named = BTreeMap::new();
        for (area, verbs) in &self.areas {
            if named.insert(area.clone(), verbs.clone()).is_some() {
                bail!("--area names {area} twice; name it once, with all that is allowed in it");
            }
        }
        match named.remove("*") {
            None => Ok(Areas::Named(named)),
            Some(all) if named.is_empty() => Ok(Areas::All(AllAreas { all })),
            Some(_) => {
                bail!("--area names `*`, which is every area, and others; name one or the other")
            }
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
    place: Place,
    tenant: Tenant,
) -> anyhow::Result<ExitCode> {
    let request = Request::Apply {
        manifest: Manifest {
            tenants: vec![Tenant {
                name: place.tenant,
                ..tenant
            }],
        },
        mode: Mode {
            only_new: true,
            existing_tenant: true,
            dry_run: false,
        },
    };
    if let Outcome::Applied(applied) = door::ask(common, Store::Existing, request).await? {
        return output::applied(&applied, place.output);
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows all of a kind.
pub(crate) async fn list(common: &Common, kind: Kind, place: Place) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, place, What::List).await
}

/// Switches one on.
pub(crate) async fn enable(common: &Common, kind: Kind, named: Named) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, What::Enable(named.name)).await
}

/// Switches one off.
pub(crate) async fn disable(common: &Common, kind: Kind, named: Named) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, What::Disable(named.name)).await
}

/// Deletes one.
pub(crate) async fn delete(common: &Common, kind: Kind, named: Named) -> anyhow::Result<ExitCode> {
    carry_out(common, kind, named.place, What::Delete(named.name)).await
}

async fn carry_out(
    common: &Common,
    kind: Kind,
    place: Place,
    what: What,
) -> anyhow::Result<ExitCode> {
    let Place { tenant, output } = place;
    let request = Request::Credentials(credentials::Request { kind, tenant, what });
    if let Outcome::Credentials(shown) = door::ask(common, Store::Existing, request).await? {
        output::credentials(&shown, output)?;
    }
    Ok(ExitCode::SUCCESS)
}
