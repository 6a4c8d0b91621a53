//! A file is brought into a dataset: first tried, then stored. What is not said of the file is found by the import; what was said of a
//! trial stands in the address, and whose file it is, so that the second time nothing is filled in or sent again.

use super::file_inputs::{character, not_characters, problems_told};
use super::form_jobs::{address_of_job, new_mark};
use super::found::{FoundShown, chosen, has_ids};
use super::job_figures::Figure;
use super::kept::is_all_but_file;
use super::places::{Place, permit};
use super::sending::Sending;
use super::texts::Texts;
use super::tried_file::{TriedFile, tried_file};
use super::visit::{Form, Page, Section, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::{Map, Value};
use service::Refusal;
use service::catalog::Verb;
use service::manage::{DecimalMark, ImportMode, ImportOptions, Problem};
use url::form_urlencoded::Serializer;

/// Fields that each column of a file that was tried has to choose from; more are a list that all of them share.
const CHOICES_MAX: usize = 50;

#[derive(Template)]
#[template(path = "import.html")]
struct ImportPage {
    page: Page,
    place: Place,
    said: Said,
    /// By which it makes one job of what it brings, however often it comes.
    mark: String,
    fields: Vec<String>,
    /// The file of a dry run, by its name: it is taken unless another one is chosen.
    tried: Option<String>,
    /// What would come of it.
    tried_figures: Vec<Figure>,
    /// What it was read as.
    found: Option<FoundShown>,
    message: Option<String>,
    /// Whether it is not only tried.
    stores: bool,
    /// Whether records are found by the ids that a file says, and by nothing else.
    lacks_key: bool,
    /// Whether the file that was tried says none.
    only_creates: bool,
    /// What was lost of what was filled in before a session ended.
    lost: Option<&'static str>,
}

impl ImportPage {
    /// Whether the fields to choose from stand on the page once, and not again for each column.
    fn has_many_fields(&self) -> bool {
        self.fields.len() > CHOICES_MAX
    }
}

/// Which file is imported.
#[derive(Clone, Copy)]
enum ImportedFile<'n> {
    /// One that comes with the form, by its name.
    Sent(&'n str),
    /// That of a dry run.
    Tried,
}

/// What was filled in.
#[derive(Default)]
struct Said {
    /// `true` or `false`; nothing, where it goes by whether there is a file that was tried.
    tries: String,
    mode: String,
    format: String,
    encoding: String,
    delimiter: String,
    quote: String,
    header: String,
    sheet: String,
    split: String,
    decimal_mark: String,
    map: String,
    /// `true`, where it was exported for spreadsheets.
    guarded: String,
    /// `true`, where records go that it does not have.
    missing: String,
    file_of: String,
}

impl Said {
    fn of(get: impl Fn(&str) -> String) -> Self {
        Said {
            tries: get("try"),
            mode: get("mode"),
            format: get("format"),
            encoding: get("encoding"),
            delimiter: get("delimiter"),
            quote: get("quote"),
            header: get("header"),
            sheet: get("sheet"),
            split: get("split"),
            decimal_mark: get("decimalMark"),
            map: get("map"),
            guarded: get("forSpreadsheets"),
            missing: get("deleteMissing"),
            file_of: get("fileOf"),
        }
    }

    /// Whether anything is said of the file, which is found by itself otherwise.
    fn has_details(&self) -> bool {
        let all = [
            &self.format,
            &self.encoding,
            &self.delimiter,
            &self.quote,
            &self.header,
            &self.sheet,
            &self.split,
            &self.decimal_mark,
            &self.map,
            &self.guarded,
        ];
        all.into_iter().any(|it| !it.is_empty())
    }

    /// Whether a file is read as it was tried, so that its columns and cells are what they were.
    fn reads_as(&self, tried: &TriedFile) -> bool {
        let is_marked_alike = tried.decimal_mark == self.decimal_mark;
        if tried.is_guarded != (self.guarded == "true") || !is_marked_alike {
            return false;
        }
        let Some(found) = &tried.found else {
            return true;
        };
        let is_same = |said: &str, found: &str| said.is_empty() || said == found;
        let delimiter = found.delimiter.map(String::from).unwrap_or_default();
        let quote = found.quote.map(String::from).unwrap_or_default();
        let header = found.header.map(|it| it.to_string()).unwrap_or_default();
        is_same(&self.format, found.format.as_str())
            && is_same(
                &self.encoding,
                found.encoding.as_deref().unwrap_or_default(),
            )
            && is_same(character(&self.delimiter), &delimiter)
            && is_same(&self.quote, &quote)
            && is_same(&self.header, &header)
            && is_same(&self.sheet, found.sheet.as_deref().unwrap_or_default())
    }

    /// The options that this stands for, as a request of management says them.
    fn options(
        &self,
        is_trial: bool,
        file: ImportedFile<'_>,
        texts: &Texts,
    ) -> Result<ImportOptions, Vec<Problem>> {
        let characters = [("delimiter", &*self.delimiter), ("split", &*self.split)];
        let wrong = not_characters(characters, texts);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut said = Map::new();
        let mut say = |name: &str, value: &str| {
            if !value.is_empty() {
                said.insert(name.to_owned(), value.into());
            }
        };
        say("mode", &self.mode);
        say("format", &self.format);
        say("encoding", &self.encoding);
        say("delimiter", character(&self.delimiter));
        say("quote", &self.quote);
        say("sheet", &self.sheet);
        say("split", character(&self.split));
        say("decimalMark", &self.decimal_mark);
        match file {
            ImportedFile::Sent(name) => say("fileName", name),
            ImportedFile::Tried => say("fileOf", &self.file_of),
        }
        said.insert("dryRun".to_owned(), is_trial.into());
        let ticks = [
            ("forSpreadsheets", &self.guarded),
            ("deleteMissing", &self.missing),
        ];
        for (name, _) in ticks.into_iter().filter(|(_, tick)| *tick == "true") {
            said.insert(name.to_owned(), true.into());
        }
        if !self.header.is_empty() {
            said.insert("header".to_owned(), (self.header == "true").into());
        }
        let lines = self.map.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty());
        said.insert("map".to_owned(), lines.map(Value::from).collect());
        serde_json::from_value(said.into())
            .map_err(|error| vec![Problem::new("form", error.to_string())])
    }
}

