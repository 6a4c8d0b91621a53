//! The list of users.

use super::parts::{NamesById, all_roles, given_areas, idle, names_of_areas, names_of_roles};
use super::user_status::status;
use crate::admin::pages::numbers::moment;
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::UserView;

#[derive(Template)]
#[template(path = "users.html")]
struct UsersPage {
    page: Page,
    users: Vec<UserRow>,
    pages: PageLinks,
    may_add: bool,
}

struct UserRow {
    id: String,
    full_name: String,
    username: String,
    email: String,
    status: &'static str,
    has_factor: bool,
    /// That it can do nothing.
    idle: Option<&'static str>,
    roles: String,
    areas: String,
    last_used: Option<String>,
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let users = visit.site.service.users();
    let found = users.list(&visit.caller, "", Shelf::Live, &visit.list_page())?;
    let (roles, areas) = (all_roles(&visit)?, given_areas(&visit)?);
    let (roles, areas) = (NamesById::of(&roles), NamesById::of(&areas));
    let rows = found.items.into_iter();
    shown(&UsersPage {
        users: rows
            .map(|user| row(user, &roles, &areas, visit.texts))
            .collect(),
        pages: PageLinks::of(&visit, "/users", &[], found.next_page_key),
        may_add: visit.caller.rights().may(Resource::Users, Verb::Add),
        page: visit.page(Section::Access),
    })
}

fn row(user: UserView, roles: &NamesById<'_>, areas: &NamesById<'_>, texts: &Texts) -> UserRow {
    UserRow {
        status: status(&user, texts),
        id: user.user_id,
        full_name: user.full_name,
        username: user.username,
        email: user.email,
        has_factor: user.second_factor,
        idle: idle(&user.roles, &user.grants, texts),
        roles: names_of_roles(roles, &user.roles, texts),
        areas: names_of_areas(areas, &user.grants, texts),
        last_used: user.last_used_at.map(moment),
    }
}
