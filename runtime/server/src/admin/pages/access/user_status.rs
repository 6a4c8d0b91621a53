//! What the status of a user is called, in its list and on its page.

use crate::admin::pages::texts::Texts;
use service::manage::UserView;

/// The status of a user: who was invited is so until it chose a password.
pub(super) fn status(user: &UserView, texts: &Texts) -> &'static str {
    if !user.active {
        texts.access.user_inactive
    } else if user.invitation_ends_at.is_some() {
        texts.access.user_invited
    } else if user.must_change_password {
        texts.access.user_must_change
    } else {
        texts.access.user_active
    }
}

/// What it is called that a user of this status may sign in: its status, where it may.
pub(super) fn if_active(status: &'static str, texts: &Texts) -> &'static str {
    let own = &texts.access;
    if status.is_empty() || status == own.user_inactive {
        own.user_active
    } else {
        status
    }
}
