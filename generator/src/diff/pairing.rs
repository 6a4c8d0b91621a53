//! Which schema goes with which: by id, else by name. A schema that is named alone goes with the other side's one, or
//! with its namesake there.

use super::arguments::Arguments;
use super::source::Side;
use crate::data_files::Failure;
use schema::Schema;

/// A schema of both sides, or of one, with what each was read from.
pub(super) struct Pair {
    pub(super) old: Option<(String, Schema)>,
    pub(super) new: Option<(String, Schema)>,
}

pub(super) fn pairs(old: Side, new: Side, arguments: &Arguments) -> Result<Vec<Pair>, Failure> {
    let is_filtered = !arguments.schemas.is_empty();
    if old.is_one && new.is_one && !is_filtered {
        let [old, new] = [old, new].map(|mut side| side.schemas.pop());
        return Ok(vec![Pair { old, new }]);
    }
    let (one_old, one_new) = (old.is_one, new.is_one);
    let mut left = old.schemas;
    let by_id = new.schemas.iter().map(|(_, own)| {
        let at = left.iter().position(|(_, it)| it.id == own.id)?;
        Some(left.remove(at))
    });
    // all ids first: a schema may have the name that another one had
    let mut before: Vec<Option<(String, Schema)>> = by_id.collect();
    for (old, (_, own)) in before.iter_mut().zip(&new.schemas) {
        if old.is_none() {
            let at = left.iter().position(|(_, it)| it.name == own.name);
            *old = at.map(|at| left.remove(at));
        }
    }
    let both = before.into_iter().zip(new.schemas);
    let both = both.map(|(old, own)| Pair {
        old,
        new: Some(own),
    });
    let mut found: Vec<Pair> = both.collect();
    found.extend(left.into_iter().map(|old| Pair {
        old: Some(old),
        new: None,
    }));
    // of many, only the one that was named on the other side
    if one_old {
        found.retain(|pair| pair.old.is_some());
    }
    if one_new {
        found.retain(|pair| pair.new.is_some());
    }
    for wanted in &arguments.schemas {
        if !found.iter().any(|pair| is_named(pair, wanted)) {
            let message = format!("neither side has a schema with the id or name {wanted:?}");
            return Err(Failure::new(
                message,
                "name it as it stands in its document",
            ));
        }
    }
    if is_filtered {
        found.retain(|pair| arguments.schemas.iter().any(|it| is_named(pair, it)));
    }
    found.sort_by(|a, b| name(a).cmp(name(b)));
    Ok(found)
}

fn is_named(pair: &Pair, wanted: &str) -> bool {
    let mut sides = [&pair.old, &pair.new].into_iter().flatten();
    sides.any(|(_, schema)| schema.id == wanted || schema.name == wanted)
}

fn name(pair: &Pair) -> &str {
    let now = pair.new.as_ref().or(pair.old.as_ref());
    now.map_or("", |(_, schema)| &schema.name)
}
