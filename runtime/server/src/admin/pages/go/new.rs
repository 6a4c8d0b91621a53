//! Goals of what the visitor may make, each by the page with its form.

use super::best::{Best, Offer};
use crate::admin::pages::new_forms;
use crate::admin::pages::visit::{Section, Visit};
use service::Caller;
use service::catalog::{Resource, Row as _, Verb};

/// Offers them.
pub(super) fn offer(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, own, rights) = (visit.texts, &visit.texts.access, caller.rights());
    let page = visit.page(Section::Home);
    let forms = [
        (Resource::Areas, "/areas", new_forms::AREA, t.area_new),
        (Resource::ApiKeys, "/keys", "/keys#new", t.key_new),
        (Resource::Apps, "/clients", "/clients/new", own.client_new),
        (Resource::Users, "/users", "/users/new", own.user_new),
        (Resource::Roles, "/roles", "/roles/new", own.role_new),
        (
            Resource::Apps,
            "/webhooks",
            "/webhooks/new",
            own.webhook_new,
        ),
        (
            Resource::Domains,
            "/domains",
            "/domains/new",
            own.domain_new,
        ),
    ];
    for (of, list, path, label) in forms {
        let may = || rights.may(of, Verb::Add) && page.is_open(list);
        best.offer(Offer::new(label, ""), || may().then(|| path.to_owned()));
    }
    if page.is_open("/schemas") && rights.may(Resource::Schemas, Verb::Add) {
        let ways = [t.schemas.by_file, t.schemas.by_json, t.schemas.by_hand].join(" ");
        for area in caller.catalog().areas_of(caller.tenant()) {
            let may = || may_make_in(caller, &area.id);
            let path = || may().then(|| new_forms::schema(&area.id));
            best.offer(Offer::new(t.schemas.new, &area.name).also(&ways), path);
        }
    }
    offer_datasets(visit, caller, best);
}

/// Whether the visitor comes to an area, and may make something in it.
fn may_make_in(caller: &Caller, area: &str) -> bool {
    let rights = caller.rights();
    let needed = [Verb::View, Verb::Add];
    needed.into_iter().all(|verb| rights.manages(area, verb))
}

/// The datasets that the visitor may make, each of its schema: where their forms are.
fn offer_datasets(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (rights, catalog) = (caller.rights(), caller.catalog());
    if !rights.sees_datasets() || !rights.may(Resource::Datasets, Verb::Add) {
        return;
    }
    let areas = catalog.areas_of(caller.tenant());
    let areas = areas.filter(|area| may_make_in(caller, &area.id));
    for schema in areas.flat_map(|area| catalog.schemas_of(&area.id)) {
        let path = || Some(new_forms::dataset((&schema.area, &schema.id), None));
        best.offer(Offer::new(visit.texts.dataset_new, schema.name()), path);
    }
}
