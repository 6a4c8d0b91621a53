//! Values as lists show them: whole while they are short, else as many characters as a cell has room for, and how many more
//! there are. It is for reading alone: nothing that is sent, copied or compared is made of it.

use super::numbers::grouped;
use super::texts::Texts;
use unicode_segmentation::GraphemeCursor;

/// Characters of a value that a list shows, at most.
const VALUE_CHARS_MAX: usize = 500;
/// Characters of values that a page of a list shows, about: where it has more long ones, each has less room.
const PAGE_CHARS_MAX: usize = 100_000;
/// The least that is shown of a value, however many there are.
const VALUE_CHARS_LEAST: usize = 48;

/// A value, or as much of it as is shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CutText {
    /// With an ellipsis where something is left out.
    pub(super) text: String,
    /// How much is left out, as it is told; none of a value that is whole.
    pub(super) more: Option<String>,
}

impl CutText {
    /// Two values that are compared, from the same place on, so that one sees where they begin to differ.
    pub(super) fn both(values: [&str; 2], texts: &Texts) -> [Self; 2] {
        Room::of_value(texts).both(values)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The same as one text, where there is no room for a link.
    pub(super) fn told(self) -> String {
        match self.more {
            Some(more) => format!("{} {more}", self.text),
            None => self.text,
        }
    }
}

/// How much of a value is shown, and in which language the rest is told.
#[derive(Clone, Copy)]
pub(super) struct Room<'t> {
    chars: usize,
    pub(super) texts: &'t Texts,
}

impl<'t> Room<'t> {
    /// That of a value that stands alone.
    pub(super) fn of_value(texts: &'t Texts) -> Self {
        Room {
            chars: VALUE_CHARS_MAX,
            texts,
        }
    }

    /// That of each of these values, which are one of so many rows of a page.
    pub(super) fn of_row<'v>(
        values: impl Iterator<Item = &'v str>,
        rows: usize,
        texts: &'t Texts,
    ) -> Self {
        let lengths = values.map(|value| value.chars().take(VALUE_CHARS_MAX).count());
        let mut lengths: Vec<usize> = lengths.collect();
        // what short ones leave is that of the long ones
        lengths.sort_unstable();
        let mut left = PAGE_CHARS_MAX / rows.max(1);
        let mut chars = VALUE_CHARS_MAX;
        for (at, length) in lengths.iter().enumerate() {
            let each = left / (lengths.len() - at);
            if *length > each {
                chars = each.max(VALUE_CHARS_LEAST);
                break;
            }
            left -= length;
        }
        Room { chars, texts }
    }

    /// Whether a value is shown whole.
    pub(super) fn is_whole(self, text: &str) -> bool {
        text.char_indices().nth(self.chars).is_none()
    }

    /// The beginning of a value.
    pub(super) fn cut(self, text: &str) -> CutText {
        self.cut_on(text, 0)
    }

    /// Two values that are compared, from the same place on.
    pub(super) fn both(self, values: [&str; 2]) -> [CutText; 2] {
        let from = self.first_shown(values);
        values.map(|value| self.cut_on(value, from))
    }

    /// What is shown of a value from a place on that is the end of a character.
    fn cut_on(self, text: &str, from: usize) -> CutText {
        let end = self.end_of(text, from);
        let shown = &text[from..end];
        let count = text.chars().count() - shown.chars().count();
        if count == 0 {
            return CutText {
                text: text.to_owned(),
                more: None,
            };
        }
        let before = if from > 0 { "…" } else { "" };
        let behind = if end < text.len() { "…" } else { "" };
        let count = grouped(count as u64, self.texts);
        let more = format!("{count} {}", self.texts.of_characters_more(&count));
        CutText {
            text: format!("{before}{shown}{behind}"),
            more: Some(more),
        }
    }

    /// Where what is shown of a text ends, if it begins here: no character is parted that is read as one, as long as it is
    /// not made of more than are shown.
    fn end_of(self, text: &str, from: usize) -> usize {
        let Some((limit, _)) = text[from..].char_indices().nth(self.chars) else {
            return text.len();
        };
        let limit = from + limit;
        let end = whole_before(text, limit);
        if end > from { end } else { limit }
    }

    /// Where two values are shown from: their beginning, unless they begin to differ behind what is shown of it. A fifth
    /// of what is shown is what stands before the difference.
    fn first_shown(self, [one, other]: [&str; 2]) -> usize {
        let before = self.chars / 5;
        let lengths = [one, other].map(|text| text.chars().count());
        let longer = lengths[0].max(lengths[1]);
        let pairs = one.chars().zip(other.chars());
        let same = pairs.take_while(|(one, other)| one == other).count();
        if same + before <= self.chars || longer <= self.chars || lengths == [same; 2] {
            return 0;
        }
        // as much as there is room for, where the difference is at the end
        let from = (same - before).min(longer - self.chars);
        let at = one.char_indices().nth(from).map_or(0, |(at, _)| at);
        whole_before(one, at)
    }
}

