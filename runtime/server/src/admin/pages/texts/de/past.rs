//! What is said of the past of a record in German.

use super::super::past::PastTexts;

pub(super) const TEXTS: PastTexts = PastTexts {
    is_deleted: "Der Datensatz ist gelöscht. Um einen seiner Stände zurückzuholen, stellen Sie ihn zuerst wieder her.",
    is_newest: "So ist der Datensatz jetzt.",
    key_holder: "Diesen Datensatz öffnen",
    of_version: "von Stand",
    purge: "Endgültig entfernen",
    purge_what: "Der Datensatz geht mit seiner Historie, seinen Dateien, die kein anderer Datensatz hat, und dem, was Aufträge dieses Datenbestands von Datensätzen enthalten. Dass es geschah, bleibt im Protokoll. Es lässt sich nicht zurücknehmen.",
    what: "Der ganze Datensatz, wie er in diesem Stand war, in den Feldern, die das Schema jetzt hat.",
    whole: "Ganzen Datensatz zeigen",
};