async fn page_of(visit: &Visit<String>, mut said: Said) -> Result<ImportPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    if !place.may_add && !place.may_edit {
        permit(visit, &visit.ids, Verb::Add)?;
    }
    let tried = tried_file(visit, &said.file_of).await;
    let is_by_comma = tried.as_ref().is_some_and(|it| it.has_commas);
    if said.decimal_mark.is_empty() && is_by_comma {
        DecimalMark::Comma
            .as_str()
            .clone_into(&mut said.decimal_mark);
    }
    let found = tried.as_ref().and_then(|it| it.found.as_ref());
    let lacks_key = place.version().schema.primary_key().is_none();
    let lacks_ids = found.is_some_and(|found| found.header.is_some() && !has_ids(found));
    let found = found.map(|found| FoundShown::of(found, &said.map, visit.texts));
    let fields = place.version().schema.fields.iter();
    let fields = fields.filter(|field| field.active);
    // read by another mark it has other values, which nobody saw
    let is_seen = tried
        .as_ref()
        .is_some_and(|it| it.decimal_mark == said.decimal_mark);
    let (tried, tried_figures) = tried.map(|it| (it.name, it.figures)).unzip();
    Ok(ImportPage {
        fields: fields.map(|field| field.name.clone()).collect(),
        page: visit.page(Section::Home),
        place,
        stores: match &*said.tries {
            "" => is_seen,
            tries => tries == "false",
        },
        said,
        mark: new_mark(visit),
        tried,
        tried_figures: tried_figures.unwrap_or_default(),
        found,
        lacks_key,
        only_creates: lacks_key && lacks_ids,
        message: None,
        lost: None,
    })
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let mut said = Said::of(|name| visit.parameter(name).unwrap_or_default());
    said.map = visit.parameters("map").join("\n");
    let is_kept = is_all_but_file(visit.parameter("kept").as_deref());
    let tried = if is_kept {
        tried_file(&visit, &said.file_of).await
    } else {
        None
    };
    if let Some(found) = tried.and_then(|it| it.found) {
        said.map = chosen(&found, &said.map, |name| visit.parameter(name));
    }
    let page = page_of(&visit, said).await?;
    // the file of a dry run is still there
    let lacks_file = is_kept && page.tried.is_none();
    shown(&ImportPage {
        lost: lacks_file.then_some(visit.texts.access.kept_but_file),
        ..page
    })
}

