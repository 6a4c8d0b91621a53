//! The canonical text of JSON, for comparisons in which the order of properties and white space do not count. Who takes
//! this file in names the reader of JSON `json`.

use super::json::{write_string, Node, Value};

/// The canonical text of a value: members by name, numbers as written.
pub(super) fn canonical(node: &Node<'_>, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(token) => out.push_str(token),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for member in members {
                write_string(out, &member.key);
                out.push(':');
                canonical(&member.value, out);
                out.push(',');
            }
            out.push('}');
        }
    }
}
