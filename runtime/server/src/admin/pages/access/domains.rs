//! Data domains: lists of codes, written one a line.

use super::parts::Input;
use super::told::Told;
use crate::admin::pages::effects::EffectsShown;
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::pair_lines::{line_of, pairs};
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{DomainCode, DomainContent, DomainView};
use std::collections::HashSet;

#[derive(Template)]
#[template(path = "domains.html")]
struct DomainsPage {
    page: Page,
    domains: Vec<DomainRow>,
    pages: PageLinks,
    may_add: bool,
}

struct DomainRow {
    id: String,
    name: String,
    codes: String,
}

#[derive(Template)]
#[template(path = "domain.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each tells of one part of the page"
)]
struct DomainPage {
    page: Page,
    /// Empty for a new one.
    id: String,
    version: i64,
    title: String,
    inputs: Vec<Input>,
    message: Option<String>,
    /// Where someone else stored codes meanwhile: the lines that are stored and were not typed, and the other way round.
    apart: Option<[String; 2]>,
    is_saved: bool,
    may_save: bool,
    may_delete: bool,
    /// Whether what a change would make faulty may be asked.
    may_ask: bool,
    effects: Option<EffectsShown>,
    /// The datasets that a job may judge, where there was no time for all records.
    datasets: Vec<(String, String)>,
    /// What was typed, for such a job.
    name: String,
    codes: String,
}

/// What is shown of a domain, whether it is stored or was typed.
#[derive(Default)]
struct Shown {
    id: String,
    version: i64,
    name: String,
    codes: String,
}

impl From<DomainView> for Shown {
    fn from(domain: DomainView) -> Self {
        Shown {
            codes: written(&domain.codes),
            id: domain.data_domain_id,
            version: domain.version,
            name: domain.name,
        }
    }
}

/// The codes, one a line.
fn written(codes: &[DomainCode]) -> String {
    let lines = codes.iter().map(|it| line_of(&it.code, &it.description));
    lines.collect::<Vec<_>>().join("\n")
}

/// The codes of such lines.
fn read(text: &str) -> Vec<DomainCode> {
    let codes = pairs(text).map(|[code, description]| DomainCode { code, description });
    codes.collect()
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let domains = visit.site.service.domains();
    let found = domains.list(&visit.caller, "", Shelf::Live, &visit.list_page())?;
    let rows = found.items.into_iter().map(|domain| DomainRow {
        codes: grouped(domain.codes.len() as u64, visit.texts),
        id: domain.data_domain_id,
        name: domain.name,
    });
    shown(&DomainsPage {
        domains: rows.collect(),
        pages: PageLinks::of(&visit, "/domains", &[], found.next_page_key),
        may_add: visit.caller.rights().may(Resource::Domains, Verb::Add),
        page: visit.page(Section::Areas),
    })
}

pub(in crate::admin::pages) async fn show_new(visit: Visit) -> Result<Response<Body>, Failure> {
    let rights = visit.caller.rights();
    rights.require(Resource::Domains, Verb::Add)?;
    shown(&page_of(&visit, Shown::default(), None))
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let domains = visit.site.service.domains();
    let domain = domains.show(&visit.caller, &visit.ids)?;
    shown(&DomainPage {
        is_saved: visit.parameter("saved").is_some(),
        ..page_of(&visit, domain.into(), None)
    })
}

fn page_of<P>(visit: &Visit<P>, domain: Shown, told: Option<&Told>) -> DomainPage {
    let texts = visit.texts;
    let may = |verb| visit.caller.rights().may(Resource::Domains, verb);
    let is_new = domain.id.is_empty();
    let rows = domain.codes.lines().count().clamp(8, 24);
    let codes = domain.codes.clone();
    let codes = Input::line("codes", texts.access.domain_codes_label, codes);
    DomainPage {
        page: visit.page(Section::Areas),
        title: if is_new {
            texts.access.domain_new.to_owned()
        } else {
            domain.name.clone()
        },
        inputs: vec![
            Input::line("name", texts.name, domain.name.clone())
                .required()
                .told(told, "$.name"),
            codes.of_rows(rows, texts.access.domain_codes_what),
        ],
        message: told
            .map(|told| told.above(&["$.name"]))
            .filter(|message| !message.is_empty()),
        version: domain.version,
        apart: None,
        is_saved: false,
        may_save: may(if is_new { Verb::Add } else { Verb::Edit }),
        may_delete: !is_new && may(Verb::Delete),
        may_ask: !is_new && visit.caller.rights().may(Resource::Records, Verb::View),
        effects: None,
        datasets: Vec::new(),
        id: domain.id,
        name: domain.name,
        codes: domain.codes,
    }
}

fn filled(form: &Form) -> DomainContent {
    DomainContent {
        name: form.text("name").trim().to_owned(),
        codes: read(form.text("codes")),
        version: form.text("version").parse().ok(),
    }
}

