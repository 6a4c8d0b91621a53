//! A schema proposed from a sample file, with what speaks for it and the rows that it would make faulty. It stores nothing.
//! Few are looked through at a time, each with room for what it unpacks to, and none longer than someone waits for it.

use crate::{Caller, Refusal, Service, Settings, body_bytes_max};
use parking_lot::Mutex;
use serde_json::value::RawValue;
use std::io::{self, Cursor};
use std::sync::{Arc, Weak};
use store::StoreError;
use store::catalog::{Resource, Verb};
use tabular::{Bounds, NoProposal, OpenError, Options, Proposal, Reader, Records};
use wire::manage::{FieldEvidence, InferredSchema, SampleFault};

/// Bytes that a sample may have.
pub const SAMPLE_BYTES_MAX: usize = 8 << 20;
/// Bytes that one may unpack to.
const UNPACKED_BYTES_MAX: usize = 4 * SAMPLE_BYTES_MAX;
/// The part of the memory budget that these may be at most.
const BUDGET_PART: usize = 3;
/// How many are looked through at a time; of a tenant, one.
const AT_ONCE: usize = 2;
/// When to come back where so many are.
const RETRY_SECONDS: u64 = 5;
/// Bytes that are judged of one, each as often as there are types that a value may be of: some twenty seconds of work.
const JUDGED_BYTES_MAX: u64 = 2 << 30;
/// Faulty rows that are told.
const FAULTS_TOLD: usize = 10;

/// Bytes that a sample may have where there is so much memory.
fn sample_bytes_max(settings: &Settings) -> usize {
    SAMPLE_BYTES_MAX.min(body_bytes_max(settings.memory_budget_bytes))
}

/// Bytes that one may unpack to: one caller has room for them beside the sample, however large that is.
fn unpacked_bytes_max(settings: &Settings) -> usize {
    let budget = settings.memory_budget_bytes;
    // INVARIANT: a sample has no more bytes than a body, and one caller may have room for two of these
    let beside = 2 * body_bytes_max(budget) - sample_bytes_max(settings);
    UNPACKED_BYTES_MAX.min(budget / BUDGET_PART).min(beside)
}

impl Service {
    /// Bytes that the file may have from which a schema is proposed, or which is one: less where there is little memory.
    pub fn sample_bytes_max(&self) -> usize {
        sample_bytes_max(&self.settings)
    }

    /// Proposes a schema of this name for the rows of a file: CSV, a sheet or JSON, packed or not.
    ///
    /// # Errors
    /// A file that can't be read, or has no rows or no names for them; missing rights to add schemas; [`Refusal::NoRoom`] where
    /// the tenant has one looked through, or there is no memory for what it unpacks to.
    pub async fn infer_schema(
        &self,
        by: &Caller,
        name: &str,
        file: impl AsRef<[u8]> + Clone + Send + 'static,
    ) -> Result<InferredSchema, Refusal> {
        let caller = self.newest(by)?;
        caller.rights().require(Resource::Schemas, Verb::Add)?;
        let name = match name.trim() {
            "" => "Sample".to_owned(),
            name => name.to_owned(),
        };
        let place = self.samples_at_work.take(caller.tenant())?;
        let unpacked_bytes_max = unpacked_bytes_max(&self.settings);
        let bytes = file.as_ref();
        let bytes = if tabular::is_packed(bytes) {
            unpacked_bytes_max
        } else {
            bytes.len()
        };
        let room = self.memory().reserve(caller.owner(), bytes)?;
        // gone with whoever waits here, so that the work ends
        let waiting = Arc::new(());
        let sample = Sample {
            file,
            unpacked_bytes_max: unpacked_bytes_max as u64,
            waiting: Arc::downgrade(&waiting),
        };
        let span = tracing::Span::current();
        let proposed = tokio::task::spawn_blocking(move || {
            // both are free again when the work ends, whoever waits for it
            let _held = (place, room);
            span.in_scope(|| proposed(&name, &sample))
        });
        let proposed = proposed.await;
        drop(waiting);
        proposed.unwrap_or(Err(StoreError::Panicked.into()))
    }
}

/// The tenants whose samples are looked through.
#[derive(Clone, Default)]
pub(crate) struct SamplesAtWork(Arc<Mutex<Vec<String>>>);

impl SamplesAtWork {
    /// A place for a sample of a tenant.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`].
    fn take(&self, tenant: &str) -> Result<Place, Refusal> {
        let mut tenants = self.0.lock();
        if tenants.len() >= AT_ONCE || tenants.iter().any(|own| own == tenant) {
            return Err(Refusal::NoRoom {
                seconds: RETRY_SECONDS,
            });
        }
        tenants.push(tenant.to_owned());
        Ok(Place {
            all: self.clone(),
            tenant: tenant.to_owned(),
        })
    }
}

/// A place among those; it is free again when this is dropped.
struct Place {
    all: SamplesAtWork,
    tenant: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.0.lock().retain(|own| *own != self.tenant);
    }
}

/// A file that is looked through.
struct Sample<F> {
    file: F,
    unpacked_bytes_max: u64,
    /// Whoever waits for what comes of it.
    waiting: Weak<()>,
}