/// Where the last character ends that is whole before a place.
fn whole_before(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0) == Ok(true) {
        return at;
    }
    cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn en() -> &'static Texts {
        Texts::liked("en")
    }

    /// The beginning of a value that stands alone.
    fn alone(text: &str, texts: &Texts) -> CutText {
        Room::of_value(texts).cut(text)
    }

    #[test]
    fn a_value_that_has_room_is_whole_and_of_a_longer_one_is_told_how_much_more_there_is() {
        for (count, shown, more) in [
            (0, 0, None),
            (VALUE_CHARS_MAX, VALUE_CHARS_MAX, None),
            (
                VALUE_CHARS_MAX + 1,
                VALUE_CHARS_MAX,
                Some("1 more character"),
            ),
            (20_000, VALUE_CHARS_MAX, Some("19,500 more characters")),
        ] {
            let cut = alone(&"ä".repeat(count), en());
            assert_eq!(cut.text.matches('ä').count(), shown, "{count}");
            assert_eq!(cut.text.ends_with('…'), more.is_some(), "{count}");
            assert_eq!(cut.more.as_deref(), more, "{count}");
            let is_whole = Room::of_value(en()).is_whole(&"ä".repeat(count));
            assert_eq!(is_whole, more.is_none(), "{count}");
        }
        let cut = alone(&"ä".repeat(20_000), Texts::liked("de"));
        assert_eq!(cut.more.as_deref(), Some("19.500 weitere Zeichen"));
    }

    #[test]
    fn of_many_long_values_each_has_less_room_and_short_ones_are_whole() {
        let (short, long) = ("x".repeat(40), "x".repeat(2000));
        for (count, rows, shown) in [
            (1, 50, 500),
            (4, 50, 490),
            (10, 50, 196),
            (10, 1, 500),
            (24, 100, VALUE_CHARS_LEAST),
            (1, 0, 500),
        ] {
            let long = std::iter::repeat_n(&*long, count);
            let values: Vec<_> = std::iter::once(&*short).chain(long).collect();
            let room = Room::of_row(values.iter().copied(), rows, en());
            let cut = room.cut(values[1]);
            assert_eq!(cut.text.matches('x').count(), shown, "{count} of {rows}");
            assert_eq!(room.cut(&short), alone(&short, en()), "{count}");
        }
        // where they differ is seen in little room, too
        let values = [format!("{long}y"), format!("{long}z")];
        let both = values.iter().map(String::as_str).cycle().take(24);
        let room = Room::of_row(both, 100, en());
        let [one, other] = room.both([&values[0], &values[1]]);
        assert!(one.text.ends_with("xy") && other.text.ends_with("xz"));
        assert_eq!(one.text.chars().count(), VALUE_CHARS_LEAST + 1);
    }

    #[test]
    fn no_character_is_parted_that_is_read_as_one() {
        let family = "👩\u{200d}👩\u{200d}👧";
        for together in [family, "e\u{301}", "🇩🇪", "\r\n"] {
            let count = together.chars().count();
            // one more stands across the last place than has room
            let before = "x".repeat(VALUE_CHARS_MAX - 1);
            let cut = alone(&format!("{before}{together}{together}"), en());
            assert_eq!(cut.text, format!("{before}…"), "{together:?}");
            let more = format!("{} more characters", 2 * count);
            assert_eq!(cut.more, Some(more), "{together:?}");
        }
        // one that never ends is shown in part
        let endless = format!("e{}", "\u{301}".repeat(2 * VALUE_CHARS_MAX));
        let cut = alone(&endless, en());
        assert_eq!(cut.text.chars().count(), VALUE_CHARS_MAX + 1);
    }

    #[test]
    fn two_values_are_shown_where_they_begin_to_differ() {
        let long = "x".repeat(10_000);
        let [before, after] = [format!("{long}one{long}"), format!("{long}other")];
        let [one, other] = CutText::both([&before, &after], en());
        assert!(one.text.starts_with("…x") && one.text.contains("xonex"));
        assert!(one.text.ends_with("x…"), "{}", one.text);
        assert!(other.text.ends_with("xother"), "{}", other.text);
        assert!(one.text.chars().count() <= VALUE_CHARS_MAX + 2);
        assert_eq!(one.more.as_deref(), Some("19,503 more characters"));
        // at the end, as much as there is room for
        let [one, other] = CutText::both([&format!("{long} "), &long], en());
        assert_eq!(one.text.chars().count(), VALUE_CHARS_MAX + 1);
        assert!(one.text.ends_with("x ") && other.text.ends_with('x'));
        for [before, after] in [
            ["", &*long],
            [&*long, ""],
            [&*long, &*long],
            ["short", "shorter"],
            [&*format!("y{long}"), &*long],
        ] {
            let both = CutText::both([before, after], en());
            let each = [before, after].map(|text| alone(text, en()));
            assert_eq!(both, each);
        }
    }
}