fn again<P>(
    visit: &Visit<P>,
    id: String,
    form: &Form,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    let mut page = page_of(visit, typed(id, form), Some(&told));
    if !page.id.is_empty() {
        let stored = visit.site.service.domains();
        let stored = stored.show(&visit.caller, &page.id)?;
        if page.version != stored.version {
            // it is sent again on what is stored by now, so that is told
            let texts = visit.texts;
            let what = texts.access.changed_meanwhile;
            let name = &stored.name;
            page.message = Some(format!("{what} {} {name}", texts.stored_now));
            page.version = stored.version;
            page.apart = apart(&written(&stored.codes), &written(&read(&page.codes)));
            page.title.clone_from(name);
        }
    }
    shown_as(told.status, &page)
}

/// The lines of each of two lists that the other one lacks; nothing where they are the same. Those of both are most of a long one.
fn apart(stored: &str, typed: &str) -> Option<[String; 2]> {
    let lacking = |own: &str, other: &str| {
        let other: HashSet<&str> = other.lines().collect();
        let lines = own.lines().filter(|line| !other.contains(line));
        lines.collect::<Vec<_>>().join("\n")
    };
    (stored != typed).then(|| [lacking(stored, typed), lacking(typed, stored)])
}

/// The domain as it was typed.
fn typed(id: String, form: &Form) -> Shown {
    Shown {
        id,
        version: form.text("version").parse().unwrap_or_default(),
        name: form.text("name").to_owned(),
        codes: form.text("codes").to_owned(),
    }
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let domains = visit.site.service.domains();
    match domains.create(&visit.caller, "", filled(&form)).await {
        Ok(made) => Ok(visit.see(&format!("/domains/{}?saved=1", made.id))),
        Err(refusal) => again(&visit, String::new(), &form, refusal),
    }
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let domains = visit.site.service.domains();
    let changed = domains.update(&visit.caller, &visit.ids, filled(&form));
    match changed.await {
        Ok(domain) => Ok(visit.see(&format!("/domains/{}?saved=1", domain.id))),
        Err(refusal) => again(&visit, visit.ids.clone(), &form, refusal),
    }
}

/// Counts what the change would make faulty; it is typed as before, and not made.
pub(in crate::admin::pages) async fn effects(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let service = &visit.site.service;
    let effects = service.domain_effects(&visit.caller, &visit.ids, filled(&form));
    let effects = match effects.await {
        Ok(effects) => effects,
        Err(refusal) => return again(&visit, visit.ids.clone(), &form, refusal),
    };
    let none = visit.texts.access.domain_effects_records;
    let effects = EffectsShown::of(&visit, &effects, none).await?;
    let datasets = if effects.partly.is_some() {
        service.datasets_of_domain(&visit.caller, &visit.ids)?
    } else {
        Vec::new()
    };
    shown(&DomainPage {
        effects: Some(effects),
        datasets,
        ..page_of(&visit, typed(visit.ids.clone(), &form), None)
    })
}

/// Counts it in one dataset as a job, however large that is.
pub(in crate::admin::pages) async fn judge_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let draft = filled(&form).draft_of(form.text("domain"));
    let service = &visit.site.service;
    let job = service.dataset_domain_effects(&visit.caller, &visit.ids, draft);
    let job = job.await?;
    Ok(visit.see(&format!("/jobs/{}", job.job_id)))
}

pub(in crate::admin::pages) async fn delete(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let domains = visit.site.service.domains();
    match domains.delete(&visit.caller, &visit.ids).await {
        Ok(()) => Ok(visit.see("/domains")),
        // a schema names it
        Err(Refusal::Conflict(message)) => {
            let domains = visit.site.service.domains();
            let domain = domains.show(&visit.caller, &visit.ids)?;
            let page = DomainPage {
                message: Some(visit.texts.said(&message)),
                ..page_of(&visit, domain.into(), None)
            };
            shown_as(StatusCode::CONFLICT, &page)
        }
        Err(refusal) => Err(refusal.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        let text = "DE = Germany\nFR\n\nIT\tItaly\na=b\nES | Spain";
        let codes = read(text);
        assert_eq!(
            written(&codes),
            "DE = Germany\nFR\nIT = Italy\na=b\nES = Spain"
        );
        assert_eq!(read(&written(&codes)), codes);
        assert!(read(" \n").is_empty());
    }

    #[test]
    fn of_two_lists_only_what_one_lacks_is_told() {
        let apart =
            |stored, typed| apart(stored, typed).map(|it| it.map(|it| it.replace('\n', " ")));
        assert_eq!(apart("A\nB", "A\nB"), None);
        let told = |stored: &str, typed: &str| Some([stored.to_owned(), typed.to_owned()]);
        assert_eq!(apart("A\nB\nC", "A\nD\nC\nE"), told("B", "D E"));
        // in another order
        assert_eq!(apart("A\nB", "B\nA"), told("", ""));
    }
}
