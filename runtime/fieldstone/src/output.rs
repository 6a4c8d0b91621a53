//! What commands print: text for people, JSON for programs. Secrets are printed where they were made, once.

use crate::failure::{self, Exit};
use crate::settings::Format;
use crate::standard_output::{standard_output, tell_line};
use crate::unprinted_secrets;
use manifest::credentials::CredentialView;
use manifest::failure::{Failure, FailureCode};
use manifest::tenants::TenantName;
use manifest::{
    ApplyReport, CodeChanges, CodeList, FieldAction, FieldChange, FileReport, PropertyChange,
    StepAction, StepReport,
};
use serde::Serialize;
use std::io::Write;

/// What was applied, as programs read it.
#[derive(Serialize)]
struct Applied<'a> {
    #[serde(flatten)]
    report: &'a ApplyReport,
    /// Why it stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
}

/// The one noun that a command made, beside what was applied for it.
#[derive(Serialize)]
struct NounOutput<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'a str>,
    #[serde(flatten)]
    applied: Applied<'a>,
}

/// What was applied, and whether all of it was; `other` is what went wrong beside it.
pub(crate) fn apply_report(
    report: &ApplyReport,
    format: Format,
    other: Option<anyhow::Error>,
) -> anyhow::Result<Exit> {
    let (failure, exit) = match (end(report), other) {
        ((None, _), Some(other)) => (Some(failure::of(&other)), Exit::Failed),
        (end, _) => end,
    };
    let mut out = standard_output();
    let written = match format {
        Format::Json => {
            let error = failure.as_ref().map(Failure::printed);
            json(&mut out, &Applied { report, error })
        }
        Format::Text => write_report(&mut out, report).map_err(Into::into),
    };
    written.map_err(|error| unprinted_secrets::of_steps(error, &report.steps))?;
    if format == Format::Text {
        for warning in &report.warnings {
            tell_line(format_args!("warning: {warning}"));
        }
    }
    if let Some(failure) = failure {
        failure::tell(&failure);
    }
    Ok(exit)
}

/// The one noun that a command made: the last step's.
pub(crate) fn made(report: &ApplyReport, format: Format) -> anyhow::Result<Exit> {
    if format == Format::Text {
        return apply_report(report, format, None);
    }
    let (failure, exit) = end(report);
    let step = report.steps.last();
    let made = NounOutput {
        id: step.and_then(|step| step.id.as_deref()),
        name: step.map(|step| step.name.as_str()),
        secret: step.and_then(|step| step.secret.as_deref()),
        applied: Applied {
            report,
            error: failure.as_ref().map(Failure::printed),
        },
    };
    let written = json(&mut standard_output(), &made);
    written.map_err(|error| unprinted_secrets::of_steps(error, &report.steps))?;
    if let Some(failure) = failure {
        failure::tell(&failure);
    }
    Ok(exit)
}

/// Why an application stopped, and how the process ends.
fn end(report: &ApplyReport) -> (Option<Failure>, Exit) {
    if let Some(message) = &report.failure {
        let code = report.failure_code.unwrap_or(FailureCode::Failed);
        return (Some(Failure::new(code, message)), Exit::Failed);
    }
    let left_out = report.records.iter().any(|file| file.left_out > 0);
    (None, if left_out { Exit::LeftOut } else { Exit::Done })
}

/// Anything, as programs read it, on standard output.
pub(crate) fn show_json(shown: &(impl Serialize + ?Sized)) -> anyhow::Result<()> {
    json(&mut standard_output(), shown)
}

fn json(out: &mut impl Write, shown: &(impl Serialize + ?Sized)) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, shown)?;
    writeln!(out)?;
    Ok(())
}

fn write_report(out: &mut impl Write, report: &ApplyReport) -> std::io::Result<()> {
    for step in &report.steps {
        write_step(out, step)?;
    }
    for file in &report.records {
        write_file(out, file)?;
    }
    writeln!(out, "{}", end_of(report))
}

fn write_step(out: &mut impl Write, step: &StepReport) -> std::io::Result<()> {
    let sign = match step.action {
        StepAction::Create => '+',
        StepAction::Update => '~',
        StepAction::Keep => '=',
        StepAction::Remove => '-',
    };
    write!(out, "{sign} {} {}", step.what, step.name)?;
    if let Some(id) = &step.id {
        write!(out, "  {id}")?;
    }
    writeln!(out)?;
    for PropertyChange { property, from, to } in &step.properties {
        writeln!(out, "    ~ {property} {from} -> {to}")?;
    }
    for field in &step.fields {
        write_field(out, field)?;
    }
    if let Some(codes) = &step.codes {
        write_codes(out, codes)?;
    }
    if let Some(secret) = &step.secret {
        writeln!(out, "    secret, shown this once: {secret}")?;
    }
    Ok(())
}

