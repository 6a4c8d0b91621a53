//! Many records are mended at once: one field of those that a query finds, first as a trial that shows what would become
//! of them, and then, once, as that was shown. The form of one that was tried is filled in as it was, so nothing is filled in
//! twice.

use super::faults::quoted;
use super::input::{Input, filled_in, input};
use super::job_rights;
use super::mend_list::{NoList, line_of, read};
use super::original::plain;
use super::places::{Place, permit};
use super::reformatted::FormSchema;
use super::texts::{Texts, alone};
use super::values::value_of;
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::{Field, Schema};
use service::Refusal;
use service::catalog::{Resource, Verb};
use service::manage::{JobView, RepairAction, RepairOptions};
use wire::RawJson;

#[derive(Template)]
#[template(path = "mend.html")]
struct MendPage {
    page: Page,
    place: Place,
    said: Said,
    fields: Vec<String>,
    /// Whether what was filled in is of a field that can't be chosen, as one that the schema has no more.
    is_gone: bool,
    /// The input for a value that is set in all.
    input: Option<Input>,
    message: Option<String>,
}

impl MendPage {
    /// What may be done, as it is sent and as it is read.
    fn actions(&self) -> [(&'static str, &'static str); 5] {
        actions(self.page.t)
    }

    /// Says of what was tried that its field is written otherwise by now, where it is, else what else there is to be said.
    fn tell_of_trial(&mut self, other: Option<String>) {
        let own = &self.page.t.mend_list;
        let reformatted = self.said.reformatted(&self.place);
        let told = reformatted.map(|named| (own.reformatted)(&named)).or(other);
        self.message = self.message.take().or(told);
    }
}

/// The kinds of repair, and what they are called.
pub(super) fn actions(texts: &Texts) -> [(&'static str, &'static str); 5] {
    [
        ("trim", texts.mend_trim),
        ("replace", texts.mend_replace),
        ("regex", texts.mend_regex),
        ("set", texts.mend_set),
        ("map", texts.mend_map),
    ]
}

/// What was filled in.
#[derive(Default)]
struct Said {
    field: String,
    /// Which records: a query; all where it is empty.
    query: String,
    /// `trim`, `replace`, `regex`, `set` or `map`.
    action: String,
    /// What is looked for.
    find: String,
    /// What takes its place.
    with: String,
    /// A value and its successor a line.
    map: String,
    /// The version of the schema that the form was made with.
    schema: String,
}

impl Said {
    /// Whether this is to be done.
    fn is(&self, action: &str) -> bool {
        self.action == action
    }

    fn of(get: impl Fn(&str) -> String) -> Self {
        Said {
            field: get("field"),
            query: get("q"),
            action: get("action"),
            find: get("find"),
            with: get("with"),
            map: plain(&get("map")),
            schema: get("schema"),
        }
    }

    /// What stood in the form of a repair that was tried, under the schema of then.
    fn of_trial(job: &JobView, options: &RepairOptions) -> Self {
        Said {
            schema: job
                .schema_version
                .map(|it| it.to_string())
                .unwrap_or_default(),
            ..Said::of_options(options)
        }
    }

    /// What stands in the form of a repair that was asked for.
    fn of_options(options: &RepairOptions) -> Self {
        let (action, find, with, map) = match &options.action {
            RepairAction::Set(value) => ("set", String::new(), text_of(value), String::new()),
            RepairAction::Trim => ("trim", String::new(), String::new(), String::new()),
            RepairAction::Replace { text, with } => {
                ("replace", text.clone(), with.clone(), String::new())
            }
            RepairAction::Regex { pattern, with } => {
                ("regex", pattern.clone(), with.clone(), String::new())
            }
            RepairAction::Map(entries) => {
                let lines = entries.iter();
                let lines = lines.map(|(from, to)| line_of(from, &text_of(to)));
                let lines: Vec<_> = lines.collect();
                ("map", String::new(), String::new(), lines.join("\n"))
            }
        };
        Said {
            field: options.field.clone(),
            query: options.query.clone().unwrap_or_default(),
            action: action.to_owned(),
            find,
            with,
            map,
            schema: String::new(),
        }
    }

    /// Its field with how it is written, where that is otherwise by now than in the form, and something was filled in for it.
    fn reformatted(&self, place: &Place) -> Option<String> {
        let is_typed = match &*self.action {
            "replace" | "regex" | "set" => !self.with.is_empty() || !self.find.is_empty(),
            "map" => !self.map.is_empty(),
            _ => false,
        };
        let mut fields = place.version().schema.active_fields();
        let own = fields.find(|it| it.name == self.field);
        let own = own.filter(|_| is_typed);
        FormSchema::of(place, &self.schema).named(own.into_iter())
    }

