//! What the page of the whole interface says in German.

use super::super::api::ApiTexts;
use super::{operation_inputs, operations, operations_of_data, operations_of_records};

pub(super) const TEXTS: ApiTexts = ApiTexts {
    answers: "Antworten",
    body: "Inhalt",
    codes: "Was die Codes bedeuten",
    crate_what: "Vier Schritte in einer Shell: eintragen, wo die Quellen von Fieldstone liegen; ein Crate, das sie benutzt; die Typen, geholt; das Programm, das jeden Datensatz ausgibt.",
    data: "Datenschnittstelle",
    data_what: "Für andere Programme. Jede Anfrage hat einen API-Schlüssel oder das Token einer Anwendung im Kopf Authorization, ohne etwas davor.",
    document_fetch: "Das OpenAPI-Dokument dieses Schemas hat seine Felder als Eigenschaften; Werkzeuge machen daraus Clients.",
    document_of_schema: "Auch jedes Schema hat ein Dokument, mit seinen Feldern als Eigenschaften:",
    management: "Verwaltung",
    management_what: "Zum Verwalten von allem um die Datensätze herum. Alles, was diese Seiten tun, tun sie mit diesen Operationen. Ein Programm sendet einen API-Schlüssel oder das Token einer Anwendung, wie bei der Datenschnittstelle; ein Browser hat seine Sitzung.",
    no_credential: "Braucht keine Anmeldung.",
    operation: "Operation",
    operations: &[
        operations::OWN,
        operations::THAT_STAY,
        operations_of_data::ALL,
        operations_of_records::ALL,
    ],
    operations_of_nouns: operations::OF_NOUNS,
    operation_nouns: operations::NOUNS,
    operation_inputs: operation_inputs::ALL,
    parameters: "Parameter",
    rust_untold: "Der Generator macht aus diesem Schema keinen Rust-Typ, darum gibt es keine Zeilen für Rust.",
    right: "Recht",
    service: "Der Dienst selbst",
    statuses: "Was die Antworten bedeuten",
    what: "Alle Operationen dieses Dienstes. openapi.json sagt dasselbe für Programme, auf Englisch und mit der Form jedes Inhalts.",
    whole: "Alle Operationen",
};
