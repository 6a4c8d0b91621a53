//! A stored record as the schema in force judges it, with a change of its fields or without one: what it becomes, and whether it
//! is stored so. Nothing is written here.

use super::{Current, content, current, has_errors_of, lookups};
use crate::{DatasetPermit, Refusal, Service};
use engine::validate::Checked;
use std::borrow::Cow;
use store::records::{NewContent, StoredRecord};

/// A record and what it becomes by a change of its fields.
pub(crate) struct Revision {
    pub(crate) checked: Checked,
    pub(crate) hidden: Option<String>,
    /// Whether it differs from what is shown.
    pub(crate) is_new: bool,
    /// Whether its values differ from those that are stored.
    pub(crate) is_restated: bool,
    /// `_errors` as they are stored, under the names of now.
    pub(crate) errors_before: Option<String>,
}

impl Revision {
    /// Whether the record is stored so: then there is nothing to write.
    pub(crate) fn is_as_stored(&self, record: &StoredRecord) -> bool {
        !self.is_restated && has_errors_of(&self.checked, record, self.errors_before.as_deref())
    }

    /// The content that takes the place of what is there.
    pub(crate) fn content(self, permit: &DatasetPermit) -> NewContent {
        content(self.checked, permit.schema().current(), self.hidden)
    }
}

impl Service {
    /// Judges a record with a change of its fields, by the schema in force. Its primary key stays as it is stored, unless it is
    /// changed.
    pub(crate) async fn revised(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        change: &[u8],
    ) -> Result<Revision, Refusal> {
        self.judged_anew(permit, record, Some(change)).await
    }

    /// Judges a record by the schema in force: each value that is one of its type gets that type's form, the primary key too.
    pub(crate) async fn restated(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<Revision, Refusal> {
        self.judged_anew(permit, record, None).await
    }

    async fn judged_anew(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        change: Option<&[u8]>,
    ) -> Result<Revision, Refusal> {
        self.require_form(record)?;
        let Current {
            body,
            hidden,
            errors,
            is_restated,
        } = current(permit.schema(), record)?;
        let bodies = [body.as_bytes(), change.unwrap_or(b"{}")];
        let files = self.known_files(permit, &bodies).await?;
        let checker = &permit.schema().current().checker;
        let known = lookups(permit, &files);
        let checked = match change {
            Some(change) => checker.merge(&body, change, Some(&known))?.checked,
            None => checker.check_with(body.as_bytes(), Some(&known))?,
        };
        let new_errors = (!checked.is_clean()).then(|| checked.errors_json());
        let has_changed = *body != *checked.normal_form();
        Ok(Revision {
            is_new: has_changed || errors.as_deref() != new_errors.as_deref(),
            is_restated: is_restated || has_changed,
            errors_before: errors.map(Cow::into_owned),
            hidden: hidden.map(Cow::into_owned),
            checked,
        })
    }
}
