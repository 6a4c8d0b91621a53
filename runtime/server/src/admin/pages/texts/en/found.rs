//! What is said of a file that an import has looked at, in English.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    by_itself: |it| format!("detected: {it}"),
    column: "Column of the file",
    column_twice: |field| format!("is for “{field}” too; the first column for it is used"),
    columns: "Which field each column is for",
    columns_what: "A different choice here applies to this file when you import it or try it again. If you have the file read differently below, it is tried again first; with another format, encoding, delimiter, quote, sheet or first row, its columns are found anew.",
    commas: |field| {
        format!(
            "“{field}”: a comma stands before the decimals, as in 2,50. Choose it as the decimal mark when you import, or these numbers are faulty."
        )
    },
    decimal_mark: "Decimal mark of numbers that are text",
    decimal_mark_what: "If you don't say, it is a point, and 12.000 is neither a whole number nor an amount but a fault: it may mean twelve or twelve thousand.",
    guarded: "Exported safe for spreadsheets",
    guarded_what: "The file has an apostrophe before texts that a spreadsheet would run as formulas; it is taken away again.",
    header: "the first row has the column names",
    in_order: "no column names: columns in the order of the fields",
    instead_cells: "The file was tried again, not imported: its numbers or apostrophes are now read differently, and nobody has seen what comes of that. What you chose for its columns is kept. Look at the result, then import the file.",
    instead_columns: "The file was tried again, not imported: it is now read differently, so its columns were found anew. Look at the result, choose what its columns are for, then import the file.",
    lacks_key: "The schema has no primary key: records that are there are found by the column _dataObjectId of a file that was exported with ids. Without it, each row is a new record.",
    left_out: "left out",
    mark_comma: "Comma: 1.234,50",
    mark_point: "Point: 1,234.50",
    mark_unsaid: "not said",
    missing: "Delete what the file does not have",
    missing_what: "Only with “Replace”: records whose key is in no row of the file are deleted. Where any row is rejected, nothing is deleted.",
    no_rows: "The file has no rows; there is nothing to import.",
    packed: |it| format!("compressed with {it}"),
    quote: "Quote",
    quote_what: "What encloses a cell that contains a delimiter.",
    sheet: "Sheet of an Excel file",
    sheet_of: |sheet, count| format!("{sheet}, one of {count} sheets"),
    sheet_what: "Its name; without one, the first sheet that is not hidden is read.",
    thousands: |field| {
        format!(
            "“{field}”: every dot stands before three digits, as in 12.000. Choose the decimal mark when you import: comma if dots separate thousands, else point."
        )
    },
    title: "What was found in the file",
    trial: "The whole result of the trial",
    tried_first: "The file would be read differently than when it was tried, so it is tried again first. Nothing is written yet.",
    was_tried: "was tried and nothing was written. What would come of it, read as it was then:",
    with_errors: "With what is wrong",
    with_errors_what: "A column _errors tells it, record by record. An import passes over that column.",
    with_ids: "With ids",
    with_ids_what: "A column _dataObjectId, by which an import that changes records finds them, whatever was mended in the file.",
};
