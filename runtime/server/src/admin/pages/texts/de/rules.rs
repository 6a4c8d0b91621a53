//! What a broken rule means in German: by its code, of many values; by its text, of one value with the bound that it broke.

use super::super::sentences::Sentences;

/// Said of the value, without it; by the rule's code.
pub(super) const ALL: &[(&str, &str)] = &[
    ("required", "hat keinen Wert"),
    ("single", "hat mehrere Werte, wo einer sein darf"),
    ("element_missing", "einer der Werte ist leer"),
    ("string", "ist kein Text"),
    ("integer", "ist keine ganze Zahl"),
    ("float", "ist keine Zahl"),
    ("finite", "ist eine zu große Zahl"),
    ("decimals", "hat mehr als zwei Nachkommastellen"),
    ("boolean", "ist weder ja noch nein"),
    ("date", "ist nicht als Datum geschrieben"),
    ("time", "ist nicht als Uhrzeit geschrieben"),
    ("datetime", "ist nicht als Datum mit Uhrzeit geschrieben"),
    ("calendar", "ist ein Tag, den es nicht gibt"),
    ("year_held", "hat ein Jahr, das nicht ins Format passt"),
    ("seconds_held", "hat Sekunden, die nicht ins Format passen"),
    ("fraction_held", "hat Bruchteile von Sekunden"),
    ("year", "ist kein Jahr"),
    ("month", "ist kein Monat"),
    ("day", "ist kein Tag eines Monats"),
    ("min", "ist zu klein"),
    ("max", "ist zu groß"),
    ("not_before", "ist zu früh"),
    ("not_after", "ist zu spät"),
    ("min_length", "ist zu kurz"),
    ("max_length", "ist zu lang"),
    ("alphanumeric", "hat nicht nur Buchstaben und Ziffern"),
    ("email", "ist keine E-Mail-Adresse"),
    ("url", "ist keine Webadresse"),
    ("phone", "ist keine Telefonnummer"),
    ("latlng", "ist kein Koordinatenpaar"),
    ("latitude_range", "hat eine Breite über 90 Grad"),
    ("longitude_range", "hat eine Länge über 180 Grad"),
    ("picklist", "steht nicht in der Auswahlliste"),
    ("domain", "ist kein Code seiner Datendomäne"),
    ("domain_missing", "seine Datendomäne gibt es nicht"),
    ("file", "ist keine Datei, die es gibt"),
    ("image", "ist kein Bild"),
    ("video", "ist kein Video"),
    ("max_size", "ist eine zu große Datei"),
    ("max_width", "ist zu breit"),
    ("max_height", "ist zu hoch"),
    ("unmeasured", "seine Größe ist nicht festzustellen"),
    ("other", "verletzt eine frühere Regel"),
];

