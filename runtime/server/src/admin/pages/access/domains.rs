//! Data domains: lists of codes, written one a line.

use super::domain_codes::{DomainForm, Overtaken, changed, new, version_of};
use super::parts::Input;
use super::told::Told;
use crate::admin::pages::code_part::{CODES_SHOWN, CodePart};
use crate::admin::pages::codes_view::PartView;
use crate::admin::pages::effects::EffectsShown;
use crate::admin::pages::merged_codes;
use crate::admin::pages::numbers::{bytes, grouped};
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::catalog::{Resource, Shelf, Verb};
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
    /// The lines that those of the form were made of.
    shown: String,
    /// Whether it is as it was typed: who leaves the page loses that.
    is_typed: bool,
    message: Option<String>,
    /// Of many codes, what is told of the part that is shown, and the ways to the others.
    part: Option<PartView>,
    pages: PageLinks,
    /// Where someone else stored codes meanwhile: the lines that are stored and not in the form, and the other way round.
    apart: Option<[String; 2]>,
    is_saved: bool,
    may_save: bool,
    may_delete: bool,
    /// Whether what a change would make faulty may be asked.
    may_ask: bool,
    effects: Option<EffectsShown>,
    /// The datasets that a job may judge, where there was no time for all records.
    datasets: Vec<(String, String)>,
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
    shown(&page_of(&visit, DomainForm::new(), None))
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let domains = visit.site.service.domains();
    let domain = domains.show(&visit.caller, &visit.ids)?;
    let from = visit.parameter("codes-from");
    let part = CodePart {
        from: from.and_then(|it| it.parse().ok()).unwrap_or_default(),
        filter: visit.parameter("codes-filter").unwrap_or_default(),
    };
    shown(&DomainPage {
        is_saved: visit.parameter("saved").is_some(),
        ..page_of(&visit, DomainForm::of(domain, &part, visit.texts), None)
    })
}

fn page_of<P>(visit: &Visit<P>, domain: DomainForm, told: Option<&Told>) -> DomainPage {
    let texts = visit.texts;
    let may = |verb| visit.caller.rights().may(Resource::Domains, verb);
    let is_new = domain.id.is_empty();
    let rows = domain.codes.lines.lines().count().clamp(8, 24);
    let codes = Input::line("codes", texts.access.domain_codes_label, domain.codes.lines);
    let part = domain.codes.part;
    let pages = part.as_ref().map(|part| pages_of(&domain.id, part));
    DomainPage {
        page: visit.page(Section::Areas),
        title: if is_new {
            texts.access.domain_new.to_owned()
        } else {
            domain.name.clone()
        },
        inputs: vec![
            Input::line("name", texts.name, domain.name)
                .required()
                .told(told, "$.name"),
            codes.of_rows(rows, texts.access.domain_codes_what),
        ],
        message: told
            .map(|told| told.above(&["$.name"]))
            .filter(|message| !message.is_empty()),
        version: domain.version,
        shown: domain.shown,
        is_typed: domain.is_typed,
        part,
        pages: pages.unwrap_or_default(),
        apart: None,
        is_saved: false,
        may_save: may(if is_new { Verb::Add } else { Verb::Edit }),
        may_delete: !is_new && may(Verb::Delete),
        may_ask: !is_new && visit.caller.rights().may(Resource::Records, Verb::View),
        effects: None,
        datasets: Vec::new(),
        id: domain.id,
    }
}

/// The ways to the parts around the one that is shown.
fn pages_of(id: &str, part: &PartView) -> PageLinks {
    let address = |part: CodePart| match part.query() {
        query if query.is_empty() => format!("/domains/{id}"),
        query => format!("/domains/{id}?{query}"),
    };
    let at = |from: usize| address(part.at(from));
    PageLinks {
        first: part.previous.map(|_| at(0)),
        previous: part.previous.map(at),
        next: part.next.map(at),
    }
}

fn again<P>(
    visit: &Visit<P>,
    id: &str,
    form: &Form,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let texts = visit.texts;
    let told = Told::of(refusal, texts)?;
    if id.is_empty() {
        return shown_as(
            told.status,
            &page_of(visit, DomainForm::typed_new(form), Some(&told)),
        );
    }
    let stored = visit.site.service.domains();
    let stored = stored.show(&visit.caller, id)?;
    let is_overtaken = version_of(form) != Some(stored.version);
    if !is_overtaken {
        let typed = DomainForm::typed(&stored, form, texts);
        return shown_as(told.status, &page_of(visit, typed, Some(&told)));
    }
    let overtaken = Overtaken::of(&stored, form, texts);
    let what = if overtaken.is_whole {
        texts.codes.meanwhile_whole
    } else {
        texts.codes.meanwhile
    };
    let contested = merged_codes::told(&overtaken.contested, texts);
    let name = format!("{} {}", texts.stored_now, stored.name);
    let message = [Some(what.to_owned()), contested, Some(name)];
    let message: Vec<String> = message.into_iter().flatten().collect();
    let apart = apart(&overtaken.stored, &overtaken.form.codes.lines);
    let page = DomainPage {
        message: Some(message.join(" ")),
        apart: apart.map(|lines| lines.map(|it| shortened(it, texts))),
        title: stored.name,
        ..page_of(visit, overtaken.form, Some(&told))
    };
    shown_as(told.status, &page)
}

