//! Decides what the plan holds: modules, identifiers, types, imports, lints to allow.

use super::additions::{Additions, path};
use super::derives::{self, without_own};
use super::lints;
use super::locked::moved;
use super::model::{EnumPlan, FieldPlan, ModulePlan, Plan, StructPlan};
use super::notes::Notes;
use super::open::OpenPicklists;
use super::renames::Renames;
use crate::coded_report::Advice;
use crate::config::{Config, Layout};
use crate::error::{Error, Mistake};
use crate::load::LoadedSchema;
use crate::lock::{FieldLock, Lock};
use crate::message::quoted;
use crate::name::{Identifier, IdentifierKind, IdentifierRequest, ReservedNames, assign, refuse};
use crate::rust_type;
use crate::unknown;
use schema::{Field, Path, Schema};
use std::collections::BTreeSet;

/// What is planned with.
pub(super) struct Planner<'a> {
    pub(super) lock: &'a Lock,
    pub(super) renames: Renames<'a>,
    pub(super) additions: Additions,
    open: OpenPicklists<'a>,
    mistakes: Vec<Mistake>,
    runtime: syn::Path,
    is_runtime_renamed: bool,
}

/// Decides everything.
pub(crate) fn plan<'a>(
    loaded: &'a [LoadedSchema<'a>],
    config: &'a Config,
    lock: &'a Lock,
) -> Result<Plan<'a>, Error> {
    let mut planner = Planner::new(config, lock);
    planner.refuse_renames(config);
    if !planner.mistakes.is_empty() {
        return Err(Error::Config(planner.mistakes));
    }
    let names = planner.modules(loaded);
    let mut modules: Vec<_> = loaded
        .iter()
        .zip(names)
        .map(|(loaded, name)| planner.module(loaded, name))
        .collect();
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    planner.mistakes.extend(planner.renames.unused());
    planner.mistakes.extend(planner.additions.unused());
    planner.mistakes.extend(planner.open.unused());
    if !planner.mistakes.is_empty() {
        return Err(Error::Config(planner.mistakes));
    }
    let one_file = match &config.layout {
        Layout::Files => None,
        Layout::OneFile(name) => Some(name.as_str()),
    };
    Ok(Plan { modules, one_file })
}

impl<'a> Planner<'a> {
    fn new(config: &'a Config, lock: &'a Lock) -> Self {
        let mut mistakes = Vec::new();
        let given = config.runtime.as_deref().unwrap_or("runtime");
        let parsed = syn::parse_str(given).ok();
        let runtime = parsed.filter(is_plain).unwrap_or_else(|| {
            mistakes.push(Mistake {
                message: format!("`{given}` is not the path of a crate or module"),
                help: "write a path such as `fieldstone` or `crate::runtime`".to_owned(),
            });
            syn::Path::from(syn::Ident::new("runtime", proc_macro2::Span::call_site()))
        });
        if let Layout::OneFile(name) = &config.layout
            && let Some(reason) = refuse(IdentifierKind::Module, name)
        {
            mistakes.push(Mistake {
                message: format!("the file can't be called `{name}`: {reason}"),
                help: "give the name of a module, without `.rs`".to_owned(),
            });
        }
        Planner {
            lock,
            renames: Renames::new(&config.renames),
            additions: Additions::new(config, &mut mistakes),
            open: OpenPicklists::new(&config.open_picklists),
            mistakes,
            runtime,
            is_runtime_renamed: given.contains("::"),
        }
    }

    fn refuse_renames(&mut self, config: &Config) {
        for (target, name) in &config.renames {
            if let Some(reason) = refuse(target.kind(), name) {
                self.mistakes.push(Mistake {
                    message: format!("{target} can't be renamed to `{name}`: {reason}"),
                    help: "choose another name".to_owned(),
                });
            }
        }
    }

