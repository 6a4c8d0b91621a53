//! What is looked for in the trail: who, what, to what, and when. docs/interface.md, "Trail".

use crate::Refusal;
use store::catalog::{AuditAction, AuditEntry, Kind};
use wire::Timestamp;

/// What entries of the trail have to be about; what is `None` may be anything.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// The id or the name of who did it.
    pub actor: Option<String>,
    /// What was done.
    pub action: Option<AuditAction>,
    /// To what kind of thing.
    pub noun: Option<Kind>,
    /// To which.
    pub id: Option<String>,
    /// Not before this moment.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
    /// Only what changed something for others, too: no session that began or ended, no saved view, and nothing that was
    /// refused.
    pub only_changes: bool,
}

impl AuditFilter {
    /// The filter of such parameters; a text that is empty filters nothing.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] for an action, a kind or a moment that there is not.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let given = |name: &str| parameter(name).filter(|text| !text.is_empty());
        let wrong = |name: &str, what: &str| Refusal::invalid("query", format!("`{name}` {what}"));
        let moment = |name: &str| {
            let text = given(name);
            let moment = text.map(|text| text.parse::<Timestamp>());
            let moment = moment.transpose();
            moment.map_err(|_| wrong(name, "must be a moment such as 2026-01-31T00:00:00Z"))
        };
        let action = given("action").map(|text| {
            let none = || wrong("action", "must be an action of the trail, such as `create`");
            AuditAction::parse(&text).ok_or_else(none)
        });
        let noun = given("noun").map(|text| {
            let none = || wrong("noun", "must be a kind of the trail, such as `api_key`");
            Kind::parse(&text).ok_or_else(none)
        });
        Ok(AuditFilter {
            actor: given("actor"),
            action: action.transpose()?,
            noun: noun.transpose()?,
            id: given("id"),
            from: moment("from")?,
            to: moment("to")?,
            only_changes: false,
        })
    }

    /// Whether it leaves most of the trail out. What changed nothing is little of it.
    pub(crate) fn is_narrow(&self) -> bool {
        let AuditFilter {
            actor,
            action,
            noun,
            id,
            from,
            to,
            only_changes: _,
        } = self;
        actor.is_some()
            || action.is_some()
            || noun.is_some()
            || id.is_some()
            || from.is_some()
            || to.is_some()
    }

    /// Whether an entry is among those that are looked for.
    pub(crate) fn holds(&self, entry: &AuditEntry) -> bool {
        let is = |wanted: &Option<String>, own: &[&String]| {
            wanted.as_ref().is_none_or(|wanted| own.contains(&wanted))
        };
        is(&self.actor, &[&entry.actor.id, &entry.actor.name])
            && is(&self.id, &[&entry.id])
            && self.action.is_none_or(|action| action == entry.action)
            && self.noun.is_none_or(|noun| noun == entry.noun)
            && self.from.is_none_or(|from| entry.at >= from)
            && self.to.is_none_or(|to| entry.at < to)
            && !(self.only_changes && (is_no_change(entry.action) || is_own(entry.noun)))
    }
}

/// Whether it is of no concern but to whoever did it.
fn is_own(noun: Kind) -> bool {
    noun == Kind::SavedView
}

/// Whether an action leaves everything as it was.
fn is_no_change(action: AuditAction) -> bool {
    let is_session = matches!(action, AuditAction::SignIn | AuditAction::SignOut);
    action.is_incident() || is_session || action == AuditAction::ViewPersonalData
}
