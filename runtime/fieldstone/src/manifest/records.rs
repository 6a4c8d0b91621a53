//! Record files into datasets: new records are made, changed ones updated, the others left alone. Many
//! writes are under way at once, so that they share the store's syncs; they are queued in the file's order.

use super::apply::Loaded;
use super::plan::Plan;
use super::{Records, Text, read};
use anyhow::Context as _;
use runtime::schema::Schema;
use runtime::schema::json::{Node, Value, parse};
use runtime::service::manage::Denied;
use runtime::service::{Permit, Refusal, Service};
use runtime::store::catalog::{Resource, Verb};
use std::collections::{HashSet, VecDeque};
use std::pin::Pin;
use std::task::Poll;

/// Writes under way at once: some full transactions of the store.
const IN_FLIGHT_MAX: usize = 2048;
/// Reasons told of each file.
const REASONS_MAX: usize = 5;

/// What a write became: made, or changed.
type Write<'a> = Pin<Box<dyn Future<Output = Result<Done, Refusal>> + Send + 'a>>;

#[derive(Clone, Copy)]
enum Done {
    Created,
    Updated,
}

/// Loads record files into the dataset whose ids are given; without them it is told what would be new.
pub(super) async fn load(
    plan: &mut Plan<'_>,
    tenant: &str,
    dataset: Option<[&str; 3]>,
    name: &str,
    files: &[Records],
) -> anyhow::Result<()> {
    let texts = files.iter().filter_map(|file| match file {
        Records::Text(text) => Some(text),
        Records::File(_) => None,
    });
    let Some(path) = dataset else {
        for Text { path, text } in texts {
            let created = read::records(text).with_context(|| path.clone())?.len();
            let mut loaded = Loaded::new(name, path);
            loaded.created = created;
            plan.applied.records.push(loaded);
        }
        return Ok(());
    };
    let caller = plan.caller(tenant)?;
    let permit = caller.permit_dataset(Resource::Records, Verb::Add, path);
    let permit = permit.map_err(|refusal| anyhow::anyhow!("{}", Denied::from(refusal)))?;
    let number = permit.dataset().map_err(Denied::from)?.number;
    let was_empty = plan.service.store().counts(number).await?.records == 0;
    let mut dataset = Loader {
        service: plan.service,
        permit: &permit,
        was_empty,
        writes: plan.writes(),
        seen: HashSet::new(),
    };
    for Text { path, text } in texts {
        let loaded = dataset.file(name, path, text).await;
        plan.applied
            .records
            .push(loaded.with_context(|| path.clone())?);
    }
    Ok(())
}

struct Loader<'a> {
    service: &'a Service,
    permit: &'a Permit,
    was_empty: bool,
    writes: bool,
    /// Primary keys of this application: the first record of each counts.
    seen: HashSet<String>,
}

impl Loader<'_> {
    async fn file(&mut self, dataset: &str, path: &str, text: &str) -> anyhow::Result<Loaded> {
        let mut loaded = Loaded::new(dataset, path);
        let mut in_flight: VecDeque<(usize, Write<'_>)> = VecDeque::new();
        let (service, permit) = (self.service, self.permit);
        for (index, record) in read::records(text)?.into_iter().enumerate() {
            let write: Write<'_> = match self.judge(record).await? {
                Judged::LeftOut(reason) => {
                    loaded.leave_out(index, &reason);
                    continue;
                }
                Judged::Same => {
                    loaded.unchanged += 1;
                    continue;
                }
                Judged::New if !self.writes => {
                    loaded.created += 1;
                    continue;
                }
                Judged::Changed { .. } if !self.writes => {
                    loaded.updated += 1;
                    continue;
                }
                Judged::New => Box::pin(async move {
                    let created = service.create_record(permit, record.as_bytes()).await;
                    created.map(|_| Done::Created)
                }),
                Judged::Changed { id, body } => Box::pin(async move {
                    let updated = service.update_record(permit, &id, body.as_bytes()).await;
                    updated.map(|()| Done::Updated)
                }),
            };
            in_flight.push_back((index, begun(write).await));
            if in_flight.len() >= IN_FLIGHT_MAX
                && let Some((index, write)) = in_flight.pop_front()
            {
                loaded.count(index, write.await)?;
            }
        }
        for (index, write) in in_flight {
            loaded.count(index, write.await)?;
        }
        Ok(loaded)
    }

    /// What is to be done with a record.
    async fn judge(&mut self, record: &str) -> anyhow::Result<Judged> {
        if self.was_empty && self.writes {
            // the store itself tells of a key that is missing or taken
            return Ok(Judged::New);
        }
        let version = self.permit.schema().map_err(Denied::from)?.current();
        if version.schema.primary_key().is_none() {
            return Ok(if self.was_empty {
                Judged::New
            } else {
                Judged::LeftOut(NO_KEY.to_owned())
            });
        }
        let checked = match version.checker.check(record.as_bytes()) {
            Ok(checked) => checked,
            Err(rejected) => return Ok(Judged::LeftOut(rejected.to_string())),
        };
        let Some(key) = checked.primary_key() else {
            return Ok(Judged::LeftOut(NO_VALUE.to_owned()));
        };
        if !self.seen.insert(key.to_owned()) {
            return Ok(Judged::LeftOut(TAKEN.to_owned()));
        }
        let stored = self.service.record_by_key(self.permit, key).await;
        match stored.map_err(Denied::from)? {
            None => Ok(Judged::New),
            Some(stored) => compared(&version.schema, &stored, record, checked.normal_form()),
        }
    }
}

