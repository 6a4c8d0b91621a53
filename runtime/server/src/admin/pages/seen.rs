//! Which pages someone may see at all.

use service::Caller;
use service::catalog::{Resource, Verb};

/// The pages that not everyone may see, with what one has to be allowed to see for each.
pub(super) const ASKED: [(&str, &[Resource]); 11] = [
    ("/areas", &[Resource::Areas]),
    ("/audit", &[Resource::Audit]),
    ("/clients", &[Resource::Apps]),
    ("/domains", &[Resource::Domains]),
    ("/faults", &[Resource::Records, Resource::Search]),
    ("/keys", &[Resource::ApiKeys]),
    ("/roles", &[Resource::Roles]),
    ("/schemas", &[Resource::Areas, Resource::Schemas]),
    ("/search", &[Resource::Records, Resource::Search]),
    ("/users", &[Resource::Users]),
    ("/webhooks", &[Resource::Apps]),
];
/// What only administrators see.
pub(super) const USAGE: &str = "/usage";
/// Those of them that someone may see.
pub(super) fn seen_by(caller: &Caller) -> Vec<&'static str> {
    let rights = caller.rights();
    let may = |resource: &Resource| rights.may(*resource, Verb::View);
    let own = ASKED.iter().filter(|(_, asked)| asked.iter().all(may));
    let own = own.map(|(path, _)| *path);
    own.chain(rights.is_administrator().then_some(USAGE))
        .collect()
}
