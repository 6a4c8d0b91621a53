//! How rows may stand in a file: the formats, by name. It reads nothing.

/// How rows stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// CSV: cells with a delimiter between them, in quotes where they hold one.
    Csv,
    /// JSON, an object on each line.
    Ndjson,
    /// JSON, one array of objects.
    JsonArray,
    /// An Excel file (`.xlsx`), of which one sheet is read. Takes the feature `xlsx`.
    Xlsx,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Format::Csv, Format::Ndjson, Format::JsonArray, Format::Xlsx];

    /// Its name, such as `ndjson`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Ndjson => "ndjson",
            Format::JsonArray => "json",
            Format::Xlsx => "xlsx",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
