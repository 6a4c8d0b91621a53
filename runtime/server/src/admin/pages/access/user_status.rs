//! What the status of a user is called, in its list and on its page.

use crate::admin::pages::texts::Texts;
use service::manage::UserView;

/// The status of a user.
pub(super) fn status(user: &UserView, texts: &Texts) -> &'static str {
    if user.active {
        if_active(user, texts)
    } else {
        texts.access.user_inactive
    }
}

/// Its status where it may sign in: who was invited is so until it chose a password.
pub(super) fn if_active(user: &UserView, texts: &Texts) -> &'static str {
    if user.invitation_ends_at.is_some() {
        texts.access.user_invited
    } else if user.must_change_password {
        texts.access.user_must_change
    } else {
        texts.access.user_active
    }
}
