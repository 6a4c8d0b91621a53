//! What was decided, as the lock that the next run begins with, and what a lock asks for beside names: accessors of
//! names that fields had before.

use super::model::{FieldPlan, ModulePlan, MovePlan, Plan};
use crate::lock::{FieldLock, Lock, SchemaLock};
use schema::{Field, Schema};

/// Methods of every record: an accessor of such a name would hide it.
const METHODS: &[&str] = &[
    "from_json",
    "from_json_with",
    "from_slots",
    "get",
    "primary_key",
    "schema",
    "to_json",
    "validate",
    "validate_with",
    "values",
];

/// The lock with everything that is generated now. What is gone stays in it, so that it comes back under its name.
pub(crate) fn next_lock(lock: &Lock, plan: &Plan<'_>) -> Lock {
    let mut next = lock.clone();
    for module in &plan.modules {
        let schema = next.schemas.entry(module.schema.id.clone()).or_default();
        schema.module.clone_from(&module.name);
        schema.record.clone_from(&module.record.name);
        for field in &module.record.fields {
            let id = field.source.id.clone();
            update(schema.fields.entry(id).or_default(), field, module);
        }
    }
    next
}

fn update(locked: &mut FieldLock, field: &FieldPlan<'_>, module: &ModulePlan<'_>) {
    locked.name = Some(field.name.clone());
    let own = module.picklists.iter();
    let own = own.clone().find(|list| list.source.id == field.source.id);
    if let Some(picklist) = own {
        locked.picklist = Some(picklist.name.clone());
        for variant in &picklist.variants {
            let code = variant.entry.code.clone();
            locked.codes.insert(code, variant.name.clone());
        }
    }
    let is_over = |field: &FieldLock| {
        field.moved.as_ref().is_some_and(|moved| {
            let is_same = field.name.as_ref() == Some(&moved.name)
                && (moved.picklist.is_none() || field.picklist == moved.picklist);
            is_same || moved.version != module.schema.version
        })
    };
    if is_over(locked) {
        locked.moved = None;
    }
}

/// What a field was called in this version of its schema, where that is not its name now and no field's.
pub(super) fn moved(
    locked: Option<&SchemaLock>,
    schema: &Schema,
    field: &Field,
    now: (&str, &str),
    names: &[&str],
) -> MovePlan {
    let (name, value) = now;
    let locked = locked.and_then(|schema| schema.fields.get(&field.id));
    let before = locked.and_then(|field| field.moved.as_ref());
    let Some(before) = before.filter(|moved| moved.version == schema.version) else {
        return MovePlan::default();
    };
    let is_free = before.name != name
        && !names.contains(&before.name.as_str())
        && !METHODS.contains(&before.name.as_str());
    MovePlan {
        name: is_free.then(|| before.name.clone()),
        picklist: before.picklist.clone().filter(|before| before != value),
    }
}
