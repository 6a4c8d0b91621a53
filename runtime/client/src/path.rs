//! Where a dataset is: the ids of its path, and the names on it.

/// Where a dataset is: the ids of its path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DatasetPath {
    /// `businessAreaId`
    pub area: String,
    /// `schemaId`
    pub schema: String,
    /// `dataSetId`
    pub dataset: String,
}

/// Where a dataset is, with the names on its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetLocation {
    /// The ids.
    pub path: DatasetPath,
    /// The area's name.
    pub area_name: String,
    /// The schema's name.
    pub schema_name: String,
    /// The dataset's name.
    pub dataset_name: String,
}