    fn modules(&mut self, loaded: &'a [LoadedSchema<'a>]) -> Vec<Identifier> {
        let runtime = self.runtime.segments.first().map(|s| s.ident.to_string());
        let ids: Vec<&str> = loaded.iter().map(|one| one.schema.id.as_str()).collect();
        let reserved = runtime.iter().map(String::as_str);
        let reserved: ReservedNames<'_> =
            reserved.chain(self.lock.modules_of_others(&ids)).collect();
        let requests: Vec<_> = loaded
            .iter()
            .map(|LoadedSchema { schema, .. }| IdentifierRequest {
                kind: IdentifierKind::Module,
                owner: "",
                // the module follows the struct when only that is renamed
                text: self.renames.schema(schema).unwrap_or(&schema.name),
                id: &schema.id,
                rename: self.renames.module(schema),
                locked: self.lock.schema(&schema.id).map(|own| own.module.as_str()),
            })
            .collect();
        self.assign("the modules", &requests, &reserved)
    }

    /// Assigns the names of one scope; equal ones can only be renames, which is a mistake, and so is a rename to what
    /// something else is called.
    pub(super) fn assign(
        &mut self,
        scope: &str,
        requests: &[IdentifierRequest<'_>],
        reserved: &ReservedNames<'_>,
    ) -> Vec<Identifier> {
        let names = assign(requests, reserved);
        let mut seen = BTreeSet::new();
        for (name, request) in names.iter().zip(requests) {
            if !seen.insert(&name.text) || reserved.contains(name.text.as_str()) {
                let text = quoted(request.text);
                self.mistakes.push(Mistake {
                    message: format!("in {scope}, the name `{}` for {text} is taken", name.text),
                    help: "choose another name for it".to_owned(),
                });
            }
        }
        self.refuse_displaced(scope, requests, reserved, &names);
        names
    }

    /// A mistake for each rename before which something else has to give up its name: programs that use it would go on
    /// with another one. What is renamed itself gives up its name knowingly.
    fn refuse_displaced(
        &mut self,
        scope: &str,
        requests: &[IdentifierRequest<'_>],
        reserved: &ReservedNames<'_>,
        names: &[Identifier],
    ) {
        if requests.iter().all(|request| request.rename.is_none()) {
            return;
        }
        let unrenamed: Vec<_> = requests
            .iter()
            .map(|request| IdentifierRequest {
                rename: None,
                ..request.clone()
            })
            .collect();
        let before = assign(&unrenamed, reserved);
        for (name, request) in names.iter().zip(requests) {
            if request.rename.is_none() {
                continue;
            }
            let mut others = requests.iter().zip(before.iter().zip(names));
            let displaced = others.find(|(other, (before, now))| {
                other.rename.is_none() && before.text == name.text && now.text != name.text
            });
            if let Some((other, _)) = displaced {
                let (text, other) = (quoted(request.text), quoted(other.text));
                self.mistakes.push(Mistake {
                    message: format!(
                        "in {scope}, the name `{}` for {text} is that of {other}",
                        name.text
                    ),
                    help: "choose another name for it, or rename the other one, too".to_owned(),
                });
            }
        }
    }

    fn module(&mut self, loaded: &'a LoadedSchema<'a>, name: Identifier) -> ModulePlan<'a> {
        let LoadedSchema {
            input,
            schema,
            has_made_ids,
            warnings,
        } = loaded;
        let read = warnings.iter().cloned().map(Advice::from);
        let read = read.map(|advice| advice.on(schema));
        let mut notes = Notes::of(&input.name, schema);
        let at_name = Path::root().key("name");
        notes.add(&schema.name, at_name.clone(), &name);
        let request = IdentifierRequest {
            kind: IdentifierKind::Type,
            owner: "",
            text: &schema.name,
            id: &schema.id,
            rename: self.renames.schema(schema),
            locked: self.lock.schema(&schema.id).map(|own| own.record.as_str()),
        };
        let record = self
            .assign("the types", &[request], &ReservedNames::new())
            .remove(0);
        notes.add(&schema.name, at_name, &record);
        let picklists = self.picklists(schema, &record.text, &mut notes);
        let fields = self.fields(schema, &picklists, &record.text, &mut notes);
        let imports = imports(&fields, &picklists);
        let own_derives = derives::of_record(&fields);
        let record = StructPlan {
            allows: lints::of_record(&record.text, &fields),
            derives: without_own(&own_derives, self.additions.derives(&record.text)),
            own_derives,
            attributes: self.additions.of_type(&record.text),
            fields,
            name: record.text,
        };
        ModulePlan {
            name: name.text,
            source: input.name.rsplit(['/', '\\']).next().unwrap_or(&input.name),
            schema,
            runtime: path(&self.runtime),
            is_runtime_renamed: self.is_runtime_renamed,
            imports,
            record,
            picklists,
            notes: notes.all,
            has_made_ids: *has_made_ids,
            warnings: read.chain(unknown::warnings(input, schema)).collect(),
        }
    }

    /// What the lock has of a field.
    pub(super) fn locked(&self, schema: &Schema, field: &Field) -> Option<&'a FieldLock> {
        self.lock.field(&schema.id, &field.id)
    }

    fn fields(
        &mut self,
        schema: &'a Schema,
        picklists: &[EnumPlan<'a>],
        record: &str,
        notes: &mut Notes<'_>,
    ) -> Vec<FieldPlan<'a>> {
        let requests: Vec<_> = schema
            .active_fields()
            .map(|field| IdentifierRequest {
                kind: IdentifierKind::Field,
                owner: "",
                text: &field.name,
                id: &field.id,
                rename: self.renames.field(schema, field),
                locked: self
                    .locked(schema, field)
                    .and_then(|own| own.name.as_deref()),
            })
            .collect();
        let scope = format!("the struct `{record}`");
        let locked = self.lock.schema(&schema.id);
        let is_there = |id: &str| schema.active_fields().any(|field| field.id == id);
        let reserved = locked
            .into_iter()
            .flat_map(|own| own.names_of_others(is_there));
        let names = self.assign(&scope, &requests, &reserved.collect());
        let texts: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let active = schema
            .fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.active);
        active
            .zip(names)
            .map(|((index, field), name)| {
                notes.add(&field.name, Path::field(index).key("name"), &name);
                let own = picklists
                    .iter()
                    .find(|picklist| picklist.source.id == field.id);
                let value = own.map_or(rust_type::value_type(field), |own| &own.name);
                let is_open = own.is_some() && self.open.has(schema, field);
                FieldPlan {
                    moved: moved(locked, schema, field, (&name.text, value), &texts),
                    value: value.to_owned(),
                    holder: is_open.then(|| format!("{}::Open", path(&self.runtime))),
                    cardinality: rust_type::cardinality(field),
                    attributes: self.additions.of_member(record, &name.text),
                    name: name.text,
                    source: field,
                }
            })
            .collect()
    }
}

/// Whether a path is that of a crate or module, which have no arguments.
fn is_plain(path: &syn::Path) -> bool {
    path.segments.iter().all(|part| part.arguments.is_none())
}

fn imports(fields: &[FieldPlan<'_>], picklists: &[EnumPlan<'_>]) -> Vec<&'static str> {
    let mut imports = BTreeSet::from(["Record"]);
    if !picklists.is_empty() {
        imports.insert("Picklist");
    }
    let plain = fields
        .iter()
        .filter(|field| !rust_type::is_enum(field.source));
    let types = plain.map(|field| rust_type::value_type(field.source));
    imports.extend(types.filter(|name| rust_type::is_imported(name)));
    imports.into_iter().collect()
}
