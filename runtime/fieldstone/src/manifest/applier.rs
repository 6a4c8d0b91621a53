//! One step of a manifest at a time: a noun that was looked up by name and compared is made or changed where
//! it differs, and the step is reported. In a dry run it is reported and nothing is written. What a noun is,
//! its own file knows.

use super::report::{ApplyMode, ApplyReport, StepAction, StepReport};
use anyhow::{Context as _, anyhow, bail};
use service::Refusal;
use service::manage::Operator;
use service::{Caller, Service};
use std::sync::Arc;
use store::Catalog;
use tracing::Instrument as _;

/// What the audit trail remembers as the one who did it.
const OPERATOR: &str = "fieldstone";

/// A manifest's application under way.
pub(super) struct Applier<'s> {
    pub(super) service: &'s Arc<Service>,
    pub(super) mode: ApplyMode,
    pub(super) report: ApplyReport,
    /// Whether record files are looked into.
    pub(super) reads_records: bool,
    operator: Operator,
}

/// A noun as the manifest wants it, beside the one that is there.
pub(super) struct Step<'a> {
    /// The tenant's id; none while it, or something else that is referred to, is yet to be made.
    tenant: Option<&'a str>,
    /// The kind of thing, as people are told of it.
    what: &'static str,
    name: &'a str,
    /// The id of the one that is there.
    id: Option<&'a str>,
    action: StepAction,
}

impl<'a> Step<'a> {
    /// Tells what to do about a noun; `there` is the id of the one that has its name, and whether it is as it
    /// should be.
    pub(super) fn new(
        tenant: Option<&'a str>,
        what: &'static str,
        name: &'a str,
        there: Option<(&'a str, bool)>,
    ) -> Self {
        let action = match there {
            None => StepAction::Create,
            Some((_, true)) => StepAction::Keep,
            Some((_, false)) => StepAction::Update,
        };
        Step {
            tenant,
            what,
            name,
            id: there.map(|(id, _)| id),
            action,
        }
    }
}

/// What a write gives back.
pub(super) struct Receipt {
    pub(super) id: String,
    /// The secret that was made.
    pub(super) secret: Option<String>,
}

impl Receipt {
    /// Of a noun without a secret.
    pub(super) fn of(id: &str) -> Self {
        Receipt {
            id: id.to_owned(),
            secret: None,
        }
    }

    /// Of a noun that was made with a secret.
    pub(super) fn with_secret(id: &str, secret: String) -> Self {
        Receipt {
            id: id.to_owned(),
            secret: Some(secret),
        }
    }
}

/// The operator who runs the program.
pub(super) fn operator() -> Operator {
    Operator::of_this_machine(OPERATOR)
}

impl<'s> Applier<'s> {
    pub(super) fn new(service: &'s Arc<Service>, mode: ApplyMode) -> Self {
        Applier {
            service,
            mode,
            report: ApplyReport {
                dry_run: mode.dry_run,
                ..ApplyReport::default()
            },
            reads_records: true,
            operator: operator(),
        }
    }

    /// One that only shows mistakes.
    pub(super) fn trial(service: &'s Arc<Service>, mode: ApplyMode) -> Self {
        let mode = ApplyMode {
            dry_run: true,
            ..mode
        };
        Applier {
            reads_records: false,
            ..Applier::new(service, mode)
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

    /// Whether steps are written.
    pub(super) fn writes(&self) -> bool {
        !self.mode.dry_run
    }

    /// Carries out a step and reports it; gives the noun's id, none while it is yet to be made.
    pub(super) async fn carry_out<W: Future<Output = Result<Receipt, Refusal>>>(
        &mut self,
        step: Step<'_>,
        write: impl FnOnce(Caller) -> W,
    ) -> anyhow::Result<Option<String>> {
        let (id, action) = (step.id, step.action);
        let receipt = match step.tenant {
            Some(tenant) if action != StepAction::Keep && self.writes() => {
                let caller = self.caller(tenant)?;
                let span = tracing::debug_span!("step", noun = step.what, ?action, tenant, id);
                let receipt = write(caller).instrument(span).await;
                Some(receipt.map_err(explain)?)
            }
            _ => None,
        };
        Ok(self.report_step(&step, receipt))
    }

    /// Reports a step, with what its write gave back.
    pub(super) fn report_step(
        &mut self,
        step: &Step<'_>,
        receipt: Option<Receipt>,
    ) -> Option<String> {
        let (id, secret) = match receipt {
            Some(Receipt { id, secret }) => (Some(id), secret),
            None => (step.id.map(str::to_owned), None),
        };
        self.report.steps.push(StepReport {
            action: step.action,
            what: step.what.to_owned(),
            name: step.name.to_owned(),
            id: id.clone(),
            secret,
        });
        id
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
pub(super) fn explain(refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::Invalid(problems) => {
            let lines = problems
                .iter()
                .map(|problem| format!("{}: {}", problem.path, problem.message));
            anyhow!("{}", lines.collect::<Vec<_>>().join("\n  "))
        }
        other => other.into(),
    }
}
