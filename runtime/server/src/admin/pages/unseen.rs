//! What is said where a list is empty and there is something all the same: what a visitor may not see is there, and an empty list
//! says so. Asked of lists that are empty alone.

use super::texts::{Texts, filled};
use super::visit::Visit;
use crate::http::error::Failure;
use service::catalog::{Resource, Verb};
use service::{Caller, Refusal};

/// A heading, and what stands below it.
pub(super) type Nothing = [String; 2];

/// What is said in place of areas, and of what stands in them, where the visitor sees none; none, where there are none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn areas<P>(visit: &Visit<P>) -> Result<Option<Nothing>, Failure> {
    let texts = visit.texts;
    let told = [texts.home.unreached, texts.access.areas_not_yours];
    Ok(is_any_area(visit)?.then(|| told.map(str::to_owned)))
}

/// Whether there is an area that is not deleted, seen or not.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn is_any_area<P>(visit: &Visit<P>) -> Result<bool, Refusal> {
    let caller = visit.site.service.newest(&visit.caller)?;
    let is_any = caller.catalog().areas_of(caller.tenant()).next().is_some();
    Ok(is_any)
}

/// Why a visitor sees no dataset where there are some.
pub(super) enum Unseen {
    /// No role allows it to see these, without which no dataset is shown.
    WithoutRight(Vec<Resource>),
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
        let lacking = rights.unseen_before_datasets();
        if !lacking.is_empty() {
            return Ok(Some(Unseen::WithoutRight(lacking)));
        }
        let mut areas = caller.catalog().areas_of(caller.tenant());
        let is_reached = areas.any(|area| rights.reaches(&area.id, Verb::View));
        Ok(Some(if is_reached {
            Unseen::NotYours
        } else {
            Unseen::OutOfReach
        }))
    }

    /// Whether first steps are the visitor's to take: of what it has no right to see it would see nothing either, and one that
    /// reaches no area gives itself one if it is an administrator.
    pub(super) fn leaves_steps<P>(&self, visit: &Visit<P>) -> bool {
        match self {
            Unseen::WithoutRight(_) => false,
            Unseen::OutOfReach => visit.caller.rights().is_administrator(),
            Unseen::NotYours => true,
        }
    }

    /// What is said in place of them.
    pub(super) fn told(&self, texts: &Texts) -> Nothing {
        let (home, access) = (&texts.home, &texts.access);
        match self {
            Unseen::WithoutRight(lacking) => {
                let lacking = access.resources_within(lacking);
                let why = filled(access.data_unseen_right, &[&lacking]);
                [access.data_unseen.to_owned(), why]
            }
            Unseen::OutOfReach => [home.unreached, home.unreached_why].map(str::to_owned),
            Unseen::NotYours => [access.data_unseen, access.data_unseen_why].map(str::to_owned),
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
