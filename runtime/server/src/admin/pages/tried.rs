//! What changes of records would do, before they are made: the service judges them as it would write them.

use super::texts::Texts;
use super::values::fault_text;
use super::visit::Visit;
use service::Refusal;
use wire::FieldError;

/// What would become of a line.
pub(super) struct Tried {
    /// What would be wrong with the record.
    pub(super) faults: Vec<FieldError>,
    /// Why it would not be written; empty where it would.
    pub(super) refusal: String,
}

impl Tried {
    /// What would be wrong with the value of a field, in the reader's language.
    pub(super) fn fault_of(&self, field: &str, texts: &Texts) -> String {
        let mut own = self.faults.iter().filter(|fault| fault.name == field);
        let text = own.next().map(|fault| fault_text(&fault.errors, texts));
        text.unwrap_or_default()
    }
}

/// What would become of lines, in their order.
pub(super) async fn tried(visit: &Visit<String>, lines: &str) -> Result<Vec<Tried>, Refusal> {
    let mut all = Vec::new();
    let texts = visit.texts;
    let tell = |_, outcome: Result<service::BulkJudged, Refusal>| {
        all.push(match outcome {
            Ok(judged) => Tried {
                faults: faults_in(judged.errors.as_deref()),
                refusal: String::new(),
            },
            Err(refusal) => Tried {
                faults: Vec::new(),
                refusal: reason(&refusal, texts),
            },
        });
    };
    let service = &visit.site.service;
    let judged = service.judge_many(&visit.caller, &visit.ids, lines.as_bytes(), tell);
    judged.await?;
    Ok(all)
}

fn faults_in(errors: Option<&str>) -> Vec<FieldError> {
    let read = errors.and_then(|errors| serde_json::from_str(errors).ok());
    read.unwrap_or_default()
}

/// Why a change was refused, in the reader's language.
pub(super) fn reason(refusal: &Refusal, texts: &Texts) -> String {
    match refusal {
        Refusal::VersionConflict { .. } => texts.conflict_row.to_owned(),
        Refusal::DuplicateKey { .. } => texts.key_taken.to_owned(),
        Refusal::PrimaryKeyRequired { .. } => texts.key_missing.to_owned(),
        other => texts.refusal(other),
    }
}
