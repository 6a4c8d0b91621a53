//! A schema as plain data. Any value of these types can be written down; whether it makes sense is
//! for [`check`](crate::check()) to say. docs/rules.md, "Schema documents".

use crate::data_type::DataType;
use crate::format::{BooleanWords, DateFormat, DateShape, MomentShape, Separator, TimeFormat};

/// The one rule name the interface shows.
pub const RULE_ALPHANUMERIC: &str = "alphanumeric";

/// Properties the model has no place for, by name, with their JSON text: unknown ones, and known
/// ones that are `null` or `""` and so count as absent. They are written back as they came.
pub type Extra = Vec<(String, String)>;

/// Who made something and when. It stays in the document and out of generated code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// `createdBy`
    pub created_by: Option<String>,
    /// `updatedBy`
    pub updated_by: Option<String>,
    /// `createdDate`
    pub created_date: Option<String>,
    /// `updatedDate`
    pub updated_date: Option<String>,
}

/// A schema with its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// `schemaId`
    pub id: String,
    /// `name`
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `businessAreaId`
    pub area_id: Option<String>,
    /// `businessAreaName`; provenance, as far as generated code goes.
    pub area_name: Option<String>,
    /// `version`
    pub version: Option<i64>,
    /// `createdBy`, `updatedBy`, `createdDate`, `updatedDate`
    pub provenance: Provenance,
    /// `fields`, in the order of the document.
    pub fields: Vec<Field>,
    /// What the model has no place for.
    pub extra: Extra,
}

/// One field of a schema.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the interface's own flags"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `fieldId`
    pub id: String,
    /// `name`: the key of its values in a record.
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `active`
    pub active: bool,
    /// `dataType`
    pub data_type: DataType,
    /// `isPrimaryKey`
    pub primary_key: bool,
    /// `isSortKey`
    pub sort_key: bool,
    /// `isRequired`
    pub required: bool,
    /// `isMultivalue`
    pub multivalue: Option<bool>,
    /// `isPII`
    pub pii: Option<bool>,
    /// `isSearched`: whether searches for words look into it; a setting of management, which the interface for data does
    /// not show
    pub searched: Option<bool>,
    /// `min`
    pub min: Option<Bound>,
    /// `max`
    pub max: Option<Bound>,
    /// `classifiers`
    pub classifiers: Option<Vec<Classifier>>,
    /// `validationRules`
    pub validation_rules: Option<Vec<String>>,
    /// `allowedBooleanValues`
    pub boolean_words: Option<BooleanWords>,
    /// `picklistType`
    pub picklist_type: Option<PicklistType>,
    /// `staticPicklist`
    pub static_picklist: Option<Vec<PicklistEntry>>,
    /// `dataDomainId`
    pub data_domain_id: Option<String>,
    /// `dateFormat`
    pub date_format: Option<DateFormat>,
    /// `dateSeparator`
    pub date_separator: Option<Separator>,
    /// `timeFormat`
    pub time_format: Option<TimeFormat>,
    /// `maxWidth`, pixels
    pub max_width: Option<Bound>,
    /// `maxHeight`, pixels
    pub max_height: Option<Bound>,
    /// `maxSize`, bytes
    pub max_size: Option<Bound>,
    /// `createdBy`, `updatedBy`, `createdDate`, `updatedDate`
    pub provenance: Provenance,
    /// What the model has no place for.
    pub extra: Extra,
}

/// A bound as it was written: a number's token or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A JSON number, by its token.
    Number(String),
    /// A JSON string.
    Text(String),
}

/// A value of `picklistType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PicklistType {
    /// The codes stand in the schema.
    Static,
    /// The codes are those of a data domain.
    Dynamic,
}

/// One code of a static picklist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PicklistEntry {
    /// The code, as it stands in records.
    pub code: String,
    /// What it means.
    pub description: Option<String>,
    /// What the model has no place for.
    pub extra: Extra,
}

/// A category tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classifier {
    /// `tagId`
    pub tag_id: String,
    /// `tagName`
    pub tag_name: String,
    /// What the model has no place for.
    pub extra: Extra,
}

impl PicklistType {
    /// The name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            PicklistType::Static => "static",
            PicklistType::Dynamic => "dynamic",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        [PicklistType::Static, PicklistType::Dynamic]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

impl Schema {
    /// The active fields, in order: the ones a record has.
    pub fn active_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.active)
    }

    /// The active field that is the primary key.
    pub fn primary_key(&self) -> Option<&Field> {
        self.active_fields().find(|field| field.primary_key)
    }
}

impl Field {
    /// An active, optional field without settings.
    pub fn new(id: impl Into<String>, name: impl Into<String>, data_type: DataType) -> Self {
        Field {
            id: id.into(),
            name: name.into(),
            description: None,
            active: true,
            data_type,
            primary_key: false,
            sort_key: false,
            required: false,
            multivalue: None,
            pii: None,
            searched: None,
            min: None,
            max: None,
            classifiers: None,
            validation_rules: None,
            boolean_words: None,
            picklist_type: None,
            static_picklist: None,
            data_domain_id: None,
            date_format: None,
            date_separator: None,
            time_format: None,
            max_width: None,
            max_height: None,
            max_size: None,
            provenance: Provenance::default(),
            extra: Extra::new(),
        }
    }

    /// Whether its values are arrays.
    pub fn is_multivalue(&self) -> bool {
        self.multivalue == Some(true)
    }

    /// Whether it holds personally identifiable information.
    pub fn is_pii(&self) -> bool {
        self.pii == Some(true)
    }

    /// Whether searches for words look into it: where nothing is said, they do.
    pub fn is_searched(&self) -> bool {
        self.searched != Some(false)
    }

    /// Whether its text may hold only ASCII letters and digits.
    pub fn is_alphanumeric(&self) -> bool {
        self.data_type == DataType::String
            && self
                .validation_rules
                .iter()
                .flatten()
                .any(|rule| rule == RULE_ALPHANUMERIC)
    }

    /// How it writes dates.
    pub fn date_shape(&self) -> DateShape {
        DateShape::new(self.date_format, self.date_separator)
    }

    /// How it writes times; an absent format is `HH:mm:ss`.
    pub fn time_shape(&self) -> TimeFormat {
        self.time_format.unwrap_or(TimeFormat::Seconds)
    }

    /// How it writes a date and a time together.
    pub fn moment_shape(&self) -> MomentShape {
        MomentShape::new(self.date_shape(), self.time_format)
    }
}

impl Bound {
    /// The bound as text: a number's token, or the string.
    pub fn as_str(&self) -> &str {
        match self {
            Bound::Number(text) | Bound::Text(text) => text,
        }
    }
}

impl From<i64> for Bound {
    fn from(value: i64) -> Self {
        Bound::Number(value.to_string())
    }
}

impl From<&str> for Bound {
    fn from(text: &str) -> Self {
        Bound::Text(text.to_owned())
    }
}

/// The id of something that was given none: a stable hash (64-bit FNV-1a, in hex) of the names that
/// tell it apart, such as schema and field.
pub fn id_of(names: &[&str]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in names {
        // the byte 0xFF is in no UTF-8 text, so that ["ab", "c"] and ["a", "bc"] differ
        for byte in name.bytes().chain([0xFF]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