    /// The options of the dry run that this stands for, or why it stands for none.
    fn options(&self, schema: &Schema, texts: &Texts) -> Result<RepairOptions, String> {
        let field = schema.active_fields().find(|it| it.name == self.field);
        let value = |text: &str| field.map_or_else(RawJson::null, |field| json_of(field, text));
        let action = match &*self.action {
            "replace" => RepairAction::Replace {
                text: self.find.clone(),
                with: self.with.clone(),
            },
            "regex" => RepairAction::Regex {
                pattern: self.find.clone(),
                with: self.with.clone(),
            },
            "set" => RepairAction::Set(value(&self.with)),
            "map" => {
                let list = read(&self.map).map_err(|why| match why {
                    NoList::NotParted(line) => (texts.mend_list.not_parted)(&line),
                    NoList::Twice(value) => (texts.mend_list.twice)(&value),
                })?;
                let entries = list.into_iter().map(|(from, to)| (from, value(&to)));
                RepairAction::Map(entries.collect())
            }
            _ => RepairAction::Trim,
        };
        Ok(RepairOptions {
            query: Some(self.query.clone()).filter(|query| !query.trim().is_empty()),
            field: self.field.clone(),
            action,
            dry_run: true,
            trial: None,
        })
    }
}

/// A text that was filled in, as a value of the field: what is no JSON is a text.
fn json_of(field: &Field, text: &str) -> RawJson {
    serde_json::from_str(&value_of(field, text)).unwrap_or_else(|_| text.into())
}

/// A value as it is filled in.
fn text_of(value: &RawJson) -> String {
    if value.is_null() {
        return String::new();
    }
    value.as_string().unwrap_or_else(|| value.to_string())
}

/// The page with what was filled in; a value that is set comes from the input of its field.
fn page_of(
    visit: &Visit<String>,
    mut said: Said,
    get: impl Fn(&str) -> Option<String>,
) -> Result<MendPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| !field.data_type.is_file() && !place.masks(field));
    let fields: Vec<&Field> = fields.collect();
    let own = fields.iter().find(|field| field.name == said.field);
    // what was filled in for one field is no value of another
    let is_gone = own.is_none() && !said.field.is_empty();
    let own = own.or(fields.first()).filter(|_| !is_gone);
    let mut value = String::new();
    if let Some(own) = own.filter(|_| said.is("set")) {
        value = plain(&filled_in(&own.id, "with", get).unwrap_or_default());
        said.with.clone_from(&value);
    }
    let input = own.map(|own| input(own, value, String::new(), (&place, visit.texts)));
    Ok(MendPage {
        fields: fields.iter().map(|field| field.name.clone()).collect(),
        input,
        page: visit.page(Section::Home),
        message: is_gone.then(|| (visit.texts.mend_list.field_gone)(&said.field)),
        is_gone,
        said,
        place,
    })
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    permit(&visit, &visit.ids, Verb::Edit)?;
    if let Some(trial) = visit.parameter("trial") {
        let mut page = of_trial(&visit, &trial).await?;
        page.tell_of_trial(None);
        return shown(&page);
    }
    let mut said = Said::of(|name| visit.parameter(name).unwrap_or_default());
    require_search(&visit, &said)?;
    if said.query.is_empty() && !said.field.is_empty() && said.action.is_empty() {
        said.query = format!("fault:{}", quoted(&said.field));
    }
    let mut page = page_of(&visit, said, |name| visit.parameter(name))?;
    if !page.place.may_search {
        // a query takes the right to search; without it, all are meant
        page.said.query.clear();
    }
    shown(&page)
}

/// Refuses what was asked for a few, which is not shown for all, to who may not search.
fn require_search(visit: &Visit<String>, said: &Said) -> Result<(), Refusal> {
    if said.query.is_empty() {
        return Ok(());
    }
    let rights = visit.caller.rights();
    rights.require(Resource::Search, Verb::View)
}

/// The form of a repair that was tried, filled in as it was, for who may go on with it.
async fn of_trial(visit: &Visit<String>, trial: &str) -> Result<MendPage, Failure> {
    let job = visit.site.service.get_job(&visit.caller, trial).await?;
    let options = job_rights::tried(visit, &job).filter(|_| job.data_set_id == visit.ids);
    let options = options.ok_or_else(|| Refusal::no_such("job"))?;
    let said = Said::of_trial(&job, options);
    require_search(visit, &said)?;
    let with = said.with.clone();
    page_of(visit, said, |name| (name == "with").then(|| with.clone()))
}

