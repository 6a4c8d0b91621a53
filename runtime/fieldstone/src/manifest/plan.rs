//! What applying a manifest does, step by step: what is there is looked up by name, compared, and made or
//! changed where it differs. In a dry run the steps are told and nothing is written.

use super::apply::{Action, Applied, Mode, Step};
use anyhow::{Context as _, anyhow, bail};
use runtime::service::manage::{Denied, Operator};
use runtime::service::{Caller, Service};
use runtime::store::Catalog;
use std::sync::Arc;

/// What the audit trail remembers as the one who did it.
const OPERATOR: &str = "fieldstone";

/// An application under way.
pub(super) struct Plan<'s> {
    pub(super) service: &'s Arc<Service>,
    pub(super) mode: Mode,
    pub(super) applied: Applied,
    /// Whether record files are looked into.
    pub(super) reads_records: bool,
    operator: Operator,
}

/// The operator who runs the program.
pub(super) fn operator() -> Operator {
    Operator::of_this_machine(OPERATOR)
}

impl<'s> Plan<'s> {
    pub(super) fn new(service: &'s Arc<Service>, mode: Mode) -> Self {
        Plan {
            service,
            mode,
            applied: Applied {
                dry_run: mode.dry_run,
                ..Applied::default()
            },
            reads_records: true,
            operator: operator(),
        }
    }

    /// One that only shows mistakes.
    pub(super) fn trial(service: &'s Arc<Service>, mode: Mode) -> Self {
        let mode = Mode {
            dry_run: true,
            ..mode
        };
        Plan {
            reads_records: false,
            ..Plan::new(service, mode)
        }
    }

    pub(super) fn operator(&self) -> &Operator {
        &self.operator
    }

    /// The newest catalog.
    pub(super) fn catalog(&self) -> Arc<Catalog> {
        self.service.store().catalog()
    }

    /// The operator in a tenant, by the newest catalog.
    pub(super) fn caller(&self, tenant: &str) -> anyhow::Result<Caller> {
        let caller = self.service.operator(&self.operator, tenant);
        caller.context("the tenant is gone; was it removed meanwhile?")
    }

    /// Who writes a step in the tenant; `None` when it is only told, or nothing is `needed`.
    pub(super) fn writer(
        &self,
        tenant: Option<&str>,
        needed: bool,
    ) -> anyhow::Result<Option<Caller>> {
        match tenant {
            Some(tenant) if needed && self.writes() => self.caller(tenant).map(Some),
            _ => Ok(None),
        }
    }

    /// Tells a step.
    pub(super) fn step(&mut self, action: Action, what: &str, name: &str, id: Option<&str>) {
        self.applied.steps.push(Step {
            action,
            what: what.to_owned(),
            name: name.to_owned(),
            id: id.map(str::to_owned),
            secret: None,
        });
    }

    /// Adds the secret that the last step made, if it made one.
    pub(super) fn secret(&mut self, secret: Option<String>) {
        if let Some(step) = self.applied.steps.last_mut() {
            step.secret = secret;
        }
    }

    /// Whether steps are written.
    pub(super) fn writes(&self) -> bool {
        !self.mode.dry_run
    }

    /// Refuses something that is there where it is to be made.
    pub(super) fn must_be_free(
        &self,
        is_there: bool,
        what: &str,
        name: &str,
    ) -> anyhow::Result<()> {
        if is_there && self.mode.only_new {
            bail!("there is {what} named `{name}` already; choose another name");
        }
        Ok(())
    }
}

/// A refusal in words: all that is wrong, each thing on its line.
pub(super) fn told(denied: Denied) -> anyhow::Error {
    match denied {
        Denied::Invalid(problems) => {
            let lines = problems
                .iter()
                .map(|problem| format!("{}: {}", problem.path, problem.message));
            anyhow!("{}", lines.collect::<Vec<_>>().join("\n  "))
        }
        other => other.into(),
    }
}
