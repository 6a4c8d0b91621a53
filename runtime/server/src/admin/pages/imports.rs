//! A file is brought into a dataset: first tried, then stored. What is not said of the file is found by the import; what was said of a
//! trial stands in the address, and whose file it is, so that the second time nothing is filled in or sent again.

use super::file_inputs::{character, not_characters, problems_told};
use super::form_jobs::{address_of_job, new_mark};
use super::found::{FoundShown, chosen, has_ids};
use super::kept::is_all_but_file;
use super::places::{Place, permit};
use super::sending::Sending;
use super::texts::Texts;
use super::tried_file::{Reading, TriedFile, tried_file};
use super::visit::{Form, Page, Section, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::{Map, Value};
use service::Refusal;
use service::catalog::Verb;
use service::manage::{DecimalMark, ImportOptions, Problem};
use tabular::Encoding;

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
    /// The file of a dry run: it is taken unless another one is chosen.
    tried: Option<TriedFile>,
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

    /// Whether a file was tried of which no row would be stored without a fault.
    fn is_none_clean(&self) -> bool {
        self.tried.as_ref().is_some_and(|tried| tried.is_none_clean)
    }

    /// Whether what an input says by a choice has the file read as it was tried.
    fn is_as_tried(&self, name: &str, choice: &str) -> bool {
        let tried = self.tried.as_ref();
        tried.is_some_and(|tried| tried.is_read_by(name, choice))
    }
}

/// What its form offers.
impl ImportPage {
    fn encodings() -> [&'static str; Encoding::ALL.len()] {
        Encoding::ALL.map(Encoding::name)
    }

    /// Ways in which days are written, but that of the field, with what they are called.
    fn date_formats(&self) -> [(&'static str, &'static str); 4] {
        let texts = &self.page.t.found_file;
        [
            ("us", texts.dates_us),
            ("european", texts.dates_european),
            ("timestamp", texts.dates_timestamp),
            ("compact", texts.dates_compact),
        ]
    }

    /// Inputs of words: the id, the name and the label of each, and what was said.
    fn words(&self) -> [(&'static str, &'static str, &'static str, &str); 3] {
        let (texts, said) = (&self.page.t.found_file, &self.said);
        [
            (
                "true-words",
                "trueWords",
                texts.true_words,
                &said.true_words,
            ),
            (
                "false-words",
                "falseWords",
                texts.false_words,
                &said.false_words,
            ),
            (
                "null-words",
                "nullWords",
                texts.null_words,
                &said.null_words,
            ),
        ]
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
    date_format: String,
    true_words: String,
    false_words: String,
    null_words: String,
    map: String,
    /// `true`, where it was exported for spreadsheets.
    guarded: String,
    /// `true`, where records go that it does not have.
    missing: String,
    /// `true`, where rows count whatever their version.
    any_version: String,
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
            date_format: get("dateFormat"),
            true_words: get("trueWords"),
            false_words: get("falseWords"),
            null_words: get("nullWords"),
            map: get("map"),
            guarded: get("forSpreadsheets"),
            missing: get("deleteMissing"),
            any_version: get("ignoreVersion"),
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
            &self.date_format,
            &self.true_words,
            &self.false_words,
            &self.null_words,
            &self.map,
            &self.guarded,
        ];
        all.into_iter().any(|it| !it.is_empty())
    }

    /// How it has a file read that was tried.
    fn reading(&self, tried: &TriedFile) -> Reading {
        let of_columns = [
            ("format", &self.format),
            ("encoding", &self.encoding),
            ("delimiter", &self.delimiter),
            ("quote", &self.quote),
            ("header", &self.header),
            ("sheet", &self.sheet),
        ];
        // neither of these makes other columns
        let of_cells = [
            ("decimalMark", &self.decimal_mark),
            ("dateFormat", &self.date_format),
            ("trueWords", &self.true_words),
            ("falseWords", &self.false_words),
            ("nullWords", &self.null_words),
            ("forSpreadsheets", &self.guarded),
        ];
        let is_same = |(name, said): (&str, &String)| tried.is_read_by(name, said);
        if !of_columns.into_iter().all(is_same) {
            Reading::OtherColumns
        } else if of_cells.into_iter().all(is_same) {
            Reading::AsTried
        } else {
            Reading::OtherCells
        }
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
        say("dateFormat", &self.date_format);
        say("trueWords", &self.true_words);
        say("falseWords", &self.false_words);
        say("nullWords", &self.null_words);
        match file {
            ImportedFile::Sent(name) => say("fileName", name),
            ImportedFile::Tried => say("fileOf", &self.file_of),
        }
        said.insert("dryRun".to_owned(), is_trial.into());
        // its tick is seen where records are replaced, and stays where another mode is chosen behind that
        let replaces = self.mode == "replace";
        let ticks = [
            ("forSpreadsheets", &self.guarded, true),
            ("deleteMissing", &self.missing, replaces),
            ("ignoreVersion", &self.any_version, true),
        ];
        for (name, ..) in ticks
            .into_iter()
            .filter(|(_, tick, counts)| *tick == "true" && *counts)
        {
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

fn page_of(
    visit: &Visit<String>,
    mut said: Said,
    tried: Option<TriedFile>,
) -> Result<ImportPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    if !place.may_add && !place.may_edit {
        permit(visit, &visit.ids, Verb::Add)?;
    }
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
    // read otherwise it has other columns or values, which nobody saw
    let is_as_tried = |it: &TriedFile| said.reading(it) == Reading::AsTried;
    let is_seen = tried.as_ref().is_some_and(is_as_tried);
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
    let tried = tried_file(&visit, &said.file_of).await;
    let has_columns = |tried: &&TriedFile| said.reading(tried) != Reading::OtherColumns;
    let kept = tried.as_ref().filter(|_| is_kept).filter(has_columns);
    if let Some(found) = kept.and_then(|it| it.found.as_ref()) {
        said.map = chosen(found, &said.map, |name| visit.parameter(name));
    }
    let page = page_of(&visit, said, tried)?;
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
        let reading = tried.as_ref().map(|tried| said.reading(tried));
        let reading = reading.unwrap_or(Reading::AsTried);
        let found = tried.and_then(|it| it.found);
        // what was chosen is of columns that were found
        if let Some(found) = found.filter(|_| reading != Reading::OtherColumns) {
            said.map = chosen(&found, &said.map, |name| sent.form.get(name));
        }
        return import_tried(&sent, said, reading).await;
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

/// Imports the file of a dry run, which is not sent again. Read in another way it has other columns or cells, which nobody saw:
/// that is tried first, and told.
async fn import_tried(
    sent: &Sending<String>,
    said: Said,
    reading: Reading,
) -> Result<Response<Body>, Failure> {
    let visit = &sent.visit;
    let is_asked = sent.form.text("try") == "false";
    let is_trial = !is_asked || reading != Reading::AsTried;
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
        Ok(made) if is_asked => Ok(visit.see(&reading.told_at(address_of_job(&made)))),
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
    let tried = tried_file(visit, &said.file_of).await;
    let page = ImportPage {
        message: Some(message),
        ..page_of(visit, said, tried)?
    };
    shown_as(StatusCode::BAD_REQUEST, &page)
}
