//! Documents as files show them: a member a line, so that what changes is read line by line. Nothing is said otherwise:
//! order, numbers and strings are as they were served.
//!
//! ```text
//! {
//!   "name": "City",
//!   "fields": []
//! }
//! ```

use schema::json::{Node, Value, parse, write_string};

/// The document over several lines, the last one ended; a text that is no JSON as it is.
pub(super) fn laid_out(text: &str) -> String {
    let Ok(root) = parse(text) else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len() * 2);
    value(&mut out, text, &root, 0);
    out.push('\n');
    out
}

fn value(out: &mut String, text: &str, node: &Node<'_>, depth: usize) {
    match &node.value {
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                next_line(out, depth + 1);
                value(out, text, item, depth + 1);
            }
            next_line(out, depth);
            out.push(']');
        }
        Value::Object(members) if !members.is_empty() => {
            out.push('{');
            for (index, member) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                next_line(out, depth + 1);
                write_string(out, &member.key);
                out.push_str(": ");
                value(out, text, &member.value, depth + 1);
            }
            next_line(out, depth);
            out.push('}');
        }
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
        // as it was written, number or string
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&text[node.start..node.end]);
        }
    }
}

fn next_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_a_member_a_line_and_says_the_same() {
        let served = r#"{"b":1.50,"a":[{"x":1e2},{}],"c":[],"d":"\u00e9\n","b2":null,"e":true}"#;
        let expected = "{\n  \"b\": 1.50,\n  \"a\": [\n    {\n      \"x\": 1e2\n    },\n    {}\n  ],\n  \"c\": [],\n  \"d\": \"\\u00e9\\n\",\n  \"b2\": null,\n  \"e\": true\n}\n";
        assert_eq!(laid_out(served), expected);
        assert_eq!(laid_out(expected), expected);
        assert_eq!(laid_out("{"), "{");
    }
}
