//! Who signs in, by which names, and where from, before anything of it is known to be so.

use crate::Refusal;
use std::net::IpAddr;
use store::catalog::{Catalog, folded};

/// Where a sign-in comes from, as far as that is known, and what came along with it.
#[derive(Clone, Default)]
pub struct SignInOrigin {
    /// The address.
    pub address: Option<IpAddr>,
    /// What the browser or the program calls itself.
    pub user_agent: Option<String>,
    /// The token of a browser that signed in before: [`NewSession::browser`](super::NewSession::browser).
    pub browser: Option<String>,
    /// The secret of the session that the browser has: the new one takes its place.
    pub session: Option<String>,
    /// The code of the second factor, or a recovery code, where one was sent along.
    pub code: Option<String>,
}

impl std::fmt::Debug for SignInOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignInOrigin")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// By which names someone signs in.
#[derive(Clone, Copy)]
pub struct SignInName<'a> {
    /// The tenant's; nobody needs to say it where there is one tenant only.
    pub tenant: Option<&'a str>,
    /// The user's, unique within the tenant however it is written.
    pub username: &'a str,
}

/// A user's name, where there is one tenant only.
impl<'a> From<&'a str> for SignInName<'a> {
    fn from(username: &'a str) -> Self {
        SignInName {
            tenant: None,
            username,
        }
    }
}

impl SignInName<'_> {
    /// The id of the tenant that is meant; `None` when there is no such one.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] when it has to be said.
    pub(super) fn tenant_in<'c>(&self, catalog: &'c Catalog) -> Result<Option<&'c str>, Refusal> {
        let mut tenants = catalog.tenants.values();
        let found = match self.tenant {
            Some(name) => tenants.find(|tenant| tenant.name == name),
            None if catalog.tenants.len() > 1 => {
                let message =
                    "is required, because there are several tenants; give the name of yours";
                return Err(Refusal::invalid("$.tenant", message));
            }
            None => tenants.next(),
        };
        Ok(found.map(|tenant| tenant.id.as_str()))
    }

    /// What tries at the account are counted under, whether or not there is one.
    pub(super) fn account(&self, tenant: Option<&str>) -> String {
        account(tenant.or(self.tenant).unwrap_or_default(), self.username)
    }
}

/// What tries at the account of a name are counted under.
pub(super) fn account(tenant: &str, username: &str) -> String {
    format!("{tenant}\n{}", folded(username))
}
