//! A schema proposed from a sample file, with what speaks for it and the rows that it would make faulty. It stores nothing.

use crate::{Caller, Refusal, Service};
use serde_json::value::RawValue;
use std::io::Cursor;
use store::StoreError;
use store::catalog::{Resource, Verb};
use tabular::{NoProposal, OpenError, Options, Reader, Records, Settings};
use wire::manage::{FieldEvidence, InferredSchema, SampleFault};

/// Bytes that a sample may have.
pub const SAMPLE_BYTES_MAX: usize = 8 << 20;
/// Bytes that one may unpack to.
const UNPACKED_BYTES_MAX: u64 = 4 * SAMPLE_BYTES_MAX as u64;
/// Bytes that are judged of one, each as often as there are types that a value may be of: some twenty seconds of work.
const JUDGED_BYTES_MAX: u64 = 2 << 30;
/// Faulty rows that are told.
const FAULTS_TOLD: usize = 10;

impl Service {
    /// Proposes a schema of this name for the rows of a file: CSV, a sheet or JSON, packed or not.
    ///
    /// # Errors
    /// A file that can't be read, or has no rows or no names for them; missing rights to add schemas.
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
        let span = tracing::Span::current();
        let proposed =
            tokio::task::spawn_blocking(move || span.in_scope(|| proposed(&name, &file)));
        proposed.await.unwrap_or(Err(StoreError::Panicked.into()))
    }
}

fn proposed(
    name: &str,
    file: &(impl AsRef<[u8]> + Clone + Send + 'static),
) -> Result<InferredSchema, Refusal> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the file can't be read: {error}; send CSV, Excel, NDJSON or JSON");
        Refusal::invalid("file", message)
    };
    let open = || {
        let file = Cursor::new(file.clone());
        Reader::open_within(file, Options::default(), UNPACKED_BYTES_MAX)
    };
    let mut reader = open().map_err(unreadable)?;
    let proposal = tabular::infer_within(&mut reader, name, true, JUDGED_BYTES_MAX);
    let proposal = proposal.map_err(|none| match none {
        NoProposal::Read(error) => unreadable(error),
        none => Refusal::invalid("file", none.to_string()),
    })?;
    let (mut faulty_count, mut faults) = (0, Vec::new());
    let records = Records::new(
        &proposal.schema,
        open().map_err(unreadable)?,
        Settings {
            decimal_mark: proposal.decimal_mark,
            ..Settings::default()
        },
    );
    let records = records.map_err(|error| match error {
        OpenError::Schema(problems) => Refusal::from(problems),
        OpenError::Mapping(wrong) => Refusal::invalid("file", wrong.to_string()),
        OpenError::Read(error) => unreadable(error),
    })?;
    for row in records {
        let row = row.map_err(unreadable)?;
        if row.findings.is_empty() {
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
