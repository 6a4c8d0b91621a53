//! Jobs: work that goes on when the request that asked for it was answered. How one is shown, and what came of it.

use super::{
    ActorKind, DataFormat, DateTexts, ExportOptions, ImportOptions, JobProgress, NumberTexts,
    Packing, RepairOptions, RevisionResult, UndoOptions, UndoResult,
};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// What kind of work a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Rows of a file become records of a dataset.
    Import,
    /// Records of a dataset become a file.
    Export,
    /// Values of one field are changed in many records.
    Repair,
    /// Records are judged by a schema or a data domain that changed.
    Revalidate,
    /// Records are judged by a change of their schema that is not made.
    Effects,
    /// What another job wrote is taken back.
    Undo,
    /// The writes of one request, which had many: noted to be undone.
    Bulk,
}

impl JobKind {
    /// Its name, as it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            JobKind::Import => "import",
            JobKind::Export => "export",
            JobKind::Repair => "repair",
            JobKind::Revalidate => "revalidate",
            JobKind::Effects => "effects",
            JobKind::Undo => "undo",
            JobKind::Bulk => "bulk",
        }
    }
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It waits for its turn.
    Queued,
    /// It is being done.
    Running,
    /// It was done to its end.
    Done,
    /// It ended early: `failure` says why. What it had done by then stays.
    Failed,
    /// Someone ended it. What it had done by then stays.
    Cancelled,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 5] = [
        JobState::Queued,
        JobState::Running,
        JobState::Done,
        JobState::Failed,
        JobState::Cancelled,
    ];

    /// Its name, as it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
        }
    }

    /// The state of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    /// Whether nothing more comes of it.
    pub fn has_ended(self) -> bool {
        !matches!(self, JobState::Queued | JobState::Running)
    }
}

/// One of many things that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RowSample {
    /// The line of the file on which the row begins, from 1.
    pub line: u64,
    /// What is wrong, in words, without the value.
    pub message: String,
}

/// How many values break a rule of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FaultCount {
    /// The field's display name.
    pub field: String,
    /// The rule's code.
    pub rule: String,
    /// How many values.
    pub count: u64,
    /// The first few.
    pub samples: Vec<RowSample>,
}

/// How many rows can't be stored for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RejectionCount {
    /// The reason's code, such as `duplicate_key`, `key_missing`, `not_found`, `record_exists`, `id_missing`, `id_unknown`,
    /// `version_conflict`, `version_invalid` or that of a body's rejection.
    pub reason: String,
    /// How many rows.
    pub count: u64,
    /// The first few.
    pub samples: Vec<RowSample>,
}

/// A column of the file that goes nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnusedColumn {
    /// Its name.
    pub column: String,
    /// A field with a name like it and no column: perhaps it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// The field that it is for, where another column is for that one, too, and is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A column of an import's file that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FoundColumn {
    /// Its name.
    pub column: String,
    /// The display name of the field that it is for, or `_dataObjectId` where rows say by it of which records they are; absent
    /// where it goes nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// What an import's file was read as: what was said of it, and what was found where nothing was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FoundFile {
    /// How its rows stand in it.
    pub format: DataFormat,
    /// How it is packed; absent where it is not. It is found by its first bytes, and nothing else can be said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
    /// How its text is encoded; absent for an Excel file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether nothing but its looks speaks for its encoding, which is not UTF-8: `encodingSamples` show whether it is right.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_encoding_guessed: bool,
    /// What parts the cells of CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// What stands around the cells of CSV that hold a delimiter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<char>,
    /// Whether the first row has the names of the columns; absent where rows are JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The sheet of an Excel file, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// How many sheets the Excel file has, hidden ones too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet_count: Option<u64>,
    /// Its columns, where they have names; 100 at most, and none with a name of more than 100 characters.
    #[serde(default)]
    pub columns: Vec<FoundColumn>,
}

/// A text of an import's file, in the encoding that it was read in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextSample {
    /// The line of the file on which its row begins, from 1.
    pub line: u64,
    /// Its column's name; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The text, 100 characters at most.
    pub text: String,
}

/// Rows of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RowCount {
    /// How many.
    pub rows: u64,
    /// The line of the file on which the first of them begins, from 1.
    pub first_line: u64,
}

/// A row as it would be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RowPreview {
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    /// Its values that are not missing; 100 at most.
    pub values: Vec<ValuePreview>,
}

/// A value as it would be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValuePreview {
    /// The field's display name.
    pub field: String,
    /// The value as JSON, 100 characters at most.
    pub value: String,
}

