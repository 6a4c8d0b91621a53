//! The page on which a schema is edited: its fields as a list, one of them open with all its settings. The form holds the
//! whole document, and each button sends it: nothing of it is stored before it is saved, and what contradicts is shown
//! beside its input as the service tells it.

use super::document::{Draft, raw, text_of};
use super::editor_state::{Edited, may_swap};
use super::head::find;
use super::inputs::{self, Input};
use super::review;
use super::trying::{self, Tried};
use super::words::{self, FieldRow};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::texts::schemas::filled;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::{DataType, Field};
use serde_json::value::RawValue;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{Problem, SchemaTrial};
use service::{PageRequest, Refusal};
use std::collections::HashMap;

/// The codes of what a document lacks, and a form has an empty input for.
const ABSENT: [&str; 5] = [
    "property_missing",
    "property_null",
    "property_empty",
    "schema_name_missing",
    "field_name_missing",
];

#[derive(Template)]
#[template(path = "schema_editor.html", blocks = ["editor", "told", "tried"])]
struct EditorPage {
    page: Page,
    edited: Edited,
    area_name: String,
    title: String,
    name: String,
    description: String,
    document: String,
    rows: Vec<Row>,
    inputs: Vec<Input>,
    /// What contradicts, of the whole.
    problems: Vec<Told>,
    /// What speaks for a proposal, as the form keeps it.
    evidence: Vec<String>,
    told_evidence: Vec<Evidence>,
    tried: Tried,
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

/// A field in the list.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is asked for by the template"
)]
struct Row {
    index: usize,
    field: FieldRow,
    is_open: bool,
    is_active: bool,
    is_faulty: bool,
    may_rise: bool,
    may_sink: bool,
    /// The button at which the keyboard goes on, if it is one of these.
    focus: &'static str,
}

impl Row {
    fn has_focus(&self, button: &str) -> bool {
        self.focus == button
    }
}

/// What contradicts, and at which field.
struct Told {
    index: Option<usize>,
    field: String,
    property: String,
    message: String,
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
        is_active: schema.active,
        draft: Draft::of(&current.schema),
        open: visit.parameter("field").and_then(|it| it.parse().ok()),
        focus: None,
    };
    let form = Form::empty();
    shown(&page(&visit, edited, Vec::new(), &form)?)
}

pub(crate) async fn edit(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let mut edited = Edited::of(&form, &visit.ids)?;
    let known = known(&visit, &edited)?;
    edited.act(form.text("do"), &known, visit.texts);
    let evidence = form.all("evidence").map(str::to_owned).collect();
    if form.text("do") == "review" && problems(&visit, &edited.draft)?.is_empty() {
        return review::show(&visit, edited);
    }
    let page = page(&visit, edited, evidence, &form)?;
    match (visit.is_part, visit.parameter("part").as_deref()) {
        (true, Some("told")) => shown(&page.as_told()),
        (true, Some("tried")) => shown(&page.as_tried()),
        (true, _) => shown(&page.as_editor()),
        (false, _) if form.text("do") == "review" => shown_as(StatusCode::BAD_REQUEST, &page),
        (false, _) => shown(&page),
    }
}

/// The page of something that a visitor begins to edit.
pub(super) fn begun<P>(
    visit: &Visit<P>,
    edited: Edited,
    evidence: Vec<String>,
) -> Result<Response<Body>, Failure> {
    shown(&page(visit, edited, evidence, &Form::empty())?)
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

/// What contradicts, as saving would tell it.
fn problems<P>(visit: &Visit<P>, draft: &Draft) -> Result<Vec<Problem>, Failure> {
    let document = RawValue::from_string(draft.to_json());
    let trial = SchemaTrial {
        document: document.unwrap_or_else(|_| raw(&())),
        record: None,
    };
    match visit.site.service.try_schema(&visit.caller, &trial) {
        Ok(_) => Ok(Vec::new()),
        Err(Refusal::Invalid(problems)) => Ok(problems),
        Err(refusal) => Err(refusal.into()),
    }
}

/// The place of a problem: the field, and the property within it.
fn place(path: &str) -> (Option<usize>, &str) {
    let Some(rest) = path.strip_prefix("$.fields[") else {
        return (None, path.trim_start_matches('$').trim_start_matches('.'));
    };
    let (index, rest) = rest.split_once(']').unwrap_or((rest, ""));
    let property = rest.trim_start_matches('.');
    let end = property.find(['.', '[']).unwrap_or(property.len());
    (index.parse().ok(), &property[..end])
}

/// The property that a problem is about, and what contradicts in the words of its form.
fn told_of<'p>(problem: &'p Problem, place: &'p str, texts: &'p Texts) -> (&'p str, String) {
    let own = &texts.schemas;
    let absent = problem
        .wording
        .as_ref()
        .filter(|it| ABSENT.contains(&it.code));
    let Some(absent) = absent else {
        return (own.property(place), texts.problem(problem));
    };
    // what is not there at all is told of the object that lacks it
    let property = absent.values.first().map_or(place, String::as_str);
    let label = own.property(property);
    (label, filled(own.to_fill_in, &[label]))
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
    let fields = &edited.draft.fields;
    let names: Vec<String> = fields.iter().map(|field| text_of(field, "name")).collect();
    let told = problems(visit, &edited.draft)?.into_iter().map(|problem| {
        let (index, property) = place(&problem.path);
        let (label, message) = told_of(&problem, property, texts);
        Told {
            field: index
                .and_then(|it| names.get(it).cloned())
                .unwrap_or_default(),
            property: label.to_owned(),
            index,
            message,
        }
    });
    let problems: Vec<Told> = told.collect();
    let rows = rows(&edited, &known, &problems, texts);
    let inputs = match edited
        .open
        .and_then(|index| Some((index, fields.get(index)?)))
    {
        None => Vec::new(),
        Some((index, field)) => {
            let is_known = known.contains_key(&text_of(field, "fieldId"));
            let messages = |property: &str| {
                let label = texts.schemas.property(property);
                let own = problems.iter();
                let own = own.filter(|it| it.index == Some(index) && it.property == label);
                own.map(|it| it.message.clone()).collect()
            };
            inputs::inputs(field, is_known, &domains(visit)?, messages, texts)
        }
    };
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
        document: edited.draft.to_json(),
        rows,
        inputs,
        told_evidence: evidence.iter().map(|kept| Evidence::of(kept)).collect(),
        evidence,
        tried: trying::tried(visit, &edited.draft, problems.is_empty(), form)?,
        problems,
        edited,
    })
}

fn rows(
    edited: &Edited,
    known: &HashMap<String, usize>,
    problems: &[Told],
    texts: &'static Texts,
) -> Vec<Row> {
    let fields = &edited.draft.fields;
    let models = edited.draft.model().into_iter().enumerate();
    let rows = models.map(|(index, model)| {
        let plain = || {
            let name = text_of(&fields[index], "name");
            let data_type = DataType::named(&text_of(&fields[index], "dataType"));
            Field::new("", name, data_type.unwrap_or(DataType::String))
        };
        let model = model.unwrap_or_else(plain);
        Row {
            index,
            is_active: model.active,
            field: words::row(&model, texts),
            is_open: edited.open == Some(index),
            is_faulty: problems.iter().any(|it| it.index == Some(index)),
            may_rise: index > 0 && may_swap(fields, index - 1, known),
            may_sink: may_swap(fields, index, known),
            focus: match edited.focus {
                Some((at, button)) if at == index => button,
                _ => "",
            },
        }
    });
    rows.collect()
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
