//! The judgement of a line: by the newest catalog, as a request of its own would be judged. Nothing is written here.

use super::lines::{BulkLine, NamedRecord, id_in, invalid};
use super::waiting::Busy;
use super::{BulkAction, Judged};
use crate::records::{Current, content, current, lookups};
use crate::{Caller, DatasetPermit, Refusal, Service, ids};
use std::borrow::Cow;
use store::StoreError;
use store::catalog::Verb;
use store::records::{Change, NewContent, RecordId, StoredRecord};

impl Service {
    /// Judges a line until it was not overtaken; `None` when what it is about is being written.
    pub(super) async fn judge_line(
        &self,
        by: &Caller,
        dataset: &str,
        line: &BulkLine<'_>,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        let mut tries = self.tries();
        loop {
            match self.judge_once(by, dataset, line, busy).await {
                Err(Refusal::Store(StoreError::Overtaken)) => tries.another().await?,
                result => return result,
            }
        }
    }

    /// Judges a line by the newest catalog; `None` when what it is about is being written.
    async fn judge_once(
        &self,
        by: &Caller,
        dataset: &str,
        line: &BulkLine<'_>,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        let caller = self.newest(by)?;
        let permit = |verbs: &[Verb]| caller.permit_managed_records(verbs, dataset);
        let judged = match line {
            BulkLine::Create(body) => {
                let permit = permit(&[Verb::Add])?;
                let content = self.judge_new(&permit, body.get().as_bytes()).await?;
                self.made(permit, content, busy).await?
            }
            BulkLine::Update(body) => {
                let permit = permit(&[Verb::Edit])?;
                let id = id_in(body)?;
                let body = body.get().as_bytes();
                self.require_writes()?;
                let found = self.find_named(&permit, &id, busy).await?;
                let judged = self.judge_change(&permit, (&*id, found), body).await?;
                let (sent, takes_key) = (Some(judged.version), judged.names_key);
                Judged {
                    takes_key,
                    ..changed(
                        permit,
                        (judged.record, judged.version, judged.content),
                        sent,
                    )
                }
            }
            BulkLine::Upsert(body) => {
                let permit = permit(&[Verb::Edit, Verb::Add])?;
                return self.judge_upsert(permit, body.get(), busy).await;
            }
            BulkLine::Delete(NamedRecord { id, version }) => {
                let permit = permit(&[Verb::Delete])?;
                let record = self.find_named(&permit, id, busy).await?;
                let record = record.ok_or(Refusal::RecordNotFound)?;
                if let Some(sent) = version.filter(|sent| *sent != record.version) {
                    return Err(Refusal::VersionConflict {
                        sent: sent.to_string(),
                        stored: record.version,
                    });
                }
                Judged {
                    room: None,
                    takes_key: false,
                    permit,
                    action: BulkAction::Deleted,
                    change: Change::Delete {
                        id: record.id,
                        version: record.version,
                    },
                    sent: *version,
                }
            }
        };
        Ok(Some(judged))
    }

    /// The live record that a line names, as it was read ahead of it if it was.
    async fn find_named(
        &self,
        permit: &DatasetPermit,
        id: &str,
        busy: Option<&Busy>,
    ) -> Result<Option<StoredRecord>, Refusal> {
        match busy.and_then(|busy| busy.read.get(id)) {
            Some(read) => Ok(read.clone()),
            None => self.find(permit, id).await,
        }
    }

    /// Judges a record that is made, or changed where its primary key is there.
    async fn judge_upsert(
        &self,
        permit: DatasetPermit,
        body: &str,
        busy: Option<&Busy>,
    ) -> Result<Option<Judged>, Refusal> {
        let version = permit.schema().current();
        if version.schema.primary_key().is_none() {
            return Err(invalid(
                "an upsert finds its record by the primary key, and the schema has none",
            ));
        }
        let new = self.judge_new(&permit, body.as_bytes()).await?;
        let key = new.primary_key.as_deref().unwrap_or_default();
        if busy.is_some_and(|busy| busy.keys.contains(key)) {
            return Ok(None);
        }
        let Some(record) = self.store.by_key(permit.dataset().number, key).await? else {
            return Ok(Some(self.made(permit, new, busy).await?));
        };
        if busy.is_some_and(|busy| busy.places.contains(&record.id.place)) {
            return Ok(None);
        }
        let content = self.upserted(&permit, &record, body).await?;
        let of = (record.id, record.version, content);
        Ok(Some(changed(permit, of, None)))
    }

    async fn upserted(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        body: &str,
    ) -> Result<NewContent, Refusal> {
        let version = permit.schema().current();
        self.require_form(record)?;
        let Current {
            body: stored,
            hidden,
            ..
        } = current(permit.schema(), record)?;
        let bodies = [stored.as_bytes(), body.as_bytes()];
        let files = self.known_files(permit, &bodies).await?;
        let look_ups = lookups(permit, &files);
        let merged = version
            .checker
            .merge(&stored, body.as_bytes(), Some(&look_ups))?;
        let hidden = hidden.map(Cow::into_owned);
        Ok(content(merged.checked, version, hidden))
    }

    async fn made(
        &self,
        permit: DatasetPermit,
        content: NewContent,
        busy: Option<&Busy>,
    ) -> Result<Judged, Refusal> {
        let room = match busy.and_then(|busy| busy.tried) {
            Some(before) => {
                let room = self.require_tried_room_for(&permit, &content, before);
                room.await.map(|()| None)?
            }
            None => Some(self.require_room_for(&permit, &content).await?),
        };
        Ok(Judged {
            room,
            takes_key: true,
            permit,
            action: BulkAction::Created,
            change: Change::Create {
                nonce: ids::new_nonce(&*self.entropy),
                content,
            },
            sent: None,
        })
    }
}

fn changed(
    permit: DatasetPermit,
    (id, version, content): (RecordId, i64, NewContent),
    sent: Option<i64>,
) -> Judged {
    Judged {
        room: None,
        // it was found by the key that it keeps
        takes_key: false,
        permit,
        action: BulkAction::Updated,
        change: Change::Update {
            id,
            version,
            content,
        },
        sent,
    }
}
