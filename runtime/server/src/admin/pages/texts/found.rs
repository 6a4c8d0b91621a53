//! What is said of a file that an import has looked at.

/// The texts.
pub(in crate::admin::pages) struct FoundTexts {
    pub(in crate::admin::pages) any_version: &'static str,
    pub(in crate::admin::pages) any_version_what: &'static str,
    pub(in crate::admin::pages) by_itself: fn(&str) -> String,
    pub(in crate::admin::pages) column: &'static str,
    /// Of a field, by its name.
    pub(in crate::admin::pages) column_twice: fn(&str) -> String,
    pub(in crate::admin::pages) columns: &'static str,
    pub(in crate::admin::pages) columns_what: &'static str,
    /// Of a field, by its name.
    pub(in crate::admin::pages) commas: fn(&str) -> String,
    /// Where a file that was tried can't be read, or rows of it are at fault.
    pub(in crate::admin::pages) correct: &'static str,
    pub(in crate::admin::pages) date_format: &'static str,
    /// Of a field, by its name; the formats by which its days would be read, and how many.
    pub(in crate::admin::pages) dates: fn(&str, &str, (u64, u64)) -> String,
    pub(in crate::admin::pages) dates_compact: &'static str,
    pub(in crate::admin::pages) dates_european: &'static str,
    pub(in crate::admin::pages) dates_of_field: &'static str,
    pub(in crate::admin::pages) dates_timestamp: &'static str,
    pub(in crate::admin::pages) dates_us: &'static str,
    pub(in crate::admin::pages) decimal_mark: &'static str,
    pub(in crate::admin::pages) decimal_mark_what: &'static str,
    pub(in crate::admin::pages) false_words: &'static str,
    pub(in crate::admin::pages) first_rows: &'static str,
    /// Of an encoding that was guessed, and texts in it.
    pub(in crate::admin::pages) guessed: fn(&str, &str) -> String,
    pub(in crate::admin::pages) guarded: &'static str,
    pub(in crate::admin::pages) guarded_what: &'static str,
    pub(in crate::admin::pages) header: &'static str,
    pub(in crate::admin::pages) in_order: &'static str,
    /// Why a file was tried in place of its import.
    pub(in crate::admin::pages) instead_cells: &'static str,
    pub(in crate::admin::pages) instead_columns: &'static str,
    pub(in crate::admin::pages) lacks_key: &'static str,
    pub(in crate::admin::pages) left_out: &'static str,
    /// Of a file, before its number.
    pub(in crate::admin::pages) line: &'static str,
    pub(in crate::admin::pages) mark_comma: &'static str,
    pub(in crate::admin::pages) mark_point: &'static str,
    pub(in crate::admin::pages) mark_unsaid: &'static str,
    pub(in crate::admin::pages) missing: &'static str,
    pub(in crate::admin::pages) missing_what: &'static str,
    pub(in crate::admin::pages) no_rows: &'static str,
    pub(in crate::admin::pages) none_clean: &'static str,
    pub(in crate::admin::pages) null_words: &'static str,
    pub(in crate::admin::pages) packed: fn(&str) -> String,
    pub(in crate::admin::pages) quote: &'static str,
    pub(in crate::admin::pages) quote_what: &'static str,
    /// Of rows with a quote after a blank: how many, and the first line.
    pub(in crate::admin::pages) quotes: fn(u64, u64) -> String,
    pub(in crate::admin::pages) sheet: &'static str,
    /// A sheet, and how many there are.
    pub(in crate::admin::pages) sheet_of: fn(&str, u64) -> String,
    pub(in crate::admin::pages) sheet_what: &'static str,
    /// What an empty separator of several values does, where a file is read, and where one is written.
    pub(in crate::admin::pages) split_read: &'static str,
    pub(in crate::admin::pages) split_written: &'static str,
    /// Of a field, by its name.
    pub(in crate::admin::pages) thousands: fn(&str) -> String,
    pub(in crate::admin::pages) title: &'static str,
    /// What leads to the page of the trial.
    pub(in crate::admin::pages) trial: &'static str,
    pub(in crate::admin::pages) true_words: &'static str,
    pub(in crate::admin::pages) tried_first: &'static str,
    /// What would become of what is in columns without a field, and what becomes of it.
    pub(in crate::admin::pages) unused_would: &'static str,
    pub(in crate::admin::pages) unused_are: &'static str,
    /// The names of these columns.
    pub(in crate::admin::pages) unused_named: &'static str,
    /// Behind the name of a file.
    pub(in crate::admin::pages) was_tried: &'static str,
    pub(in crate::admin::pages) with_errors: &'static str,
    pub(in crate::admin::pages) with_errors_what: &'static str,
    pub(in crate::admin::pages) with_ids: &'static str,
    pub(in crate::admin::pages) with_ids_what: &'static str,
    pub(in crate::admin::pages) words_what: &'static str,
}

impl super::Texts {
    /// What is said of a column whose field has a column before it.
    pub(in crate::admin::pages) fn column_twice(&self, field: &str) -> String {
        (self.found_file.column_twice)(field)
    }
}
