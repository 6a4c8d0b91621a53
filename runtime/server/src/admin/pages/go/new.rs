//! Goals of what the visitor may make, each by the page with its form.

use super::best::{Best, Offer};
use crate::admin::pages::visit::{Section, Visit};
use service::Caller;
use service::catalog::{Resource, Row as _, Verb};

/// Offers them.
pub(super) fn offer(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (t, own, rights) = (visit.texts, &visit.texts.access, caller.rights());
    let page = visit.page(Section::Home);
    let forms = [
        (Resource::Areas, "/areas", "/areas", t.area_new),
        (Resource::ApiKeys, "/keys", "/keys", t.key_new),
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
            let may = || {
                [Verb::View, Verb::Add]
                    .iter()
                    .all(|it| rights.manages(&area.id, *it))
            };
            let path = || may().then(|| format!("/areas/{}/schemas/new", area.id));
            best.offer(Offer::new(t.schemas.new, &area.name).also(&ways), path);
        }
    }
    offer_datasets(visit, caller, best);
}

/// The datasets that the visitor may make, each of its schema: where their forms are.
fn offer_datasets(visit: &Visit, caller: &Caller, best: &mut Best) {
    let (rights, catalog) = (caller.rights(), caller.catalog());
    let looks = [Resource::Areas, Resource::Schemas, Resource::Datasets];
    let is_led = looks.iter().all(|it| rights.may(*it, Verb::View));
    if !is_led || !rights.may(Resource::Datasets, Verb::Add) {
        return;
    }
    let may_here = |area: &str| {
        [Verb::View, Verb::Add]
            .iter()
            .all(|it| rights.manages(area, *it))
    };
    let areas = catalog.areas_of(caller.tenant());
    let areas = areas.filter(|area| may_here(&area.id));
    for schema in areas.flat_map(|area| catalog.schemas_of(&area.id)) {
        let path = || Some(format!("/areas/{0}?of={1}#new-{1}", schema.area, schema.id));
        best.offer(Offer::new(visit.texts.dataset_new, schema.name()), path);
    }
}