/// The page again where more was typed than management takes; nothing where it is not.
fn too_long<P>(visit: &Visit<P>, id: &str, form: &Form) -> Result<Option<DomainPage>, Failure> {
    let texts = visit.texts;
    let service = &visit.site.service;
    let bytes_max = service.settings().body_bytes_max;
    // a line is no longer than the same in JSON
    if form.text("codes").len() <= bytes_max {
        return Ok(None);
    }
    let typed = if id.is_empty() {
        DomainForm::typed_new(form)
    } else {
        let stored = service.domains().show(&visit.caller, id)?;
        DomainForm::typed(&stored, form, texts)
    };
    let most = bytes(bytes_max as u64, texts);
    Ok(Some(DomainPage {
        message: Some(filled(texts.codes.too_long, &[&most])),
        ..page_of(visit, typed, None)
    }))
}

/// The lines of a page; of more than it shows at once, that there are more.
fn shortened(lines: String, texts: &Texts) -> String {
    let count = lines.lines().count();
    let Some(more) = count.checked_sub(CODES_SHOWN).filter(|more| *more > 0) else {
        return lines;
    };
    let first: Vec<&str> = lines.lines().take(CODES_SHOWN).collect();
    let more = (texts.and_more)(&grouped(more as u64, texts));
    format!("{}\n{more}", first.join("\n"))
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

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    if let Some(page) = too_long(&visit, "", &form)? {
        return shown_as(StatusCode::BAD_REQUEST, &page);
    }
    let domains = visit.site.service.domains();
    match domains.create(&visit.caller, "", new(&form)).await {
        Ok(made) => Ok(visit.see(&format!("/domains/{}?saved=1", made.id))),
        Err(refusal) => again(&visit, "", &form, refusal),
    }
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    if let Some(page) = too_long(&visit, &visit.ids, &form)? {
        return shown_as(StatusCode::BAD_REQUEST, &page);
    }
    let domains = visit.site.service.domains();
    let content = changed(&visit, &visit.ids, &form)?;
    match domains.update(&visit.caller, &visit.ids, content).await {
        Ok(domain) => {
            let part = CodePart::wanted(&form).query();
            let and = if part.is_empty() { "" } else { "&" };
            Ok(visit.see(&format!("/domains/{}?saved=1{and}{part}", domain.id)))
        }
        Err(refusal) => again(&visit, &visit.ids, &form, refusal),
    }
}

/// Counts what the change would make faulty; it is typed as before, and not made.
pub(in crate::admin::pages) async fn effects(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    if let Some(page) = too_long(&visit, &visit.ids, &form)? {
        return shown_as(StatusCode::BAD_REQUEST, &page);
    }
    let service = &visit.site.service;
    let content = changed(&visit, &visit.ids, &form)?;
    let effects = service.domain_effects(&visit.caller, &visit.ids, content);
    let effects = match effects.await {
        Ok(effects) => effects,
        Err(refusal) => return again(&visit, &visit.ids, &form, refusal),
    };
    let none = visit.texts.access.domain_effects_records;
    let effects = EffectsShown::of(&visit, &effects, none).await?;
    let datasets = if effects.partly.is_some() {
        service.datasets_of_domain(&visit.caller, &visit.ids)?
    } else {
        Vec::new()
    };
    let stored = service.domains().show(&visit.caller, &visit.ids)?;
    let typed = DomainForm::typed(&stored, &form, visit.texts);
    shown(&DomainPage {
        effects: Some(effects),
        datasets,
        ..page_of(&visit, typed, None)
    })
}

/// Counts it in one dataset as a job, however large that is.
pub(in crate::admin::pages) async fn judge_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let domain = form.text("domain");
    if let Some(page) = too_long(&visit, domain, &form)? {
        return shown_as(StatusCode::BAD_REQUEST, &page);
    }
    let draft = changed(&visit, domain, &form)?.draft_of(domain);
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
                ..page_of(
                    &visit,
                    DomainForm::of(domain, &CodePart::default(), visit.texts),
                    None,
                )
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
