//! Places on earth: degrees that are in range by construction.

use super::invalid::Invalid;
use std::fmt;

macro_rules! degrees {
    ($name:ident, $what:literal, $limit:literal) => {
        #[doc = concat!($what, ", from -", stringify!($limit), " to ", stringify!($limit), " degrees.")]
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// The coordinate.
            ///
            /// # Errors
            /// When it is not a number or out of range.
            pub const fn new(degrees: f64) -> Result<Self, Invalid> {
                // minus zero is stored as zero
                let degrees = if degrees == 0.0 { 0.0 } else { degrees };
                if degrees >= -$limit && degrees <= $limit {
                    Ok($name(degrees))
                } else {
                    Err(Invalid(concat!("a ", $what)))
                }
            }

            /// The coordinate of a literal: in a `const`, a bad one is a compile error.
            ///
            /// # Panics
            /// When it is not a number or out of range.
            pub const fn literal(degrees: f64) -> Self {
                match Self::new(degrees) {
                    Ok(coordinate) => coordinate,
                    Err(_) => panic!(concat!("not a ", $what)),
                }
            }

            /// The degrees.
            pub fn get(self) -> f64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

degrees!(Latitude, "latitude", 90.0);
degrees!(Longitude, "longitude", 180.0);

/// A place as `latitude,longitude` in decimal degrees, with the digits it was written with.
/// docs/rules.md, "Text forms".
///
/// ```
/// let place = engine::LatLng::parse("48.10 , 11.6").unwrap();
/// assert_eq!(place.as_str(), "48.10,11.6");
/// assert_eq!(place.latitude().get(), 48.1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LatLng {
    text: String,
    latitude: Latitude,
    longitude: Longitude,
}

impl LatLng {
    /// Reads `latitude,longitude`.
    ///
    /// # Errors
    /// When the text is written differently or a coordinate is out of range.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let invalid = Invalid("a place as latitude,longitude in decimal degrees");
        let coordinates = Coordinates::read(text).ok_or(invalid)?;
        if !coordinates.has_latitude() || !coordinates.has_longitude() {
            return Err(invalid);
        }
        let mut stored = String::with_capacity(text.len());
        write_latlng(&mut stored, text);
        let (before, after) = stored.split_once(',').ok_or(invalid)?;
        let latitude = Latitude::new(before.parse().map_err(|_| invalid)?)?;
        let longitude = Longitude::new(after.parse().map_err(|_| invalid)?)?;
        Ok(LatLng {
            text: stored,
            latitude,
            longitude,
        })
    }

    /// The place with these coordinates, in the shortest digits.
    pub fn new(latitude: Latitude, longitude: Longitude) -> Self {
        // Display of a double never uses an exponent
        let text = format!("{},{}", latitude.get(), longitude.get());
        LatLng {
            text,
            latitude,
            longitude,
        }
    }

    /// The text, as it is stored.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The latitude.
    pub fn latitude(&self) -> Latitude {
        self.latitude
    }

    /// The longitude.
    pub fn longitude(&self) -> Longitude {
        self.longitude
    }
}

impl fmt::Display for LatLng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The coordinates of a well-formed text: whether each is in range by its exact digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinates {
    latitude: Coordinate,
    longitude: Coordinate,
}

#[derive(Clone, Copy, Debug)]
struct Coordinate {
    in_range: bool,
}

impl Coordinates {
    /// Reads a text that is written as a place, in range or not.
    pub(crate) const fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut comma = 0;
        while comma < bytes.len() && bytes[comma] != b',' {
            comma += 1;
        }
        if comma == bytes.len() {
            return None;
        }
        let (mut end, mut start) = (comma, comma + 1);
        while end > 0 && bytes[end - 1] == b' ' {
            end -= 1;
        }
        while start < bytes.len() && bytes[start] == b' ' {
            start += 1;
        }
        let latitude = Coordinate::read(bytes, 0, end, 90);
        let longitude = Coordinate::read(bytes, start, bytes.len(), 180);
        match (latitude, longitude) {
            (Some(latitude), Some(longitude)) => Some(Coordinates {
                latitude,
                longitude,
            }),
            _ => None,
        }
    }

    pub(crate) const fn has_latitude(self) -> bool {
        self.latitude.in_range
    }

    pub(crate) const fn has_longitude(self) -> bool {
        self.longitude.in_range
    }
}

impl Coordinate {
    /// Reads what stands between two places of a text.
    const fn read(bytes: &[u8], start: usize, end: usize, limit: u16) -> Option<Self> {
        let mut at = start;
        if at < end && bytes[at] == b'-' {
            at += 1;
        }
        let (whole, mut size) = (at, 0);
        while at < end && bytes[at].is_ascii_digit() {
            if at - whole == 3 {
                return None;
            }
            size = size * 10 + (bytes[at] - b'0') as u16;
            at += 1;
        }
        if at == whole {
            return None;
        }
        // a double would round the last digits away
        let mut beyond = false;
        if at < end {
            if bytes[at] != b'.' || at + 1 == end {
                return None;
            }
            at += 1;
            while at < end {
                if !bytes[at].is_ascii_digit() {
                    return None;
                }
                beyond |= bytes[at] != b'0';
                at += 1;
            }
        }
        let in_range = size < limit || (size == limit && !beyond);
        Some(Coordinate { in_range })
    }
}

/// Appends the stored form of a well-formed place: no spaces around the comma.
pub(crate) fn write_latlng(out: &mut String, text: &str) {
    out.extend(text.split(' '));
}
