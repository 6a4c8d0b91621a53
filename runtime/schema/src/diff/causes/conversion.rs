//! Values of one data type under another: which are taken whatever they are, but for the settings of their fields.
//! docs/rules.md, "Data types".

use super::cause::Way;
use crate::data_type::DataType as T;

/// Whether the values of a type are values of another one, as far as the types go.
pub(super) fn is_taken(from: T, to: T, way: Way) -> bool {
    if from == to {
        return true;
    }
    // what is sent for them may be text, which no number is
    let is_date_part = matches!(from, T::DateYear | T::DateMonth | T::DateDay);
    let is_part_as_number = is_date_part && way != Way::Sent;
    match to {
        T::String => matches!(
            from,
            T::Email
                | T::Url
                | T::Phone
                | T::Latlng
                | T::Picklist
                | T::Date
                | T::Time
                | T::Datetime
        ),
        T::Float => {
            let is_number = matches!(from, T::Integer | T::Currency | T::Latitude | T::Longitude);
            is_number || is_part_as_number
        }
        T::Latitude | T::Longitude => {
            let is_number = matches!(
                from,
                T::Integer | T::Currency | T::Float | T::Latitude | T::Longitude
            );
            is_number || is_part_as_number
        }
        T::Currency => from == T::Integer || is_part_as_number,
        T::Integer => is_part_as_number,
        T::DateMonth | T::DateDay if matches!(from, T::DateMonth | T::DateDay) => true,
        T::DateYear | T::DateMonth | T::DateDay => {
            is_part_as_number || (from == T::Integer && way != Way::Sent)
        }
        T::Attachment | T::Document => from.is_file(),
        T::Boolean
        | T::Datetime
        | T::Date
        | T::Time
        | T::Picklist
        | T::Email
        | T::Url
        | T::Phone
        | T::Latlng
        | T::Image
        | T::Video => false,
    }
}
