//! The newtypes of this room that are texts: one macro, so that all of them have the same methods.

/// A newtype around a text with one maker: reading, showing, comparing.
macro_rules! text_type {
    ($name:ident, $what:literal, |$text:ident| $parse:expr) => {
        impl $name {
            /// Reads the text.
            ///
            /// # Errors
            #[doc = concat!("When it is not ", $what, ".")]
            pub fn parse($text: &str) -> Result<Self, $crate::value::invalid::Invalid> {
                $parse
                    .map($name)
                    .ok_or($crate::value::invalid::Invalid($what))
            }

            /// A text that was judged before, in its stored form.
            pub(crate) fn proven(text: String) -> Self {
                $name(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text, owned.
            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::value::invalid::Invalid;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $name::parse(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}
pub(crate) use text_type;
