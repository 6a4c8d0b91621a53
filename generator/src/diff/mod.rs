//! Schemas beside schemas: what differs, and whom it concerns. What a difference means is decided by `schema::diff`, what
//! it is to generated types by the library; here they are found, paired, counted and told.

mod arguments;
mod concern;
mod json;
mod markdown;
mod pairing;
mod records;
mod source;
mod text;
mod words;

pub(crate) use arguments::Arguments;

use crate::data_files::Failure;
use crate::findings::Reporter;
use arguments::{Audience, Format};
use concern::{Compared, Outcome};
use generator::Lock;
use pairing::Pair;
use schema::diff::{Diff, Semver};
use std::io::{self, Write as _};

/// Compares schemas; yields whether nothing was found that was asked for.
pub(crate) fn diff(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    if arguments.old == "-" && arguments.new == "-" {
        let message = "standard input (`-`) can be read only once";
        return Err(Failure::new(message, "name one side as `-`"));
    }
    let old = source::read(&arguments.old, reporter)?;
    let new = source::read(&arguments.new, reporter)?;
    let pairs = pairing::pairs(old, new, arguments)?;
    let both = pairs
        .iter()
        .filter(|pair| pair.old.is_some() && pair.new.is_some());
    if arguments.records.is_some() && both.count() != 1 {
        let message = "--records takes the rows of one schema that both sides have";
        return Err(Failure::new(message, "name it with --schema"));
    }
    let lock = match &arguments.lock {
        Some(path) => generator::read_lock(path).map_err(|error| {
            reporter.failed(&error.mistakes());
            let message = format!("{} is no lock", path.display());
            Failure::new(message, "name the lock that the types are generated with")
        })?,
        None => Lock::new(),
    };
    let mut all = Vec::new();
    for pair in &pairs {
        all.push(compare(pair, &lock, arguments)?);
    }
    let outcome = Outcome::of(&all);
    let shown = match arguments.format {
        Format::Text => text::render(&all, &outcome, &reporter.palette),
        Format::Json => json::render(&all, &outcome),
        Format::Markdown => markdown::render(&all, &outcome),
    };
    let written = anstream::stdout().write_all(shown.as_bytes());
    written.map_err(|error: io::Error| Failure::output(&error))?;
    Ok(if arguments.fail_on.is_empty() {
        !outcome.differs
    } else {
        let mut audiences = arguments.fail_on.iter();
        !audiences.any(|audience| outcome.concerns(*audience))
    })
}

fn compare<'p>(
    pair: &'p Pair,
    lock: &Lock,
    arguments: &Arguments,
) -> Result<Compared<'p>, Failure> {
    let (Some((old_source, old)), Some((new_source, new))) = (&pair.old, &pair.new) else {
        return Ok(Compared::of_one(pair));
    };
    let mut diff = Diff::of(old, new);
    generator::judge_types(&mut diff, lock).map_err(|error| {
        let message = format!("no types can be generated of {new_source}: {error}");
        Failure::new(message, "mend the schema first")
    })?;
    let path = arguments.records.as_deref();
    let counted = path.map(|path| records::count(&diff, path, arguments));
    Ok(Compared::of_both(
        diff,
        [old_source, new_source],
        counted.transpose()?,
    ))
}

impl Outcome {
    fn concerns(&self, audience: Audience) -> bool {
        match audience {
            Audience::Data => self.data,
            Audience::Api => self.verdicts.api >= Semver::Major,
            Audience::Readers => !self.verdicts.readers.is_empty(),
            Audience::Writers => !self.verdicts.writers.is_empty(),
        }
    }
}
