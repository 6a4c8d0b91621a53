//! What commands print: text for people, JSON for programs. Secrets are printed where they were made, once.

use clap::ValueEnum;
use manifest::credentials::CredentialView;
use manifest::tenants::TenantName;
use manifest::{ApplyReport, FieldAction, FieldChange, PropertyChange, StepAction};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// What was applied, and whether all of it was.
pub(crate) fn apply_report(report: &ApplyReport, format: Format) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        json(&mut out, report)?;
    } else {
        write_steps(&mut out, report)?;
    }
    let Some(failure) = &report.failure else {
        return Ok(ExitCode::SUCCESS);
    };
    eprintln!("error: {failure}");
    Ok(ExitCode::FAILURE)
}

fn json(out: &mut impl Write, shown: &(impl Serialize + ?Sized)) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, shown)?;
    writeln!(out)?;
    Ok(())
}

fn write_steps(out: &mut impl Write, report: &ApplyReport) -> std::io::Result<()> {
    for step in &report.steps {
        let sign = match step.action {
            StepAction::Create => '+',
            StepAction::Update => '~',
            StepAction::Keep => '=',
        };
        write!(out, "{sign} {} {}", step.what, step.name)?;
        if let Some(id) = &step.id {
            write!(out, "  {id}")?;
        }
        writeln!(out)?;
        for field in &step.fields {
            write_field(out, field)?;
        }
        if let Some(secret) = &step.secret {
            writeln!(out, "    secret, shown this once: {secret}")?;
        }
    }
    for file in &report.records {
        let (dataset, path) = (&file.dataset, &file.file);
        let (created, updated, unchanged) = (file.created, file.updated, file.unchanged);
        let (edited, left_out) = (file.edited, file.left_out);
        let sign = if created + updated > 0 { '+' } else { '=' };
        writeln!(
            out,
            "{sign} records of {dataset} from {path}: {created} new, {updated} changed, {unchanged} as they were, {edited} edited by others, {left_out} left out"
        )?;
        for edit in &file.edits {
            writeln!(out, "    left alone, {edit}")?;
        }
        for reason in &file.reasons {
            writeln!(out, "    left out, {reason}")?;
        }
    }
    let end = match (report.changes(), report.dry_run) {
        _ if report.failure.is_some() && report.dry_run => {
            "it would stop here; nothing was written: a dry run"
        }
        _ if report.failure.is_some() => "it stopped here; what is above was done",
        (true, true) => "nothing was written: a dry run",
        (true, false) => "done",
        (false, _) => "nothing to change",
    };
    writeln!(out, "{end}")?;
    Ok(())
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
    if let Some(count) = field.hidden_values {
        write!(
            out,
            ": {count} records have a value in it, hidden from now on"
        )?;
    }
    writeln!(out)
}

/// Tenants, one a line.
pub(crate) fn tenants(tenants: &[TenantName], format: Format) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        return json(&mut out, tenants);
    }
    for TenantName { id, name } in tenants {
        writeln!(out, "{id}  {name}")?;
    }
    Ok(())
}

/// Credentials, one a line.
pub(crate) fn credentials(credentials: &[CredentialView], format: Format) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
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
