//! The operator of the machine: whoever holds the data folder may do everything in it.

use crate::{Caller, Service};
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
            },
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
        Caller::of_operator(operator.actor().clone(), self.store().catalog(), tenant)
    }
}
