//! Literals that the compiler judges: the text is judged in a constant, by the code that judges it in records, and what
//! runs only makes the value.

use super::picklist::{Entry, Picklist};
use crate::value::{Coordinates, is_email, is_phone, is_plain_url, write_phone};
use crate::{Email, LatLng, Phone, Url};

/// A type with literals; what [`literal!`](crate::literal) needs of it.
#[doc(hidden)]
pub trait Literal: Sized {
    /// What the text has to be.
    const KIND: Kind;

    /// The value of a text that was judged: of a code also its place among the codes.
    fn proven(text: &str, place: usize) -> Self;
}

/// What the text of a literal has to be.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Code(&'static [Entry]),
    Email,
    LatLng,
    Phone,
    Url,
}

/// The place of a code among the others; 0 for other texts.
///
/// # Panics
/// When the text is not of that kind.
#[doc(hidden)]
#[track_caller]
pub const fn judge_literal(kind: Kind, text: &str) -> usize {
    match kind {
        Kind::Code(entries) => {
            let mut place = 0;
            while place < entries.len() && !is_same(entries[place].code, text) {
                place += 1;
            }
            assert!(place < entries.len(), "not a code of the picklist");
            return place;
        }
        Kind::Email => assert!(is_email(text), "not an e-mail address"),
        Kind::LatLng => assert!(
            matches!(Coordinates::read(text), Some(place) if place.has_latitude() && place.has_longitude()),
            "not a place as latitude,longitude in decimal degrees"
        ),
        Kind::Phone => assert!(is_phone(text), "not a phone number: + and 7 to 15 digits"),
        Kind::Url => assert!(
            is_plain_url(text),
            "not a web address that the compiler can judge: http or https, then a host name of ASCII letters, digits and \
             hyphens; read others with `Url::parse`"
        ),
    }
    0
}

pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl<P: Picklist> Literal for P {
    const KIND: Kind = Kind::Code(P::ENTRIES);

    fn proven(_: &str, place: usize) -> Self {
        P::ALL[place]
    }
}

impl Literal for Email {
    const KIND: Kind = Kind::Email;

    fn proven(text: &str, _: usize) -> Self {
        Email::proven(text.to_owned())
    }
}

impl Literal for Url {
    const KIND: Kind = Kind::Url;

    fn proven(text: &str, _: usize) -> Self {
        Url::proven(text.to_owned())
    }
}

impl Literal for Phone {
    const KIND: Kind = Kind::Phone;

    fn proven(text: &str, _: usize) -> Self {
        let mut stored = String::with_capacity(text.len());
        write_phone(&mut stored, text);
        Phone::proven(stored)
    }
}

impl Literal for LatLng {
    const KIND: Kind = Kind::LatLng;

    fn proven(text: &str, _: usize) -> Self {
        LatLng::parse(text).expect("the compiler has judged it")
    }
}

/// The value of a text that is judged while the crate is compiled; a bad one is a compile error there. For picklists,
/// [`Email`], [`Phone`], [`LatLng`] and those of [`Url`] whose host is an ordinary name. Degrees have
/// [`Latitude::literal`](crate::Latitude::literal), to be called in a `const`.
///
/// ```
/// use engine::{Email, LatLng, Latitude, literal};
///
/// assert_eq!(literal!(Email, "ada@example.org").as_str(), "ada@example.org");
/// assert_eq!(literal!(LatLng, "48.10, 11.6").as_str(), "48.10,11.6");
/// const POLE: Latitude = Latitude::literal(90.0);
/// ```
///
/// ```compile_fail
/// engine::literal!(engine::Email, "ada@localhost");
/// ```
#[macro_export]
macro_rules! literal {
    ($type:ty, $text:expr $(,)?) => {
        <$type as $crate::__private::Literal>::proven(
            $text,
            const {
                $crate::__private::judge_literal(<$type as $crate::__private::Literal>::KIND, $text)
            },
        )
    };
}
