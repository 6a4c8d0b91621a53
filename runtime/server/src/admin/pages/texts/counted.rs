//! What is counted: of one it is called otherwise than of any other number. It never writes the number itself; `numbers.rs`
//! does.

use super::Texts;

/// Of one, and of any other number.
pub(super) type OneOrMany = [&'static str; 2];

/// The one of both that belongs to a number, as it is told.
pub(super) fn one_or_many([one, many]: OneOrMany, count: &str) -> &'static str {
    if count == "1" { one } else { many }
}

impl Texts {
    /// What so many bytes are called.
    pub(in crate::admin::pages) fn of_bytes(&self, count: &str) -> &'static str {
        one_or_many(self.counted_bytes, count)
    }

    /// What so many fields are called.
    pub(in crate::admin::pages) fn of_fields(&self, count: &str) -> &'static str {
        one_or_many(self.counted_fields, count)
    }

    /// What so many records are called.
    pub(in crate::admin::pages) fn of_records(&self, count: &str) -> &'static str {
        one_or_many(self.counted_records, count)
    }

    /// What so many rows are called.
    pub(in crate::admin::pages) fn of_rows(&self, count: &str) -> &'static str {
        one_or_many(self.counted_rows, count)
    }

    /// What so many faulty fields of a record are called.
    pub(in crate::admin::pages) fn of_faulty_fields(&self, count: &str) -> &'static str {
        one_or_many(self.faulty_fields, count)
    }

    /// What so many faulty fields are called that stand in no column of a list.
    pub(in crate::admin::pages) fn of_faulty_more(&self, count: &str) -> &'static str {
        one_or_many(self.grid.faulty_more, count)
    }

    /// What so many characters are called that a list leaves out.
    pub(in crate::admin::pages) fn of_characters_more(&self, count: &str) -> &'static str {
        one_or_many(self.grid.characters_more, count)
    }

    /// What so many faulty records of a dataset are called, before its name.
    pub(in crate::admin::pages) fn of_faulty_in(&self, count: &str) -> &'static str {
        one_or_many(self.faulty_in, count)
    }

    /// What so many faulty records are called, with what one finds behind them.
    pub(in crate::admin::pages) fn of_faulty_why(&self, count: &str) -> &'static str {
        one_or_many(self.home.faulty_why, count)
    }

    /// What so many records are called of which some have faults.
    pub(in crate::admin::pages) fn of_records_with_faults(&self, count: &str) -> &'static str {
        one_or_many(self.records_with_faults, count)
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn one_is_told_in_the_singular() {
        let [en, de] = ["en", "de"].map(|code| Texts::of(code).expect("a language"));
        for (count, english, german) in [
            ("0", "records", "Datensätze"),
            ("1", "record", "Datensatz"),
            ("1,001", "records", "Datensätze"),
        ] {
            assert_eq!(en.of_records(count), english);
            assert_eq!(de.of_records(count), german);
        }
        let told = (en.set_now)("1", en.of_records("1"));
        assert_eq!(told, "Write the value to 1 record");
    }
}
