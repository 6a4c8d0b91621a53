//! The operations of the data interface in German.

use super::super::api::Operations;

pub(super) const ALL: Operations = &[
    (
        "issueToken",
        "Id und Geheimnis einer Anwendung gegen ein Token tauschen",
        "Das Token kommt in den Kopf `Authorization` der weiteren Anfragen, wie es ist, ohne `Bearer`. Es gilt `expires_in` Sekunden (eine Stunde, wenn die Anwendung nichts anderes sagt); danach sind Anfragen 401, und ein neues ist zu holen. Eine unbekannte Id und ein falsches Geheimnis sind dieselbe 401. Auch die Form aus RFC 6749 wird gelesen (`application/x-www-form-urlencoded` mit `grant_type=client_credentials`, das Geheimnis im Inhalt oder als Basic).",
        "",
    ),
    (
        "showFrontPage",
        "Was das hier ist, für Menschen",
        "Einige Zeilen HTML für den, der die Adresse im Browser öffnet. Programme beginnen bei `/openapi.json`.",
        "",
    ),
    (
        "isAlive",
        "Ob das Programm läuft",
        "200, solange das Programm läuft, was auch immer seine Datenhaltung tut. Für den, der es neu startet, wenn es hängt.",
        "",
    ),
    (
        "isReady",
        "Ob es arbeiten kann: Die Datenhaltung wurde gerade gelesen und geschrieben",
        "200, wenn die Datenhaltung in den letzten fünf Sekunden gelesen und geschrieben wurde, sonst 503 mit `Retry-After`; die Ursache steht im Log. Für Lastverteiler. Ein Dienst, der nur liest, ist auch ohne Schreiben bereit.",
        "",
    ),
    (
        "downloadFile",
        "Eine Datei über einen signierten Link herunterladen",
        "Links darauf stehen in Datensätzen und in den Antworten auf das Hochladen. Sie gelten 15 Minuten, wenn der Betreiber nichts anderes sagt, brauchen keine Anmeldung und werden genommen, wie sie sind: Ein abgelaufener oder fremder Link ist 403; ein neuer steht im Datensatz, wenn er noch einmal gelesen wird. `Range` und `If-Range` gehen für einen Bereich, und ebenso `If-None-Match` und `If-Match`, mit dem `ETag` einer Antwort.",
        "",
    ),
    (
        "describe",
        "Dieses Dokument",
        "Datenschnittstelle und Verwaltung, in OpenAPI 3.1. `fieldstone openapi` gibt dasselbe aus.",
        "",
    ),
    (
        "listBusinessAreas",
        "Die Bereiche auflisten, auf die der Aufrufer zugreifen darf",
        "In der Reihenfolge der Entstehung. Ein Bereich, der nicht freigegeben ist, fehlt.",
        "Braucht `BUSINESS AREAS`, sehen.",
    ),
    (
        "listSchemas",
        "Die Schemas eines Bereichs auflisten",
        "In der Reihenfolge der Entstehung, aktiv oder nicht.",
        "Braucht `SCHEMA MODELS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "getSchema",
        "Ein Schema mit seinen Feldern",
        "Das Schema-Dokument der geltenden Version: seine Felder mit Typen, Grenzen und Formaten.",
        "Braucht `SCHEMA MODELS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "describeSchema",
        "Das OpenAPI-Dokument der Datensätze eines Schemas, mit deren eigenen Eigenschaften",
        "Ein Dokument mit eigenen Typen für die Datensätze dieses Schemas, aus dem sich ein Client machen lässt: Operationen für seine Datenbestände, mit den Feldern als Eigenschaften. Es ändert sich mit dem Schema.",
        "Braucht `SCHEMA MODELS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "listDatasets",
        "Die Datenbestände eines Schemas auflisten",
        "In der Reihenfolge der Entstehung, mit der genauen Zahl der Datensätze (`recordCount`) und der fehlerhaften darunter (`erroredRecordsCount`).",
        "Braucht `DATASETS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "listDataObjects",
        "Datensätze auflisten",
        "In der Reihenfolge der Entstehung, ohne gelöschte. Ein Datensatz, der während des ganzen Durchgangs da ist, kommt genau einmal, was auch immer inzwischen geschrieben wird.",
        "Braucht `DATA OBJECTS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "createDataObject",
        "Einen Datensatz anlegen; auch ein fehlerhafter wird angelegt und nennt seine Fehler in `_errors`",
        "Der Inhalt hat Werte unter den Namen aktiver Felder; ein anderer Name, einer mit `_` am Anfang oder ein Objekt als Wert ist 400, und nichts wird gespeichert. Ein Wert, der nicht zu seinem Feld passt, wird gespeichert, wie er kam, und `_errors` der Antwort nennt ihn. Die Antwort ist der Datensatz, wie er später immer gelesen wird.",
        "Braucht `DATA OBJECTS`, anlegen, und die Freigabe des Bereichs.",
    ),
    (
        "getDataObject",
        "Ein Datensatz nach seiner Id",
        "Die Id ist die von `_dataObjectId`; sie steht im `Location` eines neuen Datensatzes.",
        "Braucht `DATA OBJECTS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "updateDataObject",
        "Die genannten Felder eines Datensatzes ändern",
        "Was fehlt, bleibt, wie es ist, `null` leert ein Feld. `_version` muss die des Datensatzes sein, die dann um eins steigt: Nach einer 204 darf die nächste Änderung `_version` + 1 senden, ohne neu zu lesen. Der ganze Datensatz wird neu beurteilt, mit seinen `_errors`. Bei einer 400 wurde nichts geschrieben.",
        "Braucht `DATA OBJECTS`, ändern, und die Freigabe des Bereichs.",
    ),
    (
        "deleteDataObject",
        "Einen Datensatz löschen",
        "Er steht in keiner Liste und keiner Suche mehr, und sein Primärschlüssel ist frei; die Verwaltung kann ihn wiederherstellen.",
        "Braucht `DATA OBJECTS`, löschen, und die Freigabe des Bereichs.",
    ),
    (
        "getDataObjectByPrimaryKey",
        "Der Datensatz zu einem Primärschlüssel",
        "Ein einziger Zugriff, wie groß der Datenbestand auch ist. Schlüssel werden als Texte verglichen, genau.",
        "Braucht `DATA OBJECTS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "listDataObjectChanges",
        "Die Änderungen eines Datenbestands auflisten oder laufend verfolgen",
        "In der Reihenfolge, in der geschrieben wurde, jede Änderung genau einmal, auch gelöschte Datensätze. `next` sagt, wo es weitergeht, wann auch immer; mit `wait` wartet eine Antwort ohne Änderungen, bis es eine gibt. Mit `Accept: text/event-stream` kommen sie als Server-Sent Events, sobald sie geschehen: `id` ist die Stelle, `data` die Änderung; `Last-Event-ID` geht dahinter weiter. Datensätze haben Namen und Formen des Schemas von jetzt. Eine Stelle, die älter ist als das Aufbewahrte oder aus der Zeit, bevor der Dienst aus einer Sicherung zurückgeholt wurde, ist 410: dann die Datensätze neu lesen.",
        "Braucht `DATA OBJECTS`, sehen, und die Freigabe des Bereichs.",
    ),
    (
        "searchDataObjects",
        "Datensätze suchen",
        "Sucht in allen Datenbeständen, die der Aufrufer sehen darf, oder in denen, die die Filter nennen (mit Namen, nicht mit Id); ein Filter, der keinen davon nennt, lässt keine Treffer. Jede Änderung, die vorher beantwortet wurde, ist dabei. `total` ist bis 1.000 genau und bleibt dort stehen. Eine Suche, die sich nicht lesen lässt, ist 400 mit der Nummer des Zeichens, ebenso eine nach einem Feld, das kein sichtbares Schema hat, mit denen, die ähnlich heißen. Sie hat höchstens 2.000 Zeichen, 64 Wörter und 16 Ebenen von Klammern.",
        "Braucht `DATASET OBJECTS SEARCH`, sehen, und `DATA OBJECTS`, sehen.",
    ),
    (
        "uploadFile",
        "Eine Datei hochladen, die dann Wert eines Datensatzes sein kann",
        "Ein Formular mit einem Teil namens `file`, höchstens 100 MiB, wenn der Betreiber nichts anderes sagt; ein leeres ist 400. Die `fileId` der Antwort wird danach als Wert eines Feldes gesendet. Eine Datei, die kein Datensatz nennt, verschwindet nach einem Tag.",
        "Braucht `DATA OBJECTS`, anlegen oder ändern, und die Freigabe des Bereichs.",
    ),
];
