//! Goals of management: the areas and schemas that a visitor may see, and what belongs to its own account. The catalog has
//! them all, so nothing is asked of the store.

use super::Goal;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Section, Visit};
use service::Caller;
use service::catalog::{Resource, Row as _, Verb};

/// The areas that the visitor may see, and their schemas: each with its versions, and with its publication where it is a
/// draft.
pub(super) fn of_areas(visit: &Visit, caller: &Caller) -> Vec<Goal> {
    let page = visit.page(Section::Home);
    if !page.is_open("/areas") {
        return Vec::new();
    }
    let (t, rights, catalog) = (visit.texts, caller.rights(), caller.catalog());
    let sees_schemas = page.is_open("/schemas");
    let edits_schemas = rights.may(Resource::Schemas, Verb::Edit);
    let (mut goals, mut of_schemas) = (Vec::new(), Vec::new());
    let areas = catalog.areas_of(caller.tenant());
    for area in areas.filter(|area| rights.manages(&area.id, Verb::View)) {
        let path = format!("/areas/{}", area.id);
        goals.push(Goal::new(&*area.name, t.areas, path));
        if !sees_schemas {
            continue;
        }
        let where_it_is = format!("{} · {}", t.schemas.title, area.name);
        for schema in catalog.schemas_of(&area.id) {
            let (name, path) = (schema.name(), format!("/schemas/{}", schema.id));
            goals.push(Goal::new(name, &where_it_is, &*path));
            let versions = format!("{path}/versions");
            of_schemas.push(Goal::new(t.schemas.versions, name, versions));
            let is_draft = schema.state == "draft";
            if is_draft && edits_schemas && rights.manages(&area.id, Verb::Edit) {
                let publish = format!("{path}#publish");
                of_schemas.push(Goal::new(t.schemas.publish, name, publish));
            }
        }
    }
    goals.append(&mut of_schemas);
    goals
}

/// What the visitor may do to its own account. Signing out takes a form, so its goal is the button on the page.
pub(super) fn of_account(texts: &Texts) -> [Goal; 4] {
    let own = &texts.access;
    let goal = |label: &str, path: &str| Goal::new(label, own.profile, path);
    [
        goal(own.password_change, "/password"),
        goal(own.factor_title, "/profile#factor"),
        goal(own.sessions, "/profile#sessions"),
        goal(texts.sign_out, "/profile#sign-out"),
    ]
}
