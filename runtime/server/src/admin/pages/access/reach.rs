//! What a key or a client can do, as its roles and areas give it together: to the records of each dataset, and in management.

use super::datasets;
use super::parts::every;
use super::verbs::{self, Column, Tick};
use crate::admin::pages::list_part::{ListPart, Wanted};
use crate::admin::pages::visit::Visit;
use service::Refusal;
use service::catalog::{Grant, Permission, Resource, Shelf, Verb, Verbs};
use std::collections::BTreeMap;

/// What it can do, as far as the visitor sees its roles.
pub(super) struct Reach {
    pub(super) verbs: Vec<Column>,
    /// Of many, the part that the address of the page asks for.
    pub(super) datasets: Vec<DatasetRights>,
    pub(super) part: Option<ListPart>,
    /// The address of the page.
    pub(super) path: String,
    /// Whether it reaches any dataset, shown or not.
    pub(super) has_datasets: bool,
    pub(super) resources: Vec<ResourceRights>,
    /// Whether the visitor sees what all of its roles allow.
    pub(super) are_roles_seen: bool,
    /// Whether it sees all of its areas, and the datasets in them.
    pub(super) are_areas_seen: bool,
}

pub(super) struct DatasetRights {
    pub(super) name: String,
    pub(super) place: String,
    /// The verbs, and searching.
    pub(super) cells: Vec<Cell>,
}

pub(super) struct Cell {
    pub(super) label: &'static str,
    pub(super) may: bool,
}

pub(super) struct ResourceRights {
    pub(super) label: String,
    pub(super) ticks: Vec<Tick>,
}

impl Reach {
    /// That of what has these roles and these areas, as the page at a path shows it.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(
        visit: &Visit<P>,
        path: String,
        (roles, grants): (&[String], &[Grant]),
    ) -> Result<Self, Refusal> {
        let texts = visit.texts;
        let known = permissions(visit)?;
        let own = roles.iter().filter_map(|id| known.get(id)).flatten();
        let own: Vec<&Permission> = own.collect();
        let allowed = |resource: Resource| {
            let own = own.iter().filter(|it| it.resource == resource);
            own.fold(Verbs::NONE, |set, it| set.and(it.verbs))
        };
        let managed = Resource::ALL
            .into_iter()
            .filter(|it| !matches!(it, Resource::Records | Resource::Search))
            .filter(|resource| allowed(*resource) != Verbs::NONE)
            .map(|resource| {
                let name = resource.name();
                ResourceRights {
                    ticks: verbs::ticks(&name, allowed(resource), texts),
                    label: texts.access.resource_label(&name),
                }
            });
        let of_records = (allowed(Resource::Records), allowed(Resource::Search));
        let mut datasets = rights_by_dataset(visit, grants, of_records)?;
        let has_datasets = !datasets.is_empty();
        let wanted = Wanted::of(visit);
        datasets.retain(|own| wanted.finds(&[&own.name, &own.place]));
        let sizes = datasets.iter().map(|own| own.name.len() + own.place.len());
        let (range, part) = ListPart::of(&sizes.collect::<Vec<_>>(), &wanted, texts);
        Ok(Reach {
            verbs: verbs::columns(texts),
            resources: managed.collect(),
            are_roles_seen: roles.iter().all(|id| known.contains_key(id)),
            are_areas_seen: are_seen(visit, grants),
            datasets: datasets.drain(range).collect(),
            part,
            path,
            has_datasets,
        })
    }
}

/// Whether the visitor sees the datasets of all these areas, of those that are there.
fn are_seen<P>(visit: &Visit<P>, grants: &[Grant]) -> bool {
    let rights = visit.caller.rights();
    let catalog = visit.caller.catalog();
    let sees_all = rights.manages(Grant::ALL_AREAS, Verb::View);
    if grants.iter().any(Grant::is_of_all_areas) && !sees_all {
        return false;
    }
    let mut areas = grants.iter().filter_map(|it| catalog.areas.get(&it.area));
    let sees_datasets = rights.sees_datasets();
    areas.all(|area| area.deleted || sees_datasets && rights.manages(&area.id, Verb::View))
}

/// What each role that the visitor sees allows.
fn permissions<P>(visit: &Visit<P>) -> Result<BTreeMap<String, Vec<Permission>>, Refusal> {
    let all = every(|request| {
        let roles = visit.site.service.roles();
        let page = roles.list(&visit.caller, "", Shelf::Live, request)?;
        let roles = page.items.into_iter();
        let roles = roles.map(|role| (role.role_id, role.permissions));
        Ok((roles.collect(), page.next_page_key))
    })?;
    Ok(all.into_iter().collect())
}

/// What may be done to the records of each dataset that is reached: what the roles allow where the areas let it.
fn rights_by_dataset<P>(
    visit: &Visit<P>,
    grants: &[Grant],
    (records, search): (Verbs, Verbs),
) -> Result<Vec<DatasetRights>, Refusal> {
    let mut rows = Vec::new();
    let labels = verbs::columns(visit.texts).into_iter();
    let labels = labels.map(|column| column.label);
    let labels: Vec<_> = labels.chain([visit.texts.access.key_search]).collect();
    let by_area = verbs::by_area(grants);
    for dataset in datasets::all(visit)? {
        let granted = [&*dataset.area_id, Grant::ALL_AREAS].map(|area| by_area.get(area));
        let granted = granted.into_iter().flatten();
        let granted = granted.fold(Verbs::NONE, |set, own| set.and(*own));
        let may = |verb| records.has(verb) && granted.has(verb);
        let cells = [
            may(Verb::View),
            may(Verb::Add),
            may(Verb::Edit),
            may(Verb::Delete),
            may(Verb::View) && search.has(Verb::View),
        ];
        if cells.contains(&true) {
            let cells = labels.iter().zip(cells);
            let cells = cells.map(|(&label, may)| Cell { label, may });
            rows.push(DatasetRights {
                name: dataset.name,
                place: format!("{} · {}", dataset.area, dataset.schema),
                cells: cells.collect(),
            });
        }
    }
    Ok(rows)
}
