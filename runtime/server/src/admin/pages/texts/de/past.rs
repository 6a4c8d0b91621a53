//! What is said of the past of a record in German.

use super::super::past::PastTexts;

pub(super) const TEXTS: PastTexts = PastTexts {
    bring_back_after: "Datensatz zurückholen, wie er nach dieser Änderung war",
    by_client: "{} (Anwendung)",
    by_key: "{} (API-Schlüssel)",
    current: "jetzt gültig",
    differs: "Inzwischen anders:",
    is_deleted: "Der Datensatz ist gelöscht. Um einen seiner Stände zurückzuholen, stellen Sie ihn zuerst wieder her.",
    is_newest: "So ist der Datensatz jetzt.",
    key_holder: "Diesen Datensatz öffnen",
    now: "Jetzt:",
    of_version: "bei Stand",
    on_server: "{} (auf dem Server)",
    purge: "Endgültig entfernen",
    purge_what: "Endgültig entfernt werden der Datensatz, sein Verlauf, seine Dateien, die kein anderer Datensatz hat, und die Werte von Datensätzen, die Aufträge dieses Datenbestands aufbewahren. Im Protokollbuch bleibt, dass und durch wen das geschah. Es lässt sich nicht rückgängig machen: Um den Datensatz zu behalten, klappen Sie dies wieder zu.",
    what: "Der ganze Datensatz, wie er in diesem Stand war, in den Feldern, die das Schema jetzt hat.",
    whole: "Ganzen Datensatz zeigen",
};
