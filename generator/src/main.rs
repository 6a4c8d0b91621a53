//! The program: schema files in, typed Rust out. It reads arguments, files and standard input,
//! prints and sets the exit code; everything between is the library's.

#[cfg(feature = "fetch")]
mod atomic_write;
mod data_files;
mod diff;
mod explain;
#[cfg(feature = "fetch")]
mod fetch;
mod infer;
mod keys;
mod lint;
mod validate;

use anstyle::{AnsiColor, Style};
use clap::{CommandFactory, Parser};
use data_files::{Failure, is_standard_input};
use generator::{Change, Config, Error, File, Input, Layout, Palette};
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
  generator diff git:main:schemas schemas    what a branch changes, and whom it concerns
  generator lint schemas                     what schemas say and probably don't mean
  generator fetch https://data.example.org --schema Airport
                                             fetch a schema from a running service
  generator --completions bash               print a completion script

Exit codes: 0 all is well, 1 a schema is invalid, a file stale, a row faulty or
a schema different, 2 wrong usage";

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

    /// Write one file for each schema and a mod.rs to this directory, instead of printing
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write nothing; exit 1 and show what would change in the directory of --out
    #[arg(long, requires = "out")]
    check: bool,

    /// What the generated code calls the runtime, such as `fieldstone` or `crate::runtime`
    #[arg(long, value_name = "PATH")]
    runtime: Option<String>,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    Generate(Generate),
    #[cfg(feature = "fetch")]
    Fetch(fetch::Arguments),
    Validate(validate::Arguments),
    Infer(infer::Arguments),
    Diff(diff::Arguments),
    Lint(lint::Arguments),
    Explain(explain::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(shell) = arguments.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "generator", &mut script);
        return print(&script);
    }
    match (arguments.command, arguments.generate) {
        #[cfg(feature = "fetch")]
        (Some(Subcommand::Fetch(arguments)), _) => fetch(&arguments),
        (Some(Subcommand::Validate(arguments)), _) => {
            exit(validate::validate(&arguments, &palette()))
        }
        (Some(Subcommand::Infer(arguments)), _) => exit(infer::infer(&arguments)),
        (Some(Subcommand::Explain(arguments)), _) => exit(explain::explain(&arguments, &palette())),
        (Some(Subcommand::Lint(arguments)), _) => exit(lint::lint(&arguments, &palette())),
        (Some(Subcommand::Diff(arguments)), _) => exit(diff::diff(&arguments, &palette())),
        (Some(Subcommand::Generate(arguments)), _) | (None, Some(arguments)) => {
            generate(&arguments)
        }
        // INVARIANT: without a command, a schema is required
        (None, None) => ExitCode::from(2),
    }
}

/// The exit code of a command that looks for something: whether nothing was found.
fn exit(outcome: Result<bool, Failure>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(Failure::NobodyReads) => ExitCode::from(1),
        Err(Failure::Told { message, help }) => {
            let Palette {
                error, note, reset, ..
            } = palette();
            anstream::eprintln!("{error}error{reset}: {message}\n  = {note}help{reset}: {help}");
            ExitCode::from(2)
        }
    }
}

fn generate(arguments: &Generate) -> ExitCode {
    let standard_inputs = arguments
        .schemas
        .iter()
        .filter(|path| is_standard_input(path));
    if standard_inputs.count() > 1 {
        let message = "standard input (`-`) can be read only once";
        let kind = clap::error::ErrorKind::ArgumentConflict;
        Arguments::command().error(kind, message).exit();
    }
    match run(arguments) {
        Ok(code) => code,
        Err(error) => {
            anstream::eprint!("{}", error.render(&palette()));
            ExitCode::from(1)
        }
    }
}

fn run(arguments: &Generate) -> Result<ExitCode, Error> {
    let inputs = inputs(&arguments.schemas)?;
    let runtime = arguments.runtime.as_deref();
    let Some(dir) = &arguments.out else {
        let mut config = config(runtime);
        if inputs.len() > 1 {
            config = config.layout(Layout::OneFile("records".to_owned()));
        }
        let files = generator::generate(&inputs, &config)?;
        report(&files);
        let code = files.iter().find(|file| file.path != "mod.rs");
        return Ok(print(code.map_or("", |file| &file.text).as_bytes()));
    };
    generate_into(dir, &inputs, runtime, arguments.check)
}

fn config(runtime: Option<&str>) -> Config {
    match runtime {
        Some(runtime) => Config::new().runtime(runtime),
        None => Config::new(),
    }
}

/// Writes the types of the inputs to a directory, or compares them with what is there.
fn generate_into(
    dir: &Path,
    inputs: &[Input],
    runtime: Option<&str>,
    only_check: bool,
) -> Result<ExitCode, Error> {
    let files = generator::generate(inputs, &config(runtime))?;
    report(&files);
    if only_check {
        let changes = generator::compare(dir, &files)?;
        return Ok(show(dir, &changes));
    }
    for Change { path, after, .. } in generator::write(dir, &files)? {
        let verb = if after.is_some() { "wrote" } else { "removed" };
        anstream::eprintln!("{verb} {}", dir.join(path).display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Fetches schemas, and writes their files or their types.
#[cfg(feature = "fetch")]
fn fetch(arguments: &fetch::Arguments) -> ExitCode {
    let outcome = fetch::fetch(arguments).and_then(|downloads| {
        let Some(dir) = &arguments.out else {
            for line in fetch::save(&arguments.dir, &downloads)? {
                anstream::eprintln!("{line}");
            }
            return Ok(Ok(ExitCode::SUCCESS));
        };
        let inputs: Vec<Input> = downloads.iter().map(fetch::Download::input).collect();
        let runtime = arguments.runtime.as_deref();
        Ok(generate_into(dir, &inputs, runtime, arguments.check))
    });
    let error = match outcome {
        Ok(Ok(code)) => return code,
        Ok(Err(error)) => error.render(&palette()),
        Err(error) => error.render(&palette()),
    };
    anstream::eprint!("{error}");
    ExitCode::from(1)
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

/// Shows warnings and notes, which stop nothing.
fn report(files: &[File]) {
    let palette = palette();
    for warning in files.iter().flat_map(|file| &file.warnings) {
        anstream::eprintln!("{}", warning.render(&palette));
    }
    for note in files.iter().flat_map(|file| &file.notes) {
        anstream::eprintln!("{}", note.render(&palette));
    }
}

/// Prints to standard output. A reader that has seen enough is no error.
fn print(text: &[u8]) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let error = file_error("write to", "standard output", error);
            anstream::eprint!("{}", error.render(&palette()));
            ExitCode::from(1)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Shows what is stale as one unified diff.
fn show(dir: &Path, changes: &[Change]) -> ExitCode {
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
        let name = dir.join(path).display().to_string();
        let side = |text: &Option<String>| match text {
            Some(_) => name.clone(),
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
fn palette() -> Palette {
    let code = |style: Style| style.render().to_string();
    Palette {
        error: code(AnsiColor::Red.on_default().bold()),
        warning: code(AnsiColor::Yellow.on_default().bold()),
        note: code(AnsiColor::Cyan.on_default().bold()),
        ruler: code(AnsiColor::Blue.on_default().bold()),
        reset: anstyle::Reset.to_string(),
    }
}
