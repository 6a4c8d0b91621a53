//! Goals of management: the areas, schemas and datasets that a visitor may see with what it may do to them, and what belongs to its
//! own account. The catalog has them all, so nothing is asked of the store.

use super::best::{Best, Offer};
use super::thing::{Deed, Thing};
use crate::admin::pages::new_forms;
use crate::admin::pages::schemas::downloads::Kind;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Section, Visit};
use service::Caller;
use service::catalog::{Area, Resource, Row as _, SchemaEntry, Verb};
use std::collections::{HashMap, HashSet};

/// What changes something, where it stands in a form of its page.
pub(super) fn change(t: &Texts, end: &'static str) -> Deed<'static> {
    Deed::new(t.goals.change, end, Verb::Edit)
}

/// What switches something off, or on.
pub(super) fn switch(t: &Texts, is_active: bool, end: &'static str) -> Deed<'static> {
    let label = if is_active { t.switch_off } else { t.switch_on };
    Deed::new(label, end, Verb::Edit)
}

/// Offers areas, their schemas, and the datasets of these.
pub(super) fn offer(visit: &Visit, caller: &Caller, best: &mut Best) {
    let areas = managed(caller);
    offer_areas(visit, caller, &areas, best);
    offer_datasets(visit, caller, &areas, best);
}

/// The areas whose management the visitor sees as far as its areas go, deleted ones too, by id.
fn managed(caller: &Caller) -> HashSet<&str> {
    let rights = caller.rights();
    let areas = caller.catalog().areas.values();
    let own = areas.filter(|area| area.tenant == caller.tenant());
    let own = own.filter(|area| rights.manages(&area.id, Verb::View));
    own.map(|area| &*area.id).collect()
}

/// Offers the areas that the visitor may see and those that it may restore, and the same of their schemas.
fn offer_areas(visit: &Visit, caller: &Caller, managed: &HashSet<&str>, best: &mut Best) {
    let page = visit.page(Section::Home);
    if !page.is_open("/areas") {
        return;
    }
    let (t, catalog) = (visit.texts, caller.catalog());
    let mut schemas: HashMap<&str, Vec<&SchemaEntry>> = HashMap::new();
    if page.is_open("/schemas") {
        for schema in catalog.schemas.values() {
            schemas.entry(&schema.area).or_default().push(schema);
        }
    }
    let areas = catalog.areas.values();
    for area in areas.filter(|area| managed.contains(&*area.id)) {
        let path = format!("/areas/{}", area.id);
        let thing = Thing::new(t.areas, &area.name, &path);
        if area.deleted {
            let may = || may_restore(caller, Resource::Areas, &area.id);
            let path = || may().then(|| format!("/areas?of={0}#restore-{0}", area.id));
            best.offer(Offer::new(t.take_back, &thing.context()), path);
            continue;
        }
        thing.offer(best);
        let deeds = [
            change(t, "#change"),
            switch(t, area.active, "#active"),
            Deed::new(t.area_delete, "#delete", Verb::Delete),
        ];
        let areas = || visit.site.service.areas();
        thing.offer_deeds(best, &deeds, |verb| areas().may(caller, &area.id, verb));
        for schema in schemas.get(&*area.id).into_iter().flatten() {
            offer_schema(visit, caller, (area, schema), best);
        }
    }
}

/// Whether the visitor may restore what was deleted of these in an area.
fn may_restore(caller: &Caller, of: Resource, area: &str) -> bool {
    let rights = caller.rights();
    rights.may(of, Verb::Delete) && rights.manages(area, Verb::Delete)
}

/// Offers a schema and what may be done to it, or that it is restored.
fn offer_schema(
    visit: &Visit,
    caller: &Caller,
    (area, schema): (&Area, &SchemaEntry),
    best: &mut Best,
) {
    let (t, own) = (visit.texts, &visit.texts.schemas);
    let (kind, path) = (
        format!("{} · {}", own.title, area.name),
        format!("/schemas/{}", schema.id),
    );
    let thing = Thing::new(&kind, schema.name(), &path);
    let context = thing.context();
    if schema.deleted {
        let may = || may_restore(caller, Resource::Schemas, &area.id);
        let path = || may().then(|| format!("/schemas?of={0}#restore-{0}", schema.id));
        best.offer(Offer::new(t.take_back, &context), path);
        return;
    }
    thing.offer(best);
    let mut deeds = vec![
        Deed::new(own.versions, "/versions", Verb::View),
        Deed::new(own.edit, "/edit", Verb::Edit).also(t.goals.change),
        switch(t, schema.active, "#switch"),
        Deed::new(own.delete, "#delete", Verb::Delete),
    ];
    if schema.state == "draft" {
        deeds.insert(1, Deed::new(own.publish, "#publish", Verb::Edit));
    }
    let schemas = || visit.site.service.schemas();
    thing.offer_deeds(best, &deeds, |verb| schemas().may(caller, &schema.id, verb));
    let rights = caller.rights();
    let may_add =
        || rights.may(Resource::Schemas, Verb::Add) && rights.manages(&area.id, Verb::Add);
    best.offer(Offer::new(own.clone, &context).also(t.goals.copies), || {
        may_add().then(|| format!("{}?from={}", new_forms::schema(&area.id), schema.id))
    });
    for kind in Kind::all(t) {
        let offer = Offer::new(kind.text, &context).also(own.downloads);
        best.offer(offer, || Some(format!("{path}/as/{}", kind.which)));
    }
}

/// Offers what the visitor may do to datasets, on the pages of their areas.
fn offer_datasets(visit: &Visit, caller: &Caller, managed: &HashSet<&str>, best: &mut Best) {
    let (t, catalog) = (visit.texts, caller.catalog());
    if !caller.rights().sees_datasets() {
        return;
    }
    let datasets = catalog.datasets.values();
    for dataset in datasets.filter(|it| managed.contains(&*it.area)) {
        let path = format!("/areas/{}", dataset.area);
        let thing = Thing::new(t.datasets, &dataset.name, &path);
        if dataset.deleted {
            let area = catalog.areas.get(&dataset.area);
            let schema = catalog.schemas.get(&dataset.schema);
            let is_reached =
                area.is_some_and(|it| !it.deleted) && schema.is_some_and(|it| !it.deleted);
            let may = || is_reached && may_restore(caller, Resource::Datasets, &dataset.area);
            let path = || may().then(|| format!("{path}?of={0}#restore-{0}", dataset.id));
            best.offer(Offer::new(t.take_back, &thing.context()), path);
            continue;
        }
        let (change, delete) = (
            format!("?of={0}#change-{0}", dataset.id),
            format!("?of={0}#delete-{0}", dataset.id),
        );
        let deeds = [
            Deed::new(t.goals.change, &change, Verb::Edit),
            Deed::new(t.dataset_delete, &delete, Verb::Delete),
        ];
        let datasets = || visit.site.service.datasets();
        thing.offer_deeds(best, &deeds, |verb| {
            datasets().may(caller, &dataset.id, verb)
        });
    }
}

/// Offers what the visitor may do to its own account, and the languages. Signing out takes a form, so its goal is the button on the
/// page.
pub(super) fn offer_account(t: &Texts, best: &mut Best) {
    let own = &t.access;
    let of_factor = format!("{} {}", own.factor_begin, own.factor_remove);
    for (label, also, path) in [
        (own.password_change, "", "/password"),
        (own.email, t.goals.change, "/profile#email"),
        (own.factor_title, of_factor.as_str(), "/profile#factor"),
        (own.sessions, own.sessions_end_others, "/profile#sessions"),
        (t.sign_out, "", "/profile#sign-out"),
    ] {
        let offer = Offer::new(label, own.profile).also(also);
        best.offer(offer, || Some(path.to_owned()));
    }
    for texts in Texts::all() {
        best.offer(Offer::new(texts.own_name, t.language), || {
            Some(format!("/language/{}", texts.code))
        });
    }
}