impl<F: AsRef<[u8]> + Clone + Send + 'static> Sample<F> {
    fn open(&self, header: Option<bool>) -> io::Result<Reader> {
        let file = Cursor::new(self.file.clone());
        let options = Options {
            header,
            ..Options::default()
        };
        let options = options.surveyed(file.clone(), self.unpacked_bytes_max)?;
        Reader::open_within(file, options, self.unpacked_bytes_max)
    }

    fn is_wanted(&self) -> bool {
        self.waiting.strong_count() > 0
    }
}

fn proposed(
    name: &str,
    sample: &Sample<impl AsRef<[u8]> + Clone + Send + 'static>,
) -> Result<InferredSchema, Refusal> {
    let mut reader = sample.open(None).map_err(|error| unreadable(&error))?;
    let bounds = Bounds {
        judged_bytes_max: JUDGED_BYTES_MAX,
        is_wanted: &|| sample.is_wanted(),
    };
    let proposal = tabular::infer_within(&mut reader, name, bounds);
    let proposal = proposal.map_err(|none| match none {
        NoProposal::Read(error) => unreadable(&error),
        none => Refusal::invalid("file", none.to_string()),
    })?;
    let (faulty_count, faults) = faulty_rows(&proposal, sample)?;
    let evidence = proposal.evidence.into_iter().map(|own| FieldEvidence {
        field: own.field,
        data_type: own.kind,
        lines: own.observations.iter().map(ToString::to_string).collect(),
        observations: own
            .observations
            .into_iter()
            .map(|it| it.wording.into())
            .collect(),
    });
    let document = RawValue::from_string(proposal.schema.to_json()).map_err(|source| {
        let what = "a schema".to_owned();
        StoreError::Document { what, source }
    })?;
    Ok(InferredSchema {
        document,
        row_count: proposal.rows,
        unread_count: proposal.unread,
        evidence: evidence.collect(),
        faulty_count,
        faults,
    })
}

/// How many rows of a sample are faulty under what is proposed, and what is wrong with the first of them.
fn faulty_rows(
    proposal: &Proposal,
    sample: &Sample<impl AsRef<[u8]> + Clone + Send + 'static>,
) -> Result<(u64, Vec<SampleFault>), Refusal> {
    let (mut faulty_count, mut faults) = (0, Vec::new());
    let records = Records::new(
        &proposal.schema,
        sample
            .open(Some(proposal.has_header))
            .map_err(|error| unreadable(&error))?,
        tabular::Settings {
            decimal_mark: proposal.decimal_mark,
            ..tabular::Settings::default()
        },
    );
    let records = records.map_err(|error| match error {
        OpenError::Schema(problems) => Refusal::from(problems),
        OpenError::Mapping(wrong) => Refusal::invalid("file", wrong.to_string()),
        OpenError::Read(error) => unreadable(&error),
    })?;
    let has_key = proposal.schema.primary_key().is_some();
    for row in records {
        if !sample.is_wanted() {
            return Err(unreadable(&io::ErrorKind::Interrupted.into()));
        }
        let row = row.map_err(|error| unreadable(&error))?;
        // as an import has it, one of empty cells is none where there is a key
        if row.findings.is_empty() || row.is_blank && has_key {
            continue;
        }
        faulty_count += 1;
        let room = FAULTS_TOLD.saturating_sub(faults.len());
        let told = row.findings.into_iter().take(room);
        faults.extend(told.map(|finding| SampleFault {
            line: finding.place.line,
            field: finding.field.unwrap_or_default(),
            message: finding.message,
        }));
    }
    Ok((faulty_count, faults))
}

fn unreadable(error: &io::Error) -> Refusal {
    let message = format!("the file can't be read: {error}; send CSV, Excel, NDJSON or JSON");
    Refusal::invalid("file", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryBudget, Owner};

    #[test]
    fn what_a_sample_unpacks_to_has_room_beside_it_in_every_budget() {
        for shift in 16..34 {
            let memory_budget_bytes = 1 << shift;
            let budget = MemoryBudget::new(memory_budget_bytes);
            let settings = Settings {
                memory_budget_bytes,
                ..Settings::default()
            };
            let rooms = [sample_bytes_max(&settings), unpacked_bytes_max(&settings)];
            assert!(rooms[0] <= rooms[1], "{shift}");
            let rooms = rooms.map(|bytes| budget.reserve(Owner::of("t", "a"), bytes));
            assert!(rooms.iter().all(Result::is_ok), "{shift}");
        }
    }

    #[test]
    fn a_tenant_has_one_place_and_leaves_one_to_others() {
        let at_work = SamplesAtWork::default();
        let first = at_work.take("a").expect("a place");
        assert!(at_work.take("a").is_err(), "it has one");
        let second = at_work.take("b").expect("a place");
        assert!(at_work.take("c").is_err(), "both are taken");
        drop(first);
        assert!(at_work.take("b").is_err(), "it has one still");
        drop((at_work.take("a").expect("a place"), second));
        assert!(at_work.0.lock().is_empty());
    }
}
