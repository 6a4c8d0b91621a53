//! Where one can go: every page, area, schema, dataset, field and record that one may see, and the forms of what one may do,
//! found by a few letters. Scripts open it by Ctrl-K on every page; without them it is a page like the others. It changes
//! nothing.

mod management;

use super::asked::Asked;
use super::faults::quoted;
use super::places::Place;
use super::search::{Group, groups_of};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Row as _, Verb};
use service::search::{Extent, SearchRequest};
use service::{Caller, PageRequest, Permit as _, Refusal};
use url::form_urlencoded::byte_serialize;

/// Goals that are shown at most, without the records.
const GOALS_MAX: usize = 12;
/// Records that are shown at most.
const RECORDS: &str = "5";
/// Characters of what is typed that are looked at; who types more searches.
const TYPED_MAX: usize = 200;

#[derive(Template)]
#[template(path = "go.html", blocks = ["found"])]
struct GoPage {
    page: Page,
    typed: String,
    goals: Vec<Goal>,
    groups: Vec<Group>,
    /// The whole search for what was typed, of those who may search.
    search: Option<String>,
}

/// Somewhere to go.
struct Goal {
    label: String,
    /// Where that is.
    context: String,
    path: String,
}

impl Goal {
    fn new(label: impl Into<String>, context: &str, path: impl Into<String>) -> Self {
        Goal {
            label: label.into(),
            context: context.to_owned(),
            path: path.into(),
        }
    }
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let typed = visit.parameter("q").unwrap_or_default();
    let typed: String = typed.trim().chars().take(TYPED_MAX).collect();
    let mut goals = of_datasets(&visit)?;
    goals.extend(of_pages(&visit));
    let caller = visit.site.service.newest(&visit.caller)?;
    goals.extend(of_new(&visit, &caller));
    goals.extend(management::of_areas(&visit, &caller));
    goals.extend(management::of_account(visit.texts));
    let may = |resource| caller.rights().may(resource, Verb::View);
    let may_search = may(Resource::Search) && may(Resource::Records);
    let (groups, search) = if typed.is_empty() || !may_search {
        (Vec::new(), None)
    } else {
        let query: String = byte_serialize(typed.as_bytes()).collect();
        let groups = of_records(&visit, &typed).await?;
        (groups, Some(format!("/search?q={query}")))
    };
    let page = GoPage {
        page: visit.page(Section::Home),
        goals: best(goals, &typed),
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
fn of_pages(visit: &Visit) -> Vec<Goal> {
    let page = visit.page(Section::Home);
    let t = visit.texts;
    let mut goals = vec![
        Goal::new(t.data, "", "/"),
        Goal::new(t.faults_by_field, "", "/faults"),
        Goal::new(t.schemas.title, "", "/schemas"),
        Goal::new(t.audit, "", "/audit"),
        Goal::new(t.jobs, "", "/jobs"),
        Goal::new(t.search, "", "/search"),
        Goal::new(page.who.as_deref().unwrap_or_default(), "", "/profile"),
    ];
    goals.retain(|goal| page.is_open(&goal.path));
    let areas = page.area_tabs().into_iter();
    goals.extend(areas.map(|(path, name)| Goal::new(name, "", path)));
    let access = page.access_tabs().into_iter();
    goals.extend(access.map(|(path, name)| Goal::new(name, t.access.access, path)));
    goals
}

/// What the visitor may make, each by the page with its form.
fn of_new(visit: &Visit, caller: &Caller) -> Vec<Goal> {
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
    let forms = forms.into_iter();
    let forms = forms.filter(|(of, list, ..)| rights.may(*of, Verb::Add) && page.is_open(list));
    let forms = forms.map(|(_, _, path, label)| Goal::new(label, "", path));
    let mut goals: Vec<_> = forms.collect();
    if page.is_open("/schemas") && rights.may(Resource::Schemas, Verb::Add) {
        let areas = caller.catalog().areas_of(caller.tenant());
        let areas = areas.filter(|area| rights.manages(&area.id, Verb::Add));
        let areas = areas.filter(|area| rights.manages(&area.id, Verb::View));
        goals.extend(areas.map(|area| {
            let path = format!("/areas/{}/schemas/new", area.id);
            Goal::new(t.schemas.new, &area.name, path)
        }));
    }
    goals.extend(new_datasets(visit, caller));
    goals
}

/// The datasets that the visitor may make, each of its schema: where their forms are.
fn new_datasets(visit: &Visit, caller: &Caller) -> Vec<Goal> {
    let (rights, catalog) = (caller.rights(), caller.catalog());
    let looks = [Resource::Areas, Resource::Schemas, Resource::Datasets];
    let is_led = looks.iter().all(|it| rights.may(*it, Verb::View));
    if !is_led || !rights.may(Resource::Datasets, Verb::Add) {
        return Vec::new();
    }
    let may_here = |area: &str| {
        [Verb::View, Verb::Add]
            .iter()
            .all(|it| rights.manages(area, *it))
    };
    let areas = catalog.areas_of(caller.tenant());
    let areas = areas.filter(|area| may_here(&area.id));
    let schemas = areas.flat_map(|area| catalog.schemas_of(&area.id));
    let goals = schemas.map(|schema| {
        let path = format!("/areas/{}#new-{}", schema.area, schema.id);
        Goal::new(visit.texts.dataset_new, schema.name(), path)
    });
    goals.collect()
}

/// The datasets that the visitor may see, what it may do there, and their fields: those lead to what is wrong or lacks
/// in them. Nothing of it is asked of the store.
fn of_datasets(visit: &Visit) -> Result<Vec<Goal>, Failure> {
    let places = Place::all(visit)?;
    let views = views_of(visit, &places)?;
    let (mut datasets, mut deeds, mut fields) = (Vec::new(), Vec::new(), Vec::new());
    for place in &places {
        let path = format!("/datasets/{}", place.id);
        datasets.push(Goal::new(&*place.name, &place.area, &*path));
        deeds.extend(deeds_at(visit, place, &path));
        if place.may_search {
            fields.extend(fields_of(visit, place, &path));
        }
    }
    datasets.extend(views);
    datasets.append(&mut deeds);
    datasets.append(&mut fields);
    Ok(datasets)
}

/// The visitor's saved views of these datasets.
fn views_of(visit: &Visit, places: &[Place]) -> Result<Vec<Goal>, Failure> {
    let own = visit.site.service.saved_views(&visit.caller, None)?.items;
    let goals = own.into_iter().filter_map(|view| {
        let place = places.iter().find(|place| place.id == view.data_set_id)?;
        if !place.may_search && (!view.query.is_empty() || !view.sort.is_empty()) {
            return None;
        }
        let address = Asked::of_view(&view).address();
        let path = format!("/datasets/{}{address}", place.id);
        Some(Goal::new(view.name, &place.name, path))
    });
    Ok(goals.collect())
}

/// What the visitor may do at a dataset.
fn deeds_at(visit: &Visit, place: &Place, path: &str) -> Vec<Goal> {
    let t = visit.texts;
    let goal = |label: &str, end: &str| Goal::new(label, &place.name, format!("{path}{end}"));
    let mut goals = Vec::new();
    if place.may_search {
        goals.push(goal(t.faults, "/faults"));
    }
    if place.may_add {
        goals.push(goal(t.new_record, "/new"));
    }
    if place.may_add || place.may_edit {
        goals.push(goal(t.job.import, "/import"));
    }
    goals.extend([goal(t.job.export, "/export"), goal("API", "/api")]);
    if place.may_edit && place.may_search {
        goals.push(goal(t.mend_many, "/mend"));
    }
    goals.push(goal(t.deleted_records, "/deleted"));
    let jobs = format!("/jobs?dataset={}", place.id);
    goals.push(Goal::new(t.jobs, &place.name, jobs));
    let (rights, schema) = (place.permit.caller().rights(), place.permit.schema());
    let manages = |verb| rights.may(Resource::Schemas, verb) && rights.manages(&schema.area, verb);
    if rights.may(Resource::Areas, Verb::View) && manages(Verb::View) && manages(Verb::Edit) {
        let path = format!("/schemas/{}/edit", schema.id);
        goals.push(Goal::new(t.schemas.edit, &place.name, path));
    }
    goals
}

/// The fields of a dataset, each as the list of records that are faulty there, and of those that have nothing there.
fn fields_of(visit: &Visit, place: &Place, path: &str) -> Vec<Goal> {
    let t = visit.texts;
    let to = |query: String| {
        let query: String = byte_serialize(query.as_bytes()).collect();
        format!("{path}?q={query}")
    };
    let fields = place.version().schema.active_fields();
    let fields = fields.flat_map(|field| {
        let (name, quoted) = (&field.name, quoted(&field.name));
        let faulty = format!("{name}: {}", t.faulty);
        let empty = format!("{name}: {}", t.go_empty);
        [
            Goal::new(faulty, &place.name, to(format!("fault:{quoted}"))),
            Goal::new(empty, &place.name, to(format!("{quoted}:none"))),
        ]
    });
    fields.collect()
}

/// Some records with the words that are typed, the last of which may not be whole yet: no more are looked at, nor counted.
async fn of_records(visit: &Visit, typed: &str) -> Result<Vec<Group>, Failure> {
    let is_word = typed.ends_with(char::is_alphanumeric);
    let query = format!("{typed}{}", if is_word { "*" } else { "" });
    let request = SearchRequest {
        query: Some(query),
        page: PageRequest {
            key: None,
            size: Some(RECORDS.to_owned()),
        },
        extent: Extent::Few,
        ..SearchRequest::default()
    };
    match visit.site.service.seen_hits(&visit.caller, &request).await {
        Ok(text) => groups_of(visit, &text),
        // half a query, one for values that are not the visitor's to see, or an index that is not there yet: the goals are,
        // and the search says what is the matter
        Err(
            Refusal::Parameter(_)
            | Refusal::Forbidden(_)
            | Refusal::NotReady { .. }
            | Refusal::TooLong { .. },
        ) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.into()),
    }
}

/// The goals with all words that are typed: first those that begin so, then in the order that they have.
fn best(goals: Vec<Goal>, typed: &str) -> Vec<Goal> {
    let typed = typed.to_lowercase();
    let mut found: Vec<(bool, Goal)> = Vec::new();
    for goal in goals {
        let label = goal.label.to_lowercase();
        let whole = format!("{label} {}", goal.context.to_lowercase());
        if typed.split_whitespace().all(|word| whole.contains(word)) {
            found.push((!label.starts_with(&typed), goal));
        }
    }
    found.sort_by_key(|(is_later, _)| *is_later);
    let goals = found.into_iter().map(|(_, goal)| goal);
    goals.take(GOALS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_as_typed_comes_first_and_each_word_counts() {
        let goals = || {
            vec![
                Goal::new("Old cities", "Europe", "/1"),
                Goal::new("Cities", "Europe", "/2"),
                Goal::new("People", "Asia", "/3"),
            ]
        };
        let found = |typed| {
            let found = best(goals(), typed).into_iter();
            found.map(|goal| goal.path).collect::<Vec<_>>()
        };
        assert_eq!(found("CIT"), ["/2", "/1"]);
        assert_eq!(found("europe old"), ["/1"]);
        assert_eq!(found(""), ["/1", "/2", "/3"]);
        assert!(found("nothing").is_empty());
    }
}
