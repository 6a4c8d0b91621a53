//! What forms of access share: inputs with what is told of them, what a form gives, and all that a visitor sees by name.

use super::told::Told;
use super::verbs;
use crate::admin::pages::conflict::said;
use crate::admin::pages::cut_text::Room;
use crate::admin::pages::numbers::named_first;
use crate::admin::pages::original::plain;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Visit};
use service::catalog::{Grant, Shelf};
use service::manage::RoleView;
use service::{PageRequest, Refusal};
use std::collections::{HashMap, HashSet};

/// One line, or several, to be filled in.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) kind: &'static str,
    pub(super) autocomplete: &'static str,
    pub(super) about: &'static str,
    pub(super) is_required: bool,
    pub(super) rows: usize,
    pub(super) told: String,
}

impl Input {
    /// A line of text.
    pub(super) fn line(name: &'static str, label: &'static str, value: impl Into<String>) -> Self {
        Input {
            name,
            label,
            value: value.into(),
            kind: "text",
            autocomplete: "off",
            about: "",
            is_required: false,
            rows: 0,
            told: String::new(),
        }
    }

    /// A description, of as many lines as it has.
    pub(super) fn description(label: &'static str, value: impl Into<String>) -> Self {
        Input::line("description", label, value).of_rows(2, "")
    }

    pub(super) fn required(self) -> Self {
        Input {
            is_required: true,
            ..self
        }
    }

    /// Of a kind that browsers know, such as `email`.
    pub(super) fn of_kind(self, kind: &'static str) -> Self {
        Input { kind, ..self }
    }

    /// Of several lines, with what is to be known of them.
    pub(super) fn of_rows(self, rows: usize, about: &'static str) -> Self {
        Input {
            about,
            rows,
            ..self
        }
    }

    /// With what is to be known of it.
    pub(super) fn about(self, about: &'static str) -> Self {
        Input { about, ..self }
    }

    /// With what is refused of it.
    pub(super) fn told(self, told: Option<&Told>, path: &str) -> Self {
        Input {
            told: told.map_or_else(String::new, |told| told.at(path)),
            ..self
        }
    }

    pub(super) fn is_lines(&self) -> bool {
        self.rows > 0
    }
}

/// What a form gives, and what of these roles and grants the visitor does not see: it stays, and no page knows its ids.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn given_over<P>(
    visit: &Visit<P>,
    form: &Form,
    (stored_roles, stored_grants): (&[String], &[Grant]),
) -> Result<(Vec<String>, Vec<Grant>), Refusal> {
    let (mut roles, mut grants) = given(form);
    let unseen_roles = unseen(stored_roles, String::as_str, (&all_roles(visit)?, &roles));
    let unseen_grants = unseen(stored_grants, area_of, (&given_areas(visit)?, &grants));
    roles.extend(unseen_roles);
    grants.extend(unseen_grants);
    Ok((roles, grants))
}

fn area_of(grant: &Grant) -> &str {
    &grant.area
}

/// What of these is of an id that is neither seen nor given.
fn unseen<T: Clone>(
    stored: &[T],
    id_of: fn(&T) -> &str,
    (seen, given): (&[Named], &[T]),
) -> Vec<T> {
    let seen = seen.iter().map(|it| &*it.id);
    let known: HashSet<&str> = seen.chain(given.iter().map(id_of)).collect();
    let unseen = stored.iter().filter(|it| !known.contains(id_of(it)));
    unseen.cloned().collect()
}

/// The description that was filled in, with its lines.
pub(super) fn description(form: &Form) -> String {
    said(&plain(form.text("description"))).to_owned()
}

/// What a form gives: the ids of roles, and areas with their verbs.
pub(super) fn given(form: &Form) -> (Vec<String>, Vec<Grant>) {
    let roles = form.all("role").map(str::to_owned).collect();
    let areas = verbs::ticked_by_row(form.all("grant")).into_iter();
    let grants = areas.map(|(area, verbs)| Grant {
        area: area.to_owned(),
        verbs,
    });
    (roles, grants.collect())
}

/// Something with a name.
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
}

/// Lines of a list that share the room of a page for descriptions.
const LINES: usize = 200;

/// As much of a description as a line of a list shows.
pub(super) fn in_line(description: &str, texts: &Texts) -> String {
    let room = Room::of_row(std::iter::once(description), LINES, texts);
    room.cut(description).told()
}

/// What a role is for; of a built-in one in the words of the page.
pub(super) fn shown_description(role: &RoleView, texts: &Texts) -> String {
    if role.built_in {
        texts.said(&role.description)
    } else {
        role.description.clone()
    }
}

/// Every role that the visitor sees; none, if it may see none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn all_roles<P>(visit: &Visit<P>) -> Result<Vec<Named>, Refusal> {
    every(|request| {
        let roles = visit.site.service.roles();
        let page = roles.list(&visit.caller, "", Shelf::Live, request)?;
        let named = page.items.into_iter().map(|role| Named {
            description: shown_description(&role, visit.texts),
            id: role.role_id,
            name: role.name,
        });
        Ok((named.collect(), page.next_page_key))
    })
}

/// Every area that the visitor sees; none, if it may see none.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn all_areas<P>(visit: &Visit<P>) -> Result<Vec<Named>, Refusal> {
    every(|request| {
        let areas = visit.site.service.areas();
        let page = areas.list(&visit.caller, "", Shelf::Live, request)?;
        let named = page.items.into_iter().map(|area| Named {
            id: area.item.business_area_id,
            name: area.item.name,
            description: area.item.description,
        });
        Ok((named.collect(), page.next_page_key))
    })
}

