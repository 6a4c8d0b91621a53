//! What a deployment without data needs next: an area, a schema, a dataset, and someone who reaches them. Shown at home to
//! who may make areas, for as long as there is nothing else to be seen; and the first of them that lacks is told where a list is
//! empty because of it. Whoever makes an area or a dataset on the way comes back to where it was (`next` in its form).

use super::datasets;
use super::parts::all_areas;
use crate::admin::pages::visit::Visit;
use crate::admin::pages::{new_forms, unseen};
use crate::http::error::Failure;
use service::catalog::{Resource, Shelf, Verb};
use service::{PageRequest, Refusal};

/// Where home is.
const HOME: &str = "/";

/// One of them.
pub(in crate::admin::pages) struct Step {
    pub(in crate::admin::pages) label: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    /// Where it is done.
    pub(in crate::admin::pages) place: String,
    pub(in crate::admin::pages) is_done: bool,
    /// Whether it is the first that is not done.
    pub(in crate::admin::pages) is_next: bool,
}

/// What is told where a list is empty because there is nothing yet that it could be about.
pub(super) struct Lacking {
    pub(super) told: &'static str,
    /// What is made first.
    pub(super) label: &'static str,
    /// Where, for who may.
    pub(super) place: Option<String>,
}

/// What of it there is by now.
struct There {
    /// An area: one with a schema, if any has one.
    area: Option<String>,
    /// A schema of it.
    schema: Option<String>,
}

impl There {
    fn of<P>(visit: &Visit<P>) -> Result<Self, Refusal> {
        let areas = all_areas(visit)?;
        for area in &areas {
            let schema = first_schema(visit, &area.id)?;
            if schema.is_some() {
                return Ok(There {
                    area: Some(area.id.clone()),
                    schema,
                });
            }
        }
        Ok(There {
            area: areas.into_iter().next().map(|area| area.id),
            schema: None,
        })
    }

    /// Where a schema is made; the list of schemas, where that is not the visitor's to do.
    fn schema_place<P>(&self, visit: &Visit<P>) -> String {
        let own = self.area.as_deref();
        let own = own.filter(|area| may_add(visit, Resource::Schemas, area));
        own.map_or_else(|| "/schemas".to_owned(), new_forms::schema)
    }

    /// Where a dataset is made, from which one comes back; the list of areas, where there is nothing to make it of.
    fn dataset_place<P>(&self, visit: &Visit<P>, back: &str) -> String {
        match (&self.area, &self.schema) {
            (Some(area), Some(schema)) => {
                let back = visit.site.address(back);
                new_forms::dataset((area, schema), Some(&back))
            }
            _ => "/areas".to_owned(),
        }
    }
}

/// Where an area is made, from which one comes back.
fn area_place<P>(visit: &Visit<P>, back: &str) -> String {
    new_forms::area(&visit.site.address(back))
}

/// Whether the visitor may make areas, where they are listed.
pub(super) fn may_make_areas<P>(visit: &Visit<P>) -> bool {
    let rights = visit.caller.rights();
    [Verb::View, Verb::Add]
        .into_iter()
        .all(|verb| rights.may(Resource::Areas, verb))
}

fn may_add<P>(visit: &Visit<P>, resource: Resource, area: &str) -> bool {
    let rights = visit.caller.rights();
    rights.may(resource, Verb::Add) && rights.manages(area, Verb::Add)
}

/// What to do; nothing for who may not.
///
/// # Errors
/// The visitor may not call any more.
pub(in crate::admin::pages) fn of(visit: &Visit) -> Result<Vec<Step>, Failure> {
    if !may_make_areas(visit) {
        return Ok(Vec::new());
    }
    let texts = &visit.texts.access;
    let there = There::of(visit)?;
    let has_dataset = there.schema.is_some() && !datasets::all(visit)?.is_empty();
    let steps = [
        (
            texts.step_area,
            texts.step_area_what,
            area_place(visit, HOME),
            there.area.is_some(),
        ),
        (
            texts.step_schema,
            texts.step_schema_what,
            there.schema_place(visit),
            there.schema.is_some(),
        ),
        (
            texts.step_dataset,
            texts.step_dataset_what,
            there.dataset_place(visit, HOME),
            has_dataset,
        ),
        (
            texts.step_reach,
            texts.step_reach_what,
            format!("/users/{}", visit.caller.id()),
            false,
        ),
    ];
    // who made the area reaches it; it is asked for where that was someone else
    let count = if has_dataset { 4 } else { 3 };
    let next = steps.iter().position(|(_, _, _, is_done)| !is_done);
    let steps = steps.into_iter().take(count).enumerate();
    let shown = steps.map(|(index, (label, what, place, is_done))| Step {
        label,
        what,
        place,
        is_done,
        is_next: next == Some(index),
    });
    Ok(shown.collect())
}

/// The same as `first_lacking`; nothing where there is a dataset, seen or not.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn lacking<P>(visit: &Visit<P>, back: &str) -> Result<Option<Lacking>, Failure> {
    if unseen::datasets(visit)?.is_some() {
        return Ok(None);
    }
    Ok(Some(first_lacking(visit, back)?))
}

/// What lacks first where there is no dataset, with the way to where it is made and back to this page.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn first_lacking<P>(visit: &Visit<P>, back: &str) -> Result<Lacking, Failure> {
    let there = There::of(visit)?;
    let own = &visit.texts.access;
    let (label, place) = match (&there.area, &there.schema) {
        (None, _) => (
            own.step_area,
            may_make_areas(visit).then(|| area_place(visit, back)),
        ),
        (Some(area), None) => (
            own.step_schema,
            may_add(visit, Resource::Schemas, area).then(|| there.schema_place(visit)),
        ),
        (Some(area), Some(_)) => (
            own.step_dataset,
            may_add(visit, Resource::Datasets, area).then(|| there.dataset_place(visit, back)),
        ),
    };
    Ok(Lacking {
        told: if place.is_some() {
            own.lacking
        } else {
            own.lacking_ask
        },
        label,
        place,
    })
}

/// The first schema of an area; none, if the visitor may not see any.
fn first_schema<P>(visit: &Visit<P>, area: &str) -> Result<Option<String>, Refusal> {
    let one = PageRequest {
        key: None,
        size: Some("1".to_owned()),
    };
    let schemas = visit.site.service.schemas();
    match schemas.list_uncounted(&visit.caller, area, Shelf::Live, &one) {
        Err(Refusal::Forbidden(_)) => Ok(None),
        found => Ok(found?.items.into_iter().next().map(|it| it.schema_id)),
    }
}
