//! What a change means before it is saved: the differences in words, whom they concern, and how many of the stored records
//! would become faulty. From here it is saved, as a draft or published.

use super::editor_state::Edited;
use super::head::{Head, find};
use super::judged::{Remark, judged};
use super::long_lists::{carried, is_longer_than_taken, whole_text};
use super::stored_fields::Source;
use super::words::{self, FieldRow, Told};
use crate::admin::pages::effects::EffectsShown;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::kept_for_return;
use crate::http::body::form_too_large;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::{Origin, Schema};
use service::catalog::Shelf;
use service::manage::SchemaContent;
use service::{PageRequest, Refusal};

#[derive(Template)]
#[template(path = "schema_review.html", blocks = ["effects"])]
struct ReviewPage {
    page: Page,
    edited: Edited,
    area_name: String,
    name: String,
    document: String,
    /// The schema as it is; none where one is to be made.
    head: Option<Head>,
    told: Option<Told>,
    /// What another one changed since the version that this was made from.
    theirs: Option<Told>,
    /// Whether the schema is stored like this already, so that at most its state can change.
    is_unchanged: bool,
    /// The fields of one that is to be made.
    fields: Vec<FieldRow>,
    effects: Option<EffectsShown>,
    datasets: Vec<(String, String)>,
    /// What looks like a mistake, and keeps nobody from saving it.
    warnings: Vec<Remark>,
    message: Option<String>,
    /// Whether what is counted is asked for alone, behind the page.
    is_part: bool,
}

impl ReviewPage {
    /// Whether records would become faulty, as far as that is counted.
    fn is_worse(&self) -> bool {
        let effects = self.effects.as_ref();
        effects.is_some_and(|effects| effects.become_faulty.is_some())
    }

    /// What the differences from the version in force are called.
    fn what_changes(&self) -> &'static str {
        let texts = &self.page.t.schemas;
        match self.theirs {
            Some(_) => texts.what_yours_changes,
            None => texts.what_changes,
        }
    }

    /// Whether it can be saved from here: not where it would take back what another one changed, unseen.
    fn may_save(&self) -> bool {
        self.theirs.is_none() || self.is_unchanged
    }

    /// Whether what is published is just this.
    fn is_published_already(&self) -> bool {
        self.is_unchanged && self.head.as_ref().is_some_and(|head| !head.is_draft)
    }
}

/// The page on which a change is looked at.
pub(super) fn show<P>(visit: &Visit<P>, edited: Edited) -> Result<Response<Body>, Failure> {
    shown(&page(visit, edited)?).map(kept_for_return)
}

/// The same with why nothing was saved.
pub(super) fn again<P>(
    visit: &Visit<P>,
    edited: Edited,
    status: StatusCode,
    message: String,
) -> Result<Response<Body>, Failure> {
    let page = ReviewPage {
        message: Some(message),
        ..page(visit, edited)?
    };
    shown_as(status, &page).map(kept_for_return)
}

/// Whether another one saved a version since the one that this was made from. What was made from a version that is not there is
/// refused when it is saved.
pub(super) fn is_overtaken<P>(visit: &Visit<P>, edited: &Edited) -> Result<bool, Refusal> {
    let (false, Some(number)) = (edited.schema.is_empty(), edited.version) else {
        return Ok(false);
    };
    let stored = find(visit, &edited.schema)?;
    Ok(number != stored.current().number && stored.version(number).is_some())
}

/// Both sides of what two changed at a time: nothing is saved. From here it is edited as what follows the version in force.
pub(super) fn conflict<P>(visit: &Visit<P>, mut edited: Edited) -> Result<Response<Body>, Failure> {
    let stored = find(visit, &edited.schema)?;
    let current = stored.current();
    let base = edited.version.and_then(|number| stored.version(number));
    let theirs = base.map(|base| words::told(&base.schema, &current.schema, visit.texts));
    edited.version = Some(current.number);
    edited.source = Some(Source {
        schema: stored.id.clone(),
        version: current.number,
    });
    let page = ReviewPage {
        message: Some(visit.texts.schemas.changed_meanwhile.to_owned()),
        theirs,
        ..page(visit, edited)?
    };
    shown_as(StatusCode::CONFLICT, &page).map(kept_for_return)
}

