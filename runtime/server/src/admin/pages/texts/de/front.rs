//! What stands at `/` in German.

use crate::http::FrontTexts;

pub(super) const TEXTS: FrontTexts = FrontTexts {
    code: "de",
    about: "Das ist ein Dienst für Stammdaten: Bereiche enthalten Schemas, Schemas beschreiben Datensätze, Datenbestände enthalten Datensätze.",
    open: [
        "Zur Anwendung",
        "Dort sieht man Daten an und behebt, was an ihnen falsch ist.",
    ],
    programs: "Für Programme",
    interfaces: "Die Datenschnittstelle steht unter <code>/v1</code>, die Verwaltung unter <code>/admin/api/v1</code>. Beide verlangen einen \
        Schlüssel oder ein Token in <code>Authorization</code>; <code>POST /oauth2/token</code> gibt eines für Kennung und Geheimnis \
        eines Clients.",
    described: "beschreibt beide.",
    manual: "Das Handbuch ist der Ordner <code>runtime/docs</code> in den Quellen des Programms; <code>fieldstone --help</code> \
        erklärt seine Befehle.",
    health: "Ob der Dienst arbeitet:",
};
