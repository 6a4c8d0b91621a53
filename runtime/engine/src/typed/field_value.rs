//! The Rust types a field may have: how each comes out of a slot, and how it is looked at.

use super::picklist::Picklist;
use super::slot_ref::SlotRef;
use crate::validate::{FieldRule, Judge};
use crate::value::{
    Elements, Email, FileRef, Items, LatLng, Latitude, Longitude, Phone, Url, Value,
};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use rust_decimal::Decimal;
use schema::DataType as T;

/// A Rust type that a field of a record can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no value of a field",
    note = "fields have types such as `String`, `i64`, `f64` or `Decimal`, or enums with `#[derive(Picklist)]`"
)]
pub trait FieldValue {
    /// A view of the value.
    fn value(&self) -> Value<'_>;

    /// Judges the value by its field's rule. Not for overriding: it stands here so that the compiler
    /// knows the kind of value when it compiles the rule.
    fn judge(&self, rule: &FieldRule, judge: &mut Judge<'_>) {
        rule.judge(&self.value(), judge);
    }

    /// The value that was read and judged; `None` when this type can't hold it.
    fn from_slot(slot: SlotRef<'_>) -> Option<Self>
    where
        Self: Sized;
}

/// Which data types a Rust type can hold: one bit for each, by its place in the table. `Option` and
/// `Vec` have none of their own: the derive sees them by name, and asks what is inside.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no value of a field",
    note = "fields have types such as `String`, `i64`, `f64` or `Decimal`, or enums with `#[derive(Picklist)]`"
)]
pub trait FieldType: FieldValue {
    /// The bits.
    const HOLDS: u32;
}

const fn bits(types: &[T]) -> u32 {
    let mut bits = 0;
    let mut at = 0;
    while at < types.len() {
        bits |= 1 << types[at] as u32;
        at += 1;
    }
    bits
}

macro_rules! field_types {
    ($($rust:ty: [$($data:ident),*], |$this:ident| $view:expr, |$slot:ident| $read:expr;)*) => {$(
        impl FieldValue for $rust {
            #[inline]
            fn value(&self) -> Value<'_> {
                let $this = self;
                $view
            }

            #[inline]
            fn from_slot($slot: SlotRef<'_>) -> Option<Self> {
                $read
            }
        }

        impl FieldType for $rust {
            const HOLDS: u32 = bits(&[$(T::$data),*]);
        }
    )*};
}

field_types! {
    String: [String, Email, Url, Phone, Picklist, Attachment, Image, Document, Video],
        |this| Value::Text(this), |slot| slot.text().map(std::borrow::Cow::into_owned);
    i64: [Integer], |this| Value::Integer(*this), |slot| slot.integer();
    i32: [DateYear], |this| Value::Integer((*this).into()), |slot| slot.integer()?.try_into().ok();
    u8: [DateMonth, DateDay], |this| Value::Integer((*this).into()), |slot| slot.integer()?.try_into().ok();
    f64: [Float, Latitude, Longitude], |this| Value::Float(*this), |slot| slot.float();
    Decimal: [Currency], |this| Value::Decimal(*this), |slot| slot.decimal();
    bool: [Boolean], |this| Value::Bool(*this), |slot| slot.bool();
    NaiveDate: [Date], |this| Value::Date(*this), |slot| slot.date();
    NaiveTime: [Time], |this| Value::Time(*this), |slot| slot.time();
    NaiveDateTime: [Datetime], |this| Value::DateTime(*this), |slot| slot.date_time();
    Email: [Email], |this| Value::Email(this.as_str()), |slot| Some(Email::proven(slot.text()?.into_owned()));
    Url: [Url], |this| Value::Url(this.as_str()), |slot| Some(Url::proven(slot.text()?.into_owned()));
    Phone: [Phone], |this| Value::Phone(this.as_str()), |slot| Some(Phone::proven(slot.text()?.into_owned()));
    LatLng: [Latlng], |this| Value::LatLng(this.as_str()), |slot| LatLng::parse(&slot.text()?).ok();
    Latitude: [Latitude], |this| Value::Float(this.get()), |slot| Latitude::new(slot.float()?).ok();
    Longitude: [Longitude], |this| Value::Float(this.get()), |slot| Longitude::new(slot.float()?).ok();
    FileRef: [Attachment, Image, Document, Video],
        |this| Value::Text(this.as_str()), |slot| Some(FileRef::new(slot.text()?));
}

impl<V: FieldValue> FieldValue for Option<V> {
    #[inline]
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, V::value)
    }

    #[inline]
    fn from_slot(slot: SlotRef<'_>) -> Option<Self> {
        if slot.is_missing() {
            Some(None)
        } else {
            V::from_slot(slot).map(Some)
        }
    }
}

impl<V: FieldValue> Elements for Vec<V> {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, index: usize) -> Value<'_> {
        self[index].value()
    }
}

impl<V: FieldValue> FieldValue for Vec<V> {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::List(Items(self))
    }

    fn from_slot(slot: SlotRef<'_>) -> Option<Self> {
        if slot.is_missing() {
            Some(Vec::new())
        } else {
            slot.list()?.map(V::from_slot).collect()
        }
    }
}

impl<P: Picklist> FieldValue for P {
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Code(self.code())
    }

    #[inline]
    fn from_slot(slot: SlotRef<'_>) -> Option<Self> {
        P::ALL.get(slot.code()?).copied()
    }
}

impl<P: Picklist> FieldType for P {
    const HOLDS: u32 = bits(&[T::Picklist]);
}
