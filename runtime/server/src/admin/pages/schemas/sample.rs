//! A schema proposed from a sample file: what speaks for it, and the rows that it would make faulty, stand beside the editor,
//! in which all of it can be changed.

use super::begin;
use super::document::Draft;
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::sending::{Sending, SmallFile};
use crate::admin::pages::texts::schemas::SchemaTexts;
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::values::fault_text;
use crate::http::error::Failure;
use axum::body::{Body, Bytes};
use axum::http::Response;
use service::Refusal;
use service::manage::{InferredSchema, Problem};

pub(crate) async fn propose(mut sent: Sending<String>) -> Result<Response<Body>, Failure> {
    let texts = sent.visit.texts;
    let bytes_max = sent.visit.site.service.sample_bytes_max();
    let file = match sent
        .whole(bytes_max, |texts| texts.schemas.sample_too_large)
        .await?
    {
        Ok(held) => held,
        Err(message) => return begin::again(&sent.visit, message),
    };
    let service = sent.visit.site.service.clone();
    let name = stem(&sent.file_name);
    let SmallFile { bytes, _room } = file;
    let proposed = service.infer_schema(&sent.visit.caller, name, Bytes::from(bytes));
    match proposed.await {
        Ok(proposed) => {
            let evidence = evidence(&sent.file_name, &proposed, texts);
            let draft = Draft::read(proposed.document.get()).unwrap_or_default();
            begin::begun(&sent.visit, draft.into_copy(), None, evidence)
        }
        Err(Refusal::Invalid(problems)) => {
            let told: Vec<_> = problems.iter().map(|it| placed(it, texts)).collect();
            begin::again(&sent.visit, told.join("; "))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

/// What is wrong, and with which of the proposed fields, which are the file's columns.
fn placed(problem: &Problem, texts: &Texts) -> String {
    let message = texts.problem(problem);
    let field = problem.path.strip_prefix("$.fields[");
    let index = field.and_then(|rest| rest.split_once(']')?.0.parse::<usize>().ok());
    match index {
        Some(index) => format!("{} {}: {message}", texts.field, index + 1),
        None => message,
    }
}

/// A file's name without what its endings say.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = name.split('.').find(|part| !part.is_empty());
    stem.unwrap_or_default()
}

/// A type with its formats, as the reader calls it.
fn kind(words: &str, own: &SchemaTexts) -> String {
    match words.split_once(" as ") {
        Some((name, format)) => {
            let written = filled(own.rule_written, &[format]);
            format!("{}, {written}", own.of_type(name))
        }
        None => own.of_type(words).to_owned(),
    }
}

/// What speaks for a proposal: what it is about and what is said of it, parted by tabs.
fn evidence(file: &str, proposed: &InferredSchema, texts: &Texts) -> Vec<String> {
    let own = &texts.schemas;
    let count = |number| grouped(number, texts);
    let mut head = vec![filled(
        own.evidence_title,
        &[file, &count(proposed.row_count)],
    )];
    if proposed.unread_count > 0 {
        head.push(filled(
            own.evidence_unread,
            &[&count(proposed.unread_count)],
        ));
    }
    if proposed.faulty_count == 0 {
        head.push(own.evidence_clean.to_owned());
    } else {
        head.push(filled(
            own.evidence_failing,
            &[&count(proposed.faulty_count)],
        ));
        head.extend(proposed.faults.iter().map(|fault| {
            let line = count(fault.line);
            let message = fault_text(&fault.message, texts);
            format!("{} {line}: {} {message}", own.line, fault.field)
        }));
    }
    let fields = proposed.evidence.iter().map(|field| {
        let mut parts = vec![format!("{} – {}", field.field, kind(&field.data_type, own))];
        let seen = field.observations.iter().zip(&field.lines);
        parts.extend(seen.map(|(seen, english)| texts.observation(seen, english)));
        parts
    });
    let all = std::iter::once(head).chain(fields);
    let line = |parts: Vec<String>| {
        let parts: Vec<_> = parts.iter().map(|part| part.replace('\t', " ")).collect();
        parts.join("\t")
    };
    all.map(line).collect()
}
