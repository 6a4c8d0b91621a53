//! What is said on home in German.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    dataset: "Datenbestand",
    day: "Tag (UTC)",
    days: "Fehlerhafte Datensätze Tag für Tag",
    days_first: "Noch gibt es kein Diagramm, denn gezählt wird erst seit heute. Ab morgen zeigt eine Linie Tag für Tag, wie viele von hundert Datensätzen Fehler haben.",
    days_table: "Die Zahlen als Tabelle",
    days_what: "Wie viele von hundert Datensätzen am Ende jedes Tages Fehler hatten. Eine Lücke in der Linie heißt, dass an diesem Tag nicht gezählt wurde.",
    faults_all: "Alle Fehler nach Feldern",
    faults_counting: "Die Fehler werden gezählt …",
    faults_first: "Die {} häufigsten von {} Arten von Fehlern.",
    faults_kinds: "Arten von Fehlern: {}",
    faults_of_some: "Das sind die Fehler der {} Datenbestände mit den meisten fehlerhaften Datensätzen; Fehler haben {}.",
    faults_show: "Die häufigsten Fehler zeigen",
    faults_unread: "Hier fehlen Datenbestände, die der Suchindex noch liest: {}.",
    faults_untold: "Es gibt fehlerhafte Datensätze",
    faults_untold_why: "Was an ihnen falsch ist, lässt sich gerade nicht zählen. Versuchen Sie es später noch einmal; die Seite eines Datenbestands sagt zu jedem seiner Datensätze, was falsch ist.",
    faults_what: "Jede Zeile ist eine Art von Fehler: ein Feld und eine Regel, die Werte darin verletzen. Die häufigsten stehen zuerst; jede Regel führt zu ihren Datensätzen.",
    faulty_why: [
        "fehlerhafter Datensatz: warum?",
        "fehlerhafte Datensätze: warum?",
    ],
    less_than: "weniger als",
    point: ",",
    records_changed: "Zuletzt geänderte Datensätze",
    percent: "\u{a0}%",
    unreached: "Sie haben noch zu keinem Bereich Zugang",
    unreached_why: "Es gibt Daten, aber keine, die Sie sehen dürfen. Bitten Sie jemanden, der den Zugang verwaltet, um Zugang zu einem Bereich.",
    share_of_records: "Anteil der Datensätze",
};