/// What became of the records of a file.
fn write_file(out: &mut impl Write, file: &FileReport) -> std::io::Result<()> {
    let (dataset, path) = (&file.dataset, &file.file);
    let (created, updated, unchanged) = (file.created, file.updated, file.unchanged);
    let (edited, left_out) = (file.edited, file.left_out);
    let sign = if created + updated > 0 { '+' } else { '=' };
    writeln!(
        out,
        "{sign} records of {dataset} from {path}: {created} new, {updated} changed, {unchanged} as they were, {edited} edited by others, {left_out} left out"
    )?;
    if let Some(reason) = &file.left_alone {
        writeln!(out, "    {reason}")?;
    }
    for edit in &file.edits {
        writeln!(out, "    left alone, {edit}")?;
    }
    for reason in &file.reasons {
        writeln!(out, "    left out, {reason}")?;
    }
    let more = left_out.saturating_sub(file.reasons.len());
    if more > 0 {
        writeln!(
            out,
            "    and {more} more; --rejects FILE writes all of them"
        )?;
    }
    Ok(())
}

/// What is told last: whether anything was done, and to its end.
fn end_of(report: &ApplyReport) -> &'static str {
    let has_failed = report.failure.is_some();
    match (report.changes(), report.dry_run) {
        (_, true) if has_failed => "it would stop here; nothing was written: a dry run",
        (true, false) if has_failed => "it stopped here; what is above was done",
        (false, false) if has_failed => "it stopped here; nothing was changed",
        (true, true) => "nothing was written: a dry run",
        (true, false) => "done",
        (false, _) => "nothing to change",
    }
}

fn write_field(out: &mut impl Write, field: &FieldChange) -> std::io::Result<()> {
    let sign = match field.action {
        FieldAction::Add => '+',
        FieldAction::Change => '~',
        FieldAction::Remove => '-',
    };
    write!(out, "    {sign} field {}", field.name)?;
    if let Some(from) = &field.renamed_from {
        write!(out, ", renamed from {from}")?;
    }
    for PropertyChange { property, from, to } in &field.properties {
        write!(out, ", {property} {from} -> {to}")?;
    }
    match field.returning_values {
        Some(1) => write!(out, " is there again, with the value of 1 record")?,
        Some(count) => write!(out, " is there again, with the values of {count} records")?,
        None => {}
    }
    if let Some(count) = field.hidden_values {
        write!(
            out,
            ": {count} records have a value in it, hidden from now on"
        )?;
    }
    writeln!(out)
}

fn write_codes(out: &mut impl Write, codes: &CodeChanges) -> std::io::Result<()> {
    let CodeChanges {
        added,
        changed,
        removed,
        kept,
    } = codes;
    for (sign, list, what) in [
        ('+', added, "new"),
        ('~', changed, "with another description"),
        ('-', removed, "removed"),
        ('=', kept, "not in the manifest, and left as they were"),
    ] {
        let CodeList { count, first } = list;
        if *count > 0 {
            let more = if *count > first.len() { ", …" } else { "" };
            let first = first.join(", ");
            writeln!(out, "    {sign} codes {what}: {count} ({first}{more})")?;
        }
    }
    Ok(())
}

/// The tenant that something was done to.
pub(crate) fn tenant(tenant: &TenantName, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Json => show_json(tenant),
        Format::Text => tenants(std::slice::from_ref(tenant), format),
    }
}

/// Tenants, one a line.
pub(crate) fn tenants(tenants: &[TenantName], format: Format) -> anyhow::Result<()> {
    let mut out = standard_output();
    if format == Format::Json {
        return json(&mut out, tenants);
    }
    for TenantName { id, name } in tenants {
        writeln!(out, "{id}  {name}")?;
    }
    Ok(())
}

/// The credential that something was done to.
pub(crate) fn credential(credential: &CredentialView, format: Format) -> anyhow::Result<()> {
    let written = match format {
        Format::Json => show_json(credential),
        Format::Text => credentials(std::slice::from_ref(credential), format),
    };
    written.map_err(|error| unprinted_secrets::of_credential(error, credential))
}

/// Credentials, one a line.
pub(crate) fn credentials(credentials: &[CredentialView], format: Format) -> anyhow::Result<()> {
    let mut out = standard_output();
    if format == Format::Json {
        return json(&mut out, credentials);
    }
    for one in credentials {
        write!(out, "{}  {}  {}", one.id, one.status, one.name)?;
        if let Some(masked) = &one.masked {
            write!(out, "  {masked}")?;
        }
        write!(out, "  roles: {}", listed(&one.roles))?;
        write!(out, "  areas: {}", listed(&one.areas))?;
        if let Some(expires) = &one.expires {
            write!(out, "  expires: {expires}")?;
        }
        match &one.last_used {
            Some(moment) => writeln!(out, "  last used: {moment}")?,
            None => writeln!(out, "  never used")?,
        }
        if let Some(secret) = &one.secret {
            writeln!(out, "    secret, shown this once: {secret}")?;
        }
    }
    Ok(())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}
