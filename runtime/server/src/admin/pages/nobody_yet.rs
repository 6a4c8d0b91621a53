//! Why nobody could sign in yet, and the command on the machine that changes it: there is no tenant, or no user of any.

use super::texts::Texts;
use service::Service;

/// What the page that signs in tells of it.
pub(super) struct NobodyYet {
    pub(super) told: &'static str,
    pub(super) command: &'static str,
    /// What does the same as the command.
    pub(super) beside: Option<&'static str>,
    /// Whether there is a tenant.
    pub(super) is_set_up: bool,
}

impl NobodyYet {
    /// None, where there is someone who could.
    pub(super) fn of(service: &Service, texts: &Texts) -> Option<Self> {
        let own = &texts.access;
        if !service.has_tenants() {
            return Some(NobodyYet {
                told: own.sign_in_nobody,
                command: "fieldstone init --tenant NAME --email ADDRESS",
                beside: service.offers_set_up().then_some(own.set_up_link),
                is_set_up: false,
            });
        }
        (!service.has_users()).then_some(NobodyYet {
            told: own.sign_in_no_user,
            command: "fieldstone user create NAME --email ADDRESS --role 'ACCOUNT ADMINISTRATOR' --area '*'",
            beside: None,
            is_set_up: true,
        })
    }
}
