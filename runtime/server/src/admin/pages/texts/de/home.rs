//! What is said on home in German.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    day: "Tag (UTC)",
    days: "Fehlerhafte Datensätze Tag für Tag",
    days_first: "Gezählt wird erst seit heute: Morgen gibt es eine Linie.",
    days_table: "Die Zahlen als Tabelle",
    days_what: "Wie viele von hundert Datensätzen am Ende jedes Tages Fehler haben. Eine Lücke: Niemand hat gezählt.",
    faults_counting: "Die Fehler werden gezählt …",
    faults_more: "Mehr davon zeigen",
    faults_show: "Die häufigsten Fehler zeigen",
    faults_untold: "Es gibt fehlerhafte Datensätze",
    faults_untold_why: "Was an ihnen falsch ist, lässt sich gerade nicht zählen. Versuchen Sie es später noch einmal; die Seite eines Datenbestands sagt zu jedem seiner Datensätze, was falsch ist.",
    faulty_why: [
        "fehlerhafter Datensatz: warum?",
        "fehlerhafte Datensätze: warum?",
    ],
    less_than: "weniger als",
    point: ",",
    records_changed: "Zuletzt geänderte Datensätze",
    percent: "\u{a0}%",
    unreached: "Sie haben zu keinem Bereich Zugang",
    unreached_why: "Es gibt Daten, aber keine, die Sie sehen dürfen. Bitten Sie jemanden, der den Zugang verwaltet, um einen Bereich.",
};
