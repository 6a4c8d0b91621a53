//! What is said where a list is empty and there is something all the same: what a visitor may not see is there, and an empty list
//! says so. Asked of lists that are empty alone.

use super::texts::Texts;
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

/// Why a visitor sees no dataset where there are some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// It reaches no area at all.
    OutOfReach,
    /// It reaches areas, and no dataset in them is its to see.
    NotYours,
}

impl Unseen {
    /// Why it sees none; none, where there are none.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(visit: &Visit<P>) -> Result<Option<Self>, Failure> {
        let caller = visit.site.service.newest(&visit.caller)?;
        if !is_any_dataset(&caller) {
            return Ok(None);
        }
        let rights = caller.rights();
        let mut areas = caller.catalog().areas_of(caller.tenant());
        let is_reached = areas.any(|area| rights.reaches(&area.id, Verb::View));
        Ok(Some(if is_reached {
            Unseen::NotYours
        } else {
            Unseen::OutOfReach
        }))
    }

    /// What is said in place of them.
    pub(super) fn told(self, texts: &Texts) -> Nothing {
        match self {
            Unseen::OutOfReach => [texts.home.unreached, texts.home.unreached_why],
            Unseen::NotYours => [texts.access.data_unseen, texts.access.data_unseen_why],
        }
    }
}

/// What is said in place of datasets where the visitor sees none; none, where there are none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn datasets<P>(visit: &Visit<P>) -> Result<Option<Nothing>, Failure> {
    let unseen = Unseen::of(visit)?;
    Ok(unseen.map(|unseen| unseen.told(visit.texts)))
}

/// Whether there is a dataset that is not deleted, and nothing above it is.
fn is_any_dataset(caller: &Caller) -> bool {
    let catalog = caller.catalog();
    catalog.datasets.values().any(|dataset| {
        let (area, schema) = (
            catalog.areas.get(&dataset.area),
            catalog.schemas.get(&dataset.schema),
        );
        dataset.tenant == caller.tenant()
            && !dataset.deleted
            && area.is_some_and(|it| !it.deleted)
            && schema.is_some_and(|it| !it.deleted)
    })
}
