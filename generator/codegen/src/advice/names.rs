//! `names_collide`: `Post Code` and `Post-Code` are both `post_code`, so that each gets a suffix, and who adds the second
//! renames the first.

use super::found::Found;
use crate::config::Config;
use crate::load::LoadedSchema;
use crate::lock::Lock;
use crate::name::Cause;
use crate::plan::plan;

pub(super) fn look(loaded: &LoadedSchema<'_>, found: &mut Found) {
    let config = Config::new();
    let lock = Lock::default();
    let Ok(plan) = plan(std::slice::from_ref(loaded), &config, &lock) else {
        return;
    };
    let notes = plan.modules.iter().flat_map(|module| &module.notes);
    for note in notes {
        let mut causes = note.causes.iter();
        if let Some(cause) = causes.find(|cause| matches!(cause, Cause::Collision { .. })) {
            let message = format!("{:?} becomes `{}`: {cause}", note.display, note.name);
            let help = "give it another name, or rename it: `--rename Schema.Field=name`, `Config::rename_field` in a build script";
            found.add("names_collide", note.path.clone(), message, help);
        }
    }
}
