//! Who asks: the operator of this machine, who may do everything, or a caller whose credential was judged and
//! who may do what its rights allow, in its own tenant. Each step asks here again, so that it is judged by the
//! rights of that moment.

use crate::failure::{Failure, FailureCode};
use anyhow::{Context as _, bail};
use service::manage::Operator;
use service::{Caller, Refusal, Service};
use store::Catalog;
use store::catalog::{Actor, Via};

/// What the audit trail remembers as the one who did it.
const OPERATOR: &str = "fieldstone";

const GONE: &str = "the tenant is gone; was it removed meanwhile?";

/// The operator of this machine as a caller of the tenant of this name, or without a name of the only one.
///
/// # Errors
/// No such tenant, or several of them and none named.
pub fn operator_of(service: &Service, tenant: Option<&str>) -> anyhow::Result<Caller> {
    let tenant = By::Operator.tenant(&service.store().catalog(), tenant)?;
    let caller = service.operator(&Operator::of_this_machine(OPERATOR), &tenant);
    caller.context(GONE)
}

/// Who asks for an operation.
#[derive(Clone, Debug)]
pub enum By {
    /// The operator of this machine, by holding the data folder.
    Operator,
    /// A key, a client or a user, who belongs to a tenant and has rights there.
    Caller(Box<Caller>),
}

impl By {
    /// Whoever asks as a caller of a tenant, by the newest catalog.
    pub(crate) fn caller(&self, service: &Service, tenant: &str) -> anyhow::Result<Caller> {
        match self {
            By::Operator => {
                let operator = Operator::of_this_machine(OPERATOR);
                let caller = service.operator(&operator, tenant);
                let caller = caller.context(GONE)?;
                Ok(caller.working_by(Via::Manifest))
            }
            By::Caller(caller) if caller.tenant() == tenant => {
                Ok(service.newest(caller)?.working_by(Via::Manifest))
            }
            By::Caller(_) => bail!(Refusal::Forbidden(
                "the credential is of another tenant".into()
            )),
        }
    }

    /// The operator, for what only the operator does.
    pub(crate) fn operator(&self, what: &str) -> anyhow::Result<Operator> {
        match self {
            By::Operator => Ok(Operator::of_this_machine(OPERATOR)),
            By::Caller(_) => {
                let text = format!(
                    "only the operator of the machine may {what}; run the command where the data folder is, without a server's address"
                );
                bail!(Refusal::Forbidden(text.into()))
            }
        }
    }

    /// The id of the tenant of this name, or without a name of the only one; a caller has its own alone.
    pub(crate) fn tenant(&self, catalog: &Catalog, name: Option<&str>) -> anyhow::Result<String> {
        let By::Caller(caller) = self else {
            return find_tenant(catalog, name);
        };
        let own = catalog.tenants.get(caller.tenant());
        let own = own.context(GONE)?;
        match name {
            Some(name) if own.name != name => {
                let text = format!(
                    "the credential is of the tenant `{}`, and does nothing in `{name}`",
                    own.name
                );
                bail!(Refusal::Forbidden(text.into()))
            }
            _ => Ok(own.id.clone()),
        }
    }
}

/// Whether a record that this one wrote last is as a manifest left it.
pub(crate) fn is_of_a_manifest(actor: &Actor) -> bool {
    actor.via == Some(Via::Manifest)
}

fn find_tenant(catalog: &Catalog, name: Option<&str>) -> anyhow::Result<String> {
    let mut tenants = catalog.tenants.values();
    if let Some(name) = name {
        let found = tenants.find(|tenant| tenant.name == name);
        let found = found
            .ok_or_else(|| Refusal::NotFound(format!("there is no tenant `{name}`").into()))?;
        return Ok(found.id.clone());
    }
    let Some(only) = tenants.next() else {
        let text = "there is no tenant yet; `fieldstone init` makes one";
        bail!(Refusal::NotFound(text.into()));
    };
    if tenants.next().is_some() {
        let tenants = catalog.tenants.values();
        let names: Vec<_> = tenants.map(|tenant| tenant.name.as_str()).collect();
        let names = names.join(", ");
        let message = format!("there are several tenants; say which with --tenant: {names}");
        bail!(Failure::new(FailureCode::Usage, message));
    }
    Ok(only.id.clone())
}
