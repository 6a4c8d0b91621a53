//! What operations take and answer, in German, by its English in the OpenAPI document.

pub(super) const ALL: &[(&str, &str)] = &[
    // in paths
    (
        "The id of the business area, as its list has it",
        "Die Id des Bereichs, wie seine Liste sie zeigt",
    ),
    (
        "The id of the schema, as its list has it",
        "Die Id des Schemas, wie seine Liste sie zeigt",
    ),
    (
        "The id of the dataset: `dataSetId`, as its list has it",
        "Die Id des Datenbestands: `dataSetId`, wie seine Liste sie zeigt",
    ),
    (
        "The id of the data object: its `_dataObjectId`",
        "Die Id des Datensatzes: seine `_dataObjectId`",
    ),
    (
        "The value of the primary key, percent-encoded as one segment (`/` is `%2F`; `+` stays a plus). White space around it is left out; upper and lower case differ. A number or `true` and `false` are written as in JSON. The keys `.` and `..` need a `%20` behind them, since clients tidy up a path that has them alone",
        "Der Wert des Primärschlüssels, als ein Segment prozentkodiert (`/` ist `%2F`; `+` bleibt ein Plus). Leerraum darum fällt weg; Groß- und Kleinschreibung zählt. Eine Zahl oder `true` und `false` stehen da wie in JSON. Die Schlüssel `.` und `..` brauchen ein `%20` dahinter, weil Clients einen Pfad aufräumen, der sie allein hat",
    ),
    (
        "The id of the deleted record, as their list has it",
        "Die Id des gelöschten Datensatzes, wie die Liste sie zeigt",
    ),
    (
        "The id of the record: its `_dataObjectId`",
        "Die Id des Datensatzes: seine `_dataObjectId`",
    ),
    (
        "The version that it had: a record's `_version`, from 0; a schema's, from 1",
        "Die Version von damals: eines Datensatzes `_version`, ab 0; eines Schemas, ab 1",
    ),
    ("The id of the file", "Die Id der Datei"),
    (
        "The id of the business area: `businessAreaId`",
        "Die Id des Bereichs: `businessAreaId`",
    ),
    (
        "The id of the schema: `schemaId`",
        "Die Id des Schemas: `schemaId`",
    ),
    (
        "The id of the dataset: `dataSetId`",
        "Die Id des Datenbestands: `dataSetId`",
    ),
    (
        "The id of the data domain: `dataDomainId`",
        "Die Id der Datendomäne: `dataDomainId`",
    ),
    ("The id of the role: `roleId`", "Die Id der Rolle: `roleId`"),
    (
        "The id of the user: `userId`",
        "Die Id des Benutzers: `userId`",
    ),
    (
        "The id of the key: `apiKeyId`",
        "Die Id des Schlüssels: `apiKeyId`",
    ),
    (
        "The id of the client: `clientId`",
        "Die Id der Anwendung: `clientId`",
    ),
    (
        "The id of the webhook: `webhookId`",
        "Die Id des Webhooks: `webhookId`",
    ),
    (
        "What the schema is given as: `json`, `json-schema`, `sqlite`, `postgresql`, `rust`, `typescript`, `python` or `markdown`",
        "Als was man das Schema bekommt: `json`, `json-schema`, `sqlite`, `postgresql`, `rust`, `typescript`, `python` oder `markdown`",
    ),
    (
        "The number of the dead letter, as the list has it",
        "Die Nummer der Sendung, wie die Liste sie zeigt",
    ),
    (
        "The id of the saved view: `savedViewId`",
        "Die Id der gespeicherten Ansicht: `savedViewId`",
    ),
    (
        "The id of the session: `sessionId`",
        "Die Id der Sitzung: `sessionId`",
    ),
    ("The id of the job: `jobId`", "Die Id des Auftrags: `jobId`"),
    // behind the question mark
    (
        "`nextPageKey` of the page before; left out, the first page is given. One that is unknown, or of another list, is 400",
        "`nextPageKey` der Seite davor; ohne kommt die erste Seite. Einer, der unbekannt oder von einer anderen Liste ist, ist 400",
    ),
    (
        "How many items a page has at most. A page of large records may end earlier",
        "Wie viele Einträge eine Seite höchstens hat. Eine Seite großer Datensätze kann früher enden",
    ),
    (
        "`true` lists those that were deleted, and only those",
        "`true` zeigt die gelöschten, und nur diese",
    ),
    (
        "The dataset the file was uploaded to",
        "Der Datenbestand, in den die Datei hochgeladen wurde",
    ),
    ("When the link stops working", "Wann der Link abläuft"),
    (
        "The id of the secret that signed it",
        "Die Id des Geheimnisses, das ihn signiert hat",
    ),
    (
        "What makes it a link of this service",
        "Was ihn zu einem Link dieses Dienstes macht",
    ),
    (
        "Where to go on: `next` of the answer before, or `position` of a change; `latest` for what comes from now on; left out, the beginning",
        "Wo es weitergeht: `next` der Antwort davor oder `position` einer Änderung; `latest` für das, was ab jetzt kommt; ohne vom Anfang",
    ),
    (
        "Seconds to wait where there is no change yet",
        "Sekunden, die gewartet wird, wo es noch keine Änderung gibt",
    ),
    (
        "How many changes are given at most. A page of large records may end earlier",
        "Wie viele Änderungen höchstens kommen. Eine Seite großer Datensätze kann früher enden",
    ),
    (
        "Words, all of which must be found; `\"phrases\"`, `word*`, `AND`, `OR`, `NOT`, parentheses, `Field:value`, `Field:=value`, `Field:>4` and the other comparisons, `Field:a..b`, `Field:none`, `is:faulty`, `fault:Field`, `fault:Field/rule`; `*` is everything. A name with spaces stands in quotes: `\"Full Name\":grace`. Case and accents make no difference",
        "Wörter, die alle vorkommen müssen; `\"phrases\"`, `word*`, `AND`, `OR`, `NOT`, Klammern, `Field:value`, `Field:=value`, `Field:>4` und die anderen Vergleiche, `Field:a..b`, `Field:none`, `is:faulty`, `fault:Field`, `fault:Field/rule`; `*` ist alles. Ein Name mit Leerzeichen steht in Anführungszeichen: `\"Full Name\":grace`. Groß- und Kleinschreibung und Akzente spielen keine Rolle",
    ),
    (
        "The name of an area, or `all`",
        "Der Name eines Bereichs oder `all`",
    ),
    (
        "The name of a schema, or `all`",
        "Der Name eines Schemas oder `all`",
    ),
    (
        "The name of a dataset, or `all`",
        "Der Name eines Datenbestands oder `all`",
    ),
    (
        "Sort keys with commas between, each with a `-` before it where the greatest comes first: `Name,-Founded`",
        "Sortierschlüssel mit Kommas dazwischen, jeder mit einem `-` davor, wo das Größte zuerst kommt: `Name,-Founded`",
    ),
    (
        "The id or the name of who did it",
        "Die Id oder der Name dessen, der es getan hat",
    ),
    (
        "What was done, such as `create`",
        "Was getan wurde, etwa `create`",
    ),
    (
        "To what kind of thing, such as `api_key`",
        "Womit, etwa `api_key`",
    ),
    ("To which, by its id", "Womit genau, nach der Id"),
    (
        "To what has or had this in its name, in any case",
        "Womit, wenn das im Namen vorkommt oder vorkam, in Groß- oder Kleinschreibung",
    ),
    (
        "In which business area, by its id or its name",
        "In welchem Bereich, nach Id oder Name",
    ),
    (
        "Not before this moment, such as `2026-01-31T00:00:00Z`",
        "Nicht vor diesem Zeitpunkt, etwa `2026-01-31T00:00:00Z`",
    ),
    ("Before this moment", "Vor diesem Zeitpunkt"),
    (
        "How many days up to today: from 1 to 400, 30 where nothing is said",
        "Wie viele Tage bis heute: von 1 bis 400, ohne Angabe 30",
    ),
    (
        "Only of the records that it finds; as `query` of a search",
        "Nur von den Datensätzen, die sie findet; wie `query` einer Suche",
    ),
    (
        "The name of a picklist or a boolean; without it, all of them are counted",
        "Der Name einer Auswahlliste oder eines Wahrheitswerts; ohne werden alle gezählt",
    ),
    (
        "The id of a dataset: its jobs alone",
        "Die Id eines Datenbestands: nur seine Aufträge",
    ),
    ("What the schema is called", "Wie das Schema heißt"),
    (
        "Whether it is only tried: each line is judged, nothing is written",
        "Ob nur versucht wird: Jede Zeile wird beurteilt, nichts wird geschrieben",
    ),
    (
        "What becomes of records that are there",
        "Was mit vorhandenen Datensätzen geschieht",
    ),
    (
        "Whether it is only tried: everything is judged, nothing is written",
        "Ob nur versucht wird: Alles wird beurteilt, nichts wird geschrieben",
    ),
    (
        "Whether records that the file does not have are deleted; with `replace` only, and not with rows that an import before left out",
        "Ob Datensätze, die in der Datei fehlen, gelöscht werden; nur mit `replace`, und nicht mit Zeilen, die ein Import davor ausgelassen hat",
    ),
    (
        "Whether rows count whatever `_version` they have; without, one whose `_version` is not the record's is left out",
        "Ob Zeilen zählen, welche `_version` sie auch haben; sonst wird eine weggelassen, deren `_version` nicht die des Datensatzes ist",
    ),
    (
        "How rows stand in the file; found by itself",
        "Wie Zeilen in der Datei stehen; wird sonst erkannt",
    ),
    (
        "How its text is encoded; found by the whole of it",
        "Wie ihr Text kodiert ist; wird sonst an der ganzen Datei erkannt",
    ),
    (
        "What parts its cells: one ASCII character, or `tab`; found by itself",
        "Was ihre Zellen trennt: ein ASCII-Zeichen oder `tab`; wird sonst erkannt",
    ),
    (
        "What stands around its cells that hold a delimiter; found by itself",
        "Was um Zellen steht, die ein Trennzeichen enthalten; wird sonst erkannt",
    ),
    (
        "Whether its first row has the names of its columns; found by itself",
        "Ob die erste Zeile die Namen der Spalten hat; wird sonst erkannt",
    ),
    (
        "The sheet of a workbook; without, the first that is not hidden",
        "Das Blatt einer Arbeitsmappe; ohne das erste, das nicht ausgeblendet ist",
    ),
    (
        "The field of a column, or of a member of JSON, that doesn't have the field's name, as `Column=Field`; `Column=` leaves it out. May be there several times",
        "Das Feld einer Spalte oder eines Teils von JSON, das nicht heißt wie das Feld, als `Column=Field`; `Column=` lässt sie aus. Darf mehrmals da sein",
    ),
    (
        "What parts the values of a cell that holds several, beside JSON arrays",
        "Was die Werte einer Zelle trennt, die mehrere hat, neben JSON-Arrays",
    ),
    (
        "What stands before the decimals of numbers that are text; without, a point, and `12.000` is neither a whole number nor a currency",
        "Was in Zahlen, die Text sind, vor den Nachkommastellen steht; ohne ein Punkt, und `12.000` ist weder eine ganze Zahl noch ein Betrag",
    ),
    (
        "How days and times are written that are text; without, as their fields have them or as ISO 8601",
        "Wie Daten und Zeiten geschrieben sind, die Text sind; ohne Angabe, wie ihre Felder sie haben, oder nach ISO 8601",
    ),
    (
        "Words of cells that stand for true, whatever their case, with commas between them",
        "Wörter in Zellen, die für wahr stehen, groß oder klein geschrieben, mit Kommas dazwischen",
    ),
    (
        "Words of cells that stand for false, whatever their case, with commas between them",
        "Wörter in Zellen, die für falsch stehen, groß oder klein geschrieben, mit Kommas dazwischen",
    ),
    (
        "Words of cells that stand for no value, letter by letter, with commas between them",
        "Wörter in Zellen, die für keinen Wert stehen, Buchstabe für Buchstabe, mit Kommas dazwischen",
    ),
    (
        "Whether its texts are guarded against spreadsheets: the guard is taken off",
        "Ob ihre Texte gegen Tabellenprogramme geschützt sind: Der Schutz wird abgenommen",
    ),
    (
        "What the file is called, for people",
        "Wie die Datei heißt, für Menschen",
    ),
    (
        "A dry run of your own into this dataset, by its jobId: its file is imported, and no body is sent",
        "Ein eigener Versuch für diesen Datenbestand, nach seiner jobId: Seine Datei wird importiert, und kein Inhalt wird gesendet",
    ),
    // statuses
    ("What was asked for", "Was gefragt war"),
    (
        "It was made; `Location` tells where it is",
        "Es wurde angelegt; `Location` sagt, wo es ist",
    ),
    ("Done", "Erledigt"),
    (
        "The part that `Range` asked for",
        "Der Teil, um den `Range` gebeten hat",
    ),
    (
        "The content is one that `If-None-Match` names; no body",
        "Der Inhalt ist einer, den `If-None-Match` nennt; ohne Rumpf",
    ),
    (
        "The request is not understood; nothing was done",
        "Die Anfrage ist nicht zu verstehen; nichts wurde getan",
    ),
    (
        "The credential is missing or not valid; one answer for every cause",
        "Der Nachweis fehlt oder gilt nicht; eine Antwort für jede Ursache",
    ),
    (
        "The credential does not allow this",
        "Der Nachweis erlaubt das nicht",
    ),
    (
        "Something that the path names does not exist",
        "Etwas, das der Pfad nennt, gibt es nicht",
    ),
    (
        "The body did not arrive in time",
        "Der Inhalt kam nicht rechtzeitig an",
    ),
    (
        "It contradicts what is there",
        "Es widerspricht dem, was da ist",
    ),
    (
        "What was asked for is not kept any more",
        "Was gefragt war, ist nicht mehr aufbewahrt",
    ),
    (
        "The content is none of those that `If-Match` names",
        "Der Inhalt ist keiner von denen, die `If-Match` nennt",
    ),
    ("The body is too large", "Der Inhalt ist zu groß"),
    (
        "The body is announced as something that is not read here",
        "Der Inhalt ist als etwas angekündigt, das hier nicht gelesen wird",
    ),
    (
        "The file has none of the bytes that `Range` asks for; `Content-Range` tells how many it has",
        "Die Datei hat keines der Bytes, nach denen `Range` fragt; `Content-Range` sagt, wie viele sie hat",
    ),
    (
        "Too many requests with this credential, or too many failed sign-ins",
        "Zu viele Anfragen mit diesem Nachweis oder zu viele misslungene Anmeldungen",
    ),
    (
        "The head of the request is too large to be read; no body",
        "Der Kopf der Anfrage ist zu groß, um gelesen zu werden; kein Inhalt",
    ),
    (
        "The service failed; the log knows more under the request's id",
        "Der Dienst hat versagt; das Log weiß unter der Id der Anfrage mehr",
    ),
    (
        "Not ready for this yet, or no memory to spare for it now",
        "Noch nicht bereit dafür, oder gerade kein Speicher dafür frei",
    ),
    // codes
    (
        "the body is no data object of this schema; `fields` says where",
        "der Inhalt ist kein Datensatz dieses Schemas; `fields` sagt, wo",
    ),
    (
        "the primary key has no value",
        "der Primärschlüssel hat keinen Wert",
    ),
    (
        "another data object of the dataset has the primary key",
        "ein anderer Datensatz des Datenbestands hat den Primärschlüssel",
    ),
    (
        "the data object has another `_version` by now; read it again and send the change with that one",
        "der Datensatz hat inzwischen eine andere `_version`; ihn neu lesen und die Änderung mit dieser senden",
    ),
    (
        "the data object is not there, or was deleted",
        "den Datensatz gibt es nicht, oder er wurde gelöscht",
    ),
    (
        "somebody changed it at the same moment, and nothing was deleted; try again",
        "jemand hat ihn im selben Augenblick geändert, und nichts wurde gelöscht; noch einmal versuchen",
    ),
    (
        "the user has to choose a password first: `PUT /admin/api/v1/session/password`",
        "der Benutzer muss zuerst ein Passwort wählen: `PUT /admin/api/v1/session/password`",
    ),
    (
        "the session has to show the password anew: `POST /admin/api/v1/session/proof`",
        "die Sitzung muss das Passwort neu zeigen: `POST /admin/api/v1/session/proof`",
    ),
    (
        "the password is right, and a `code` is missing",
        "das Passwort stimmt, und ein `code` fehlt",
    ),
    (
        "a second factor is required of the user, who has to set one up first: `POST /admin/api/v1/session/second-factor`",
        "vom Benutzer wird ein zweiter Faktor verlangt, den er zuerst einrichten muss: `POST /admin/api/v1/session/second-factor`",
    ),
    (
        "a quota of the tenant is used up",
        "eine Grenze des Mandanten ist erreicht",
    ),
];
