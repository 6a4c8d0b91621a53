//! Every route of management with its description: the router and the document are made of it. Each room tells the
//! routes of its own handlers; what the nouns of the catalog have in common is told by [`NounRoutes`].
//! `docs/interface.md`, "Management".

use super::noun::NounRoutes;
use super::{
    account, api_keys, apps, audit, bulk, datasets, domains, faults, files, invitations, jobs,
    operations, records, saved_views, schemas, sessions, set_up, tenants, users, webhooks,
};
use crate::http::route::Route;
use store::catalog::{Area, Role};

/// All of them.
pub(in crate::admin) fn routes() -> Vec<Route> {
    [
        sessions::routes(),
        set_up::routes(),
        operations::routes(),
        tenants::routes(),
        audit::routes(),
        account::routes(),
        of_areas(),
        schemas::routes(),
        datasets::routes(),
        records::routes(),
        bulk::routes(),
        faults::routes(),
        files::routes(),
        records::routes_of_past(),
        saved_views::routes(),
        jobs::routes(),
        domains::routes(),
        with_proof(
            NounRoutes::<Role>::at("/roles", "Role", "a role")
                .may_stay()
                .all(),
        ),
        with_proof(users::routes()),
        with_proof(invitations::routes()),
        invitations::routes_for_everyone(),
        with_proof(api_keys::routes()),
        with_proof(apps::routes()),
        with_proof(webhooks::routes()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The same, where a change asks a session for a fresh proof.
fn with_proof(routes: Vec<Route>) -> Vec<Route> {
    let routes = routes.into_iter();
    routes.map(Route::with_proof).collect()
}

fn of_areas() -> Vec<Route> {
    let nouns = NounRoutes::<Area>::at("/areas", "Area", "a business area");
    nouns.restorable(nouns.list_with_deleted(), nouns.create(), nouns.update())
}
