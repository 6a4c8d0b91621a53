//! The pages of who may come and what it may do.

use super::PageRoute;
use crate::admin::pages::access::{
    clients, domains, invitation, key, nouns, profile, roles, set_up, settings, usage, user, users,
    webhooks,
};
use crate::admin::pages::visit::ShownAgain;
use crate::admin::pages::{audit, proof, whole_api};
use service::catalog::{App, Webhook};

pub(super) fn routes() -> Vec<PageRoute> {
    use PageRoute as R;
    let mut routes = routes_of_users();
    routes.extend(routes_of_oneself());
    routes.extend(routes_of_clients());
    routes.extend(routes_of_webhooks());
    routes.push(R::form("/proof", "proveSession", proof::prove).carrying());
    routes.extend([
        R::page("/roles", roles::list),
        R::form("/roles", "createRole", roles::create),
        R::page("/roles/new", roles::show_new),
        R::page("/roles/{id}", roles::show),
        R::form("/roles/{id}", "updateRole", roles::update),
        R::form("/roles/{id}/delete", "deleteRole", roles::delete),
        R::page("/domains", domains::list),
        R::long_form("/domains", "createDomain", domains::create),
        R::page("/domains/new", domains::show_new),
        R::page("/domains/{id}", domains::show),
        R::long_form("/domains/{id}", "updateDomain", domains::update),
        R::form("/domains/{id}/delete", "deleteDomain", domains::delete),
        R::long_form("/domains/{id}/effects", "judgeDomain", domains::effects),
        R::long_form(
            "/datasets/{id}/domain-effects",
            "judgeDatasetByDomain",
            domains::judge_dataset,
        ),
        R::page("/keys/{id}", key::show),
        R::form("/keys/{id}", "updateApiKey", key::update),
        R::page("/usage", usage::show),
        R::page("/settings", settings::show),
        R::page("/api", whole_api::show),
        R::page("/audit/export", audit::export),
    ]);
    routes
}

fn routes_of_users() -> Vec<PageRoute> {
    use PageRoute as R;
    const INVITATION: &str = "/invitation";
    vec![
        R::page(INVITATION, invitation::show).for_everyone(),
        R::form(INVITATION, "acceptInvitation", invitation::accept)
            .shown_again(ShownAgain(invitation::again))
            .for_everyone(),
        R::page("/setup", set_up::show).for_everyone(),
        R::form("/setup", "setUp", set_up::set_up)
            .shown_again(ShownAgain(set_up::again))
            .for_everyone(),
        R::page("/users", users::list),
        R::form("/users", "inviteUser", user::invite),
        R::page("/users/new", user::show_new),
        R::page("/users/{id}", user::show),
        R::form("/users/{id}", "updateUser", user::update),
        R::form("/users/{id}/delete", "deleteUser", user::delete),
        R::form(
            "/users/{id}/invitation",
            "inviteUserAgain",
            user::invite_again,
        ),
        R::form("/users/{id}/sign-out", "endSessionsOfUser", user::sign_out),
        R::form(
            "/users/{id}/second-factor/remove",
            "removeSecondFactorOfUser",
            user::remove_factor,
        ),
    ]
}

fn routes_of_oneself() -> Vec<PageRoute> {
    use PageRoute as R;
    const FACTOR: &str = "/profile/second-factor";
    vec![
        R::page("/profile", profile::show),
        R::form("/profile/email", "changeEmail", profile::change_email),
        R::form(FACTOR, "beginSecondFactor", profile::begin_factor),
        R::form(
            "/profile/second-factor/confirm",
            "confirmSecondFactor",
            profile::confirm_factor,
        ),
        R::form(
            "/profile/second-factor/remove",
            "removeSecondFactor",
            profile::remove_factor,
        ),
        R::form(
            "/profile/sessions/{id}/end",
            "endSession",
            profile::end_session,
        ),
        R::form(
            "/profile/sessions/end-others",
            "endOtherSessions",
            profile::end_others,
        ),
    ]
}

fn routes_of_clients() -> Vec<PageRoute> {
    use PageRoute as R;
    vec![
        R::page("/clients", clients::list),
        R::form("/clients", "createApp", clients::create),
        R::page("/clients/new", clients::show_new),
        R::page("/clients/{id}", clients::show),
        R::form("/clients/{id}", "updateApp", clients::update),
        R::form("/clients/{id}/secret", "renewSecretOfApp", clients::renew),
        R::form("/clients/{id}/enable", "enableApp", nouns::enable::<App>),
        R::form("/clients/{id}/disable", "disableApp", nouns::disable::<App>),
        R::form("/clients/{id}/delete", "deleteApp", nouns::delete::<App>),
    ]
}

fn routes_of_webhooks() -> Vec<PageRoute> {
    use PageRoute as R;
    vec![
        R::page("/webhooks", webhooks::list),
        R::form("/webhooks", "createWebhook", webhooks::create),
        R::page("/webhooks/new", webhooks::show_new),
        R::page("/webhooks/{id}", webhooks::show),
        R::form("/webhooks/{id}", "updateWebhook", webhooks::update),
        R::form(
            "/webhooks/{id}/secret",
            "renewSecretOfWebhook",
            webhooks::renew,
        ),
        R::form(
            "/webhooks/{id}/enable",
            "enableWebhook",
            nouns::enable::<Webhook>,
        ),
        R::form(
            "/webhooks/{id}/disable",
            "disableWebhook",
            nouns::disable::<Webhook>,
        ),
        R::form(
            "/webhooks/{id}/delete",
            "deleteWebhook",
            nouns::delete::<Webhook>,
        ),
        R::form(
            "/webhooks/{id}/letters/{letter}/resend",
            "resendDeadLetter",
            webhooks::resend,
        ),
        R::form(
            "/webhooks/{id}/letters/{letter}/discard",
            "discardDeadLetter",
            webhooks::discard,
        ),
    ]
}
