//! The pure core, from texts to texts, one room after the other.

use crate::config::Config;
use crate::emit::emit;
use crate::error::Error;
use crate::file::File;
use crate::input::Input;
use crate::load::load;
use crate::lock::Lock;
use crate::plan::{Plan, next_lock, plan};
use crate::render::render;

/// Generated files, and the lock that keeps their identifiers.
pub struct Locked {
    /// The files, by name.
    pub files: Vec<File>,
    /// What the configuration's lock has become: it has the identifiers of all that is generated, and those of what is
    /// gone.
    pub lock: Lock,
}

/// Generates the code of all schemas: the same inputs give the same bytes, in whatever order they
/// are named. It reads and writes nothing.
///
/// # Errors
/// [`Error::Schemas`] with every problem of all of them, [`Error::Config`] with every mistake of the configuration.
pub fn generate(inputs: &[Input], config: &Config) -> Result<Vec<File>, Error> {
    Ok(generate_locked(inputs, config)?.files)
}

/// [`generate()`] with the next lock. It reads and writes nothing.
///
/// # Errors
/// As [`generate()`].
pub fn generate_locked(inputs: &[Input], config: &Config) -> Result<Locked, Error> {
    let loaded = load(inputs)?;
    let mut lock = config.lock.clone();
    let schemas: Vec<_> = loaded.iter().map(|one| &one.schema).collect();
    let relocked = config.relocks.iter();
    let mistakes: Vec<_> = relocked
        .filter_map(|field| lock.relock(&schemas, field).err())
        .collect();
    if !mistakes.is_empty() {
        return Err(Error::Config(mistakes));
    }
    let plan: Plan<'_> = plan(&loaded, config, &lock)?;
    let next = next_lock(&lock, &plan);
    Ok(Locked {
        files: render(emit(plan)),
        lock: next,
    })
}
