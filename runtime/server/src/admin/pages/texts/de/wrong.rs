//! What is wrong with what was filled in, in German.

use super::super::sentences::Sentences;

pub(super) const WRONG: Sentences = &[
    // behind the first faults of a value that has very many
    ("and {} more", "und {0} weitere"),
    (
        "is required; give a name of 1 to 100 characters",
        "fehlt; geben Sie einen Namen aus 1 bis 100 Zeichen",
    ),
    (
        "has white space at an end; take it away",
        "hat Leerraum an einem Ende; entfernen Sie ihn",
    ),
    (
        "has {} characters; shorten it to {}",
        "hat {0} Zeichen; kürzen Sie auf {1}",
    ),
    (
        "has the character U+{}, which nobody sees; take it away",
        "enthält das unsichtbare Zeichen U+{0}; entfernen Sie es",
    ),
    (
        "is empty; give each code at least one character",
        "ist leer; geben Sie jedem Code mindestens ein Zeichen",
    ),
    (
        "the code {} stands here twice; keep one",
        "der Code {0} steht hier zweimal; behalten Sie einen",
    ),
    (
        "stands here twice; name it once",
        "steht hier zweimal; nennen Sie es einmal",
    ),
    (
        "is no role of this tenant; name one by its id",
        "ist keine Rolle dieser Organisation",
    ),
    (
        "is no area of this tenant; name one by its id, or all by `*`",
        "ist kein Bereich dieser Organisation",
    ),
    (
        "is past; choose a later time, or none",
        "liegt in der Vergangenheit; wählen Sie einen späteren Zeitpunkt oder keinen",
    ),
    (
        "can't be changed any more: this key has ended; make another one",
        "lässt sich nicht mehr ändern: Dieser Schlüssel ist abgelaufen; legen Sie einen neuen an",
    ),
    (
        "this key has ended, so no secret of it would work; make another one",
        "Dieser Schlüssel ist abgelaufen, daher würde auch ein neues Geheimnis nicht gelten; legen Sie einen neuen an",
    ),
    ("must be from 0 to {}", "muss zwischen 0 und {0} liegen"),
    ("must be from 1 to {}", "muss zwischen 1 und {0} liegen"),
    ("must be an e-mail address", "muss eine E-Mail-Adresse sein"),
    (
        "must be `draft` or `published`",
        "muss `draft` oder `published` sein",
    ),
    (
        "must be an address that begins with `https://`",
        "muss eine Adresse sein, die mit `https://` beginnt",
    ),
    (
        "must begin with `https://`, since records would travel in the clear; the operator may allow others (--allow-plain-links)",
        "muss mit `https://` beginnen, denn sonst wären die Datensätze unterwegs für andere lesbar; wer den Dienst betreibt, kann andere zulassen (--allow-plain-links)",
    ),
    (
        "must have 1 to {} ids of datasets",
        "braucht 1 bis {0} Datenbestände",
    ),
    (
        "is too short; choose one of at least {} characters",
        "Das Passwort ist zu kurz; wählen Sie eines mit mindestens {0} Zeichen.",
    ),
    (
        "is too long; choose one of at most {} bytes",
        "Das Passwort ist zu lang; wählen Sie eines mit höchstens {0} Bytes.",
    ),
    (
        "is among the first that anyone would guess; choose a longer or an unusual one, without names that stand near it",
        "Das Passwort gehört zu den ersten, die jemand raten würde; wählen Sie ein längeres oder ungewöhnliches, ohne naheliegende Namen.",
    ),
    (
        "became known when another service was broken into; choose another, here and there",
        "Das Passwort wurde bei einem Einbruch in einen anderen Dienst bekannt; wählen Sie ein anderes, hier und dort.",
    ),
    (
        "is a mask, and no value; leave the field out to keep what it has",
        "*** steht hier für einen Wert, den Sie nicht sehen dürfen; lassen Sie das Feld aus, dann bleibt er, wie er ist",
    ),
    (
        "is the one you have; choose another",
        "Das neue Passwort ist Ihr bisheriges; wählen Sie ein anderes.",
    ),
    (
        "is not the password you have",
        "Das eingegebene Passwort ist nicht Ihr bisheriges.",
    ),
    (
        "is not the code of this moment",
        "ist nicht der Code dieses Augenblicks",
    ),
    (
        "is wrong, or was used before",
        "ist falsch oder wurde schon benutzt",
    ),
    (
        "is no active field of the schema; send its display name",
        "ist kein aktives Feld des Schemas",
    ),
    (
        "must have at least one character",
        "braucht mindestens ein Zeichen",
    ),
    ("can't be read: {}", "lässt sich nicht lesen: {o0}"),
    (
        "can't be read: {}, at character {}",
        "lässt sich ab dem Zeichen {1} nicht lesen: {o0}",
    ),
    (
        "is too large: it may take {} bytes of memory; repeat less in it",
        "ist zu groß: er darf {0} Bytes Speicher brauchen; wiederholen Sie darin weniger",
    ),
    ("has more than {} bytes", "hat mehr als {0} Bytes"),
    ("names more than {} groups", "nennt mehr als {0} Gruppen"),
    (
        "names the group `{}`, which the pattern does not have; write `{}`",
        "nennt die Gruppe `{0}`, die der Ausdruck nicht hat; schreiben Sie `{1}`",
    ),
    (
        "names the group `{}`, which the pattern does not have; a `$` alone is written `$$`",
        "nennt die Gruppe `{0}`, die der Ausdruck nicht hat; für ein `$` schreiben Sie `$$`",
    ),
    (
        "{} is no record of the dataset",
        "{0} ist kein Datensatz des Datenbestands",
    ),
    (
        "`pageKey` is not a key of this list; start again without it",
        "Diese Seite der Liste gibt es nicht; beginnen Sie vorn",
    ),
];
