//! `generator lint`: advice on schemas, told as a compiler tells it. What is advised is the library's.

use crate::data_files::{Failure, is_standard_input};
use crate::findings::{Finding, FormatOption, Reporter};
use generator::{ADVICE, Advice, Input, Palette};
use schema::json::unmarked;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  generator lint schemas                     advice on every schema of a folder
  generator lint airport.json --allow two_digit_year
                                             all but one kind
  generator lint schemas --allow-list lint.allow
                                             but what a file allows: a code, or CODE:SCHEMA or
                                             CODE:SCHEMA/FIELD, one a line; # begins a comment
  generator lint --codes                     what is looked for

Exit codes:
  0  nothing found
  1  findings, of which an invalid schema is one
  2  wrong usage, or a file that can't be read";

/// Look for what schemas may say and probably do not mean
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Schema files, directories (every *.json directly in them), or `-` for standard input
    #[arg(value_name = "SCHEMA", required_unless_present = "codes")]
    schemas: Vec<PathBuf>,

    /// Allow a code, in one schema by CODE:SCHEMA, of one field by CODE:SCHEMA/FIELD; may be given several times
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,

    /// Allow what a file says, one a line
    #[arg(long, value_name = "FILE")]
    allow_list: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: FormatOption,

    /// Print every code and what it is about
    #[arg(long, exclusive = true)]
    codes: bool,
}

/// Looks at schemas; yields whether nothing was found.
pub(crate) fn lint(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let mut out = String::new();
    if arguments.codes {
        for (code, about) in ADVICE {
            let _ = writeln!(out, "{code:<18}{about}");
        }
        print(&out)?;
        return Ok(true);
    }
    let allowed = allowed(arguments)?;
    let mut count = 0;
    for input in inputs(arguments)? {
        for advice in generator::advise(&input) {
            if allowed.iter().any(|allowed| allows(allowed, &advice)) {
                continue;
            }
            count += 1;
            if reporter.is_json() {
                let _ = writeln!(out, "{}", Finding::from(&advice));
            } else {
                human(&mut out, &advice, &reporter.palette);
            }
        }
    }
    print(&out)?;
    if !reporter.is_json() && count > 0 {
        let s = if count == 1 { "" } else { "s" };
        anstream::eprintln!("{count} finding{s}");
    }
    Ok(count == 0)
}

fn print(text: &str) -> Result<(), Failure> {
    let written = anstream::stdout().write_all(text.as_bytes());
    written.map_err(|error| Failure::output(&error))
}

fn inputs(arguments: &Arguments) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for path in &arguments.schemas {
        if is_standard_input(path) {
            let text = io::read_to_string(io::stdin());
            let text = text.map_err(|error| Failure::file("read", path, &error))?;
            inputs.push(Input::new("standard input", text));
            continue;
        }
        let files = generator::schema_files(path)?;
        if files.is_empty() {
            let message = format!("{} holds no *.json file", path.display());
            return Err(Failure::new(message, "name a folder of schema documents"));
        }
        for file in files {
            inputs.push(generator::read(&file)?);
        }
    }
    Ok(inputs)
}

/// What is allowed, each as `CODE`, `CODE:SCHEMA` or `CODE:SCHEMA/FIELD`.
fn allowed(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let mut allowed = arguments.allow.clone();
    if let Some(path) = &arguments.allow_list {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| Failure::file("read", path, &error))?;
        let lines = unmarked(&text).lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        allowed.extend(lines.map(str::to_owned));
    }
    for one in &allowed {
        let code = one.split_once(':').map_or(one.as_str(), |(code, _)| code);
        if code == "contradiction" || !ADVICE.iter().any(|(known, _)| *known == code) {
            let message = format!("{code:?} is no code that can be allowed");
            let help = "`generator lint --codes` prints them; a contradiction has to be mended";
            return Err(Failure::new(message, help));
        }
    }
    Ok(allowed)
}

fn allows(allowed: &str, advice: &Advice) -> bool {
    let (code, of) = allowed
        .split_once(':')
        .map_or((allowed, None), |(code, of)| (code, Some(of)));
    let whole = match &advice.field {
        Some(field) => format!("{}/{field}", advice.schema),
        None => advice.schema.clone(),
    };
    code == advice.code && of.is_none_or(|of| of == whole || of == advice.schema)
}

/// As a compiler shows it, the code in brackets behind the word.
fn human(out: &mut String, advice: &Advice, palette: &Palette) {
    let shown = advice.report.render(palette);
    let (head, rest) = shown.split_once(": ").unwrap_or((&shown, ""));
    let _ = writeln!(out, "{head}[{}]: {rest}", advice.code);
}
