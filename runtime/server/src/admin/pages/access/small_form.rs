//! Forms of a name and a description on the page of an area: the area's own, those of its datasets, and those by which datasets
//! are made. One that is refused comes back where it stood.

use super::areas::PATHS;
use super::told::Told;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Form;

/// The form of a dataset, with what is refused of it.
pub(super) struct SmallForm {
    /// The id of what it changes, or of what it makes something below.
    pub(super) of: String,
    pub(super) version: Option<i64>,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) refused: Option<SmallRefusal>,
}

/// What is told of it.
pub(super) struct SmallRefusal {
    pub(super) message: String,
    pub(super) name: String,
    pub(super) description: String,
}

/// What is stored of what a form changes.
#[derive(Default)]
pub(super) struct Stored<'s> {
    pub(super) name: &'s str,
    pub(super) description: &'s str,
    pub(super) version: Option<i64>,
}

/// A form that was refused.
pub(super) struct RefusedForm {
    /// The id of what it changes, or of what it makes something below.
    pub(super) of: String,
    pub(super) form: Form,
    pub(super) told: Told,
}

impl RefusedForm {
    /// What is told above it.
    pub(super) fn message(&self, stored: &Stored<'_>, texts: &Texts) -> String {
        let sent: Option<i64> = self.form.text("version").parse().ok();
        if sent
            .zip(stored.version)
            .is_none_or(|(sent, own)| sent == own)
        {
            return self.told.above(&PATHS);
        }
        // it is sent again on what is stored by now, so that is told
        let own = [stored.name, stored.description].into_iter();
        let own: Vec<_> = own.filter(|it| !it.is_empty()).collect();
        let own = own.join(" · ");
        format!(
            "{} {} {own}",
            texts.access.changed_meanwhile, texts.stored_now
        )
    }
}

impl SmallForm {
    pub(super) fn of(
        of: &str,
        stored: &Stored<'_>,
        refused: Option<&RefusedForm>,
        texts: &Texts,
    ) -> Self {
        let refused = refused.filter(|refused| refused.of == of);
        let typed = |name: &str, own: &str| {
            let sent = refused.map(|refused| refused.form.text(name));
            sent.unwrap_or(own).to_owned()
        };
        SmallForm {
            of: of.to_owned(),
            version: stored.version,
            name: typed("name", stored.name),
            description: typed("description", stored.description),
            refused: refused.map(|refused| SmallRefusal {
                message: refused.message(stored, texts),
                name: refused.told.at(PATHS[0]),
                description: refused.told.at(PATHS[1]),
            }),
        }
    }
}