pub(super) async fn import(mut sent: Sending<String>) -> Result<Response<Body>, Failure> {
    let mut said = said_in(&sent.form);
    if sent.file_name.is_empty() && !said.file_of.is_empty() {
        let tried = tried_file(&sent.visit, &said.file_of).await;
        let is_known = tried.is_none_or(|tried| {
            let is_same = said.reads_as(&tried);
            if let Some(found) = tried.found.filter(|_| is_same) {
                said.map = chosen(&found, &said.map, |name| sent.form.get(name));
            }
            is_same
        });
        // read in another way it has other columns or cells, which nobody saw: that is looked at first
        let is_trial = !is_known || sent.form.text("try") != "false";
        return import_tried(&sent, said, is_trial).await;
    }
    if sent.file_name.is_empty() {
        let message = sent.visit.texts.choose_file.to_owned();
        return again(&sent.visit, said, message).await;
    }
    let is_trial = sent.form.text("try") != "false";
    let service = sent.visit.site.service.clone();
    let options = said.options(
        is_trial,
        ImportedFile::Sent(&sent.file_name),
        sent.visit.texts,
    );
    let begun = match options {
        Ok(options) => {
            let visit = &sent.visit;
            service
                .begin_import(&visit.caller, &visit.ids, options)
                .await
        }
        Err(problems) => Err(Refusal::Invalid(problems)),
    };
    let mut upload = match begun {
        Ok(upload) => upload.once(sent.form.text("mark")),
        Err(Refusal::Invalid(problems)) => {
            let message = problems_told(&problems, sent.visit.texts);
            return again(&sent.visit, said, message).await;
        }
        Err(refusal) => return Err(refusal.into()),
    };
    while let Some(piece) = sent.piece().await? {
        upload.write(piece).await?;
    }
    match upload.finish_form().await {
        Ok(made) => Ok(sent.visit.see(&address_of_job(&made))),
        Err(Refusal::Invalid(problems)) => {
            let message = problems_told(&problems, sent.visit.texts);
            again(&sent.visit, said, message).await
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// Imports the file of a dry run, which is not sent again.
async fn import_tried(
    sent: &Sending<String>,
    said: Said,
    is_trial: bool,
) -> Result<Response<Body>, Failure> {
    let visit = &sent.visit;
    let begun = match said.options(is_trial, ImportedFile::Tried, visit.texts) {
        Ok(options) => {
            let service = &visit.site.service;
            service
                .import_tried_once(&visit.caller, &visit.ids, options, sent.form.text("mark"))
                .await
        }
        Err(problems) => Err(Refusal::Invalid(problems)),
    };
    match begun {
        Ok(made) => Ok(visit.see(&address_of_job(&made))),
        Err(Refusal::Invalid(problems)) => {
            let message = problems_told(&problems, visit.texts);
            again(visit, said, message).await
        }
        Err(refusal) => Err(refusal.into()),
    }
}

fn said_in(form: &Form) -> Said {
    Said::of(|name| form.text(name).to_owned())
}

/// The page with what was filled in, and why it can't be.
async fn again(
    visit: &Visit<String>,
    said: Said,
    message: String,
) -> Result<Response<Body>, Failure> {
    let page = ImportPage {
        message: Some(message),
        ..page_of(visit, said).await?
    };
    shown_as(StatusCode::BAD_REQUEST, &page)
}

/// The address of the page with the options of a dry run filled in, and its file, behind that of the dataset.
pub(super) fn address_of(options: &ImportOptions, job: &str) -> String {
    let mut pairs = Serializer::new(String::new());
    pairs.append_pair("fileOf", job);
    let mode = match options.mode {
        ImportMode::Create => "create",
        ImportMode::Update => "update",
        ImportMode::Upsert => "upsert",
        ImportMode::Replace => "replace",
    };
    pairs.append_pair("mode", mode);
    let mut say = |name, value: Option<String>| {
        if let Some(value) = value {
            pairs.append_pair(name, &value);
        }
    };
    let word = |character: char| match character {
        '\t' => "tab".to_owned(),
        character => character.to_string(),
    };
    say("format", options.format.map(|it| it.as_str().to_owned()));
    say("encoding", options.encoding.clone());
    say("delimiter", options.delimiter.map(word));
    say("quote", options.quote.map(word));
    say("header", options.header.map(|it| it.to_string()));
    say("sheet", options.sheet.clone());
    say("split", options.split.map(word));
    let mark = options.decimal_mark.map(DecimalMark::as_str);
    say("decimalMark", mark.map(str::to_owned));
    let tick = |is_on: bool| is_on.then(|| "true".to_owned());
    say("forSpreadsheets", tick(options.for_spreadsheets));
    say("deleteMissing", tick(options.delete_missing));
    for line in &options.map {
        say("map", Some(line.clone()));
    }
    format!("import?{}", pairs.finish())
}
