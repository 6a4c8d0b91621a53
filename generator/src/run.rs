//! A run of the program that writes generated files, or compares them with what is there, and what it tells. What is
//! generated, and what is written, is the library's.

use anstyle::{AnsiColor, Style};
use generator::{Change, Config, Error, File, Input, LockedChanges, Palette};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// What is asked of a run that writes files.
pub(crate) struct Run<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) config: Config,
    pub(crate) check: bool,
    pub(crate) quiet: bool,
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
        let locked = done.lock.as_ref().and_then(|lock| lock.before.as_deref());
        let locked = locked.unwrap_or_default();
        for file in &mut done.files {
            // what nobody has to look at again: names of an earlier run
            file.notes
                .retain(|note| is_new && !locked.contains(&format!("\"{}\"", note.name)));
        }
        report(&done.files, self.quiet);
        let mut changes = done.changes;
        for change in &mut changes {
            change.path = self.dir.join(&change.path).display().to_string();
        }
        changes.extend(done.lock);
        if self.check {
            return Ok(show(self.dir, &changes));
        }
        for Change { path, after, .. } in changes.iter().filter(|_| !self.quiet) {
            let verb = if after.is_some() { "wrote" } else { "removed" };
            anstream::eprintln!("{verb} {path}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows warnings and notes, which stop nothing.
pub(crate) fn report(files: &[File], quiet: bool) {
    if quiet {
        return;
    }
    let palette = palette();
    for group in generator::grouped(files.iter().flat_map(|file| &file.warnings)) {
        anstream::eprintln!("{}", group.render(&palette));
    }
    for text in generator::rendered_notes(files.iter().flat_map(|file| &file.notes), &palette) {
        anstream::eprintln!("{text}");
    }
    let Palette { note, reset, .. } = &palette;
    for file in files.iter().filter(|file| file.has_made_ids) {
        anstream::eprintln!(
            "{note}note{reset}: ids in {} are made of names; fetch the document to have the service's",
            file.path
        );
    }
}

/// Shows what is stale as one unified diff.
pub(crate) fn show(dir: &Path, changes: &[Change]) -> ExitCode {
    if changes.is_empty() {
        return ExitCode::SUCCESS;
    }
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
    // whether anyone reads it does not change the verdict
    let _ = anstream::stdout().write_all(text.as_bytes());
    let count = match changes.len() {
        1 => "1 file is stale".to_owned(),
        count => format!("{count} files are stale"),
    };
    let Palette {
        error, note, reset, ..
    } = palette();
    anstream::eprintln!(
        "{error}error{reset}: {count} in {}\n  = {note}help{reset}: run the same command without --check",
        dir.display()
    );
    ExitCode::from(1)
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

/// The colours of reports; whoever prints them leaves them out where no terminal shows them.
pub(crate) fn palette() -> Palette {
    let code = |style: Style| style.render().to_string();
    Palette {
        error: code(AnsiColor::Red.on_default().bold()),
        warning: code(AnsiColor::Yellow.on_default().bold()),
        note: code(AnsiColor::Cyan.on_default().bold()),
        ruler: code(AnsiColor::Blue.on_default().bold()),
        reset: anstyle::Reset.to_string(),
    }
}
