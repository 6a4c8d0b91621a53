//! Moves a field's identifiers: they are found anew, and the old ones are remembered for one version of the schema.

use super::model::{Lock, MoveLock};
use crate::error::Mistake;
use crate::message::quoted;
use crate::told::is_told;
use schema::Schema;

impl Lock {
    /// Lets go of the identifiers of a field, told as `Schema.Field`, by its display name or by its id.
    pub(crate) fn relock(&mut self, schemas: &[&Schema], told: &str) -> Result<(), Mistake> {
        let fields = schemas.iter().flat_map(|schema| {
            let fields = schema.active_fields().map(move |field| (*schema, field));
            fields.filter(|(schema, field)| is_told(schema, field, told))
        });
        let mut fields = fields.collect::<Vec<_>>().into_iter();
        let told = quoted(told);
        let (schema, field) = match (fields.next(), fields.next()) {
            (Some(one), None) => one,
            (None, _) => {
                return Err(Mistake {
                    message: format!("--relock {told}: there is no such active field"),
                    help: "write its display name or its id as the schema has it".to_owned(),
                });
            }
            (Some((one, field)), Some((other, _))) => {
                return Err(Mistake {
                    message: format!(
                        "--relock {told}: {} and {} both have such a field",
                        quoted(&one.name),
                        quoted(&other.name)
                    ),
                    help: format!("say which, as {:?}", format!("{}.{}", one.name, field.name)),
                });
            }
        };
        let locked = self.schemas.get_mut(&schema.id);
        let locked = locked.and_then(|schema| schema.fields.get_mut(&field.id));
        let Some((locked, name)) = locked.and_then(|field| {
            let name = field.name.take()?;
            Some((field, name))
        }) else {
            return Err(Mistake {
                message: format!("--relock {told}: the field is not locked"),
                help: "it gets its identifier in this run without it".to_owned(),
            });
        };
        locked.moved = Some(MoveLock {
            version: schema.version,
            name,
            picklist: locked.picklist.take(),
        });
        Ok(())
    }
}
