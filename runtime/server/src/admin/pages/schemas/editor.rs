//! The page on which a schema is edited: its fields as a list, one of them open with all its settings. The form holds the
//! whole document, and each button sends it: nothing of it is stored before it is saved, and what contradicts is shown
//! beside its input as the service tells it.

use super::codes;
use super::document::{Draft, text_of};
use super::editor_state::{Edited, Focus};
use super::field_rows::{self, Row};
use super::head::find;
use super::inputs::{self, Input};
use super::judged::{Judged, Remark, judged};
use super::live::Live;
use super::long_lists::carried;
use super::pairs::CODES;
use super::review;
use super::stored_fields::Source;
use super::trying::{self, Tried};
use crate::admin::pages::code_part::CodePart;
use crate::admin::pages::list_part::{ListPart, Wanted};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::kept_for_return;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::catalog::{Resource, Shelf, Verb};
use service::{PageRequest, Refusal};
use std::collections::HashMap;

#[derive(Template)]
#[template(path = "schema_editor.html", blocks = ["editor", "told"])]
struct EditorPage {
    page: Page,
    edited: Edited,
    area_name: String,
    title: String,
    name: String,
    description: String,
    document: String,
    rows: Vec<Row>,
    /// What is told of the fields, where the page does not show all.
    part: Option<ListPart>,
    inputs: Vec<Input>,
    /// What contradicts, of the whole.
    problems: Vec<Remark>,
    /// How many more there are, in words.
    more_problems: Option<String>,
    /// What looks like a mistake.
    warnings: Vec<Remark>,
    more_warnings: Option<String>,
    /// What speaks for a proposal, as the form keeps it.
    evidence: Vec<String>,
    told_evidence: Vec<Evidence>,
    tried: Tried,
    /// What else is told again while one types.
    live: Option<Live>,
    /// Whether it is another one than it was made from: who leaves the page loses that.
    is_changed: bool,
    /// Why nothing was saved.
    message: Option<String>,
    /// Where the keyboard goes on beside the fields: at the button that adds one (`add`), or at what is told (`told`).
    focus: &'static str,
    /// Whether it does so at the first field that is told of.
    has_focus_on_first: bool,
}

/// What speaks for something, and for what.
struct Evidence {
    title: String,
    lines: Vec<String>,
}

impl Evidence {
    fn of(kept: &str) -> Self {
        let mut parts = kept.split('\t').map(str::to_owned);
        Evidence {
            title: parts.next().unwrap_or_default(),
            lines: parts.collect(),
        }
    }
}

pub(crate) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let schema = find(&visit, &visit.ids)?;
    let rights = visit.caller.rights();
    rights.require_in(Resource::Schemas, Verb::Edit, &schema.area)?;
    let current = schema.current();
    let edited = Edited {
        area: schema.area.clone(),
        schema: schema.id.clone(),
        version: Some(current.number),
        draft: Draft::of(&current.schema),
        source: Some(Source {
            schema: schema.id.clone(),
            version: current.number,
        }),
        codes: CodePart::default(),
        long_lines: None,
        open: visit.parameter("field").and_then(|it| it.parse().ok()),
        looked: Wanted::default(),
        focus: None,
    };
    let form = Form::empty();
    shown(&page(&visit, edited, Vec::new(), &form)?).map(kept_for_return)
}

