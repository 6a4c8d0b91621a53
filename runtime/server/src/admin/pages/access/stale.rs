//! Forms of what gives access, which carry a mark of what they were made from. One that someone else's change has overtaken
//! comes back with its texts, and all else as it is stored by now: no right comes back that was taken away.

use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Form;
use serde::Serialize;
use service::manage::mark;

/// The member of forms that holds the mark.
const NAME: &str = "seen";

/// The mark that a form was sent with.
pub(super) fn sent(form: &Form) -> Option<String> {
    form.get(NAME).map(str::to_owned)
}

/// Whether a form was made from something else than what is stored.
pub(super) fn is_stale(form: &Form, stored: &impl Serialize) -> bool {
    form.get(NAME).is_some_and(|seen| seen != mark(stored))
}

/// What is told of such a form, with the texts that are stored.
pub(super) fn told(texts: &Texts, stored: &[&str]) -> String {
    let own: Vec<_> = stored.iter().filter(|it| !it.is_empty()).copied().collect();
    let own = own.join(" · ");
    let what = texts.access.changed_meanwhile_rights;
    format!("{what} {} {own}", texts.stored_now)
}
