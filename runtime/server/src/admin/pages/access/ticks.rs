//! The roles and areas of who may call, and those that it may be given, to be ticked in a form. Of many a part is shown, which
//! a filter or a button of the form chooses: that saves nothing, and what is ticked elsewhere goes along.

use super::first_steps::may_make_areas;
use super::parts::{Named, all_roles, given_areas, idle};
use super::verbs::{self, Column, Tick};
use crate::admin::pages::list_part::{self, ListPart, Wanted};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::unseen::is_any_area;
use crate::admin::pages::visit::{Form, Visit};
use service::Refusal;
use service::catalog::{Grant, Verb, Verbs};
use std::collections::HashSet;

/// What the two lists of a form are called in it.
const ROLES: &str = "roles";
const AREAS: &str = "areas";
/// What both together are called in the address of who may only look at them.
const ACCESS: &str = "access";

/// Which part of each is shown.
#[derive(Clone, Default)]
pub(super) struct Looked {
    roles: Wanted,
    areas: Wanted,
}

impl Looked {
    /// As a form asks for it.
    pub(super) fn of(form: &Form) -> Self {
        Looked {
            roles: Wanted::of_form(form, ROLES),
            areas: Wanted::of_form(form, AREAS),
        }
    }
}

/// Whether a form was sent to look at another part of them, so that nothing of it is to be saved.
pub(super) fn is_look(form: &Form) -> bool {
    list_part::is_look(form, &[ROLES, AREAS])
}

/// Roles and areas with those that are ticked.
pub(super) struct Access {
    pub(super) verbs: Vec<Column>,
    pub(super) roles: Vec<RoleTick>,
    /// What is told of them, where they are not all.
    pub(super) roles_part: Option<ListPart>,
    /// Those that are ticked and not shown, by id; and how many these are, in words.
    pub(super) other_roles: Vec<String>,
    pub(super) told_other_roles: Option<String>,
    /// In words, how many more it has that the visitor does not see: these stay.
    pub(super) told_roles: Option<String>,
    pub(super) has_roles: bool,
    pub(super) areas: Vec<AreaTicks>,
    /// The same of areas; what is ticked of those that are not shown, as it is sent.
    pub(super) areas_part: Option<ListPart>,
    pub(super) other_grants: Vec<String>,
    pub(super) told_other_areas: Option<String>,
    pub(super) told_areas: Option<String>,
    pub(super) has_areas: bool,
    /// What is told where there is no area that can be given, and what makes one, for who may.
    pub(super) told_no_area: Option<&'static str>,
    pub(super) make_area: Option<&'static str>,
    /// Whether roles are lacking, or areas where they apply, those that the visitor does not see included.
    pub(super) reaches_nothing: bool,
}

pub(super) struct RoleTick {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) is_ticked: bool,
}

pub(super) struct AreaTicks {
    pub(super) name: String,
    pub(super) ticks: Vec<Tick>,
}

/// What is ticked, for who may only look at it: by name, each with what is to be known of it; of much a part, which the address of
/// the page chooses.
pub(super) struct Facts {
    pub(super) roles: Vec<(String, String)>,
    pub(super) areas: Vec<(String, String)>,
    pub(super) part: Option<ListPart>,
}

impl Access {
    /// With these roles and grants ticked.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(
        visit: &Visit<P>,
        (roles, grants): (&[String], &[Grant]),
        looked: &Looked,
    ) -> Result<Self, Refusal> {
        let (seen_roles, mut seen_areas) = (all_roles(visit)?, given_areas(visit)?);
        let (texts, own) = (visit.texts, &visit.texts.access);
        let unseen_areas = unseen(&seen_areas, grants.iter().map(|it| &it.area));
        let unseen_roles = unseen(&seen_roles, roles.iter());
        let by_area = verbs::by_area(grants);
        // what stands for all areas: for who may give it, where there is one, and where it is ticked
        let may_give_all = visit.caller.rights().manages(Grant::ALL_AREAS, Verb::View);
        let offers_all = may_give_all && seen_areas.len() > 1;
        if !offers_all && !by_area.contains_key(Grant::ALL_AREAS) {
            seen_areas.retain(|area| area.id != Grant::ALL_AREAS);
        }
        let verbs_of = |area: &Named| by_area.get(&*area.id).copied().unwrap_or(Verbs::NONE);
        let ticked: HashSet<&str> = roles.iter().map(String::as_str).collect();
        let has_role = |role: &Named| ticked.contains(&*role.id);
        let (shown_roles, other_roles, roles_part) = apart(
            seen_roles,
            |role| role.name.len() + role.description.len(),
            (&looked.roles, texts),
        );
        let other_roles: Vec<_> = other_roles.into_iter().filter(has_role).collect();
        let (shown_areas, mut other_areas, areas_part) =
            apart(seen_areas, |area| area.name.len(), (&looked.areas, texts));
        other_areas.retain(|area| verbs_of(area) != Verbs::NONE);
        let other_grants = other_areas.iter().flat_map(|area| {
            let ticks = verbs::ticks(&area.id, verbs_of(area), texts).into_iter();
            ticks.filter(|tick| tick.is_ticked).map(|tick| tick.value)
        });
        Ok(Access {
            verbs: verbs::columns(texts),
            told_roles: (unseen_roles > 0).then(|| (own.unseen_roles)(unseen_roles)),
            told_areas: (unseen_areas > 0).then(|| (own.unseen_areas)(unseen_areas)),
            told_other_roles: told_others(&other_roles, texts),
            told_other_areas: told_others(&other_areas, texts),
            other_grants: other_grants.collect(),
            other_roles: other_roles.iter().map(|role| role.id.clone()).collect(),
            has_roles: roles.len() > unseen_roles,
            has_areas: grants.len() > unseen_areas,
            told_no_area: if shown_areas.is_empty() && areas_part.is_none() {
                Some(told_no_area(visit)?)
            } else {
                None
            },
            make_area: may_make_areas(visit).then_some(own.step_area),
            reaches_nothing: idle(roles, grants, texts).is_some(),
            roles_part,
            areas_part,
            areas: shown_areas
                .into_iter()
                .map(|area| AreaTicks {
                    ticks: verbs::ticks(&area.id, verbs_of(&area), texts),
                    name: area.name,
                })
                .collect(),
            roles: shown_roles
                .into_iter()
                .map(|role| RoleTick {
                    is_ticked: has_role(&role),
                    id: role.id,
                    name: role.name,
                    description: role.description,
                })
                .collect(),
        })
    }

    /// Whether there is any area that can be given.
    pub(super) fn offers_areas(&self) -> bool {
        self.told_no_area.is_none()
    }

    /// Whether not all can be shown at once.
    pub(super) fn is_long(&self) -> bool {
        self.roles_part.is_some() || self.areas_part.is_some()
    }
}

