//! A note: which name had to be adjusted, and why. It stops nothing.

use crate::message::{Palette, quoted};
use crate::name::Cause;
use schema::Path;

/// An identifier that is not simply the display name in the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of the input.
    pub input: String,
    /// What is named, in its document.
    pub path: Path,
    /// The display name or code.
    pub display: String,
    /// Its identifier.
    pub name: String,
    /// Why.
    pub causes: Vec<Cause>,
}

impl Note {
    /// The note as a compiler would show it.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            note, ruler, reset, ..
        } = palette;
        let Note {
            input, path, name, ..
        } = self;
        let display = quoted(&self.display);
        let mut text = format!("{note}note{reset}: {display} is named `{name}`");
        for (index, cause) in self.causes.iter().enumerate() {
            text.push_str(if index == 0 { ": " } else { "; " });
            text.push_str(&cause.to_string());
        }
        format!("{text}\n {ruler}-->{reset} {input}, {path}\n")
    }
}