/// Every area that the visitor may give: those that it sees, behind what stands for all of them, also those that are made later.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn given_areas<P>(visit: &Visit<P>) -> Result<Vec<Named>, Refusal> {
    let all = Named {
        id: Grant::ALL_AREAS.to_owned(),
        name: visit.texts.access.all_areas.to_owned(),
        description: String::new(),
    };
    let seen = all_areas(visit)?.into_iter();
    Ok(std::iter::once(all).chain(seen).collect())
}

/// All pages of a list; nothing, if the visitor may see none of it.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn every<T>(
    page: impl Fn(&PageRequest) -> Result<(Vec<T>, Option<String>), Refusal>,
) -> Result<Vec<T>, Refusal> {
    let mut all = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let (items, next) = match page(&request) {
            Err(Refusal::Forbidden(_)) => return Ok(all),
            found => found?,
        };
        all.extend(items);
        request.key = next;
        if request.key.is_none() {
            return Ok(all);
        }
    }
}

/// The names of what the visitor sees, by its ids: each line of a list looks for its own there.
pub(super) struct NamesById<'n>(HashMap<&'n str, &'n str>);

impl<'n> NamesById<'n> {
    pub(super) fn of(named: &'n [Named]) -> Self {
        let names = named.iter().map(|it| (&*it.id, &*it.name));
        NamesById(names.collect())
    }
}

/// That something with these roles and grants can do nothing, or nothing with records, where it lacks some altogether.
pub(super) fn idle(roles: &[String], grants: &[Grant], texts: &Texts) -> Option<&'static str> {
    let own = &texts.access;
    if roles.is_empty() {
        return Some(own.idle_no_role);
    }
    grants.is_empty().then_some(own.idle_no_area)
}

/// The names of roles, one behind the other.
pub(super) fn names_of_roles(named: &NamesById<'_>, roles: &[String], texts: &Texts) -> String {
    let roles = roles.iter().map(String::as_str);
    joined(named, roles, (texts.access.unseen_roles, texts))
}

/// The names of the areas that are reached, one behind the other.
pub(super) fn names_of_areas(named: &NamesById<'_>, grants: &[Grant], texts: &Texts) -> String {
    let areas = grants.iter().map(area_of);
    joined(named, areas, (texts.access.unseen_areas, texts))
}

/// Names of a line, at most: a list has many lines, and what each is about has a page with all of them.
const NAMES_MAX: usize = 5;

/// The first names of these ids, one behind the other, and behind them in words how many more there are, and how many the
/// visitor does not see.
fn joined<'i>(
    named: &NamesById<'_>,
    ids: impl Iterator<Item = &'i str>,
    (unseen, texts): (fn(usize) -> String, &Texts),
) -> String {
    let names: Vec<Option<&str>> = ids.map(|id| named.0.get(id).copied()).collect();
    let seen: Vec<&str> = names.iter().flatten().copied().collect();
    let hidden = names.len() - seen.len();
    let first = (!seen.is_empty()).then(|| named_first(&seen, NAMES_MAX, texts));
    let hidden = (hidden > 0).then(|| unseen(hidden));
    let told: Vec<String> = first.into_iter().chain(hidden).collect();
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::catalog::{Verb, Verbs};

    /// What is seen of so many, of which each second one is.
    fn seen(count: usize) -> Vec<Named> {
        let each_second = (0..count).step_by(2);
        let named = each_second.map(|at| Named {
            id: format!("a-{at}"),
            name: format!("Area {at}"),
            description: String::new(),
        });
        named.collect()
    }

    fn grant(at: usize, verb: Verb) -> Grant {
        Grant {
            area: format!("a-{at}"),
            verbs: Verbs::of(verb),
        }
    }

    #[test]
    fn what_is_not_seen_stays_behind_what_is_given_unless_that_is_the_same() {
        let stored: Vec<_> = (0..6).map(|at| grant(at, Verb::View)).collect();
        let given = [grant(3, Verb::Edit), grant(0, Verb::Edit)];
        let left = unseen(&stored, area_of, (&seen(6), &given));
        assert_eq!(left, [grant(1, Verb::View), grant(5, Verb::View)]);
        assert!(unseen(&[], area_of, (&seen(6), &given)).is_empty());
    }

    #[test]
    fn who_lacks_roles_or_areas_is_told_to_be_idle() {
        let texts = Texts::of("en").expect("a language");
        let (role, grant) = (["r".to_owned()], [grant(1, Verb::View)]);
        assert_eq!(idle(&role, &grant, texts), None);
        for (told, why) in [
            (idle(&[], &grant, texts), "without a role"),
            (idle(&[], &[], texts), "without a role"),
            (idle(&role, &[], texts), "without an area"),
        ] {
            assert!(told.is_some_and(|told| told.contains(why)), "{told:?}");
        }
    }

    #[test]
    fn of_many_areas_the_first_are_named_and_the_others_counted() {
        let texts = Texts::of("en").expect("a language");
        let seen = seen(3_000);
        let named = NamesById::of(&seen);
        let names = |count: usize| {
            let grants: Vec<_> = (0..count).map(|at| grant(at, Verb::View)).collect();
            names_of_areas(&named, &grants, texts)
        };
        assert_eq!(names(0), "");
        assert_eq!(names(1), "Area 0");
        assert_eq!(names(3), "Area 0, Area 2, an area that you do not see");
        assert_eq!(
            names(3_000),
            "Area 0, Area 2, Area 4, Area 6, Area 8, and 1,495 more, 1500 areas that you do not see"
        );
    }
}
