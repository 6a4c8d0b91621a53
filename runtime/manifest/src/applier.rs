//! One step of a manifest at a time: a noun is looked up by name, compared, made or changed where it differs, and
//! the step is reported. What a noun is to be, its own file knows.

use crate::access::{Access, Sight, Tenancy};
use crate::by::By;
use crate::events::Events;
use crate::report::{ApplyMode, ApplyReport, CodeChanges, PropertyChange, StepAction, StepReport};
use crate::spec::{Edit, Receipt, Spec};
use anyhow::bail;
use service::Refusal;
use service::manage::{Content as _, Noun};
use service::{Caller, Service};
use std::sync::Arc;
use store::Catalog;
use store::catalog::Row as _;
use tracing::Instrument as _;

/// A manifest's application under way.
pub(crate) struct Applier<'s> {
    pub(crate) service: &'s Arc<Service>,
    pub(crate) mode: ApplyMode,
    pub(crate) report: ApplyReport,
    /// Whether steps are written; else only mistakes that show without are found, and no record file is looked
    /// into.
    pub(crate) writes: bool,
    pub(crate) by: &'s By,
    pub(crate) events: &'s Events,
}

/// A noun as the manifest wants it, beside the one that is there.
pub(crate) struct Step<'a> {
    /// The tenant's id; none while it, or something else that is referred to, is yet to be made.
    tenant: Option<&'a str>,
    /// The kind of thing, as people are told of it.
    what: &'static str,
    name: &'a str,
    /// The id of the one that is there.
    id: Option<&'a str>,
    action: StepAction,
    /// What becomes of its properties.
    properties: Vec<PropertyChange>,
    /// What becomes of its codes.
    codes: Option<CodeChanges>,
}

impl<'a> Step<'a> {
    /// Tells what to do about a noun; `there` is the id of the one that has its name, and whether it is as it
    /// should be.
    pub(crate) fn new(
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
            properties: Vec::new(),
            codes: None,
        }
    }
}

impl<'s> Applier<'s> {
    pub(crate) fn new(
        service: &'s Arc<Service>,
        by: &'s By,
        mode: ApplyMode,
        events: &'s Events,
    ) -> Self {
        Applier {
            service,
            mode,
            report: ApplyReport {
                dry_run: mode.dry_run,
                ..ApplyReport::default()
            },
            writes: true,
            by,
            events,
        }
    }

    /// One that writes nothing, and only shows mistakes.
    pub(crate) fn looking(
        service: &'s Arc<Service>,
        by: &'s By,
        mode: ApplyMode,
        events: &'s Events,
    ) -> Self {
        Applier {
            writes: false,
            ..Applier::new(service, by, mode, events)
        }
    }

