//! The program: schema files in, typed Rust out. It reads arguments, files and standard input,
//! prints and sets the exit code; everything between is the library's.

mod data_files;
mod diff;
mod explain;
mod exports;
#[cfg(feature = "fetch")]
mod fetch;
mod findings;
mod infer;
mod lint;
mod output_file;
mod run;
mod sample_records;
mod schema_file;
mod validate;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand as _};
use data_files::{Failure, is_standard_input};
use findings::{Format, Reporter};
use generator::{Config, Error, Input, Layout, Mistake};
use run::{Run, config};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  generator airport.json                     print the code of one schema
  generator schemas --out src/generated      one file for each schema, and mod.rs
  generator schemas --out src/generated --check
                                             exit 1 and show a diff when the files are stale
  some-program | generator -                 read a schema from standard input
  generator ./validate                       a folder that is named like a command
  generator validate airport.json rows.csv   check a data file against a schema
  generator infer rows.csv --out rows.json   propose a schema for a data file
  generator export airport.json --to json-schema
                                             the schema as JSON Schema, SQL or a data dictionary
  generator diff git:main:schemas schemas    what a branch changes, and whom it concerns
  generator lint schemas                     what schemas say and probably don't mean
  generator sample airport.json --count 100  records that the schema allows, or break a rule each
  generator fetch https://data.example.org --schema Airport
                                             fetch a schema from a running service
  generator --completions bash               print a completion script

Exit codes:
  0  all is well
  1  the command found what it looks for: an invalid schema (generate, fetch --out, lint), a stale
     file, a faulty row, a schema that differs
  2  wrong usage, or what can't be read, written or fetched; also an invalid schema that a command
     needs (validate, export, diff, sample, explain)";

const GENERATE_CODES: &str = "\
Exit codes:
  0  done
  1  an invalid schema, or with --check a file that is stale
  2  wrong usage, or a file that can't be read or written";

/// Turn Fieldstone schemas into typed Rust, and check data files against them.
#[derive(Parser)]
#[command(name = "generator", version, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Subcommand>,

    #[command(flatten)]
    generate: Option<Generate>,

    /// Print the script that completes arguments in a shell
    #[arg(long, value_name = "SHELL", exclusive = true)]
    completions: Option<clap_complete::Shell>,
}

/// Generate types, as without a command
#[derive(clap::Args)]
struct Generate {
    /// Schema files, directories (every *.json directly in them), or `-` for standard input
    #[arg(value_name = "SCHEMA", required = true)]
    schemas: Vec<PathBuf>,

    /// Write one file for each schema and a mod.rs to this directory, instead of printing. It is to hold these schemas
    /// and no others: name all of them in one run, because files that an earlier run generated there and this one does
    /// not are removed
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write nothing; exit 1 and show what would change in the directory of --out
    #[arg(long, requires = "out")]
    check: bool,

    /// What the generated code calls the runtime, such as `fieldstone` or `crate::runtime`
    #[arg(long, value_name = "PATH")]
    runtime: Option<String>,

    /// Tell errors only: no warnings, no notes, no files that were written
    #[arg(short, long)]
    quiet: bool,

    /// Keep every identifier that this file knows, and note new ones in it; with --check a stale one is a finding.
    /// Build scripts read it (`Config::lock_file`)
    #[arg(long, value_name = "FILE", requires = "out")]
    lock: Option<PathBuf>,

