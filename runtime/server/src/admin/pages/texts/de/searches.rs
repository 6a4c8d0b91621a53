//! What is wrong with a query, in German, and what is refused at the door.

use super::super::sentences::Sentences;

/// Queries.
pub(super) const SEARCH: Sentences = &[
    (
        "`query` does not parse at character {}: {}",
        "Die Suche ist ab Zeichen {0} nicht zu verstehen: {s1}",
    ),
    (
        "it is longer than {} characters; ask for less",
        "sie ist länger als {0} Zeichen; suchen Sie nach weniger",
    ),
    (
        "this parenthesis closes nothing; take it out or open it before",
        "diese Klammer schließt nichts; entfernen Sie sie oder öffnen Sie sie davor",
    ),
    (
        "there is no letter or digit to look for; name a word",
        "es gibt keinen Buchstaben und keine Ziffer zu suchen; nennen Sie ein Wort",
    ),
    (
        "it has no letter or digit to look for; name a word",
        "es gibt keinen Buchstaben und keine Ziffer zu suchen; nennen Sie ein Wort",
    ),
    (
        "a value is missing behind the field's colon; add one",
        "hinter dem Doppelpunkt des Feldes fehlt ein Wert",
    ),
    (
        "a value is missing behind `=`; add one, or ask for `none` to find what has no value",
        "hinter `=` fehlt ein Wert; ergänzen Sie ihn, oder suchen Sie mit `none`, was keinen Wert hat",
    ),
    (
        "a whole value takes no `*`; take it out, or leave `=` out to look for words that begin so",
        "ein ganzer Wert hat kein `*`; nehmen Sie es weg, oder lassen Sie `=` weg, um Wörter zu suchen, die so beginnen",
    ),
    (
        "a value is missing behind the comparison; add one, without a space before it",
        "hinter dem Vergleich fehlt ein Wert; schreiben Sie ihn ohne Leerzeichen dahinter",
    ),
    (
        "a range has two ends; write it as `from..to`, each in quotes if need be",
        "ein Bereich hat zwei Enden; schreiben Sie ihn als `von..bis`",
    ),
    (
        "it has more than {} words; ask for less",
        "sie hat mehr als {0} Wörter; suchen Sie nach weniger",
    ),
    (
        "a field is missing behind `fault:`; name one, without a space before it",
        "hinter `fault:` fehlt ein Feld; nennen Sie eines, ohne Leerzeichen davor",
    ),
    (
        "there is no rule `{}`; near codes are {}; a field of the whole name stands in quotes: `fault:{}`",
        "eine Regel `{0}` gibt es nicht; ähnlich heißen {1}; ein Feld des ganzen Namens steht in Anführungszeichen: `fault:{2}`",
    ),
    (
        "there is no rule `{}`; near codes are {}",
        "eine Regel `{0}` gibt es nicht; ähnlich heißen {1}",
    ),
    (
        "`query` names a field at character {} that no schema has which the credential may view: `{}`{}",
        "Ab Zeichen {0} nennt die Suche ein Feld, das kein Schema hat, das Sie sehen dürfen: `{1}`{s2}",
    ),
    (
        "`query` looks for words at character {} in a field that is not searched (`isSearched`, or files): `{}`; ask for a range, a fault or `{}:none`, or let the schema search it",
        "Ab Zeichen {0} sucht die Suche Wörter in einem Feld, das nicht nach Wörtern durchsucht wird: `{1}`; fragen Sie nach einem Bereich, einem Fehler oder `{2}:none`",
    ),
    (
        "the values of `{}` are compared as {}",
        "die Werte von `{0}` werden verglichen als {s1}",
    ),
    (
        "the values of `{}` have no order to compare by, only numbers, dates and times do; to look for a whole value, write `=` and the value in quotes",
        "die Werte von `{0}` haben keine Ordnung, nur Zahlen, Daten und Zeiten haben eine; um einen ganzen Wert zu suchen, schreiben Sie `=` und den Wert in Anführungszeichen",
    ),
    (
        "; near names are {}; a text with a colon stands in quotes",
        "; ähnlich heißen {0}; ein Text mit Doppelpunkt steht in Anführungszeichen",
    ),
    (
        "; a text with a colon stands in quotes",
        "; ein Text mit Doppelpunkt steht in Anführungszeichen",
    ),
    (
        "; a name of several words stands in quotes, such as `{}`",
        "; ein Name aus mehreren Wörtern steht in Anführungszeichen, etwa `{0}`",
    ),
    ("a date, as YYYY-MM-DD", "ein Datum, als YYYY-MM-DD"),
    ("a time, as HH:mm:ss", "eine Uhrzeit, als HH:mm:ss"),
    (
        "a date, as {} or YYYY-MM-DD",
        "ein Datum, als {0} oder YYYY-MM-DD",
    ),
    (
        "a time, as {} or HH:mm:ss",
        "eine Uhrzeit, als {0} oder HH:mm:ss",
    ),
    (
        "a date and time, as {} in quotes or YYYY-MM-DDTHH:mm:ss, or the date alone",
        "ein Zeitpunkt, als {0} in Anführungszeichen oder YYYY-MM-DDTHH:mm:ss, oder das Datum allein",
    ),
    ("a number, such as 4 or -1.5", "eine Zahl wie 4 oder -1.5"),
    (
        "there is no operator `{}` behind a field; to look for a whole value, write `=` and the value in quotes",
        "einen Vergleich `{0}` gibt es nicht; um einen ganzen Wert zu suchen, schreiben Sie `=` und den Wert in Anführungszeichen",
    ),
    (
        "the field's name behind `fault:` is empty; write its name",
        "der Name des Feldes hinter `fault:` ist leer; schreiben Sie ihn aus",
    ),
    (
        "the field's name before the colon is empty; write its name",
        "der Name des Feldes vor dem Doppelpunkt ist leer; schreiben Sie ihn aus",
    ),
    (
        "this quote is not closed; close it or take it out",
        "dieses Anführungszeichen wird nicht geschlossen; schließen oder entfernen Sie es",
    ),
    (
        "this parenthesis is not closed; close it or take it out",
        "diese Klammer wird nicht geschlossen; schließen oder entfernen Sie sie",
    ),
    (
        "a word is missing at the end; add one",
        "am Ende fehlt ein Wort",
    ),
    (
        "a word is missing before this; add one, or put the operator in quotes",
        "davor fehlt ein Wort; ergänzen Sie eines, oder setzen Sie den Operator in Anführungszeichen",
    ),
    (
        "a word is missing before this parenthesis; add one or take it out",
        "vor dieser Klammer fehlt ein Wort; ergänzen Sie eines, oder entfernen Sie sie",
    ),
    (
        "it nests deeper than {} levels; ask for less",
        "sie ist tiefer als {0} Ebenen geschachtelt; suchen Sie nach weniger",
    ),
    (
        "`{}` asks for values of `{}`, which are personal; it takes a role with view of `PERSONAL DATA`",
        "Gefragt ist nach Werten von `{1}`, die personenbezogen sind; dafür braucht es das Recht, persönliche Daten zu sehen",
    ),
    (
        "`{}` names no field exactly, and several but for case, accents, blanks and signs: `{}` may be `{}` or `{}`; write the name as the schema has it, in quotes, such as `{}`",
        "`{0}` nennt kein Feld genau: `{1}` kann `{2}` oder `{3}` sein; schreiben Sie den Namen, wie ihn das Schema hat, in Anführungszeichen, etwa `{4}`",
    ),
    (
        "`sort` names a field that is a sort key in no schema which the credential may view: `{}`{}",
        "Nach `{0}` lässt sich in keinem Schema sortieren, das Sie sehen dürfen",
    ),
    (
        "`sort` names a field that is not a sort key of the schema: `{}`{}",
        "Nach `{0}` lässt sich hier nicht sortieren: Es ist kein Sortierschlüssel des Schemas",
    ),
    (
        "`sort` names a sort key whose values have no order: `{}`; files and `latlng` are not sorted",
        "Die Werte von `{0}` haben keine Reihenfolge, nach der sich sortieren ließe",
    ),
    (
        "`sort` names values that have no common order: `{}` is of type `{}` in the schema `{}` and of type `{}` in the schema `{}`; ask for one of them with `schema`",
        "Die Werte von `{0}` haben keine gemeinsame Reihenfolge: im Schema `{2}` sind sie vom Typ `{1}`, im Schema `{4}` vom Typ `{3}`; wählen Sie mit `schema` eines davon",
    ),
    (
        "`sort` has more than {} fields; name fewer",
        "Sortiert wird nach höchstens {0} Feldern",
    ),
];