/// Why there is no area to give, and what one does about it.
fn told_no_area<P>(visit: &Visit<P>) -> Result<&'static str, Refusal> {
    let own = &visit.texts.access;
    Ok(if !may_make_areas(visit) {
        own.areas_unseen_ask
    } else if is_any_area(visit)? {
        own.areas_unseen
    } else {
        own.areas_none
    })
}

/// How many of these ids are not among those that the visitor sees.
fn unseen<'i>(seen: &[Named], ids: impl Iterator<Item = &'i String>) -> usize {
    let seen: HashSet<&str> = seen.iter().map(|it| &*it.id).collect();
    ids.filter(|id| !seen.contains(id.as_str())).count()
}

/// How many are ticked that are not shown, in words.
fn told_others(others: &[Named], texts: &Texts) -> Option<String> {
    let count = grouped(others.len() as u64, texts);
    (!others.is_empty()).then(|| filled(texts.lists.ticked_elsewhere, &[&count]))
}

/// The entries of the part that is asked for, whose texts have so many characters each; all others; and what is told of it.
fn apart(
    all: Vec<Named>,
    size: impl Fn(&Named) -> usize,
    (wanted, texts): (&Wanted, &Texts),
) -> (Vec<Named>, Vec<Named>, Option<ListPart>) {
    let all = all.into_iter();
    let (found, mut others): (Vec<_>, Vec<_>) = all.partition(|it| wanted.finds(&[&it.name]));
    let sizes: Vec<usize> = found.iter().map(size).collect();
    let (range, part) = ListPart::of(&sizes, wanted, texts);
    let mut shown = Vec::new();
    for (at, own) in found.into_iter().enumerate() {
        if range.contains(&at) {
            shown.push(own);
        } else {
            others.push(own);
        }
    }
    (shown, others, part)
}

impl Facts {
    /// Those of these roles and grants that the visitor sees.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(
        visit: &Visit<P>,
        (roles, grants): (&[String], &[Grant]),
    ) -> Result<Self, Refusal> {
        let texts = visit.texts;
        let wanted = Wanted::of_list(visit, ACCESS);
        let by_area = verbs::by_area(grants);
        let seen_roles = all_roles(visit)?.into_iter();
        let ticked: HashSet<&str> = roles.iter().map(String::as_str).collect();
        let roles = seen_roles.filter(|role| ticked.contains(&*role.id));
        let roles = roles.map(|role| (role.name, role.description));
        let areas = given_areas(visit)?.into_iter().filter_map(|area| {
            let ticks = verbs::ticks(&area.id, *by_area.get(&*area.id)?, texts);
            let ticked = ticks.iter().filter(|tick| tick.is_ticked);
            let labels: Vec<_> = ticked.map(|tick| tick.label).collect();
            (!labels.is_empty()).then(|| (area.name, labels.join(", ")))
        });
        let is_found = |(name, _): &(String, String)| wanted.finds(&[name]);
        let mut roles: Vec<_> = roles.filter(is_found).collect();
        let mut areas: Vec<_> = areas.filter(is_found).collect();
        let both = roles.iter().chain(&areas);
        let sizes: Vec<usize> = both.map(|(name, about)| name.len() + about.len()).collect();
        let (range, part) = ListPart::of(&sizes, &wanted, texts);
        let count = roles.len();
        let of_roles = range.start.min(count)..range.end.min(count);
        let of_areas = range.start.max(count) - count..range.end.max(count) - count;
        Ok(Facts {
            roles: roles.drain(of_roles).collect(),
            areas: areas.drain(of_areas).collect(),
            part,
        })
    }
}
