//! Record files: NDJSON, a record a line, or a JSON array. Records are found here, each as it was written and with the
//! line it begins on; nothing is judged.

use serde_json::value::RawValue;

/// A record of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileRecord<'t> {
    /// The line on which it begins, from 1.
    pub(crate) line: usize,
    /// As it was written.
    pub(crate) text: &'t str,
}

/// The records of a file, in their order.
pub(crate) fn records(text: &str) -> serde_json::Result<Vec<FileRecord<'_>>> {
    if text.trim_start().starts_with('[') {
        return array(text);
    }
    let lines = text.lines().enumerate();
    let records = lines.map(|(index, line)| FileRecord {
        line: index + 1,
        text: line.trim(),
    });
    Ok(records.filter(|record| !record.text.is_empty()).collect())
}

fn array(text: &str) -> serde_json::Result<Vec<FileRecord<'_>>> {
    let items: Vec<&RawValue> = serde_json::from_str(text)?;
    let (mut line, mut counted) = (1, 0);
    let records = items.into_iter().map(|item| {
        // an item is a piece of the text, so its place there is how far it lies behind the beginning
        let start = item.get().as_ptr().addr() - text.as_ptr().addr();
        line += text[counted..start].matches('\n').count();
        counted = start;
        FileRecord {
            line,
            text: item.get(),
        }
    });
    Ok(records.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, &str)> {
        let found = records(text).expect("records");
        found.iter().map(|it| (it.line, it.text)).collect()
    }

    #[test]
    fn records_are_told_with_the_lines_they_begin_on() {
        assert_eq!(
            lines("{}\n\n  {\"a\":1} \r\n"),
            [(1, "{}"), (3, "{\"a\":1}")]
        );
        assert_eq!(
            lines("\n[{},\n {\n},{}\n]"),
            [(2, "{}"), (3, "{\n}"), (4, "{}")]
        );
        assert_eq!(lines(" [ ] "), []);
    }
}
