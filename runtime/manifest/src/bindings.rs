//! Data domains that schema documents name: the manifest's, then those that the tenant has already, each by its name
//! or by its id, become the store's ids. A name that nobody has is refused, and never written.

use crate::access::{Sight, Tenancy};
use anyhow::bail;
use schema::{Field, PicklistType, Schema};
use service::manage::Noun as _;
use std::collections::BTreeSet;
use store::Catalog;
use store::catalog::{Domain, Row as _};

/// Names told of those that are there.
const NEAR_MAX: usize = 5;

/// Names the store's domains where a document names one, as far as they are made. What a field of the stored schema
/// `known` refers to already may stay, so that a domain that is gone keeps no schema from being applied.
///
/// # Errors
/// Every domain that neither the manifest nor the tenant has, as far as it is seen.
pub(crate) fn name_domains(
    schema: &mut Schema,
    catalog: &Catalog,
    tenancy: Tenancy<'_>,
    known: Option<&Schema>,
    sight: Sight<'_>,
) -> anyhow::Result<()> {
    let tenant = tenancy.id.unwrap_or_default();
    let stored = catalog.domains.values().map(|domain| &**domain);
    let stored: Vec<&Domain> = stored
        .filter(|it| it.tenant == tenant && !it.is_deleted() && sight.sees(*it))
        .collect();
    let planned = &tenancy.manifest.domains;
    let mut unknown = Vec::new();
    for field in &mut schema.fields {
        let Some(named) = field.data_domain_id.clone() else {
            continue;
        };
        let mut domains = planned.iter();
        let domain = domains.find(|it| it.id.as_ref() == Some(&named) || it.name == named);
        if let Some(domain) = domain {
            let made = Domain::namesake(catalog, tenant, Domain::TOP, &domain.name);
            if let Some(made) = made {
                field.data_domain_id = Some(made.id.clone());
            }
            continue;
        }
        let by_id = stored.iter().find(|it| it.id == named);
        let found = by_id.or_else(|| stored.iter().find(|it| it.name == named));
        if let Some(found) = found {
            field.data_domain_id = Some(found.id.clone());
        } else if binds(field) && !is_as_it_was(field, known) {
            let names = planned.iter().map(|it| it.name.as_str());
            let names = names.chain(stored.iter().map(|it| it.name.as_str()));
            unknown.push(format!(
                "the field {} names the data domain `{named}` in `dataDomainId`, which is neither in the manifest nor among those of the tenant that are to be seen; {}",
                field.name,
                near(&named, names.collect())
            ));
        }
    }
    if !unknown.is_empty() {
        bail!("{}", unknown.join("\n  "));
    }
    Ok(())
}

/// Whether the field's values are codes of a domain.
fn binds(field: &Field) -> bool {
    field.active && field.picklist_type == Some(PicklistType::Dynamic)
}

fn is_as_it_was(field: &Field, known: Option<&Schema>) -> bool {
    let mut known = known.into_iter().flat_map(|known| &known.fields);
    known.any(|it| it.id == field.id && it.data_domain_id == field.data_domain_id)
}

/// The names that are most like one that is not there.
fn near(asked: &str, names: BTreeSet<&str>) -> String {
    let asked = asked.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&name.to_lowercase(), &asked);
    let mut names: Vec<_> = names
        .into_iter()
        .map(|name| (likeness(name), name))
        .collect();
    names.sort_by(|one, other| other.0.total_cmp(&one.0));
    let names: Vec<_> = names.iter().take(NEAR_MAX).map(|(_, name)| *name).collect();
    match names.as_slice() {
        [] => "there is none yet: write it under `domains`".to_owned(),
        names => format!("there are {}", names.join(", ")),
    }
}
