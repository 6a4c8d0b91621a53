//! What a user can ask for: which schemas, where to, what to call things, what to add to them. The
//! part for build scripts reads and writes files; everything else is the pure core's.

use crate::{Error, File, Input, generate, write};
use std::path::{Path, PathBuf};

/// How the generated modules are laid out in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// One file for each schema, and a `mod.rs` that names them.
    #[default]
    Files,
    /// One file of this name (without `.rs`) with one module for each schema.
    OneFile(String),
}

/// What is renamed. Schemas and fields are told by display name or by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Module {
        schema: String,
    },
    Schema {
        schema: String,
    },
    Field {
        schema: String,
        field: String,
    },
    Picklist {
        schema: String,
        field: String,
    },
    Code {
        schema: String,
        field: String,
        code: String,
    },
}

/// What an addition goes to: generated names, `*` for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) type_name: String,
    /// A field or variant; `None` is the type itself.
    pub(crate) member: Option<String>,
}

/// A configuration, for `build.rs` and for [`generate`](crate::generate()).
///
/// In every `rename_…`, schemas and fields are told by display name or by id. What names something
/// that is not there, or takes a name that is taken or no identifier, is a mistake: generating
/// reports all of them together.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), generator::Error> {
///     generator::Config::new()
///         .schemas("schemas")
///         .rename_field("Airport", "ICAO", "icao_code")
///         .type_derive("Airport", "PartialOrd")
///         .generate()?;
///     Ok(())
/// }
/// ```
///
/// and in the crate `runtime::include_records!("airport");`.
#[derive(Clone, Debug, Default)]
pub struct Config {
    schemas: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    pub(crate) runtime: Option<String>,
    pub(crate) layout: Layout,
    pub(crate) derives: Vec<(Target, String)>,
    pub(crate) attributes: Vec<(Target, String)>,
    pub(crate) renames: Vec<(Thing, String)>,
}

impl Config {
    /// The defaults: one file for each schema, nothing renamed, nothing added.
    pub fn new() -> Self {
        Config::default()
    }

    /// Adds a schema file, or a directory whose `*.json` files are schemas.
    #[must_use]
    pub fn schemas(mut self, path: impl Into<PathBuf>) -> Self {
        self.schemas.push(path.into());
        self
    }

    /// Writes to this directory instead of `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(path.into());
        self
    }

    /// How the runtime is called where the generated code is compiled, such as `crate::fieldstone`;
    /// `runtime` by default.
    #[must_use]
    pub fn runtime(mut self, path: impl Into<String>) -> Self {
        self.runtime = Some(path.into());
        self
    }

    /// How modules are laid out in files.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Derives more traits (`Eq, Hash`) for the type of this name; `*` is every struct and enum.
    #[must_use]
    pub fn type_derive(mut self, type_name: &str, derives: &str) -> Self {
        self.derives
            .push((Target::of_type(type_name), derives.to_owned()));
        self
    }

    /// Adds attributes (`#[must_use]`) to the type of this name; `*` is every struct and enum.
    #[must_use]
    pub fn type_attribute(mut self, type_name: &str, attribute: &str) -> Self {
        self.attributes
            .push((Target::of_type(type_name), attribute.to_owned()));
        self
    }

    /// Adds attributes to a field of a struct or a variant of an enum; either name may be `*`.
    #[must_use]
    pub fn field_attribute(mut self, type_name: &str, member: &str, attribute: &str) -> Self {
        let member = Some(member.to_owned());
        let target = Target {
            member,
            ..Target::of_type(type_name)
        };
        self.attributes.push((target, attribute.to_owned()));
        self
    }

    /// Calls the module (and file) of a schema `name`.
    #[must_use]
    pub fn rename_module(self, schema: &str, name: &str) -> Self {
        self.rename(
            Thing::Module {
                schema: schema.to_owned(),
            },
            name,
        )
    }

    /// Calls the struct of a schema `name`; its module and its enums follow.
    #[must_use]
    pub fn rename_schema(self, schema: &str, name: &str) -> Self {
        self.rename(
            Thing::Schema {
                schema: schema.to_owned(),
            },
            name,
        )
    }

    /// Calls a field `name`.
    #[must_use]
    pub fn rename_field(self, schema: &str, field: &str, name: &str) -> Self {
        let (schema, field) = (schema.to_owned(), field.to_owned());
        self.rename(Thing::Field { schema, field }, name)
    }

    /// Calls the enum of a static picklist `name`.
    #[must_use]
    pub fn rename_picklist(self, schema: &str, field: &str, name: &str) -> Self {
        let (schema, field) = (schema.to_owned(), field.to_owned());
        self.rename(Thing::Picklist { schema, field }, name)
    }

    /// Calls the variant of a picklist's code `name`.
    #[must_use]
    pub fn rename_code(self, schema: &str, field: &str, code: &str, name: &str) -> Self {
        let (schema, field, code) = (schema.to_owned(), field.to_owned(), code.to_owned());
        self.rename(
            Thing::Code {
                schema,
                field,
                code,
            },
            name,
        )
    }

    fn rename(mut self, thing: Thing, name: &str) -> Self {
        self.renames.push((thing, name.to_owned()));
        self
    }

    /// For build scripts: reads the schemas, writes what changed to `OUT_DIR`, and tells cargo when
    /// to run the script again. Warnings about schemas become cargo's warnings. What was generated
    /// is returned, with a note for each name that had to be adjusted.
    ///
    /// A directory belongs to one configuration: what an earlier run left there and this one does
    /// not generate is removed.
    pub fn generate(&self) -> Result<Vec<File>, Error> {
        let out_dir = match (&self.out_dir, std::env::var_os("OUT_DIR")) {
            (Some(path), _) => path.clone(),
            (None, Some(path)) => PathBuf::from(path),
            (None, None) => {
                let message = "the variable OUT_DIR is not set; is this a build script?";
                let source = std::io::Error::other(message);
                return Err(Error::file("write to", "OUT_DIR", source));
            }
        };
        // told first, so that a mended schema is looked at again after an error
        let watched = self.watched()?;
        for path in &watched {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let documents = watched.iter().filter(|path| !path.is_dir());
        let inputs: Vec<_> = documents.map(|path| read(path)).collect::<Result<_, _>>()?;
        let files = generate(&inputs, self)?;
        for report in files.iter().flat_map(|file| &file.warnings) {
            let crate::Report {
                input,
                line,
                column,
                problem,
                ..
            } = report;
            println!("cargo::warning={input}:{line}:{column}: {problem}");
        }
        write(&out_dir, &files)?;
        Ok(files)
    }

    /// The schema files, and the directories in which others may appear; each of them once.
    fn watched(&self) -> Result<Vec<PathBuf>, Error> {
        let mut watched = Vec::new();
        for path in &self.schemas {
            for path in std::iter::once(path.clone()).chain(schema_files(path)?) {
                if !watched.contains(&path) {
                    watched.push(path);
                }
            }
        }
        Ok(watched)
    }
}

impl Target {
    fn of_type(type_name: &str) -> Self {
        Target {
            type_name: type_name.to_owned(),
            member: None,
        }
    }
}

/// The schema files that a path means: itself, or the `*.json` files directly in it, by name.
pub fn schema_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let entries = path
        .read_dir()
        .map_err(|error| Error::file("read", path, error))?;
    for entry in entries {
        let file = entry
            .map_err(|error| Error::file("read", path, error))?
            .path();
        if file.extension().is_some_and(|end| end == "json") && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads one schema file.
pub fn read(path: &Path) -> Result<Input, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, error))?;
    Ok(Input::new(path.display().to_string(), text))
}