    /// Find the identifier of a field anew, told as `Schema.Field`, by its display name or its id; the old name stays as
    /// a deprecated accessor until the schema's next version. May be given several times
    #[arg(
        long,
        value_name = "FIELD",
        requires = "lock",
        conflicts_with = "check"
    )]
    relock: Vec<String>,

    /// Call a field NAME, as `Schema.Field=NAME`; schema and field by display name or id. With --lock the lock keeps it,
    /// so later runs need not say it. May be given several times
    #[arg(long, value_name = "FIELD=NAME", value_parser = rename)]
    rename: Vec<Rename>,

    /// Derive more traits for a type, as `Airport=Eq, Hash`; `*` is every type. May be given several times
    #[arg(long, value_name = "TYPE=TRAITS", value_parser = addition)]
    type_derive: Vec<Addition>,

    /// Add an attribute to a type, as `Airport=#[must_use]`; `*` is every type. May be given several times
    #[arg(long, value_name = "TYPE=ATTRIBUTE", value_parser = addition)]
    type_attribute: Vec<Addition>,

    /// Keep codes that the enum of a static picklist does not have, told as `Schema.Field`, by its display name or its
    /// id; `*` is every static picklist. May be given several times
    #[arg(long, value_name = "FIELD")]
    open_picklist: Vec<String>,

    /// How findings, notes and errors are shown; JSON is one a line
    // not by `FormatOption`: clap does not see an optional group that has another one
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    format: Format,
}

/// `Schema.Field=name`.
#[derive(Clone)]
struct Rename {
    schema: String,
    field: String,
    name: String,
}

fn rename(text: &str) -> Result<Rename, String> {
    let parts = text.rsplit_once('=').and_then(|(field, name)| {
        let (schema, field) = field.split_once('.')?;
        Some([schema, field, name].map(str::to_owned))
    });
    let [schema, field, name] = parts.ok_or("write it as Schema.Field=name")?;
    Ok(Rename {
        schema,
        field,
        name,
    })
}

/// `Type=what is added to it`.
#[derive(Clone)]
struct Addition {
    type_name: String,
    text: String,
}

fn addition(text: &str) -> Result<Addition, String> {
    let parts = text.split_once('=').ok_or("write it as Type=addition")?;
    let (type_name, text) = (parts.0.to_owned(), parts.1.to_owned());
    Ok(Addition { type_name, text })
}

impl Generate {
    /// What the command line says of generated code.
    fn config(&self) -> Config {
        let mut config = config(self.runtime.as_deref(), &self.open_picklist);
        for Rename {
            schema,
            field,
            name,
        } in &self.rename
        {
            config = config.rename_field(schema, field, name);
        }
        for Addition { type_name, text } in &self.type_derive {
            config = config.type_derive(type_name, text);
        }
        for Addition { type_name, text } in &self.type_attribute {
            config = config.type_attribute(type_name, text);
        }
        self.relock
            .iter()
            .fold(config, |config, field| config.relock(field))
    }
}

#[derive(clap::Subcommand)]
enum Subcommand {
    #[command(after_help = GENERATE_CODES)]
    Generate(Generate),
    #[cfg(feature = "fetch")]
    Fetch(fetch::Arguments),
    Validate(validate::Arguments),
    Infer(infer::Arguments),
    Export(exports::Arguments),
    Diff(diff::Arguments),
    Lint(lint::Arguments),
    Sample(sample_records::Arguments),
    Explain(explain::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(shell) = arguments.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "generator", &mut script);
        return match print(&script) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => tell(error, &Reporter::new(Format::Human, true)),
        };
    }
    let Some(command) = arguments
        .command
        .or(arguments.generate.map(Subcommand::Generate))
    else {
        // INVARIANT: without a command, a schema is required
        return ExitCode::from(2);
    };
    let reporter = command.reporter();
    match command {
        Subcommand::Generate(arguments) => generate(&arguments, &reporter),
        #[cfg(feature = "fetch")]
        Subcommand::Fetch(arguments) => fetch(&arguments, &reporter),
        Subcommand::Validate(arguments) => {
            exit(validate::validate(&arguments, &reporter), &reporter)
        }
        Subcommand::Infer(arguments) => {
            exit_of_shown(infer::infer(&arguments, &reporter), &reporter)
        }
        Subcommand::Export(arguments) => {
            exit_of_shown(exports::export(&arguments, &reporter), &reporter)
        }
        Subcommand::Diff(arguments) => exit(diff::diff(&arguments, &reporter), &reporter),
        Subcommand::Lint(arguments) => exit(lint::lint(&arguments, &reporter), &reporter),
        Subcommand::Sample(arguments) => {
            exit_of_shown(sample_records::sample(&arguments, &reporter), &reporter)
        }
        Subcommand::Explain(arguments) => {
            exit_of_shown(explain::explain(&arguments, &reporter), &reporter)
        }
    }
}