/// Said of one value, without it, by the text of `_errors`.
pub(super) const FAULTS: Sentences = &[
    ("value {} {}", "Wert {0} {f1}"),
    ("and {} more", "und {0} weitere"),
    ("is required", "hat keinen Wert"),
    (
        "must be a single value",
        "hat mehrere Werte, wo einer sein darf",
    ),
    ("must not be empty", "ist leer"),
    ("must be a string", "ist kein Text"),
    ("must be a whole number", "ist keine ganze Zahl"),
    ("must be a number", "ist keine Zahl"),
    (
        "must be a number that a 64-bit float can hold",
        "ist eine zu große Zahl",
    ),
    (
        "must have at most 2 decimals",
        "hat mehr als 2 Nachkommastellen",
    ),
    ("must be true or false", "ist weder ja noch nein"),
    (
        "must be true, false, {} or {}",
        "ist weder {0} noch {1}, auch nicht true oder false",
    ),
    ("must be a date as {}", "ist kein Datum in der Form {0}"),
    (
        "must be a date as {} or YYYY-MM-DD",
        "ist kein Datum in der Form {0} oder YYYY-MM-DD",
    ),
    (
        "must be a time as {} or {}",
        "ist keine Uhrzeit in der Form {0} oder {1}",
    ),
    (
        "must be a date and time as {} or YYYY-MM-DDTHH:mm:ss",
        "ist kein Datum mit Uhrzeit in der Form {0} oder YYYY-MM-DDTHH:mm:ss",
    ),
    (
        "must be a day that exists",
        "ist ein Tag, den es nicht gibt",
    ),
    (
        "must have a year from 1970 to 2069, the only ones that {} can hold",
        "hat kein Jahr von 1970 bis 2069; andere fasst {0} nicht",
    ),
    (
        "must have no seconds, because {} cannot hold them",
        "hat Sekunden, die {0} nicht fasst",
    ),
    (
        "must have no fraction of a second, because {} cannot hold it",
        "hat Bruchteile von Sekunden, die {0} nicht fasst",
    ),
    (
        "must be a year: a whole number or a string of 4 digits",
        "ist kein Jahr aus 4 Ziffern",
    ),
    (
        "must be a month: a whole number or a string of 1 or 2 digits",
        "ist kein Monat",
    ),
    (
        "must be a day: a whole number or a string of 1 or 2 digits",
        "ist kein Tag eines Monats",
    ),
    ("must be at least {}", "ist kleiner als {0}"),
    ("must be at most {}", "ist größer als {0}"),
    ("must be {} or later", "liegt vor {0}"),
    ("must be {} or earlier", "liegt nach {0}"),
    (
        "must have at least {} character",
        "hat weniger als {0} Zeichen",
    ),
    (
        "must have at least {} characters",
        "hat weniger als {0} Zeichen",
    ),
    ("must have at most {} character", "hat mehr als {0} Zeichen"),
    (
        "must have at most {} characters",
        "hat mehr als {0} Zeichen",
    ),
    (
        "must have only letters A to Z, a to z and digits 0 to 9",
        "hat nicht nur Buchstaben von A bis Z und Ziffern",
    ),
    ("must be an e-mail address", "ist keine E-Mail-Adresse"),
    (
        "must be a web address that begins with http:// or https://",
        "ist keine Webadresse, die mit http:// oder https:// beginnt",
    ),
    (
        "must be a phone number: + and 7 to 15 digits",
        "ist keine Telefonnummer aus + und 7 bis 15 Ziffern",
    ),
    (
        "must be latitude,longitude in decimal degrees, such as 48.1,11.6",
        "ist kein Koordinatenpaar wie 48.1,11.6",
    ),
    (
        "must have a latitude from -90 to 90",
        "hat eine Breite über 90 Grad",
    ),
    (
        "must have a longitude from -180 to 180",
        "hat eine Länge über 180 Grad",
    ),
    ("must be one of {}", "ist nicht {0}"),
    ("must be one of {} or {}", "ist nicht {0} oder {1}"),
    (
        "must be one of the {} codes of its picklist",
        "ist keiner der {0} Codes seiner Auswahlliste",
    ),
    (
        "must be a code of its picklist, which is empty",
        "steht nicht in der Auswahlliste, denn sie ist leer",
    ),
    (
        "must be a code of the data domain {}",
        "ist kein Code der Datendomäne {0}",
    ),
    (
        "must be a code of the data domain {}, which does not exist",
        "ist kein Code der Datendomäne {0}, die es nicht gibt",
    ),
    (
        "must be the id of a file uploaded to this dataset",
        "ist keine Datei, die es gibt",
    ),
    ("must be an image", "ist kein Bild"),
    ("must be a video", "ist kein Video"),
    ("must be at most {} bytes", "ist größer als {0} Bytes"),
    (
        "must be at most {} pixels wide",
        "ist breiter als {0} Pixel",
    ),
    ("must be at most {} pixels high", "ist höher als {0} Pixel"),
    (
        "must be an image whose size can be measured",
        "ist kein Bild, dessen Größe festzustellen ist",
    ),
];
