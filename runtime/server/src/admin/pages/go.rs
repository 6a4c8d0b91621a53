//! Where one can go: every page, area, schema, dataset, field, record, key, client, user, role, webhook, data domain and job that
//! one may see, and the forms of what one may do to each, found by a few letters. Scripts open it by Ctrl-K on every page; without
//! them it is a page like the others. It changes nothing.

mod access;
mod best;
mod data;
mod jobs;
mod management;
mod new;
mod records;
mod thing;

use super::search::Group;
use super::texts::Texts;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use best::{Best, GOALS_MAX, GoalGroup, Kind, Offer, by_kind};
use service::catalog::{Resource, Verb};
use url::form_urlencoded::byte_serialize;

/// Characters of what is typed that are looked at; who types more searches.
const TYPED_MAX: usize = 200;

#[derive(Template)]
#[template(path = "go.html", blocks = ["found"])]
struct GoPage {
    page: Page,
    typed: String,
    goals: Vec<GoalGroup>,
    groups: Vec<Group>,
    /// The whole search for what was typed, of those who may search.
    search: Option<String>,
}

/// What goals of a kind are called.
fn kind_named(kind: Kind, t: &Texts) -> &'static str {
    match kind {
        Kind::Dataset => t.datasets,
        Kind::View => t.query.views,
        Kind::Field => t.fields,
        Kind::Page => t.goals.pages,
        Kind::Action => t.goals.actions,
    }
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let typed = visit.parameter("q").unwrap_or_default();
    let typed: String = typed.trim().chars().take(TYPED_MAX).collect();
    let caller = visit.site.service.newest(&visit.caller)?;
    let mut best = Best::of(&typed);
    data::offer(&visit, &mut best)?;
    offer_pages(&visit, &mut best);
    new::offer(&visit, &caller, &mut best);
    management::offer_account(visit.texts, &mut best);
    management::offer(&visit, &caller, &mut best);
    access::offer(&visit, &caller, &mut best);
    let (mut groups, mut search, mut goals) = (Vec::new(), None, Vec::new());
    if !typed.is_empty() {
        jobs::offer(&visit, &mut best).await?;
        let may = |resource| caller.rights().may(resource, Verb::View);
        if may(Resource::Search) && may(Resource::Records) {
            groups = records::found(&visit, &typed).await?;
            if groups.is_empty() {
                goals = records::deeds(&visit, &typed).await?;
            }
            let query: String = byte_serialize(typed.as_bytes()).collect();
            search = Some(format!("/search?q={query}"));
        }
    }
    goals.extend(best.into_goals());
    goals.truncate(GOALS_MAX);
    let page = GoPage {
        page: visit.page(Section::Home),
        goals: by_kind(goals, |kind| kind_named(kind, visit.texts)),
        typed,
        groups,
        search,
    };
    if visit.is_part {
        return shown(&page.as_found());
    }
    shown(&page)
}

/// The pages that stand for themselves, of those that the visitor may see.
fn offer_pages(visit: &Visit, best: &mut Best) {
    let page = visit.page(Section::Home);
    let t = visit.texts;
    for (label, path) in [
        (t.data, "/"),
        (t.faults_by_field, "/faults"),
        (t.schemas.title, "/schemas"),
        (t.audit, "/audit"),
        (t.jobs, "/jobs"),
        (t.search, "/search"),
        (page.who.as_deref().unwrap_or_default(), "/profile"),
    ] {
        let is_open = || page.is_open(path);
        let offer = Offer::new(label, "").of(Kind::Page);
        best.offer(offer, || is_open().then(|| path.to_owned()));
    }
    best.offer(Offer::new(t.access.audit_export, t.audit), || {
        page.is_open("/audit").then(|| "/audit/export".to_owned())
    });
    let areas = page.area_tabs().into_iter().map(|tab| (tab, ""));
    let access = page.access_tabs().into_iter();
    let access = access.map(|tab| (tab, t.access.access));
    for ((path, name), context) in areas.chain(access) {
        let offer = Offer::new(name, context).of(Kind::Page);
        best.offer(offer, || Some(path.to_owned()));
    }
}
