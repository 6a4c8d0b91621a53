//! Which pages someone may see at all.

use service::catalog::{Resource, Verb};
use service::{Caller, Refusal};

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
    ("/search", &[Resource::Search, Resource::Records]),
    ("/users", &[Resource::Users]),
    ("/webhooks", &[Resource::Apps]),
];

/// Asks for what one has to be allowed to see for a page that is among them.
///
/// # Errors
/// [`Refusal::Forbidden`], which says what is missing first.
pub(super) fn require(caller: &Caller, page: &str) -> Result<(), Refusal> {
    let rights = caller.rights();
    let asked = ASKED.iter().filter(|(path, _)| *path == page);
    let mut asked = asked.flat_map(|(_, asked)| *asked);
    asked.try_for_each(|resource| rights.require(*resource, Verb::View))
}

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
