//! What to search for, and where.

/// What to search for, and where. Filters are names; without one, everything is searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// The words.
    pub query: String,
    /// The name of the area to search.
    pub area: Option<String>,
    /// The name of the schemas to search.
    pub schema: Option<String>,
    /// The name of the datasets to search.
    pub dataset: Option<String>,
}

impl Search {
    /// A search for words, `"phrases"`, `prefixes*`, `Field:value`, joined by `AND`, `OR`, `NOT`.
    pub fn new(query: impl Into<String>) -> Self {
        Search {
            query: query.into(),
            area: None,
            schema: None,
            dataset: None,
        }
    }

    /// Only in the area of this name.
    #[must_use]
    pub fn area(mut self, name: &str) -> Self {
        self.area = Some(name.to_owned());
        self
    }

    /// Only in schemas of this name.
    #[must_use]
    pub fn schema(mut self, name: &str) -> Self {
        self.schema = Some(name.to_owned());
        self
    }

    /// Only in datasets of this name.
    #[must_use]
    pub fn dataset(mut self, name: &str) -> Self {
        self.dataset = Some(name.to_owned());
        self
    }
}
