//! How much memory the values of a JSON text take once they are read, estimated before they are: a text of `0,0,0` or `{"":0}`
//! takes dozens of times its bytes.

/// What a value takes: in its list, which grows by as much as it has.
const VALUE_BYTES: usize = 64;
/// What a member takes beside its value: its name, and its place in an object.
const MEMBER_BYTES: usize = 128;
/// Up to so many times its bytes a text is as others are: the budget leaves room for that beside what is counted.
const USUAL_TIMES: usize = 12;

/// The values of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) values: usize,
    /// What they take.
    pub(crate) bytes: usize,
}

impl Weight {
    /// What they take beyond what is usual for a text of so many bytes.
    pub(super) fn beyond(self, text_bytes: usize) -> usize {
        self.bytes.saturating_sub(text_bytes * USUAL_TIMES)
    }
}

/// That of one text, sound or not.
pub(crate) fn of_text(text: &[u8]) -> Weight {
    let (mut values, mut members) = (1, 0);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b',' | b'[' | b'{' => values += 1,
            b':' => members += 1,
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    Weight {
        values,
        bytes: values * VALUE_BYTES + members * MEMBER_BYTES,
    }
}

fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

/// That of the heaviest of several lines, which are read one after the other.
pub(super) fn of_lines(text: &[u8]) -> Weight {
    let lines = text.split(|byte| *byte == b'\n').map(of_text);
    lines.max_by_key(|line| line.bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_members_are_counted_and_what_stands_in_texts_is_not() {
        let found = of_text(br#"{"a,b": [1, 2, "x\",: {["], "c": {}}"#);
        assert_eq!(found.values, 7);
        assert_eq!(found.bytes, 7 * VALUE_BYTES + 2 * MEMBER_BYTES);
        let text = format!("[{}0]", "0,".repeat(1 << 20));
        assert!(of_text(text.as_bytes()).beyond(text.len()) > 19 * text.len());
        let record = r#"{"Name": "Lyon", "Country": "France", "People": 500000}"#;
        assert_eq!(of_text(record.as_bytes()).beyond(record.len()), 0);
    }

    #[test]
    fn the_heaviest_of_several_lines_counts() {
        let heavy = format!("[{}]", "0,".repeat(100));
        let lines = format!("{{}}\n{heavy}\n{{}}");
        assert_eq!(of_lines(lines.as_bytes()), of_text(heavy.as_bytes()));
    }
}
