//! Jobs: work that goes on when the request that asked for it was answered: imports and exports of datasets, repairs, judgements by
//! what changed or would change, and the undoing of these. A job is a
//! row of the store, which the runner takes and works off in steps; each step commits what it wrote together with where
//! to go on, and with how much of a file beside the store counts, so nothing is lost or done twice, wherever
//! the work is cut off. It is done by its maker's rights, judged anew at each step. docs/interface.md, "Jobs".

mod asked_names;
mod asked_once;
mod barred_records;
mod begin;
mod clean;
mod context;
mod download;
mod effects;
mod effects_job;
mod export;
mod figures;
mod folder;
mod form_inputs;
mod growing_file;
mod import;
mod import_again;
mod import_upload;
mod masked;
mod options;
mod purged;
mod repair;
mod repair_tried;
mod revalidate;
mod revise;
mod room;
mod runner;
mod selection;
mod settings;
mod shown;
mod undo;
mod undo_course;
mod undo_past;
mod undo_whole;
mod undone;
mod worker;

pub use asked_once::FormJob;
pub use download::JobDownload;
pub use folder::JOBS_FOLDER;
pub(crate) use folder::JobFolder;
pub use import_upload::ImportUpload;
pub(crate) use runner::JobRunner;
pub use settings::JobSettings;
pub use undone::Undoing;
