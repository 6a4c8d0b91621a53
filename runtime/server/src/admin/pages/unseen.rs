//! What is said where a list is empty and there is something all the same: what a visitor may not see is there, and an empty list
//! says so. Asked of lists that are empty alone.

use super::visit::Visit;
use crate::http::error::Failure;
use service::Caller;
use service::catalog::Verb;

/// A heading, and what stands below it.
pub(super) type Nothing = [&'static str; 2];

/// What is said in place of areas, and of what stands in them, where the visitor sees none; none, where there are none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn areas<P>(visit: &Visit<P>) -> Result<Option<Nothing>, Failure> {
    let caller = visit.site.service.newest(&visit.caller)?;
    let is_any = caller.catalog().areas_of(caller.tenant()).next().is_some();
    let texts = visit.texts;
    Ok(is_any.then_some([texts.home.unreached, texts.access.areas_not_yours]))
}

/// What is said in place of datasets where the visitor sees none; none, where there are none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn datasets<P>(visit: &Visit<P>) -> Result<Option<Nothing>, Failure> {
    let texts = visit.texts;
    if is_all_out_of_reach(visit)? {
        let home = &texts.home;
        return Ok(Some([home.unreached, home.unreached_why]));
    }
    let caller = visit.site.service.newest(&visit.caller)?;
    Ok(is_any_dataset(&caller).then_some([texts.access.data_unseen, texts.access.data_unseen_why]))
}

/// Whether there is data, and the visitor reaches no area at all.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn is_all_out_of_reach<P>(visit: &Visit<P>) -> Result<bool, Failure> {
    let caller = visit.site.service.newest(&visit.caller)?;
    let rights = caller.rights();
    let mut areas = caller.catalog().areas_of(caller.tenant());
    if areas.any(|area| rights.reaches(&area.id, Verb::View)) {
        return Ok(false);
    }
    Ok(is_any_dataset(&caller))
}

/// Whether there is a dataset that is not deleted, and nothing above it is.
fn is_any_dataset(caller: &Caller) -> bool {
    let catalog = caller.catalog();
    let areas = catalog.areas_of(caller.tenant());
    let mut schemas = areas.flat_map(|area| catalog.schemas_of(&area.id));
    schemas.any(|schema| catalog.datasets_of(&schema.id).next().is_some())
}