pub(crate) async fn edit(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let mut edited = Edited::of(&visit, &form, &visit.ids)?;
    let known = known(&visit, &edited)?;
    // what was not taken stays where it was filled in, whatever was pressed
    let is_taken = edited.long_lines.is_none();
    if is_taken {
        edited.act(form.text("do"), &known, visit.texts);
    }
    let evidence = form.all("evidence").map(str::to_owned).collect();
    let is_review = is_taken && form.text("do") == "review";
    if is_review && problems(&visit, &edited)?.is_empty() {
        return if review::is_overtaken(&visit, &edited)? {
            review::conflict(&visit, edited)
        } else {
            review::show(&visit, edited)
        };
    }
    let page = page(&visit, edited, evidence, &form)?;
    match (visit.is_part, visit.parameter("part").as_deref()) {
        (true, Some("told")) => {
            let is_faulty = |index: usize| {
                let mut rows = page.rows.iter();
                rows.any(|row| row.index == index && row.is_faulty)
            };
            let live = Some(Live::of(&form, &page.inputs, is_faulty));
            shown(&EditorPage { live, ..page }.as_told())
        }
        (true, _) => shown(&page.as_editor()),
        (false, _) if is_review || !is_taken => {
            shown_as(StatusCode::BAD_REQUEST, &page).map(kept_for_return)
        }
        (false, _) => shown(&page).map(kept_for_return),
    }
}

/// The page of something that a visitor begins to edit.
pub(super) fn begun<P>(
    visit: &Visit<P>,
    edited: Edited,
    evidence: Vec<String>,
) -> Result<Response<Body>, Failure> {
    shown(&page(visit, edited, evidence, &Form::empty())?).map(kept_for_return)
}

/// The page of what contradicts itself, with why nothing was saved.
pub(super) fn again<P>(
    visit: &Visit<P>,
    edited: Edited,
    status: StatusCode,
    message: String,
) -> Result<Response<Body>, Failure> {
    let edited = Edited {
        focus: Some(Focus::Told),
        ..edited
    };
    let page = EditorPage {
        message: Some(message),
        ..page(visit, edited, Vec::new(), &Form::empty())?
    };
    shown_as(status, &page).map(kept_for_return)
}

/// What keeps it from being saved.
fn problems<P>(visit: &Visit<P>, edited: &Edited) -> Result<Vec<Remark>, Failure> {
    let mut problems = judged(visit, &edited.draft)?.problems;
    problems.extend(edited.too_long(visit));
    Ok(problems)
}

/// The ids of the fields that the schema has already, with which of them were made together.
fn known<P>(visit: &Visit<P>, edited: &Edited) -> Result<HashMap<String, usize>, Failure> {
    if edited.schema.is_empty() {
        return Ok(HashMap::new());
    }
    let schema = find(visit, &edited.schema)?;
    let batches = schema.current().schema.field_batches().into_iter();
    Ok(batches.map(|(id, batch)| (id.to_owned(), batch)).collect())
}

fn page<P>(
    visit: &Visit<P>,
    edited: Edited,
    evidence: Vec<String>,
    form: &Form,
) -> Result<EditorPage, Failure> {
    let texts = visit.texts;
    let area = visit
        .site
        .service
        .areas()
        .show(&visit.caller, &edited.area)?;
    let known = known(visit, &edited)?;
    let Judged {
        mut problems,
        mut warnings,
    } = judged(visit, &edited.draft)?;
    problems.extend(edited.too_long(visit));
    let (shown, part) = field_rows::shown(&edited, texts);
    let rows = field_rows::rows((&edited, &shown), &known, &problems, texts);
    let mut inputs = inputs_of(visit, &edited, &known, &problems)?;
    let holds = problems.is_empty();
    let more_problems = shorten(&mut problems, &shown, texts);
    let more_warnings = shorten(&mut warnings, &shown, texts);
    let (focus, has_focus_on_first) = take_focus(edited.focus, &mut inputs, &problems);
    let name = edited.draft.text("name");
    let title = if edited.schema.is_empty() {
        texts.schemas.editor_new.to_owned()
    } else {
        filled(texts.schemas.editor_title, &[&name])
    };
    Ok(EditorPage {
        page: visit.page(Section::Schemas),
        area_name: area.item.name,
        title,
        name,
        description: edited.draft.text("description"),
        document: carried(visit, &edited.draft, edited.source.as_ref()),
        rows,
        part,
        inputs,
        told_evidence: evidence.iter().map(|kept| Evidence::of(kept)).collect(),
        evidence,
        tried: trying::tried(visit, &edited.draft, (holds, &shown), form)?,
        live: None,
        problems,
        more_problems,
        warnings,
        more_warnings,
        is_changed: is_changed(visit, &edited)?,
        message: None,
        focus,
        has_focus_on_first,
        edited,
    })
}

