//! The pure core, from texts to texts, one room after the other.

use crate::config::Config;
use crate::emit::emit;
use crate::error::Error;
use crate::file::File;
use crate::input::Input;
use crate::load::load;
use crate::plan::plan;
use crate::render::render;

/// Generates the code of all schemas: the same inputs give the same bytes, in whatever order they
/// are named. It reads and writes nothing.
pub fn generate(inputs: &[Input], config: &Config) -> Result<Vec<File>, Error> {
    let loaded = load(inputs)?;
    let plan = plan(&loaded, config)?;
    Ok(render(emit(plan)))
}
