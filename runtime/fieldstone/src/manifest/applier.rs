//! One step of a manifest at a time: a noun is looked up by name, compared, made or changed where it differs, and
//! the step is reported. In a dry run it is reported and nothing is written. What a noun is to be, its own file
//! knows.

use super::access::{Access, Tenancy};
use super::report::{ApplyMode, ApplyReport, StepAction, StepReport};
use super::spec::{Edit, Receipt, Spec};
use anyhow::{Context as _, anyhow, bail};
use service::Refusal;
use service::manage::{Content as _, Noun as _, Operator};
use service::{Caller, Service};
use std::sync::Arc;
use store::Catalog;
use store::catalog::Row as _;
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

    /// Brings a noun to what is said of it, and reports the step; gives its id, none while it is yet to be
    /// made. `parent` is the id of what it hangs below, empty while that is yet to be made.
    pub(super) async fn settle<S: Spec>(
        &mut self,
        tenancy: Tenancy<'_>,
        parent: &str,
        spec: &S,
    ) -> anyhow::Result<Option<String>> {
        let catalog = self.catalog();
        let access = match spec.rights() {
            Some((roles, areas)) => Access::find(&catalog, tenancy, roles, areas)?,
            None => Access::none(),
        };
        let (one, name) = (S::Noun::ONE, spec.name());
        let tenant = tenancy.id.unwrap_or_default();
        let old = S::Noun::namesake(&catalog, tenant, parent, name).map(|old| &**old);
        if old.is_some() && self.mode.only_new {
            bail!("there is {one} named `{name}` already; choose another name");
        }
        let content = spec.content(&access, old)?;
        let there = old.map(|old| (old.key(), access.is_of(old) && spec.is_same(old, &content)));
        let tenant = tenancy.id.filter(|_| access.is_complete);
        let step = Step::new(tenant, S::WHAT, name, there);
        content.judge(self.service.now()).map_err(explain)?;
        let receipt = self.carry_out::<S>(&step, parent, content).await?;
        Ok(self.report_step(&step, receipt))
    }

    /// Writes what a step changes, where anything is to be written.
    async fn carry_out<S: Spec>(
        &self,
        step: &Step<'_>,
        parent: &str,
        content: S::Content,
    ) -> anyhow::Result<Option<Receipt>> {
        let &Step { id, action, .. } = step;
        let Some(tenant) = step.tenant else {
            return Ok(None);
        };
        if action == StepAction::Keep || !self.writes() {
            return Ok(None);
        }
        let edit = Edit::<S> {
            service: self.service,
            by: self.caller(tenant)?,
            parent,
            id,
            content,
        };
        let span = tracing::debug_span!("step", noun = step.what, ?action, tenant, id);
        let receipt = S::write(edit).instrument(span).await;
        Ok(Some(receipt.map_err(explain)?))
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
