//! A column of a row group: its values with their levels, as the format nests what may be missing or repeated.

use super::kind::{DECIMAL_BYTES, DECIMAL_DIGITS, Kind, Scalar};
use crate::values::{Elements, Value};
use parquet::basic::{LogicalType, Repetition};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::{Type, TypePtr};
use schema::json::SyntaxError;
use std::sync::Arc;

/// The values of a column that are not yet written.
pub(super) struct Column {
    name: String,
    kind: Kind,
    is_list: bool,
    values: Vec<Scalar>,
    /// How much of each value is there: of a list itself, an element, and its value.
    definitions: Vec<i16>,
    /// 1 for each further element of a list.
    repetitions: Vec<i16>,
}

impl Column {
    pub(super) fn new(name: &str, kind: Kind, is_list: bool) -> Self {
        Column {
            name: name.to_owned(),
            kind,
            is_list,
            values: Vec::new(),
            definitions: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its type in the file.
    pub(super) fn of_file(&self) -> Result<TypePtr, ParquetError> {
        let of_value = |name: &str| {
            let (physical, logical) = self.kind.of_file();
            let mut value = Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical);
            if let Kind::Decimal = self.kind {
                // INVARIANT: a small constant
                let length = i32::try_from(DECIMAL_BYTES).unwrap_or(i32::MAX);
                value = value
                    .with_length(length)
                    .with_precision(DECIMAL_DIGITS)
                    .with_scale(2);
            }
            value.build().map(Arc::new)
        };
        if !self.is_list {
            return of_value(&self.name);
        }
        let list = Type::group_type_builder("list")
            .with_repetition(Repetition::REPEATED)
            .with_fields(vec![of_value("element")?])
            .build()?;
        let field = Type::group_type_builder(&self.name)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(list)]);
        field.build().map(Arc::new)
    }

    /// Adds the value of the next record; where the column can't hold it, it is null, and this is `false`.
    pub(super) fn push(&mut self, value: &Value<'_>) -> bool {
        if *value == Value::Missing {
            self.level(0, 0);
            return true;
        }
        if self.is_list {
            return self.push_list(value);
        }
        let scalar = self.kind.scalar(value);
        let is_held = scalar.is_some();
        self.level(i16::from(is_held), 0);
        self.values.extend(scalar);
        is_held
    }

    fn push_list(&mut self, value: &Value<'_>) -> bool {
        let Some(elements) = self.elements(value) else {
            self.level(0, 0);
            return false;
        };
        if elements.is_empty() {
            self.level(1, 0);
        }
        for (index, element) in elements.into_iter().enumerate() {
            self.level(if element.is_some() { 3 } else { 2 }, i16::from(index > 0));
            self.values.extend(element);
        }
        true
    }

    /// The elements of a list, null ones among them; `None` where one of them can't be held, or it is no list.
    fn elements(&self, value: &Value<'_>) -> Option<Vec<Option<Scalar>>> {
        let Value::Array(raw) = value else {
            return None;
        };
        let element = |read: Result<Value<'_>, SyntaxError>| match read.ok()? {
            Value::Missing => Some(None),
            element => self.kind.scalar(&element).map(Some),
        };
        Elements::of(raw).map(element).collect()
    }

    fn level(&mut self, definition: i16, repetition: i16) {
        self.definitions.push(definition);
        if self.is_list {
            self.repetitions.push(repetition);
        }
    }

    /// Writes and forgets its values.
    pub(super) fn write(
        &mut self,
        out: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        match self.kind {
            Kind::Whole | Kind::Moment(_) | Kind::Time(_) => {
                self.write_as::<Int64Type>(out, |scalar| match scalar {
                    Scalar::Whole(whole) => Some(whole),
                    _ => None,
                })
            }
            Kind::Date(_) => self.write_as::<Int32Type>(out, |scalar| match scalar {
                Scalar::Days(days) => Some(days),
                _ => None,
            }),
            Kind::Double => self.write_as::<DoubleType>(out, |scalar| match scalar {
                Scalar::Double(double) => Some(double),
                _ => None,
            }),
            Kind::Boolean(_) => self.write_as::<BoolType>(out, |scalar| match scalar {
                Scalar::Boolean(is_true) => Some(is_true),
                _ => None,
            }),
            Kind::Decimal => self.write_as::<FixedLenByteArrayType>(out, |scalar| match scalar {
                Scalar::Decimal(bytes) => Some(FixedLenByteArray::from(bytes.to_vec())),
                _ => None,
            }),
            Kind::Text => self.write_as::<ByteArrayType>(out, |scalar| match scalar {
                Scalar::Text(text) => Some(ByteArray::from(text)),
                _ => None,
            }),
        }
    }

    fn write_as<T: DataType>(
        &mut self,
        out: &mut SerializedColumnWriter<'_>,
        of: impl Fn(Scalar) -> Option<T::T>,
    ) -> Result<(), ParquetError> {
        let values: Vec<T::T> = self.values.drain(..).filter_map(of).collect();
        let repetitions = self.is_list.then_some(&*self.repetitions);
        out.typed::<T>()
            .write_batch(&values, Some(&self.definitions), repetitions)?;
        self.definitions.clear();
        self.repetitions.clear();
        Ok(())
    }
}
