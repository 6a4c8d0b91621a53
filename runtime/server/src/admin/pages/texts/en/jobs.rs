//! What is said of jobs, in English.

use super::super::jobs::JobTexts;

pub(super) const TEXTS: JobTexts = JobTexts {
    bulk: "Bulk change",
    cancelled: "cancelled",
    created: "Created",
    done: "done",
    effects: "Check against a draft",
    export: "Export",
    failed: "failed",
    faulty: "Faulty",
    import: "Import",
    purged: "A record of this dataset was purged: what this job had of records was removed with it.",
    queued: "waiting",
    rate: |count, rows| format!("{count} {rows} a second"),
    rejected: "Rejected",
    repair: "Repair",
    revalidate: "Check of all records",
    reverted: "Reverted",
    rows: "Rows",
    running: "running",
    time_left: |time| format!("{time} left"),
    tried: "Trial finished – nothing was written",
    unchanged: "Unchanged",
    undo: "Undoing",
    updated: "Changed",
    would_create: "Would create",
    would_delete: "Would delete",
    would_fault: "Would be faulty",
    would_leave: "Would leave unchanged",
    would_reject: "Would reject",
};