/// The inputs of the field that is open, with what contradicts there.
fn inputs_of<P>(
    visit: &Visit<P>,
    edited: &Edited,
    known: &HashMap<String, usize>,
    problems: &[Remark],
) -> Result<Vec<Input>, Failure> {
    let texts = visit.texts;
    let open = edited
        .open
        .and_then(|index| Some((index, edited.draft.fields.get(index)?)));
    let Some((index, field)) = open else {
        return Ok(Vec::new());
    };
    let is_known = known.contains_key(&text_of(field, "fieldId"));
    let messages = |property: &str| {
        let label = texts.schemas.property(property);
        let own = problems.iter();
        let own = own.filter(|it| it.index == Some(index) && it.property == label);
        own.map(|it| it.message.clone()).collect()
    };
    let mut inputs = inputs::inputs(field, is_known, &domains(visit)?, messages, texts);
    let part = (&edited.codes, edited.long_lines.as_ref());
    codes::show_part(&mut inputs, field, part, texts);
    Ok(inputs)
}

/// Remarks that a page tells, at most.
const REMARKS_MAX: usize = 200;

/// Leaves as many remarks as a page tells, and says of each whether its field is not among those that are shown; how many more
/// there are, in words.
fn shorten(remarks: &mut Vec<Remark>, shown: &[usize], texts: &Texts) -> Option<String> {
    let more = remarks.len().saturating_sub(REMARKS_MAX) as u64;
    remarks.truncate(REMARKS_MAX);
    for remark in remarks {
        remark.is_elsewhere = remark.index.is_some_and(|index| !shown.contains(&index));
    }
    (more > 0).then(|| (texts.and_more)(&grouped(more, texts)))
}

/// Where the keyboard goes on beside the fields, and whether at the first one that is told of; an input that contradicts takes
/// it first.
fn take_focus(
    focus: Option<Focus>,
    inputs: &mut [Input],
    problems: &[Remark],
) -> (&'static str, bool) {
    match focus {
        Some(Focus::Add) => ("add", false),
        Some(Focus::Codes) => {
            if let Some(input) = inputs.iter_mut().find(|it| it.property == CODES) {
                input.has_focus = true;
            }
            ("", false)
        }
        Some(Focus::Told) => {
            if let Some(input) = inputs.iter_mut().find(|it| !it.messages.is_empty()) {
                input.has_focus = true;
                return ("", false);
            }
            let first = problems.first();
            match first.and_then(|it| it.index) {
                Some(_) => ("", true),
                None => ("told", false),
            }
        }
        Some(Focus::Button(..) | Focus::Part) | None => ("", false),
    }
}

/// Whether what is edited is another one than it was made from, or was to become one.
fn is_changed<P>(visit: &Visit<P>, edited: &Edited) -> Result<bool, Refusal> {
    if edited.long_lines.is_some() {
        return Ok(true);
    }
    if edited.schema.is_empty() {
        return Ok(!edited.draft.fields.is_empty());
    }
    let stored = find(visit, &edited.schema)?;
    let base = edited.version.and_then(|it| stored.version(it));
    let base = base.unwrap_or_else(|| stored.current());
    Ok(Draft::of(&base.schema).to_json() != edited.draft.to_json())
}

/// The data domains that codes may come from, by id, with their names.
fn domains<P>(visit: &Visit<P>) -> Result<Vec<(String, String)>, Failure> {
    let mut all = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = visit.site.service.domains();
        let found = match found.list(&visit.caller, "", Shelf::Live, &request) {
            // who may not see them fills in the id
            Err(Refusal::Forbidden(_)) => return Ok(all),
            found => found?,
        };
        let items = found.items.into_iter();
        all.extend(items.map(|domain| (domain.data_domain_id, domain.name)));
        request.key = found.next_page_key;
        if request.key.is_none() {
            return Ok(all);
        }
    }
}
