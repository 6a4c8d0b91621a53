//! What is said of a file that an import has looked at, in English.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    by_itself: |it| format!("detected: {it}"),
    column: "Column of the file",
    columns: "Which field each column is for",
    columns_what: "A different choice here applies to this file when you continue. If you have the file read differently below, it is tried again first.",
    guarded: "Exported safe for spreadsheets",
    guarded_what: "The file has an apostrophe before texts that a spreadsheet would run as formulas; it is taken away again.",
    header: "the first row has the column names",
    in_order: "no column names: columns in the order of the fields",
    left_out: "left out",
    missing: "Delete what the file does not have",
    missing_what: "Only with “Replace”: records whose key is in no row of the file are deleted. Where any row is rejected, nothing is deleted.",
    packed: |it| format!("compressed with {it}"),
    quote: "Quote",
    quote_what: "What encloses a cell that contains a delimiter.",
    sheet: "Sheet of an Excel file",
    sheet_of: |sheet, count| format!("{sheet}, one of {count} sheets"),
    sheet_what: "Its name; without one, the first sheet that is not hidden is read.",
    title: "What was found in the file",
};
