//! What is said of jobs, in German.

use super::super::jobs::JobTexts;

pub(super) const TEXTS: JobTexts = JobTexts {
    bulk: "Viele auf einmal",
    cancelled: "abgebrochen",
    created: "Angelegt",
    done: "fertig",
    effects: "Prüfung nach Entwurf",
    export: "Export",
    failed: "fehlgeschlagen",
    faulty: "Fehlerhaft",
    import: "Import",
    purged: "Ein Datensatz dieses Datenbestands wurde endgültig entfernt, und damit auch, was dieser Auftrag von Datensätzen enthielt.",
    queued: "wartet",
    rate: |count, rows| format!("{count} {rows} in der Sekunde"),
    rejected: "Abgewiesen",
    repair: "Behebung",
    revalidate: "Neue Prüfung",
    reverted: "Wieder wie zuvor",
    rows: "Zeilen",
    running: "läuft",
    time_left: |time| format!("noch {time}"),
    tried: "Probe beendet – nichts wurde geschrieben",
    unchanged: "Unverändert",
    undo: "Rücknahme",
    updated: "Geändert",
    would_create: "Würden angelegt",
    would_delete: "Würden gelöscht",
    would_fault: "Wären fehlerhaft",
    would_leave: "Blieben unverändert",
    would_reject: "Würden abgewiesen",
};
