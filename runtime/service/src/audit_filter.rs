//! What is looked for in the trail: who, what, to what, and when. docs/interface.md, "Trail".

use crate::Refusal;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;
use store::catalog::{
    ApiKey, App, Area, AuditAction, AuditEntry, Catalog, Dataset, Domain, Kind, Role, Row,
    SchemaEntry, User, Webhook,
};
use wire::Timestamp;

/// What entries of the trail have to be about; what is `None` may be anything.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// The id or the name of who did it.
    pub actor: Option<String>,
    /// What was done.
    pub action: Option<AuditAction>,
    /// To what kind of thing.
    pub noun: Option<Kind>,
    /// To which.
    pub id: Option<String>,
    /// A part of what it is or was called, in any case.
    pub name: Option<String>,
    /// The id or the name of the business area that it is in or is.
    pub area: Option<String>,
    /// Not before this moment.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
    /// Only what changed something for others, too: no session that began or ended, no saved view, and nothing that was
    /// refused.
    pub only_changes: bool,
}

/// A moment whose `+`, before the hours that it is ahead, was sent as it is: behind a question mark that is a space.
fn with_plus(moment: &str) -> Cow<'_, str> {
    let behind = moment.len().checked_sub("+00:00".len());
    match behind.and_then(|behind| moment.split_at_checked(behind)) {
        Some((local, ahead)) if ahead.starts_with(' ') => {
            [local, "+", ahead.trim_start()].concat().into()
        }
        _ => moment.into(),
    }
}

impl AuditFilter {
    /// The filter of such parameters; a text that is empty filters nothing.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] for an action, a kind or a moment that there is not.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let given = |name: &str| parameter(name).filter(|text| !text.is_empty());
        let moment = |name: &str| {
            let text = given(name);
            let moment = text.map(|text| with_plus(&text).parse::<Timestamp>());
            let moment = moment.transpose();
            moment.map_err(|_| {
                Refusal::invalid(name, "must be a moment such as 2026-01-31T00:00:00Z")
            })
        };
        let action = given("action").map(|text| {
            let none =
                || Refusal::invalid("action", "must be an action of the trail, such as `create`");
            AuditAction::parse(&text).ok_or_else(none)
        });
        let noun = given("noun").map(|text| {
            let none =
                || Refusal::invalid("noun", "must be a kind of the trail, such as `api_key`");
            Kind::parse(&text).ok_or_else(none)
        });
        Ok(AuditFilter {
            actor: given("actor"),
            action: action.transpose()?,
            noun: noun.transpose()?,
            id: given("id"),
            name: given("name"),
            area: given("area"),
            from: moment("from")?,
            to: moment("to")?,
            only_changes: false,
        })
    }

    /// Whether it leaves most of the trail out. What changed nothing is little of it.
    pub(crate) fn is_narrow(&self) -> bool {
        let AuditFilter {
            actor,
            action,
            noun,
            id,
            name,
            area,
            from,
            to,
            only_changes: _,
        } = self;
        actor.is_some()
            || action.is_some()
            || noun.is_some()
            || id.is_some()
            || name.is_some()
            || area.is_some()
            || from.is_some()
            || to.is_some()
    }

    /// The same with what has a name in this catalog.
    pub(crate) fn resolved<'f>(&'f self, catalog: &Catalog, tenant: &str) -> ResolvedFilter<'f> {
        let name = self.name.as_ref().map(|name| name.to_lowercase());
        let part = name.as_deref();
        let areas = self.area.as_ref().map(|area| {
            let own = catalog.areas.values().filter(|own| own.tenant == tenant);
            let own = own.filter(|own| own.id == *area || is_called(&own.name, area));
            own.map(|own| own.id.clone()).collect()
        });
        ResolvedFilter {
            filter: self,
            ids: part.map_or_else(BTreeSet::new, |part| ids_called(catalog, tenant, part)),
            areas,
            name,
        }
    }

    /// Whether an entry is among those that are looked for, names aside.
    fn holds(&self, entry: &AuditEntry) -> bool {
        let is = |wanted: &Option<String>, own: &[&String]| {
            wanted.as_ref().is_none_or(|wanted| own.contains(&wanted))
        };
        is(&self.actor, &[&entry.actor.id, &entry.actor.name])
            && is(&self.id, &[&entry.id])
            && self.action.is_none_or(|action| action == entry.action)
            && self.noun.is_none_or(|noun| noun == entry.noun)
            && self.from.is_none_or(|from| entry.at >= from)
            && self.to.is_none_or(|to| entry.at < to)
            && !(self.only_changes && (is_no_change(entry.action) || is_own(entry.noun)))
    }
}

/// A filter with what has a name in a catalog.
pub(crate) struct ResolvedFilter<'f> {
    filter: &'f AuditFilter,
    /// The part of a name, in lower case.
    name: Option<String>,
    /// What is called so now.
    ids: BTreeSet<String>,
    /// The areas, where any is asked for.
    areas: Option<BTreeSet<String>>,
}

impl ResolvedFilter<'_> {
    /// Whether an entry is among those that are looked for.
    pub(crate) fn holds(&self, entry: &AuditEntry) -> bool {
        let is_called = |part: &str| {
            let documents = [&entry.before, &entry.after].into_iter().flatten();
            let mut names = documents.filter_map(|document| name_in(document));
            self.ids.contains(&entry.id) || names.any(|name| name.to_lowercase().contains(part))
        };
        let area = entry.area.as_ref();
        let is_in = |areas: &BTreeSet<String>| area.is_some_and(|area| areas.contains(area));
        self.filter.holds(entry)
            && self.areas.as_ref().is_none_or(is_in)
            && self.name.as_deref().is_none_or(is_called)
    }
}

fn is_called(name: &str, wanted: &str) -> bool {
    name.to_lowercase() == wanted.to_lowercase()
}

/// The ids of what a tenant has with this part of a name, in lower case.
fn ids_called(catalog: &Catalog, tenant: &str, part: &str) -> BTreeSet<String> {
    fn add<N: Row>(ids: &mut BTreeSet<String>, (catalog, tenant, part): (&Catalog, &str, &str)) {
        let own = N::all(catalog).values();
        let own = own.filter(|own| own.tenant() == tenant);
        let called = own.filter(|own| own.name().to_lowercase().contains(part));
        ids.extend(called.map(|own| own.key().to_owned()));
    }
    let (mut ids, within) = (BTreeSet::new(), (catalog, tenant, part));
    add::<Area>(&mut ids, within);
    add::<SchemaEntry>(&mut ids, within);
    add::<Dataset>(&mut ids, within);
    add::<Domain>(&mut ids, within);
    add::<Role>(&mut ids, within);
    add::<User>(&mut ids, within);
    add::<ApiKey>(&mut ids, within);
    add::<App>(&mut ids, within);
    add::<Webhook>(&mut ids, within);
    ids
}

/// The name that a document gives what it is of.
pub fn name_in(document: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named {
        name: Option<String>,
        username: Option<String>,
        data_set_name: Option<String>,
    }
    let named: Named = serde_json::from_str(document.get()).ok()?;
    named.name.or(named.username).or(named.data_set_name)
}

/// Whether it is of no concern but to whoever did it.
fn is_own(noun: Kind) -> bool {
    noun == Kind::SavedView
}

/// Whether an action leaves everything as it was.
fn is_no_change(action: AuditAction) -> bool {
    let is_session = matches!(action, AuditAction::SignIn | AuditAction::SignOut);
    action.is_incident() || is_session || action == AuditAction::ViewPersonalData
}