fn page<P>(visit: &Visit<P>, edited: Edited) -> Result<ReviewPage, Failure> {
    let texts = visit.texts;
    let whole = edited.draft.to_json();
    let new = Schema::read(&whole, Origin::Created).map_err(Refusal::from)?;
    let new = new.schema;
    let area = visit
        .site
        .service
        .areas()
        .show(&visit.caller, &edited.area)?;
    let (mut head, mut told, mut datasets) = (None, None, Vec::new());
    let mut is_unchanged = false;
    if !edited.schema.is_empty() {
        let old = find(visit, &edited.schema)?;
        let differences = words::told(&old.current().schema, &new, texts);
        is_unchanged = differences.changes.is_empty();
        told = Some(differences);
        head = Some(Head::of(visit, &old));
        let all = visit.site.service.datasets();
        let all = all.list(&visit.caller, &old.id, Shelf::Live, &PageRequest::default());
        let all = match all {
            Err(Refusal::Forbidden(_)) => Vec::new(),
            all => all?.items,
        };
        let pair = |it: service::manage::DatasetView| (it.data_set_id, it.data_set_name);
        datasets = all.into_iter().map(pair).collect();
    }
    let fields = new.fields.iter().map(|field| words::row(field, texts));
    Ok(ReviewPage {
        warnings: judged(visit, &edited.draft)?.warnings,
        page: visit.page(Section::Schemas),
        fields: fields.collect(),
        area_name: area.item.name,
        name: new.name,
        document: carried(visit, &edited.draft, edited.source.as_ref()),
        edited,
        head,
        told,
        theirs: None,
        is_unchanged,
        effects: None,
        datasets,
        message: None,
        is_part: false,
    })
}

/// What a form asks for.
///
/// # Errors
/// A document that is longer than management takes one, also without what of it is stored; one that refers to what is not
/// stored, or may not be seen.
pub(super) fn content<P>(visit: &Visit<P>, form: &Form) -> Result<SchemaContent, Failure> {
    let document = form.text("document");
    if is_longer_than_taken(visit, document, || whole_text(visit, document))? {
        let bytes_max = visit.site.service.settings().body_bytes_max as u64;
        return Err(form_too_large(bytes_max, document.len()));
    }
    Ok(content_of(form, whole_text(visit, document)?))
}

/// What a form asks for beside a document, with this one.
pub(super) fn content_of(form: &Form, document: String) -> SchemaContent {
    let state = form.text("state");
    SchemaContent {
        document,
        state: if state == "published" { state } else { "draft" }.to_owned(),
        active: form.text("active") != "false",
        version: form.text("version").parse().ok(),
    }
}

/// The same, of which is asked what it would do: whatever version it was made from.
fn asked_about<P>(visit: &Visit<P>, form: &Form) -> Result<SchemaContent, Failure> {
    Ok(SchemaContent {
        version: None,
        ..content(visit, form)?
    })
}

/// Counts what the change would make faulty.
pub(crate) async fn effects(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let service = &visit.site.service;
    let old = find(&visit, &visit.ids)?;
    let content = asked_about(&visit, &form)?;
    let edited = Edited::held(&visit, &form, &old.area, &old.id)?;
    let effects = service.schema_effects(&visit.caller, &visit.ids, content);
    let none = visit.texts.schemas.effects_records;
    let effects = effects.await?;
    let effects = EffectsShown::of(&visit, &effects, none).await?;
    let page = ReviewPage {
        effects: Some(effects),
        is_part: visit.is_part,
        ..page(&visit, edited)?
    };
    if visit.is_part {
        return shown(&page.as_effects());
    }
    shown(&page).map(kept_for_return)
}

/// Counts it in one dataset as a job, however large that is.
pub(crate) async fn judge_dataset(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let service = &visit.site.service;
    let content = asked_about(&visit, &form)?;
    let job = service.dataset_effects(&visit.caller, &visit.ids, content);
    let job = job.await?;
    Ok(visit.see(&format!("/jobs/{}", job.job_id)))
}