/// What came of an import so far; of one that was only tried, what would have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ImportResult {
    /// Rows that were read.
    pub rows: u64,
    /// Records that were made.
    pub created: u64,
    /// Records that were changed.
    pub updated: u64,
    /// Rows whose record is as they say.
    pub unchanged: u64,
    /// Records that were deleted because the file does not have them.
    pub deleted: u64,
    /// Rows that can't be stored.
    pub rejected: u64,
    /// Rows that were stored with faults.
    pub faulty: u64,
    /// Faults by field and rule, as the schema has them.
    pub faults: Vec<FaultCount>,
    /// Rows that can't be stored, by reason.
    pub rejections: Vec<RejectionCount>,
    /// Columns that go nowhere.
    pub unused_columns: Vec<UnusedColumn>,
    /// How numbers are written that stand as text, where a field's have decimals behind a comma, or dots that may all stand
    /// between thousands: perhaps `decimalMark` is to be said.
    #[serde(skip_serializing_if = "NumberTexts::are_plain")]
    pub numbers: Vec<NumberTexts>,
    /// How days and times are written that stand as text and that their fields don't read: perhaps `dateFormat` is to be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<DateTexts>,
    /// What the file was read as, once it was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundFile>,
    /// Rows with a quote that stands after a blank, so that it is a part of the text and quotes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotes_after_blanks: Option<RowCount>,
    /// Texts that show whether the encoding is right, where it was guessed; 3 at most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encoding_samples: Vec<TextSample>,
    /// Of a dry run, its first 3 rows as they would be stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_rows: Vec<RowPreview>,
}

/// What came of an export so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExportResult {
    /// Records that were written.
    pub records: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether its maker saw personal values, which may be in the file then; else fields that are personal are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_have_personal_data: bool,
}

/// What came of a request of many writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BulkResult {
    /// Records that were made.
    pub created: u64,
    /// Records that were changed.
    pub updated: u64,
    /// Records that were deleted.
    pub deleted: u64,
    /// Lines that were not done.
    pub refused: u64,
}

/// A line of a job's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct JobLogLine {
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub text: String,
}

/// A file that came of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobFileView {
    /// `export`, the records; `rejects`, rows that could not be stored.
    pub file: JobFile,
    /// A name for it.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it is removed.
    pub until: Timestamp,
}

/// Which of a job's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobFile {
    /// The records of an export.
    Export,
    /// Rows of an import that could not be stored: as they came, with line and reason.
    Rejects,
}

/// Who asked for a job, by the name of then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobMaker {
    /// What it is.
    pub kind: ActorKind,
    /// Its id.
    pub id: String,
    /// Its name: of a key or client its own, of a user the user name.
    pub name: String,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    /// Its id.
    pub job_id: String,
    /// What kind of work it is.
    pub kind: JobKind,
    /// How far it is.
    pub state: JobState,
    /// Whether it is to end, and has not yet.
    pub is_cancelling: bool,
    /// The id of its dataset.
    pub data_set_id: String,
    /// The id of its schema.
    pub schema_id: String,
    /// The version of its schema when it was asked for, by whose names its options name fields; none of a judgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<i64>,
    /// The id of its business area.
    pub business_area_id: String,
    /// Who asked for it.
    pub created_by: JobMaker,
    /// When it was asked for.
    pub created_date: Timestamp,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_date: Option<Timestamp>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_date: Option<Timestamp>,
    /// How far it is.
    pub progress: JobProgress,
    /// What was said of it, where it is an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_options: Option<ImportOptions>,
    /// What came of it so far, where it is an import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_result: Option<ImportResult>,
    /// What was said of it, where it is an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export_options: Option<ExportOptions>,
    /// What came of it so far, where it is an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export_result: Option<ExportResult>,
    /// What was said of it, where it is a repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair_options: Option<RepairOptions>,
    /// What came of it so far, where it is a repair or a judgement; of one by a change that is not made, what would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision_result: Option<RevisionResult>,
    /// Whether an import or a repair is only tried: everything is judged, nothing is written. A purge does not take it along.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_dry_run: bool,
    /// What was said of it, where it undoes another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_options: Option<UndoOptions>,
    /// What came of it so far, where it undoes another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_result: Option<UndoResult>,
    /// What came of it, where it is a request of many writes that was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk_result: Option<BulkResult>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What happened meanwhile, oldest first; of many lines the last.
    pub log: Vec<JobLogLine>,
    /// What its maker may download.
    pub files: Vec<JobFileView>,
    /// Whether a record of its dataset was purged while it was under way, or since it ended: what it had of records went with that,
    /// and so did the options of an export or a repair, whose query and action may name a value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_purged: bool,
}

impl JobView {
    /// Whether it has ended and is known to have changed no record. Of a request of many writes that was cut off nobody knows.
    pub fn has_written_nothing(&self) -> bool {
        let written = match self.kind {
            JobKind::Export | JobKind::Effects => return true,
            JobKind::Import => {
                let result = self.import_result.as_ref();
                result.map(|it| it.created + it.updated + it.deleted)
            }
            JobKind::Repair | JobKind::Revalidate => {
                self.revision_result.as_ref().map(|it| it.changed)
            }
            // what is left may be taken back in part
            JobKind::Undo => {
                let result = self.undo_result.as_ref();
                result.map(|it| it.reverted + it.deleted + it.restored + it.left)
            }
            JobKind::Bulk => {
                let result = self.bulk_result.as_ref();
                result.map(|it| it.created + it.updated + it.deleted)
            }
        };
        self.state.has_ended() && (self.is_dry_run || written == Some(0))
    }
}
