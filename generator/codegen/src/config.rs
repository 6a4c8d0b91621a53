//! What a user can ask for: which schemas, where to, what to call things, what to add to them. It
//! is only said here: whether it makes sense is for `plan`, and `build_script` acts on it.

use crate::lock::Lock;
use std::path::PathBuf;

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
pub(crate) enum RenameTarget {
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
pub(crate) struct AdditionTarget {
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
/// # use codegen as generator;
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
    pub(crate) schemas: Vec<PathBuf>,
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) runtime: Option<String>,
    pub(crate) layout: Layout,
    pub(crate) derives: Vec<(AdditionTarget, String)>,
    pub(crate) attributes: Vec<(AdditionTarget, String)>,
    pub(crate) renames: Vec<(RenameTarget, String)>,
    pub(crate) lock: Lock,
    pub(crate) lock_file: Option<PathBuf>,
    pub(crate) relocks: Vec<String>,
    pub(crate) open_picklists: Vec<String>,
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
    /// by default `runtime`, or in a build script the name it has in Cargo.toml.
    #[must_use]
    pub fn runtime(mut self, path: impl Into<String>) -> Self {
        self.runtime = Some(path.into());
        self
    }

    /// For build scripts: the lock file that keeps identifiers, as `generator --lock` writes it. It is read and never
    /// written; a schema that it does not know all of is a warning, and a file that is not there a mistake.
    #[must_use]
    pub fn lock_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.lock_file = Some(path.into());
        self
    }

    /// The lock that keeps identifiers; what a rename says comes before it.
    #[must_use]
    pub fn lock(mut self, lock: Lock) -> Self {
        self.lock = lock;
        self
    }

    /// Lets the lock go of the identifiers of a field, told as `Schema.Field`, by display name or by id. They are found
    /// anew; the old name stays as a deprecated accessor as long as the schema has the same version.
    #[must_use]
    pub fn relock(mut self, field: &str) -> Self {
        self.relocks.push(field.to_owned());
        self
    }

    /// Keeps codes that the enum of a static picklist does not have: its field is `Open<Kind>` in the place of `Kind`.
    /// The field is told as `Schema.Field`, by display name or by id; `*` is every static picklist.
    #[must_use]
    pub fn open_picklist(mut self, field: &str) -> Self {
        self.open_picklists.push(field.to_owned());
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
            .push((AdditionTarget::of_type(type_name), derives.to_owned()));
        self
    }

    /// Adds attributes (`#[must_use]`) to the type of this name; `*` is every struct and enum.
    #[must_use]
    pub fn type_attribute(mut self, type_name: &str, attribute: &str) -> Self {
        self.attributes
            .push((AdditionTarget::of_type(type_name), attribute.to_owned()));
        self
    }

    /// Adds attributes to a field of a struct or a variant of an enum; either name may be `*`.
    #[must_use]
    pub fn field_attribute(mut self, type_name: &str, member: &str, attribute: &str) -> Self {
        let member = Some(member.to_owned());
        let target = AdditionTarget {
            member,
            ..AdditionTarget::of_type(type_name)
        };
        self.attributes.push((target, attribute.to_owned()));
        self
    }

    /// Calls the module (and file) of a schema `name`.
    #[must_use]
    pub fn rename_module(self, schema: &str, name: &str) -> Self {
        self.rename(
            RenameTarget::Module {
                schema: schema.to_owned(),
            },
            name,
        )
    }

    /// Calls the struct of a schema `name`; its module and its enums follow.
    #[must_use]
    pub fn rename_schema(self, schema: &str, name: &str) -> Self {
        self.rename(
            RenameTarget::Schema {
                schema: schema.to_owned(),
            },
            name,
        )
    }

    /// Calls a field `name`.
    #[must_use]
    pub fn rename_field(self, schema: &str, field: &str, name: &str) -> Self {
        let (schema, field) = (schema.to_owned(), field.to_owned());
        self.rename(RenameTarget::Field { schema, field }, name)
    }

    /// Calls the enum of a static picklist `name`.
    #[must_use]
    pub fn rename_picklist(self, schema: &str, field: &str, name: &str) -> Self {
        let (schema, field) = (schema.to_owned(), field.to_owned());
        self.rename(RenameTarget::Picklist { schema, field }, name)
    }

    /// Calls the variant of a picklist's code `name`.
    #[must_use]
    pub fn rename_code(self, schema: &str, field: &str, code: &str, name: &str) -> Self {
        let (schema, field, code) = (schema.to_owned(), field.to_owned(), code.to_owned());
        self.rename(
            RenameTarget::Code {
                schema,
                field,
                code,
            },
            name,
        )
    }

    fn rename(mut self, target: RenameTarget, name: &str) -> Self {
        self.renames.push((target, name.to_owned()));
        self
    }
}

impl AdditionTarget {
    fn of_type(type_name: &str) -> Self {
        AdditionTarget {
            type_name: type_name.to_owned(),
            member: None,
        }
    }
}
