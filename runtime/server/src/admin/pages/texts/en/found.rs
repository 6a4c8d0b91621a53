//! What is said of a file that an import has looked at, in English.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    any_version: "Ignore versions",
    any_version_what: "Only for files with a column _version: without this, a row whose version is not the record's any more is left out, because someone changed the record meanwhile.",
    by_itself: |it| format!("detected: {it}"),
    column: "Column of the file",
    column_twice: |field| format!("is for “{field}” too; another column for it is used"),
    columns: "Which field each column is for",
    columns_what: "Your choice applies when you import this file or try it again. If you change below how the file is read, it is first tried once more; where it then has other columns, you choose their fields anew.",
    commas: |field| {
        format!(
            "“{field}”: a comma stands before the decimals, as in 2,50. Choose it as the decimal mark when you import, or these numbers are faulty."
        )
    },
    correct: "Correct it and try again",
    date_format: "How dates and times are written that are text",
    dates: |field, formats, (fixed, changed)| {
        let rows = if fixed == 1 { "row has" } else { "rows have" };
        let others = match changed {
            0 => String::new(),
            1 => " 1 other row would then have another day, or be left out.".to_owned(),
            _ => format!(" {changed} other rows would then have another day, or be left out."),
        };
        format!(
            "“{field}”: {fixed} {rows} a date that is written in another way than the field's. Choose how dates are written when you import the file: {formats}.{others}"
        )
    },
    dates_compact: "digits alone: 20240403",
    dates_european: "day first: 3.4.2024",
    dates_of_field: "as the field has them, or 2024-04-03",
    dates_timestamp: "with time and zone: 2024-04-03 10:00:00+02",
    dates_us: "month first: 4/3/2024",
    decimal_mark: "Decimal mark of numbers that are text",
    decimal_mark_what: "If you don't say, it is a point, and 12.000 is neither a whole number nor an amount but a fault: it may mean twelve or twelve thousand.",
    false_words: "Words for false",
    first_rows: "The first rows, as they would be stored",
    guessed: |encoding, texts| {
        format!(
            "The file is not UTF-8; it was read as {encoding}: {texts}. If that is not what you expect, choose its encoding when you import it."
        )
    },
    guarded: "Exported safe for spreadsheets",
    guarded_what: "The file has an apostrophe before texts that a spreadsheet would run as formulas; it is taken away again.",
    header: "the first row has the column names",
    in_order: "no column names: columns in the order of the fields",
    instead_cells: "The file was tried again, not imported: its numbers or apostrophes are now read differently, and nobody has seen what comes of that. What you chose for its columns is kept. Look at the result, then import the file.",
    instead_columns: "The file was tried again, not imported: it is now read differently, so its columns were found anew. Look at the result, choose what its columns are for, then import the file.",
    lacks_key: "The schema has no primary key: records that are there are found by the column _dataObjectId of a file that was exported with ids. Without it, each row is a new record.",
    left_out: "left out",
    line: "Line",
    mark_comma: "Comma: 1.234,50",
    mark_point: "Point: 1,234.50",
    mark_unsaid: "not said",
    missing: "Delete what the file does not have",
    missing_what: "Only with “Replace”: records whose key is in no row of the file are deleted, so the file must have all that are to stay, not only the results of a search; a trial tells how many would go. Where any row is rejected, nothing is deleted.",
    no_rows: "The file has no rows; there is nothing to import.",
    none_clean: "No row would be stored without a fault. Correct the file, or how it is read, and try it again before you import it.",
    null_words: "Words for no value",
    packed: |it| format!("compressed with {it}"),
    quote: "Quote",
    quote_what: "What encloses a cell that contains a delimiter.",
    quotes: |rows, line| {
        let rows = if rows == 1 {
            "1 row has".to_owned()
        } else {
            format!("{rows} rows have")
        };
        format!(
            "{rows} a quote after a blank, first on line {line}. Such a quote encloses no cell; it is a part of the text. Take the blank away."
        )
    },
    sheet: "Sheet of an Excel file",
    sheet_of: |sheet, count| format!("{sheet}, one of {count} sheets"),
    sheet_what: "Its name; without one, the first sheet that is not hidden is read.",
    split_read: "Left empty, only a JSON array such as [\"DE\",\"FR\"] is read as several values.",
    split_written: "Left empty, several values are written as a JSON array: [\"DE\",\"FR\"].",
    thousands: |field| {
        format!(
            "“{field}”: every dot stands before three digits, as in 12.000. Choose the decimal mark when you import: comma if dots separate thousands, else point."
        )
    },
    title: "What was found in the file",
    trial: "The whole result of the trial",
    true_words: "Words for true",
    tried_first: "The file would be read differently than when it was tried, so it is tried again first. Nothing is written yet.",
    unused_would: "What is in them would be left out. Choose their fields where you import the file.",
    unused_are: "What is in them is left out.",
    unused_named: "These columns are left out: {}.",
    was_tried: "was tried, and nothing was written. With the settings of that trial, an import would do this:",
    with_errors: "Include what is wrong",
    with_errors_what: "Adds a column _errors that says what is wrong with each record. An import ignores this column.",
    with_ids: "Include ids",
    with_ids_what: "Adds a column _dataObjectId. With it, an import that changes records finds each one again, whatever you changed in the file.",
    words_what: "With commas between them, as in NULL,\\N.",
};
