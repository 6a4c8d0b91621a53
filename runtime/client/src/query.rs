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
    /// The sort keys that hits are sorted by, with commas between and a `-` before what is sorted from its end.
    pub sort: Option<String>,
}

impl Search {
    /// A search for words, `"phrases"`, `prefixes*`, `Field:value`, `Field:>4`, `is:faulty` and the like,
    /// joined by `AND`, `OR`, `NOT`; `*` is everything.
    pub fn new(query: impl Into<String>) -> Self {
        Search {
            query: query.into(),
            area: None,
            schema: None,
            dataset: None,
            sort: None,
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

    /// Hits in the order of these sort keys, such as `Name,-Founded`.
    #[must_use]
    pub fn sort(mut self, keys: &str) -> Self {
        self.sort = Some(keys.to_owned());
        self
    }

    /// Only in datasets of this name.
    #[must_use]
    pub fn dataset(mut self, name: &str) -> Self {
        self.dataset = Some(name.to_owned());
        self
    }
}