const NO_KEY: &str =
    "its schema has no primary key to find it by, and the dataset has records already";
const NO_VALUE: &str = "its primary key has no value";
const TAKEN: &str = "an earlier record has its primary key";

enum Judged {
    New,
    Same,
    Changed { id: String, body: String },
    LeftOut(String),
}

/// Whether a record's values differ from the stored ones, and the change that makes them equal.
fn compared(schema: &Schema, stored: &str, record: &str, normal: &str) -> anyhow::Result<Judged> {
    let (old, new, sent) = (parse(stored)?, parse(normal)?, parse(record)?);
    let Value::Object(members) = &sent.value else {
        return Ok(Judged::Same);
    };
    let is_same = members.iter().all(|member| {
        let (old, new) = (old.get(&member.key), new.get(&member.key));
        let raw = |node: Option<&Node<'_>>, text: &str| {
            node.map(|node| text[node.start..node.end].to_owned())
        };
        let is_file = |field: &runtime::schema::Field| field.data_type.is_file();
        let mut fields = schema.active_fields();
        raw(old, stored) == raw(new, normal)
            || fields.any(|field| field.name == *member.key && is_file(field))
                && old.zip(new).is_some_and(|(old, new)| shows(old, new))
    });
    if is_same {
        return Ok(Judged::Same);
    }
    let text = |name: &str| old.get(name).map(|node| &stored[node.start..node.end]);
    let (Some(id), Some(version)) = (text("_dataObjectId"), text("_version")) else {
        anyhow::bail!("a stored record has no id or version");
    };
    let rest = record.trim_start().trim_start_matches('{');
    Ok(Judged::Changed {
        id: id.trim_matches('"').to_owned(),
        body: format!("{{\"_version\":{version},{rest}"),
    })
}

/// Whether a stored file, shown as an address with its id in it, is the one that is named; or several are.
fn shows(old: &Node<'_>, new: &Node<'_>) -> bool {
    match (&old.value, &new.value) {
        (Value::String(address), Value::String(id)) => address.contains(&**id),
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| shows(old, new))
        }
        _ => false,
    }
}

/// A write that is begun, so that it waits in the store's queue before the next one comes.
async fn begun(mut write: Write<'_>) -> Write<'_> {
    let first = std::future::poll_fn(|context| {
        Poll::Ready(match write.as_mut().poll(context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        })
    })
    .await;
    match first {
        Some(done) => Box::pin(std::future::ready(done)),
        None => write,
    }
}

impl Loaded {
    fn new(dataset: &str, path: &str) -> Self {
        Loaded {
            dataset: dataset.to_owned(),
            file: path.to_owned(),
            ..Loaded::default()
        }
    }

    fn count(&mut self, index: usize, done: Result<Done, Refusal>) -> anyhow::Result<()> {
        match done {
            Ok(Done::Created) => self.created += 1,
            Ok(Done::Updated) => self.updated += 1,
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => self.leave_out(index, &reason(refusal)),
        }
        Ok(())
    }

    fn leave_out(&mut self, index: usize, reason: &str) {
        self.left_out += 1;
        if self.reasons.len() < REASONS_MAX {
            self.reasons.push(format!("record {}: {reason}", index + 1));
        }
    }
}

/// Why a record was not stored, in words.
fn reason(refusal: Refusal) -> String {
    match refusal {
        Refusal::InvalidBody { message, .. } => message,
        Refusal::PrimaryKeyRequired { .. } => NO_VALUE.to_owned(),
        Refusal::DuplicateKey { .. } => TAKEN.to_owned(),
        Refusal::VersionConflict { .. } | Refusal::Concurrent | Refusal::RecordNotFound => {
            "another request changed it at the same moment".to_owned()
        }
        other => Denied::from(other).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::schema::Origin;

    #[test]
    fn files_are_the_same_when_their_links_name_them() {
        let field = |name: &str, more: &str| {
            format!(
                r#"{{"fieldId":"{name}","name":"{name}","active":true,"dataType":"image","isPrimaryKey":false,"isSortKey":false,"isRequired":false{more}}}"#
            )
        };
        let fields = [field("One", ""), field("All", r#","isMultivalue":true"#)];
        let text = format!(
            r#"{{"schemaId":"s","name":"S","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
            fields.join(",")
        );
        let schema = Schema::read(&text, Origin::Elsewhere)
            .expect("a schema")
            .schema;
        let stored = r#"{"_dataObjectId":"i","_version":3,"One":"http://h/v1/files/a?x","All":["http://h/v1/files/a?x","http://h/v1/files/b?y"]}"#;
        let is_same = |record: &str| {
            let judged = compared(&schema, stored, record, record).expect("records");
            matches!(judged, Judged::Same)
        };
        assert!(is_same(r#"{"One":"a","All":["a","b"]}"#));
        assert!(!is_same(r#"{"One":"b"}"#) && !is_same(r#"{"One":null}"#));
        for other in [r#"["a"]"#, r#"["b","a"]"#, r#"["a","b","c"]"#, "null"] {
            assert!(!is_same(&format!(r#"{{"All":{other}}}"#)), "{other}");
        }
    }
}
