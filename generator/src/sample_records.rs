//! `generator sample`: records that nobody wrote, one a line. It makes none itself: that is what `sample` is for.

use crate::data_files::Failure;
use crate::findings::{Finding, FormatOption, Reporter};
use crate::schema_file;
use crate::validate::Domains;
use sample::{At, Breaking, NoRecord, Sampler, Seeded};
use schema::Schema;
use schema::json::write_string;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

/// The examples under `generator sample --help`.
const EXAMPLES: &str = "\
Examples:
  generator sample airport.json --count 1000 > rows.ndjson
                                             records without faults, the same ones each time
  generator sample airport.json --seed 2     others
  generator sample airport.json --at bounds  the shortest and least, the longest and most
  generator sample airport.json --breaking   for each rule a record that breaks it alone

One record a line. With --breaking a line is {\"field\": …, \"rule\": …, \"record\": …}; rules that no value breaks \
alone, and those of files, are shown on standard error.

Exit codes:
  0  done
  2  wrong usage, a schema that is invalid or that no record fits";

/// How often a primary key is chosen anew before there is none left.
const TRIES_MAX: u32 = 1000;

/// Make up records that a schema allows, or that break one rule each
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A schema document, or `-` for standard input
    #[arg(value_name = "SCHEMA")]
    schema: PathBuf,

    /// Where values lie: anywhere, or at the lower bounds and the upper ones in turn
    #[arg(long, value_name = "WHERE", value_enum, default_value = "random")]
    at: Place,

    /// How many records
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 10)]
    count: u64,

    /// Which records: the same number makes the same ones
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// For each rule of each field a record that breaks that rule and no other
    #[arg(long, conflicts_with_all = ["at", "count", "seed"])]
    breaking: bool,

    /// The codes of data domains: a JSON object with an array of codes for each domain's id
    #[arg(long, value_name = "FILE")]
    domains: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: FormatOption,
}

/// Where values lie.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Place {
    Random,
    Bounds,
}

/// Prints samples; yields that nothing was found.
pub(crate) fn sample(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let (name, schema) = schema_file::read(&arguments.schema, "make records of", reporter)?;
    let domains = arguments
        .domains
        .as_deref()
        .map(Domains::read)
        .transpose()?;
    let codes = |id: &str| domains.as_ref().map_or_else(Vec::new, |it| it.codes_of(id));
    let sampler = Sampler::with_codes(&schema, codes).map_err(|error| {
        let help = match error {
            NoRecord::Field(_) => "widen its bounds, or let it be missing",
            NoRecord::Schema(_) => "mend the schema first",
        };
        Failure::new(format!("{name}: {error}"), help)
    })?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if arguments.breaking {
        let lookups = domains
            .as_ref()
            .map(|it| it as &dyn engine::validate::Lookups);
        for one in sampler.breaking_with(lookups) {
            breaking(&one, (&name, &schema), &mut out, reporter)?;
        }
    } else {
        valid(&sampler, arguments, &mut out)?;
    }
    out.flush().map_err(|error| Failure::output(&error))?;
    Ok(true)
}

/// Writes a record that breaks a rule, or shows that there is none.
fn breaking(
    one: &Breaking,
    (file, schema): (&str, &Schema),
    out: &mut impl Write,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let Some(record) = &one.record else {
        let message = format!("no record breaks {} alone", one.rule);
        let text = format!("{:?}: {message}", one.field);
        let finding = Finding {
            schema: Some(schema.name.clone()),
            field: Some(one.field.clone()),
            message,
            ..Finding::of_file("no_record", file)
        };
        return Ok(reporter.show(&text, [finding])?);
    };
    let mut field = String::new();
    write_string(&mut field, &one.field);
    let rule = &one.rule;
    let line = writeln!(
        out,
        "{{\"field\":{field},\"rule\":\"{rule}\",\"record\":{record}}}"
    );
    line.map_err(|error| Failure::output(&error))
}

/// Writes records without faults, no two of the same primary key.
fn valid(sampler: &Sampler, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut chance = Seeded::new(arguments.seed);
    let mut keys = HashSet::new();
    for number in 0..arguments.count {
        let at = match arguments.at {
            Place::Random => At::Random,
            Place::Bounds if number % 2 == 0 => At::Lowest,
            Place::Bounds => At::Highest,
        };
        let mut record = sampler.record(at, &mut chance);
        let mut tries = 0;
        while sampler
            .primary_key(&record)
            .is_some_and(|key| !keys.insert(key))
        {
            tries += 1;
            if tries > TRIES_MAX {
                out.flush().map_err(|error| Failure::output(&error))?;
                let message = format!("after {number} records no other primary key was found");
                return Err(Failure::new(
                    message,
                    "ask for fewer, or widen the key's bounds",
                ));
            }
            record = sampler.record_with_key(at, At::Random, &mut chance);
        }
        writeln!(out, "{record}").map_err(|error| Failure::output(&error))?;
    }
    Ok(())
}