pub(super) async fn mend(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    permit(&visit, &visit.ids, Verb::Edit)?;
    if let Some(trial) = form.get("trial") {
        return do_as_tried(&visit, trial).await;
    }
    let said = Said::of(|name| form.text(name).to_owned());
    let get = |name: &str| form.get(name).map(str::to_owned);
    // without a script, the input may be that of another field still
    let of = form.get("set-of");
    if said.is("set") && of.is_some_and(|of| of != said.field) {
        return shown(&page_of(&visit, said, |_| None)?);
    }
    let mut page = page_of(&visit, said, get)?;
    if page.is_gone {
        return shown_as(StatusCode::BAD_REQUEST, &page);
    }
    if let Some(named) = page.said.reformatted(&page.place) {
        page.message = Some((visit.texts.meanwhile.reformatted)(&named));
        return shown_as(StatusCode::CONFLICT, &page);
    }
    let schema = &page.place.version().schema;
    let options = match page.said.options(schema, visit.texts) {
        Ok(options) => options,
        Err(message) => {
            page.message = Some(message);
            return shown_as(StatusCode::BAD_REQUEST, &page);
        }
    };
    let service = &visit.site.service;
    let job = service.repair_records(&visit.caller, &visit.ids, options);
    let message = match job.await {
        Ok(job) => return Ok(visit.see(&format!("/jobs/{}", job.job_id))),
        Err(Refusal::Invalid(problems)) => visit.texts.problems(&problems),
        Err(Refusal::Parameter(message)) => visit.texts.said(&message),
        Err(refusal) => return Err(refusal.into()),
    };
    page.message = Some(message);
    shown_as(StatusCode::BAD_REQUEST, &page)
}

/// Does what a dry run showed; whoever asks for that once more comes to the job that did it. Where it would not be what was shown
/// any more, nothing is done, and the form comes back as it was filled in.
async fn do_as_tried(visit: &Visit<String>, trial: &str) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    if let Some(job) = service.repair_of(&visit.caller, trial).await? {
        return Ok(visit.see(&format!("/jobs/{job}")));
    }
    let tried = service.get_job(&visit.caller, trial).await?;
    let options = tried.repair_options;
    let options = RepairOptions {
        dry_run: false,
        trial: Some(trial.to_owned()),
        ..options.ok_or_else(|| Refusal::no_such("job"))?
    };
    let job = service.repair_records(&visit.caller, &visit.ids, options);
    let refusal = match job.await {
        Ok(job) => return Ok(visit.see(&format!("/jobs/{}", job.job_id))),
        Err(refusal) => refusal,
    };
    // another press may have come between
    if let Some(job) = service.repair_of(&visit.caller, trial).await? {
        return Ok(visit.see(&format!("/jobs/{job}")));
    }
    let told = if let Refusal::Conflict(why) = &refusal {
        alone(&visit.texts.said(why))
    } else {
        return Err(refusal.into());
    };
    let Ok(mut page) = of_trial(visit, trial).await else {
        return Err(refusal.into());
    };
    page.tell_of_trial(Some(told));
    shown_as(StatusCode::CONFLICT, &page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::DataType;
    use serde_json::json;

    #[test]
    fn a_number_that_no_double_holds_is_filled_in_and_comes_again() {
        let field = Field::new("f", "F", DataType::Currency);
        for text in ["1e400", "900719925474099.13", "5.00000000000000000001"] {
            assert_eq!(text_of(&json_of(&field, text)), text);
        }
    }

    #[test]
    fn what_is_asked_for_stands_in_the_form_again() {
        for action in [
            json!("trim"),
            json!({"set": "x"}),
            json!({"replace": {"text": "a", "with": "b"}}),
            json!({"regex": {"pattern": "^a$", "with": "$1"}}),
            json!({"map": {"D": "DE", "F": "FR"}}),
        ] {
            let options =
                json!({"field": "F", "query": "is:faulty", "action": action, "dryRun": true});
            let options: RepairOptions = serde_json::from_value(options).unwrap();
            let document = json!({"schemaId": "s", "name": "Thing", "businessAreaId": "a", "businessAreaName": "A",
                "createdDate": "2026-01-01T00:00:00.000Z", "fields": [{"fieldId": "f", "name": "F", "active": true,
                "dataType": "string", "isPrimaryKey": false, "isSortKey": false, "isRequired": false}]});
            let schema = Schema::read_unchecked(&document.to_string()).unwrap();
            let said = Said::of_options(&options);
            let texts = Texts::of("en").expect("a language");
            assert_eq!(said.options(&schema, texts), Ok(options));
        }
    }
}
