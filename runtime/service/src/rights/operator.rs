//! The operator of the machine: whoever holds the data folder may do everything in it.

use super::Caller;
use super::caller::Principal;
use crate::Service;
use store::catalog::{Actor, ActorKind};

/// Proof that the command came from the machine itself. Only a program that holds the data folder
/// makes one; no credential ever becomes one.
#[derive(Clone, Debug)]
pub struct Operator {
    actor: Actor,
}

impl Operator {
    /// The operator of this machine; `name` is what the audit trail remembers.
    pub fn of_this_machine(name: &str) -> Self {
        Operator {
            actor: Actor {
                kind: ActorKind::Operator,
                id: "operator".to_owned(),
                name: name.to_owned(),
                email: None,
                full_name: None,
                via: None,
                job: None,
            },
        }
    }

    /// The operator as a principal of all rights in a tenant, which need not be there yet.
    pub(crate) fn principal(&self, tenant: &str) -> Principal {
        Principal::Operator {
            tenant: tenant.to_owned(),
            actor: self.actor.clone(),
        }
    }

    /// How the operator is remembered.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }
}

impl Service {
    /// The operator as a caller of one tenant: every permission, every area there is now. `None` when
    /// there is no such tenant.
    pub fn operator(&self, operator: &Operator, tenant: &str) -> Option<Caller> {
        let catalog = self.store().catalog();
        let tenant = catalog.tenants.get(tenant)?.id.clone();
        Some(Caller::new(operator.principal(&tenant), catalog))
    }
}