/// What comes between: another's change, a door that is closed, a file that is none.
pub(super) const BETWEEN: Sentences = &[
    (
        "{} things are wrong; see `problems`",
        "{0} Dinge stimmen nicht:",
    ),
    (
        "the primary key has no value; send one",
        "Der Primärschlüssel hat keinen Wert",
    ),
    (
        "another data object of the dataset has this primary key; send another value",
        "Ein anderer Datensatz hat diesen Primärschlüssel schon",
    ),
    (
        "the version sent is {} and the stored one {}; read the data object again and repeat the change on it",
        "Jemand anderes hat den Datensatz inzwischen geändert (Stand {1} statt {0}); laden Sie die Seite neu, und ändern Sie ihn noch einmal",
    ),
    (
        "this user made this key or client, changed it last, or may have, so it changes neither the user's password nor e-mail address nor second factor: the user does, in a session",
        "Dieser Benutzer hat diesen Schlüssel oder Client angelegt oder zuletzt geändert; Passwort, E-Mail-Adresse und zweiten Faktor ändert er selbst",
    ),
    (
        "the password was chosen by someone else and was to be changed in time; it has ended, so ask who manages users for another",
        "Das Passwort hat jemand anderes gewählt, und es wurde nicht rechtzeitig geändert; es gilt nicht mehr, bitten Sie die Benutzerverwaltung um ein neues",
    ),
    (
        "must be an address that begins with `https://` or `http://`, without user name, password, fragment and white space, of {} characters at most",
        "muss eine Adresse sein, die mit `https://` oder `http://` beginnt, ohne Benutzernamen, Passwort, Fragment und Leerraum, mit höchstens {0} Zeichen",
    ),
    (
        "has {} fields; choose {} at most",
        "hat {0} Felder; wählen Sie höchstens {1}",
    ),
    ("the file is empty; send its content", "Die Datei ist leer"),
    (
        "Parquet is written, not read; make it CSV, NDJSON or Excel",
        "Parquet wird geschrieben, nicht gelesen; machen Sie daraus CSV, NDJSON oder Excel",
    ),
    (
        "the job is being undone already; wait for that, or cancel it",
        "Der Auftrag wird schon rückgängig gemacht; warten Sie das ab, oder brechen Sie es ab",
    ),
    (
        "what was tried is done by the job {} already; try it again",
        "Was die Probe zeigte, führt schon ein Auftrag aus ({0}); proben Sie es noch einmal",
    ),
    (
        "records or the schema changed since it was tried, so it could do more than it showed; try it again",
        "Seit der Probe wurden Datensätze oder das Schema geändert, und vielleicht geschähe mehr, als sie zeigte; proben Sie es noch einmal",
    ),
    (
        "a record of the dataset was purged since it was tried, so what it showed is not kept; try it again",
        "Seit der Probe wurde ein Datensatz endgültig gelöscht, und was sie zeigte, ist nicht mehr da; proben Sie es noch einmal",
    ),
    (
        "is no dry run of a repair of this dataset that has ended; take its `jobId`, or leave it out",
        "ist keine beendete Probe einer Behebung in diesem Datenbestand; proben Sie es noch einmal",
    ),
    (
        "goes without `dryRun`; leave one of them out",
        "geht nicht zusammen mit einer Probe; lassen Sie eines weg",
    ),
    (
        "was tried with other options; send those, or try these first",
        "wurde mit anderen Angaben geprobt; proben Sie es noch einmal",
    ),
    (
        "the job that is to be undone is not remembered any more",
        "Der Auftrag, der rückgängig gemacht werden soll, ist nicht mehr bekannt",
    ),
    (
        "reading the file broke off by a mistake of the program; the log has the cause",
        "Das Lesen der Datei brach durch einen Fehler des Programms ab; die Ursache steht im Protokoll",
    ),
    (
        "it has no sheet {}, but {}",
        "sie hat kein Blatt {0}, aber {1}",
    ),
    (
        "it shows zeros before its numbers in too many places; export the sheet as CSV",
        "sie zeigt an zu vielen Stellen Nullen vor ihren Zahlen; exportieren Sie das Blatt als CSV",
    ),
    (
        "it has more than 512 MiB; export the sheet as CSV",
        "sie hat mehr als 512 MiB; exportieren Sie das Blatt als CSV",
    ),
    (
        "a sheet has no room for {}; write CSV instead",
        "Ein Blatt hat keinen Platz für {s0}; schreiben Sie stattdessen CSV",
    ),
    (
        "a sheet has no room for a text of more than 32,767 characters in {}; write CSV instead",
        "Ein Blatt hat keinen Platz für einen Text mit mehr als 32.767 Zeichen in {0}; schreiben Sie stattdessen CSV",
    ),
    (
        "the record {} has a text of more than 32,767 characters in {}, and a cell of a sheet holds no more; write CSV instead",
        "Der Datensatz {0} hat in {1} einen Text mit mehr als 32.767 Zeichen, und mehr fasst die Zelle eines Blatts nicht; schreiben Sie stattdessen CSV",
    ),
    (
        "more than 1,048,575 records",
        "mehr als 1.048.575 Datensätze",
    ),
    ("more than 16,384 columns", "mehr als 16.384 Spalten"),
    (
        "a text of more than 32,767 characters",
        "einen Text mit mehr als 32.767 Zeichen",
    ),
    (
        "there is nothing at this address",
        "Unter dieser Adresse gibt es keine Seite. Prüfen Sie, wie sie geschrieben ist",
    ),
    (
        "the body did not arrive in time; send it faster",
        "Was gesendet wurde, kam nicht rechtzeitig an; senden Sie es noch einmal",
    ),
    (
        "the body broke off or was framed wrongly; send it whole",
        "Die Übertragung brach ab; senden Sie es noch einmal",
    ),
    (
        "the service is read only for now, so nothing was changed; its operator can tell until when",
        "Der Dienst lässt sich zurzeit nur lesen, deshalb wurde nichts geändert; bis wann, weiß sein Betreiber",
    ),
    (
        "the service can't reach its database now; try again after the seconds in `Retry-After`",
        "Der Dienst erreicht seine Datenbank gerade nicht; versuchen Sie es gleich noch einmal",
    ),
    (
        "the service's database has no room, no memory or no connection to spare now, so nothing was done; try again after the seconds in `Retry-After`",
        "Der Datenbank des Dienstes fehlt gerade Platz, Arbeitsspeicher oder eine freie Verbindung, deshalb geschah nichts; versuchen Sie es gleich noch einmal",
    ),
    (
        "the service's database took this back for the sake of other work each time it was tried, so nothing was done; try again after the seconds in `Retry-After`",
        "Die Datenbank des Dienstes war zu oft mit anderem an denselben Daten beschäftigt, deshalb geschah nichts; versuchen Sie es gleich noch einmal",
    ),
    (
        "another program has the service's database locked, so nothing was done; try again after the seconds in `Retry-After`",
        "Ein anderes Programm hält die Datenbank des Dienstes gesperrt, deshalb geschah nichts; versuchen Sie es gleich noch einmal",
    ),
    (
        "the service's database took longer for this than it may, so nothing was done; ask for less, or try again after the seconds in `Retry-After`",
        "Die Datenbank des Dienstes brauchte länger dafür, als sie darf, deshalb geschah nichts; fragen Sie nach weniger, oder versuchen Sie es gleich noch einmal",
    ),
    (
        "a newer version of the service has changed the tables of its database, so this server takes no requests any more; another one does, or its operator replaces it",
        "Eine neuere Version des Dienstes hat die Tabellen seiner Datenbank geändert, deshalb nimmt dieser Server keine Anfragen mehr an; ein anderer tut es, oder sein Betreiber ersetzt ihn",
    ),
    (
        "too many requests with this credential; try again after the seconds in `Retry-After`",
        "Das waren zu viele Anfragen auf einmal; versuchen Sie es gleich noch einmal",
    ),
];
