//! What came of a job, in figures: a line for each that its page shows.

use super::numbers::grouped;
use super::texts::Texts;
use service::manage::{BulkResult, ImportResult, JobView, UndoResult};

/// A line of what came of a job.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) count: String,
    pub(super) is_faulty: bool,
}

/// Those of a job, as far as it came.
pub(super) fn figures(job: &JobView, texts: &Texts) -> Vec<Figure> {
    match (&job.import_result, &job.bulk_result, &job.undo_result) {
        (Some(result), _, _) => import_figures(result, job.is_dry_run, texts),
        (None, Some(result), _) => bulk_figures(result, texts),
        (None, None, Some(result)) => undo_figures(result, texts),
        (None, None, None) => Vec::new(),
    }
}

/// What came of an import, in figures; what would come of one that was only tried.
fn import_figures(result: &ImportResult, is_trial: bool, texts: &Texts) -> Vec<Figure> {
    let own = &texts.job;
    let told = |done, would| if is_trial { would } else { done };
    let figure = |name, count: u64, is_faulty| Figure {
        name,
        count: grouped(count, texts),
        is_faulty: is_faulty && count > 0,
    };
    let mut all = vec![
        figure(own.rows, result.rows, false),
        figure(told(own.created, own.would_create), result.created, false),
        figure(
            told(own.updated, texts.revision_would_change),
            result.updated,
            false,
        ),
        figure(
            told(own.unchanged, own.would_leave),
            result.unchanged,
            false,
        ),
    ];
    let deleted = told(texts.deleted, own.would_delete);
    all.extend((result.deleted > 0).then(|| figure(deleted, result.deleted, false)));
    all.push(figure(
        told(own.rejected, own.would_reject),
        result.rejected,
        true,
    ));
    all.push(figure(
        told(own.faulty, own.would_fault),
        result.faulty,
        true,
    ));
    all
}

/// What came of many writes in one request, in figures.
fn bulk_figures(result: &BulkResult, texts: &Texts) -> Vec<Figure> {
    let all = [
        (texts.job.created, result.created),
        (texts.job.updated, result.updated),
        (texts.deleted, result.deleted),
        (texts.revision_left, result.refused),
    ];
    some_figures(&all, texts)
}

/// What came of an undo, in figures.
fn undo_figures(result: &UndoResult, texts: &Texts) -> Vec<Figure> {
    let all = [
        (texts.job.reverted, result.reverted),
        (texts.deleted, result.deleted),
        (texts.restored, result.restored),
        (texts.revision_left, result.left),
    ];
    some_figures(&all, texts)
}

/// Those that are more than none.
fn some_figures(all: &[(&'static str, u64)], texts: &Texts) -> Vec<Figure> {
    let some = all.iter().filter(|(_, count)| *count > 0);
    let figure = |(name, count): &(&'static str, u64)| Figure {
        name,
        count: grouped(*count, texts),
        is_faulty: false,
    };
    some.map(figure).collect()
}
