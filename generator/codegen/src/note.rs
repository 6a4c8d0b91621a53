//! A note: which name had to be adjusted, and why. It stops nothing. Of the codes of one picklist, which may be thousands, the
//! first are shown.

use crate::message::{Palette, quoted};
use crate::name::Cause;
use schema::Path;

/// How many notes on codes of one picklist are shown.
const CODES_SHOWN: usize = 3;

/// An identifier that is not simply the display name in the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of the input.
    pub input: String,
    /// The schema's name.
    pub schema: String,
    /// The display name of the field that it is about, if it is about one.
    pub field: Option<String>,
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
        let (input, path, message) = (&self.input, &self.path, self.message());
        format!("{note}note{reset}: {message}\n {ruler}-->{reset} {input}, {path}\n")
    }

    /// What is named how, and why.
    pub fn message(&self) -> String {
        let mut text = format!("{} is named `{}`", quoted(&self.display), self.name);
        for (index, cause) in self.causes.iter().enumerate() {
            text.push_str(if index == 0 { ": " } else { "; " });
            text.push_str(&cause.to_string());
        }
        text
    }

    /// The picklist whose code is named, with its input.
    fn picklist(&self) -> Option<(&str, String)> {
        let path = self.path.to_string();
        let (picklist, code) = path.rsplit_once('[')?;
        code.strip_suffix(".code")?;
        Some((self.input.as_str(), picklist.to_owned()))
    }
}

/// Notes as a compiler would show them, and of each picklist how many more of its codes have one.
pub fn rendered_notes<'n>(
    notes: impl IntoIterator<Item = &'n Note>,
    palette: &Palette,
) -> Vec<String> {
    let notes: Vec<_> = notes.into_iter().map(|it| (it.picklist(), it)).collect();
    let of_one = notes.chunk_by(|(one, _), (other, _)| one.is_some() && one == other);
    let mut texts = Vec::new();
    for chunk in of_one {
        let shown = chunk.iter().take(CODES_SHOWN);
        texts.extend(shown.map(|(_, note)| note.render(palette)));
        let more = chunk.len().saturating_sub(CODES_SHOWN);
        if let Some((Some((input, picklist)), _)) = chunk.first()
            && more > 0
        {
            let Palette {
                note, ruler, reset, ..
            } = palette;
            let codes = if more == 1 { "code" } else { "codes" };
            texts.push(format!(
                "{note}note{reset}: {more} more {codes} of this picklist had to be adjusted, as its enum shows\n \
                 {ruler}-->{reset} {input}, {picklist}\n"
            ));
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: Path) -> Note {
        Note {
            input: "a.json".to_owned(),
            schema: "A".to_owned(),
            field: None,
            path,
            display: "7".to_owned(),
            name: "Code7".to_owned(),
            causes: vec![Cause::Digit],
        }
    }

    #[test]
    fn of_the_codes_of_a_picklist_the_first_are_told_and_how_many_more_there_are() {
        let field = |at| Path::root().key("fields").index(at);
        let code = |at, code| {
            let codes = field(at).key("staticPicklist");
            of(codes.index(code).key("code"))
        };
        let mut notes = vec![of(field(0).key("name")), of(field(1).key("name"))];
        notes.extend((0..5).map(|at| code(1, at)));
        notes.extend((0..4).map(|at| code(2, at)));
        notes.extend((0..3).map(|at| code(3, at)));
        let told = rendered_notes(&notes, &Palette::default());
        assert_eq!(told.len(), 2 + 4 + 4 + 3);
        assert_eq!(
            told[5],
            "note: 2 more codes of this picklist had to be adjusted, as its enum shows\n --> a.json, $.fields[1].staticPicklist\n"
        );
        assert!(
            told[9].starts_with("note: 1 more code of this"),
            "{}",
            told[9]
        );
        assert_eq!(told[12], notes[13].render(&Palette::default()));
    }
}