impl Subcommand {
    /// How the command shows what it finds, and whether standard output has something else: its result.
    fn reporter(&self) -> Reporter {
        let (format, prints_result) = match self {
            Subcommand::Generate(arguments) => (arguments.format, arguments.out.is_none()),
            #[cfg(feature = "fetch")]
            Subcommand::Fetch(arguments) => (arguments.output.format, false),
            Subcommand::Validate(arguments) => (arguments.format(), true),
            Subcommand::Infer(arguments) => (arguments.output.format, arguments.prints_schema()),
            Subcommand::Export(arguments) => (arguments.output.format, arguments.prints_export()),
            Subcommand::Diff(arguments) => (arguments.format(), true),
            Subcommand::Lint(arguments) => (arguments.output.format, false),
            Subcommand::Sample(arguments) => (arguments.output.format, true),
            Subcommand::Explain(arguments) => (arguments.output.format, false),
        };
        Reporter::new(format, prints_result)
    }
}

/// The exit code of a command that looks for something: whether nothing was found.
fn exit(outcome: Result<bool, Failure>, reporter: &Reporter) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(Failure::NobodyReads) => ExitCode::from(1),
        Err(Failure::Told { message, help }) => {
            reporter.failed(&[Mistake { message, help }]);
            ExitCode::from(2)
        }
    }
}

/// The exit code of a command that only shows: a reader that has seen enough is no error.
fn exit_of_shown(outcome: Result<bool, Failure>, reporter: &Reporter) -> ExitCode {
    match outcome {
        Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        outcome => exit(outcome, reporter),
    }
}

fn generate(arguments: &Generate, reporter: &Reporter) -> ExitCode {
    let standard_inputs = arguments
        .schemas
        .iter()
        .filter(|path| is_standard_input(path));
    if standard_inputs.count() > 1 {
        let message = "standard input (`-`) can be read only once";
        let kind = clap::error::ErrorKind::ArgumentConflict;
        Arguments::command().error(kind, message).exit();
    }
    run(arguments, reporter).unwrap_or_else(|error| tell(error, reporter))
}

/// Tells why nothing was generated. What is wrong with schemas is a finding; with everything else, the usage is wrong.
fn tell(error: Error, reporter: &Reporter) -> ExitCode {
    let Error::Schemas(reports) = error else {
        reporter.failed(&mistakes(&error));
        return ExitCode::from(2);
    };
    match reporter.refused(&reports) {
        Ok(()) => ExitCode::from(1),
        Err(error) => tell(error, reporter),
    }
}

/// What is wrong, and what to do: a word that is no file may be meant as a command.
fn mistakes(error: &Error) -> Vec<Mistake> {
    let mut mistakes = error.mistakes();
    if let Error::File { path, source, .. } = error
        && source.kind() == std::io::ErrorKind::NotFound
        && let Some(command) = near_command(path)
    {
        for mistake in &mut mistakes {
            mistake.help = format!("check the path; or did you mean the command `{command}`?");
        }
    }
    mistakes
}

/// The command that a path is nearly the name of, as clap finds it.
fn near_command(path: &Path) -> Option<String> {
    let word = path
        .to_str()
        .filter(|word| !word.contains(['/', '\\', '.']))?;
    let commands = Subcommand::augment_subcommands(clap::Command::new("generator"));
    let commands = commands
        .subcommand_required(true)
        .disable_help_subcommand(true);
    let error = commands.try_get_matches_from(["generator", word]).err()?;
    match error.get(ContextKind::SuggestedSubcommand)? {
        ContextValue::String(name) => Some(name.clone()),
        // the nearest comes last
        ContextValue::Strings(names) => names.last().cloned(),
        _ => None,
    }
}

