//! What a deployment without data needs next: an area, a schema, a dataset, and someone who reaches them. Shown at home to
//! who may make areas, for as long as there is nothing else to be seen.

use super::datasets;
use super::parts::all_areas;
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use service::catalog::{Resource, Shelf, Verb};
use service::{PageRequest, Refusal};

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

/// What to do; nothing for who may not.
///
/// # Errors
/// The visitor may not call any more.
pub(in crate::admin::pages) fn of(visit: &Visit) -> Result<Vec<Step>, Failure> {
    let rights = visit.caller.rights();
    if !rights.may(Resource::Areas, Verb::Add) {
        return Ok(Vec::new());
    }
    let texts = &visit.texts.access;
    let areas = all_areas(visit)?;
    let has_area = !areas.is_empty();
    let mut schema_area = None;
    for area in &areas {
        if has_schema(visit, &area.id)? {
            schema_area = Some(area.id.clone());
            break;
        }
    }
    let has_schema = schema_area.is_some();
    let has_dataset = !datasets::all(visit)?.is_empty();
    let area = schema_area.or_else(|| areas.into_iter().next().map(|area| area.id));
    let area = area.map_or_else(|| "/areas".to_owned(), |id| format!("/areas/{id}"));
    let own = format!("/users/{}", visit.caller.id());
    let steps = [
        (texts.step_area, texts.step_area_what, "/areas", has_area),
        (
            texts.step_schema,
            texts.step_schema_what,
            "/schemas",
            has_schema,
        ),
        (
            texts.step_dataset,
            texts.step_dataset_what,
            &*area,
            has_dataset,
        ),
        (texts.step_reach, texts.step_reach_what, &*own, false),
    ];
    // who made the area reaches it; it is asked for where that was someone else
    let count = if has_dataset { 4 } else { 3 };
    let next = steps.iter().position(|(_, _, _, is_done)| !is_done);
    let steps = steps.into_iter().take(count).enumerate();
    let shown = steps.map(|(index, (label, what, place, is_done))| Step {
        label,
        what,
        place: place.to_owned(),
        is_done,
        is_next: next == Some(index),
    });
    Ok(shown.collect())
}

fn has_schema(visit: &Visit, area: &str) -> Result<bool, Refusal> {
    let one = PageRequest {
        key: None,
        size: Some("1".to_owned()),
    };
    let schemas = visit.site.service.schemas();
    match schemas.list_uncounted(&visit.caller, area, Shelf::Live, &one) {
        Err(Refusal::Forbidden(_)) => Ok(false),
        found => Ok(!found?.items.is_empty()),
    }
}
