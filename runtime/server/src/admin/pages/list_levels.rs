//! A list of two levels that is whole in memory, such as schemas with their datasets: of a long one the part that is asked for, or
//! what a filter finds. Who finds an entry finds all that is below it; one that is found below stands below its own.

use super::list_part::{ENTRIES_MAX, ListPart, Wanted};
use super::texts::Texts;
use std::ops::Range;

/// An entry of a list.
pub(super) trait Entry {
    fn id(&self) -> &str;
    /// By which it is found.
    fn name(&self) -> &str;
    /// Characters of its texts.
    fn size(&self) -> usize;
}

/// An entry with others below it, in two lists.
pub(super) trait Above: Entry {
    type Below: Entry;

    fn below(&mut self) -> [&mut Vec<Self::Below>; 2];
}

/// The part of a list that is asked for, or the one with the entry that one is led to by its id; and what is told of it, where it is
/// not all.
pub(super) fn part_of<A: Above>(
    mut all: Vec<A>,
    (wanted, led_to): (Wanted, Option<&str>),
    texts: &Texts,
) -> (Vec<A>, Option<ListPart>) {
    let has_own: Vec<bool> = all.iter_mut().map(|own| sought(own, &wanted)).collect();
    let (mut sizes, mut line) = (Vec::new(), None);
    let mut count = |id: &str, size: usize| {
        if led_to == Some(id) {
            line = line.or(Some(sizes.len()));
        }
        sizes.push(size);
    };
    for (own, has_own) in all.iter_mut().zip(&has_own) {
        if *has_own {
            count(own.id(), own.size());
        }
        for row in own.below().into_iter().flatten() {
            count(row.id(), row.size());
        }
    }
    let wanted = wanted.led_to(ENTRIES_MAX, &sizes, line);
    let (range, part) = ListPart::of(&sizes, &wanted, texts);
    let mut counted = Counted {
        next: 0,
        part: range,
    };
    let shown = all.into_iter().zip(has_own);
    let shown = shown.filter_map(|(mut own, has_own)| {
        let is_shown = has_own && counted.is_shown();
        let mut has_below = false;
        for rows in own.below() {
            rows.retain(|_| counted.is_shown());
            has_below |= !rows.is_empty();
        }
        (is_shown || has_below).then_some(own)
    });
    (shown.collect(), part)
}

/// Whether an entry is found, and all below it with it; else what is found below it is left there.
fn sought<A: Above>(own: &mut A, wanted: &Wanted) -> bool {
    let is_found = wanted.finds(&[own.name()]);
    if !is_found {
        for rows in own.below() {
            rows.retain(|row| wanted.finds(&[row.name()]));
        }
    }
    is_found
}

/// Counts what is found, one behind the other, and tells of each whether it is in the part that is shown.
struct Counted {
    next: usize,
    part: Range<usize>,
}

impl Counted {
    /// Whether the next one is shown.
    fn is_shown(&mut self) -> bool {
        let own = self.next;
        self.next += 1;
        self.part.contains(&own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Entry for String {
        fn id(&self) -> &str {
            self
        }

        fn name(&self) -> &str {
            self
        }

        fn size(&self) -> usize {
            self.len()
        }
    }

    /// A room with what stands in it and what was thrown away.
    struct Room {
        name: String,
        rows: [Vec<String>; 2],
    }

    impl Entry for Room {
        fn id(&self) -> &str {
            &self.name
        }

        fn name(&self) -> &str {
            &self.name
        }

        fn size(&self) -> usize {
            self.name.len()
        }
    }

    impl Above for Room {
        type Below = String;

        fn below(&mut self) -> [&mut Vec<String>; 2] {
            self.rows.each_mut()
        }
    }

    /// What is shown of a room of one chair and one of many lamps: the rooms with how much is in each.
    fn shown(find: &str, part: usize, led_to: Option<&str>) -> Vec<(String, usize)> {
        let lamps = (0..ENTRIES_MAX).map(|at| format!("lamp {at}"));
        let all = [
            ("kitchen", vec!["chair".to_owned()], Vec::new()),
            ("cellar", Vec::new(), lamps.collect()),
            ("attic", Vec::new(), Vec::new()),
        ];
        let all = all.map(|(name, rows, gone)| Room {
            name: name.to_owned(),
            rows: [rows, gone],
        });
        let wanted = Wanted {
            find: find.to_owned(),
            part,
            ..Wanted::default()
        };
        let (rooms, _) = part_of(all.into(), (wanted, led_to), Texts::liked("en"));
        let rooms = rooms.into_iter().map(|room| {
            let below = room.rows.iter().map(Vec::len).sum();
            (room.name, below)
        });
        rooms.collect()
    }

    #[test]
    fn a_part_has_the_entries_above_those_that_it_shows_and_a_filter_finds_all_below_what_it_finds()
    {
        let rooms = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
            let all = all.iter();
            all.map(|&(name, below)| (name.to_owned(), below)).collect()
        };
        let first = rooms(&[("kitchen", 1), ("cellar", ENTRIES_MAX - 3)]);
        assert_eq!(shown("", 0, None), first);
        let second = rooms(&[("cellar", 3), ("attic", 0)]);
        assert_eq!(shown("", 1, None), second);
        for (led_to, part) in [
            ("chair", &first),
            ("lamp 96", &first),
            ("lamp 97", &second),
            ("attic", &second),
        ] {
            assert_eq!(shown("", 0, Some(led_to)), *part, "{led_to}");
        }
        // who is led nowhere stays
        assert_eq!(shown("", 1, Some("garden")), second);
        assert_eq!(shown("chair", 0, None), rooms(&[("kitchen", 1)]));
        assert_eq!(shown("KITCH", 0, None), rooms(&[("kitchen", 1)]));
        assert_eq!(shown("lamp 7", 0, None), rooms(&[("cellar", 11)]));
        assert_eq!(shown("attic", 0, None), rooms(&[("attic", 0)]));
        assert_eq!(shown("garden", 0, None), rooms(&[]));
    }
}
