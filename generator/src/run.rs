//! A run of the program that writes generated files, or compares them with what is there, and what it tells. What is
//! generated, and what is written, is the library's.

use crate::findings::{Finding, Reporter, Severity};
use anstyle::{AnsiColor, Style};
use generator::{Cause, Change, Config, Error, File, Input, LockedChanges, Note, Palette};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// What is asked of a run that writes files.
pub(crate) struct Run<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) config: Config,
    pub(crate) check: bool,
    pub(crate) quiet: bool,
    pub(crate) reporter: &'a Reporter,
    /// The file that keeps identifiers.
    pub(crate) lock: Option<&'a Path>,
}

/// What the command line says of generated code.
pub(crate) fn config(runtime: Option<&str>, open: &[String]) -> Config {
    let config = match runtime {
        Some(runtime) => Config::new().runtime(runtime),
        None => Config::new(),
    };
    open.iter()
        .fold(config, |config, field| config.open_picklist(field))
}

impl Run<'_> {
    /// Writes the types of the inputs to the directory, or compares them with what is there.
    pub(crate) fn generate(&self, inputs: &[Input]) -> Result<ExitCode, Error> {
        let config = &self.config;
        let mut done = match (self.lock, self.check) {
            (Some(lock), true) => generator::compare_locked(self.dir, lock, inputs, config)?,
            (Some(lock), false) => generator::write_locked(self.dir, lock, inputs, config)?,
            (None, check) => {
                let files = generator::generate(inputs, config)?;
                let changes = if check {
                    generator::compare(self.dir, &files)?
                } else {
                    generator::write(self.dir, &files)?
                };
                LockedChanges {
                    files,
                    changes,
                    lock: None,
                }
            }
        };
        let is_new = !done.changes.is_empty() || done.lock.is_some();
        for file in &mut done.files {
            // nobody has to look at the names of an earlier run again
            let is_kept = |note: &Note| note.causes.contains(&Cause::Locked);
            file.notes.retain(|note| is_new && !is_kept(note));
        }
        if !self.quiet {
            report(&done.files, self.reporter)?;
        }
        let mut changes = done.changes;
        for change in &mut changes {
            change.path = self.dir.join(&change.path).display().to_string();
        }
        changes.extend(done.lock);
        if self.check {
            return show(self.dir, &changes, self.reporter);
        }
        for Change { path, after, .. } in changes.iter().filter(|_| !self.quiet) {
            let (code, verb) = match after {
                Some(_) => ("written", "wrote"),
                None => ("removed", "removed"),
            };
            let text = format!("{verb} {path}");
            let finding = Finding::of_file(code, path);
            self.reporter.show(
                &text,
                [Finding {
                    message: text.clone(),
                    ..finding
                }],
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows warnings and notes, which stop nothing.
pub(crate) fn report(files: &[File], reporter: &Reporter) -> Result<(), Error> {
    let palette = &reporter.palette;
    let warnings = || files.iter().flat_map(|file| &file.warnings);
    let notes = || files.iter().flat_map(|file| &file.notes);
    let groups = generator::grouped(warnings().map(|advice| &advice.report)).into_iter();
    let mut texts: Vec<_> = groups.map(|group| group.render(palette)).collect();
    texts.extend(generator::rendered_notes(notes(), palette));
    let mut findings: Vec<_> = warnings().map(Finding::from).collect();
    findings.extend(notes().map(Finding::from));
    let Palette { note, reset, .. } = palette;
    for file in files.iter().filter(|file| file.has_made_ids) {
        let message = format!("ids in {} are made of names", file.path);
        let help = "fetch the document to have the service's";
        texts.push(format!("{note}note{reset}: {message}; {help}"));
        findings.push(Finding {
            message,
            help: Some(help.to_owned()),
            ..Finding::of_file("made_ids", &file.path)
        });
    }
    if findings.is_empty() {
        return Ok(());
    }
    reporter.show(&texts.join("\n"), findings)
}

/// Shows what is stale, to people as one unified diff.
pub(crate) fn show(dir: &Path, changes: &[Change], reporter: &Reporter) -> Result<ExitCode, Error> {
    if changes.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let help = "run the same command without --check";
    if !reporter.is_json() {
        // whether anyone reads it does not change the verdict
        let _ = anstream::stdout().write_all(unified(changes).as_bytes());
    }
    let count = match changes.len() {
        1 => "1 file is stale".to_owned(),
        count => format!("{count} files are stale"),
    };
    let Palette {
        error, note, reset, ..
    } = &reporter.palette;
    let text = format!(
        "{error}error{reset}: {count} in {}\n  = {note}help{reset}: {help}",
        dir.display()
    );
    let findings = changes.iter().map(
        |Change {
             path,
             before,
             after,
         }| {
            let message = match (before, after) {
                (None, _) => "it is missing",
                (_, None) => "it is not generated any more",
                _ => "it is not what is generated now",
            };
            Finding {
                severity: Severity::Error,
                message: message.to_owned(),
                help: Some(help.to_owned()),
                ..Finding::of_file("stale", path)
            }
        },
    );
    reporter.show(&text, findings)?;
    Ok(ExitCode::from(1))
}

/// What changes in files, as one unified diff.
fn unified(changes: &[Change]) -> String {
    let mut text = String::new();
    for Change {
        path,
        before,
        after,
    } in changes
    {
        let side = |text: &Option<String>| match text {
            Some(_) => path.clone(),
            None => "/dev/null".to_owned(),
        };
        let (old, new) = (
            before.as_deref().unwrap_or(""),
            after.as_deref().unwrap_or(""),
        );
        let diff = similar::TextDiff::from_lines(old, new);
        let mut unified = diff.unified_diff();
        let unified = unified
            .context_radius(3)
            .header(&side(before), &side(after))
            .to_string();
        for line in unified.lines() {
            let style = style_of(line);
            let (on, off) = (style.render(), style.render_reset());
            text.extend([&on.to_string(), line, &off.to_string(), "\n"]);
        }
    }
    text
}

/// The colour of a line of a diff.
fn style_of(line: &str) -> Style {
    match line.as_bytes().first() {
        _ if line.starts_with("--- ") || line.starts_with("+++ ") => Style::new().bold(),
        Some(b'-') => AnsiColor::Red.on_default(),
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'@') => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    }
}