    /// The newest catalog.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.service.store().catalog()
    }

    /// Whoever asks, as a caller of a tenant, by the newest catalog.
    pub(crate) fn caller(&self, tenant: &str) -> anyhow::Result<Caller> {
        self.by.caller(self.service, tenant)
    }

    /// What whoever asks sees.
    pub(crate) fn sight(&self) -> Sight<'_> {
        Sight {
            service: self.service,
            by: self.by,
        }
    }

    /// Brings a noun to what is said of it, and reports the step; gives its id, none while it is yet to be
    /// made. `parent` is the id of what it hangs below, empty while that is yet to be made.
    pub(crate) async fn settle<S: Spec>(
        &mut self,
        tenancy: Tenancy<'_>,
        parent: &str,
        spec: &S,
    ) -> anyhow::Result<Option<String>> {
        let tenant = tenancy.id.unwrap_or_default();
        let old = S::Noun::namesake(&self.catalog(), tenant, parent, spec.name()).cloned();
        self.settle_over(tenancy, parent, spec, old).await
    }

    /// The same of a noun of which is known which one is there. One that another application made since it was looked for
    /// is brought to what is said of it, too.
    pub(crate) async fn settle_over<S: Spec>(
        &mut self,
        tenancy: Tenancy<'_>,
        parent: &str,
        spec: &S,
        old: Option<Arc<S::Noun>>,
    ) -> anyhow::Result<Option<String>> {
        let was_there = old.is_some();
        let settled = self.settle_once(tenancy, parent, spec, old).await;
        match settled {
            Err(error) if !was_there && is_conflict(&error) => {
                let tenant = tenancy.id.unwrap_or_default();
                let made = S::Noun::namesake(&self.catalog(), tenant, parent, spec.name()).cloned();
                match made {
                    Some(made) => self.settle_once(tenancy, parent, spec, Some(made)).await,
                    None => Err(error),
                }
            }
            settled => settled,
        }
    }

    async fn settle_once<S: Spec>(
        &mut self,
        tenancy: Tenancy<'_>,
        parent: &str,
        spec: &S,
        old: Option<Arc<S::Noun>>,
    ) -> anyhow::Result<Option<String>> {
        self.events.require_to_go_on()?;
        let catalog = self.catalog();
        let (one, name) = (S::Noun::ONE, spec.name());
        let old = old.as_deref();
        if old.is_some() && self.mode.only_new {
            let text = format!("there is {one} named `{name}` already; choose another name");
            bail!(Refusal::Conflict(text.into()));
        }
        if let (Some(old), By::Caller(caller)) = (old, self.by) {
            // nobody learns more of it here than elsewhere
            let seen = self.service.nouns::<S::Noun>().get(caller, old.key());
            seen.map_err(explain)?;
        }
        let access = match spec.rights() {
            Some(rights) => {
                let there = old.and_then(|old| old.access()).unwrap_or_default();
                Access::find(&catalog, tenancy, rights, there, self.sight())?
            }
            None => Access {
                is_complete: spec.is_complete(),
                ..Access::none()
            },
        };
        let content = spec.content(&access, old)?;
        let there = old.map(|old| (old.key(), access.is_of(old) && spec.is_same(old, &content)));
        let tenant = tenancy.id.filter(|_| access.is_complete);
        let mut step = Step::new(tenant, S::WHAT, name, there);
        if let Some(old) = old {
            step.properties = spec.changes(old, &content);
            step.codes = spec.codes(old, &content);
            if spec.rights().is_some() {
                let rights = access.changes(old, &catalog, self.sight());
                step.properties.extend(rights);
            }
        }
        content.judge(self.service.now()).map_err(explain)?;
        let receipt = self.carry_out::<S>(&step, parent, content).await?;
        Ok(self.report_step(&step, receipt))
    }

    /// Removes a noun below the tenant for good, where there is one, and reports the step.
    pub(crate) async fn remove<N: Noun>(
        &mut self,
        tenancy: Tenancy<'_>,
        name: &str,
    ) -> anyhow::Result<()> {
        let catalog = self.catalog();
        let tenant = tenancy.id.unwrap_or_default();
        let Some(old) = N::namesake(&catalog, tenant, N::TOP, name) else {
            return Ok(());
        };
        let id = old.key();
        if let By::Caller(caller) = self.by {
            // nobody learns more of it here than elsewhere
            let seen = self.service.nouns::<N>().get(caller, id);
            seen.map_err(explain)?;
        }
        if self.writes {
            let nouns = self.service.nouns::<N>();
            let removed = nouns.delete(&self.caller(tenant)?, id).await;
            removed.map_err(explain)?;
        }
        let step = Step {
            action: StepAction::Remove,
            ..Step::new(Some(tenant), N::NAME, name, Some((id, false)))
        };
        self.report_step(&step, None);
        Ok(())
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
            if self.writes && action != StepAction::Keep {
                // INVARIANT: when it is written, all that it refers to was made before
                bail!(Refusal::Forbidden(
                    "it refers to a role, an area or a dataset that is not there, or not to be seen".into()
                ));
            }
            return Ok(None);
        };
        if action == StepAction::Keep || !self.writes {
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
    pub(crate) fn report_step(
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
            fields: Vec::new(),
            properties: step.properties.clone(),
            codes: step.codes.clone(),
        });
        id
    }
}

/// Whether an error is a refusal of what contradicts what is there.
fn is_conflict(error: &anyhow::Error) -> bool {
    let refusal = error.downcast_ref::<Refusal>();
    matches!(refusal, Some(Refusal::Conflict(_)))
}

/// A refusal in words: all that is wrong, each thing on its line.
pub(crate) fn explain(refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::Invalid(problems) => {
            let lines = problems
                .iter()
                .map(|problem| format!("{}: {}", problem.path, problem.message));
            Refusal::Parameter(lines.collect::<Vec<_>>().join("\n  ").into()).into()
        }
        other => other.into(),
    }
}