fn run(arguments: &Generate, reporter: &Reporter) -> Result<ExitCode, Error> {
    let inputs = inputs(&arguments.schemas)?;
    let Some(dir) = &arguments.out else {
        let mut config = arguments.config();
        if inputs.len() > 1 {
            config = config.layout(Layout::OneFile("records".to_owned()));
        }
        let files = generator::generate(&inputs, &config)?;
        if !arguments.quiet {
            run::report(&files, reporter)?;
        }
        let code = files.iter().find(|file| file.path != "mod.rs");
        print(code.map_or("", |file| &file.text).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let run = Run {
        dir,
        config: arguments.config(),
        check: arguments.check,
        quiet: arguments.quiet,
        lock: arguments.lock.as_deref(),
        reporter,
    };
    run.generate(&inputs)
}

/// Fetches schemas, and writes their files or their types.
#[cfg(feature = "fetch")]
fn fetch(arguments: &fetch::Arguments, reporter: &Reporter) -> ExitCode {
    let outcome = fetch::fetch(arguments).and_then(|downloads| {
        let Some(dir) = &arguments.out else {
            return schema_files(arguments, &downloads, reporter);
        };
        let inputs: Vec<Input> = downloads.iter().map(fetch::Download::input).collect();
        let run = Run {
            dir,
            config: arguments.relock.iter().fold(
                config(arguments.runtime.as_deref(), &arguments.open_picklist),
                |config, field| config.relock(field),
            ),
            check: arguments.check,
            quiet: arguments.quiet,
            lock: arguments.lock.as_deref(),
            reporter,
        };
        Ok(run.generate(&inputs))
    });
    match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => tell(error, reporter),
        Err(error) => exit(Err(error.into_failure()), reporter),
    }
}

/// Writes the files of fetched schemas, or compares them with what is there.
#[cfg(feature = "fetch")]
fn schema_files(
    arguments: &fetch::Arguments,
    downloads: &[fetch::Download],
    reporter: &Reporter,
) -> Result<Result<ExitCode, Error>, fetch::FetchError> {
    let (dir, whole) = (&arguments.dir, arguments.whole());
    let (changes, notes) = if arguments.check {
        fetch::compare(dir, downloads, whole)?
    } else {
        (Vec::new(), fetch::save(dir, downloads, whole)?)
    };
    let notes = notes.into_iter().filter(|_| !arguments.quiet);
    let code = run::show(dir, &changes, reporter);
    Ok(code.and_then(|code| {
        for note in notes {
            reporter.show(&note.message.clone(), [note])?;
        }
        Ok(code)
    }))
}

/// Reads all inputs; a directory without schemas is an error, because it is probably the wrong one.
fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        if is_standard_input(path) {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|source| file_error("read", "standard input", source))?;
            inputs.push(Input::new("standard input", text));
            continue;
        }
        let files = generator::schema_files(path)?;
        if files.is_empty() {
            let source = std::io::Error::other("the directory holds no *.json file");
            return Err(file_error("find a schema in", path, source));
        }
        for file in files {
            inputs.push(generator::read(&file)?);
        }
    }
    Ok(inputs)
}

fn file_error(action: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Error {
    Error::File {
        action,
        path: path.into(),
        source,
    }
}

/// Prints to standard output. A reader that has seen enough is no error.
fn print(text: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(file_error("write to", "standard output", error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_paragraph_is_wrapped_in_a_help() {
        let program = Arguments::command();
        let helps = program.get_subcommands().chain([&program]);
        for command in helps {
            let help = command.get_after_help().expect("it has one").to_string();
            let mut lines = vec![""];
            lines.extend(help.lines().chain([""]));
            for around in lines.windows(3) {
                let is_alone = around[0].is_empty() && around[2].is_empty();
                let is_short = around[1].chars().count() <= 100;
                assert!(
                    is_short || is_alone,
                    "{}: {}",
                    command.get_name(),
                    around[1]
                );
            }
        }
    }
}
