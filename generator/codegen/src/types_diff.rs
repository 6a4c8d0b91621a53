//! What a difference between schemas is to those who use the generated types, now that names are known: another display
//! name may have the same identifier, and a new field may take the name of an old one. It goes by the names that are given
//! under a lock and without a configuration: what `build.rs` renames, it does not know.

use crate::config::Config;
use crate::error::Error;
use crate::input::Input;
use crate::load::LoadedSchema;
use crate::lock::Lock;
use crate::plan::{EnumPlan, ModulePlan, plan};
use schema::Schema;
use schema::diff::{Change, ChangeKind, ChangedField, Diff, Semver, Verdicts};
use schema::json::write_string;

/// Judges the differences again by the identifiers of the generated code, and adds those of identifiers alone, as
/// changes of a property `identifier`. Names that `lock` has are those of both sides.
///
/// # Errors
/// A schema that no code can be generated of.
pub fn judge_types(diff: &mut Diff<'_>, lock: &Lock) -> Result<(), Error> {
    let (old, new) = (load(diff.old), load(diff.new));
    let (old_loaded, new_loaded) = (loaded(&old), loaded(&new));
    let config = Config::new();
    let old_plan = plan(&old_loaded, &config, lock)?;
    let new_plan = plan(&new_loaded, &config, lock)?;
    let (Some(old), Some(new)) = (old_plan.modules.first(), new_plan.modules.first()) else {
        return Ok(());
    };
    let is_same_type = (&old.name, &old.record.name) == (&new.name, &new.record.name);
    for change in &mut diff.changes {
        let is_kept = match (&change.field, change.kind) {
            (None, ChangeKind::Renamed) => is_same_type,
            (Some(field), ChangeKind::Renamed) => {
                names(old, field.old_index) == names(new, field.new_index)
            }
            _ => false,
        };
        if is_kept {
            change.verdicts.api = change.verdicts.api.min(Semver::Patch);
        }
    }
    let found = renamed(diff, old, new);
    diff.changes.extend(found);
    Ok(())
}

fn load(schema: &Schema) -> (Input, Schema) {
    (Input::new(&schema.name, ""), schema.clone())
}

fn loaded((input, schema): &(Input, Schema)) -> [LoadedSchema<'_>; 1] {
    [LoadedSchema {
        input,
        schema: schema.clone(),
        has_made_ids: false,
        warnings: Vec::new(),
    }]
}

/// The names of a field's items: its own, and that of its enum.
fn names<'p>(module: &'p ModulePlan<'_>, at: Option<usize>) -> Option<(&'p str, Option<&'p str>)> {
    let source = module.schema.fields.get(at?)?;
    let mut fields = module.record.fields.iter();
    let own = fields.find(|field| field.source.id == source.id)?;
    let list = picklist(module, &source.id);
    Some((&own.name, list.map(|list| list.name.as_str())))
}

fn picklist<'p, 's>(module: &'p ModulePlan<'s>, id: &str) -> Option<&'p EnumPlan<'s>> {
    let mut lists = module.picklists.iter();
    lists.find(|list| list.source.id == id)
}

/// Identifiers that differ where nothing of their own does: something else took the name, or gave it back.
fn renamed(diff: &Diff<'_>, old: &ModulePlan<'_>, new: &ModulePlan<'_>) -> Vec<Change> {
    let is_told = |field: &ChangedField| {
        diff.changes.iter().any(|change| {
            let is_own = change.field.as_ref().is_some_and(|it| it.id == field.id);
            is_own && change.kind == ChangeKind::Renamed
        })
    };
    let mut found = Vec::new();
    for [before, after] in diff.fields() {
        let field = ChangedField {
            id: after.1.id.clone(),
            name: after.1.name.clone(),
            old_name: (before.1.name != after.1.name).then(|| before.1.name.clone()),
            old_index: Some(before.0),
            new_index: Some(after.0),
        };
        let sides = (names(old, Some(before.0)), names(new, Some(after.0)));
        if let (Some((from, _)), Some((to, _))) = sides
            && from != to
            && !is_told(&field)
        {
            found.push(identifier(field.clone(), from, to));
        }
        let lists = (picklist(old, &before.1.id), picklist(new, &after.1.id));
        let (Some(before), Some(after)) = lists else {
            continue;
        };
        for variant in &before.variants {
            let mut others = after.variants.iter();
            let same = others.find(|other| other.entry.code == variant.entry.code);
            if let Some(other) = same.filter(|other| other.name != variant.name) {
                found.push(identifier(field.clone(), &variant.name, &other.name));
            }
        }
    }
    found
}

fn identifier(field: ChangedField, from: &str, to: &str) -> Change {
    let [from, to] = [from, to].map(|name| {
        let mut json = String::new();
        write_string(&mut json, name);
        Some(json)
    });
    Change {
        field: Some(field),
        kind: ChangeKind::Changed,
        property: "identifier".to_owned(),
        from,
        to,
        codes: None,
        verdicts: Verdicts {
            api: Semver::Major,
            ..Verdicts::default()
        },
    }
}
