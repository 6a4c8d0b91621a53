//! Every public output of every door, but the data itself: what is displayed, what `Debug` shows,
//! what errors say.

use runtime::validate::{Checked, CodeLookup, FileFacts, Lookups, Rejected, Verdict};
use runtime::{FromJsonError, Record, Stored, Typed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};

/// Look-ups that know nothing, so that every value that needs them is refused.
pub(crate) struct Nothing;

impl Lookups for Nothing {
    fn code(&self, _: &str, _: &str) -> CodeLookup {
        CodeLookup::Unknown
    }

    fn file(&self, _: &str) -> Option<FileFacts> {
        None
    }
}

/// Look-ups under which every file is too large and nothing that it should be.
pub(crate) struct Huge;

impl Lookups for Huge {
    fn code(&self, _: &str, _: &str) -> CodeLookup {
        CodeLookup::NoDomain
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        Some(FileFacts {
            id: reference.to_owned(),
            media_type: "image/png".to_owned(),
            size: 1_000,
            width: Some(1_000),
            height: Some(1_000),
        })
    }
}

/// What was put out, with the door it came from.
#[derive(Default)]
pub(crate) struct Outputs {
    items: Vec<(&'static str, String)>,
    pub(crate) clean: usize,
    pub(crate) faulty: usize,
    pub(crate) rejected: usize,
}

impl Outputs {
    pub(crate) fn items(&self) -> &[(&'static str, String)] {
        &self.items
    }

    fn debug(&mut self, door: &'static str, value: &impl Debug) {
        self.items.push((door, format!("{value:?}")));
        self.items.push((door, format!("{value:#?}")));
    }

    fn display(&mut self, door: &'static str, value: &impl Display) {
        self.items.push((door, value.to_string()));
    }

    /// An error, where there is one.
    pub(crate) fn error<E: Debug + Display>(&mut self, door: &'static str, error: Option<E>) {
        if let Some(error) = error {
            self.display(door, &error);
            self.items.push((door, format!("{error:?}")));
        }
    }

    fn rejected(&mut self, rejected: &Rejected) {
        self.display("Rejected", rejected);
        self.debug("Rejected", rejected);
        for item in rejected.items() {
            self.display("Rejection", item);
            self.debug("Rejection", item);
            self.items
                .push(("RejectionCode", item.code.name().to_owned()));
        }
    }

    fn verdict(&mut self, verdict: &Verdict) {
        self.display("Verdict", verdict);
        self.debug("Verdict", verdict);
        self.debug("errors()", &verdict.errors());
        self.items.push(("errors_json()", verdict.errors_json()));
        for fault in verdict.faults() {
            self.display("Fault", fault);
            self.debug("Fault", fault);
            self.display("Rule", fault.rule());
            self.debug("Rule", fault.rule());
        }
    }

    fn checked(&mut self, checked: &Checked) {
        self.debug("Checked", checked);
        self.verdict(checked.verdict());
    }

    /// What a struct shows of itself, alone and under look-ups.
    pub(crate) fn of_record<R: Record + Debug>(&mut self, record: &R) {
        self.debug("the struct", record);
        self.verdict(&record.validate());
        self.verdict(&record.validate_with(Some(&Nothing)));
        self.verdict(&record.validate_with(Some(&Huge)));
        self.debug("Typed::Clean", &Typed::Clean(Shown(record)));
    }

    /// Everything that the doors of a type say of a body.
    pub(crate) fn of_body<R>(&mut self, body: &[u8])
    where
        R: Record + Debug + Serialize + DeserializeOwned,
    {
        for lookups in [None, Some(&Nothing as &dyn Lookups), Some(&Huge)] {
            match R::CHECKER.check_with(body, lookups) {
                Ok(checked) => self.checked(&checked),
                Err(rejected) => self.rejected(&rejected),
            }
            match R::from_json_with(body, lookups) {
                Ok(record) => {
                    self.clean += 1;
                    self.of_record(&record);
                }
                Err(error) => self.typed_error(&error),
            }
        }
        self.error("serde", serde_json::from_slice::<R>(body).err());
        self.of_update::<R>(body);
        self.of_answer::<R>(body);
    }

    fn typed_error(&mut self, error: &FromJsonError) {
        match error {
            FromJsonError::Rejected(_) => self.rejected += 1,
            FromJsonError::Faulty(_) => self.faulty += 1,
        }
        self.display("FromJsonError", error);
        self.debug("FromJsonError", error);
        self.debug("FromJsonError::errors", &error.errors());
    }

    /// The body as a change of an empty record, and as the record that an empty change meets.
    fn of_update<R: Record>(&mut self, body: &[u8]) {
        let body_text = std::str::from_utf8(body).unwrap_or("{}");
        for (stored, change) in [("{}", body), (body_text, &b"{}"[..])] {
            match R::CHECKER.merge(stored, change, None) {
                Ok(merged) => {
                    self.debug("Merged", &merged);
                    self.checked(&merged.checked);
                }
                Err(rejected) => self.rejected(&rejected),
            }
        }
    }

    /// The body between system properties, alone and in a list, judged by the type or by the service.
    fn of_answer<R: Record + Debug>(&mut self, body: &[u8]) {
        let body = std::str::from_utf8(body).unwrap_or("{}");
        let values = body.strip_prefix('{').unwrap_or(body);
        for errors in [
            "",
            r#""_errors":[{"name":"string","errors":"is required"}],"#,
        ] {
            let answer = format!(r#"{{"_dataObjectId":"id","_version":0,{errors}{values}"#);
            let list = format!("[{answer}]");
            match Stored::<R>::from_json(answer.as_bytes()) {
                Ok(stored) => {
                    self.debug("Typed", &stored.record);
                    self.debug("Stored", &stored);
                }
                Err(error) => self.error("StoredError", Some(error)),
            }
            match Stored::<R>::list_from_json(list.as_bytes()) {
                Ok(stored) => self.debug("a list of Stored", &stored),
                Err(error) => self.error("StoredError", Some(error)),
            }
        }
        self.error("StoredError", Stored::<R>::from_json(body.as_bytes()).err());
        self.error(
            "StoredError",
            Stored::<R>::list_from_json(body.as_bytes()).err(),
        );
    }
}

/// A borrowed record, shown as it shows itself.
struct Shown<'a, R>(&'a R);

impl<R: Debug> Debug for Shown<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
