//! Findings as they are printed, each as soon as it is found: nothing is held. No value of a row is ever shown.

use super::arguments::Format;
use super::summary::Summary;
use engine::validate::Rule;
use schema::json::write_string;
use std::fmt::Write as _;
use std::io::{self, Write};
use tabular::Finding;

/// Prints findings.
pub(super) struct Report<W> {
    format: Format,
    out: W,
    is_first: bool,
}

const SARIF_HEAD: &str = concat!(
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":"#,
    r#"{"name":"generator","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#"","rules":["#,
);

impl<W: Write> Report<W> {
    pub(super) fn new(format: Format, mut out: W) -> io::Result<Self> {
        if format == Format::Sarif {
            let mut head = SARIF_HEAD.to_owned();
            for (index, (code, when)) in Rule::CODES.iter().enumerate() {
                head.push_str(if index > 0 { "," } else { "" });
                let _ = write!(head, r#"{{"id":"{code}","shortDescription":{{"text":"#);
                write_string(&mut head, when);
                head.push_str("}}");
            }
            // columns are counted in characters
            head.push_str("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
            out.write_all(head.as_bytes())?;
        }
        Ok(Report {
            format,
            out,
            is_first: true,
        })
    }

    pub(super) fn finding(&mut self, file: &str, finding: &Finding) -> io::Result<()> {
        let line = match self.format {
            Format::Human => human(file, finding),
            Format::Json => json(file, finding),
            Format::Github => github(file, finding),
            Format::Sarif if self.is_first => sarif(file, finding),
            Format::Sarif => format!(",{}", sarif(file, finding)),
        };
        self.is_first = false;
        writeln!(self.out, "{line}")
    }

    /// Prints what comes last; the summary for people goes to `notes`.
    pub(super) fn finish(mut self, summary: &Summary, notes: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Human | Format::Github => write!(notes, "{summary}")?,
            Format::Json => writeln!(self.out, "{{\"summary\":{}}}", summary.json())?,
            Format::Sarif => {
                let json = summary.json();
                writeln!(self.out, "],\"properties\":{{\"summary\":{json}}}}}]}}")?;
            }
        }
        self.out.flush()
    }
}

/// `a.csv:3:5: "Status": must be one of A or D [picklist]`
fn human(file: &str, finding: &Finding) -> String {
    let mut out = format!("{file}:{}:{}: ", finding.place.line, finding.place.column);
    if let Some(field) = &finding.field {
        let _ = write!(out, "{field:?}: ");
    }
    out + &finding.message + " [" + finding.code + "]"
}

fn json(file: &str, finding: &Finding) -> String {
    let mut out = String::from("{\"file\":");
    write_string(&mut out, file);
    let _ = write!(
        out,
        ",\"line\":{},\"column\":{},\"byte\":",
        finding.place.line, finding.place.column
    );
    match finding.place.offset {
        // only the line is known
        0 if finding.place.line > 1 => out.push_str("null"),
        offset => {
            let _ = write!(out, "{offset}");
        }
    }
    out.push_str(",\"field\":");
    match &finding.field {
        Some(field) => write_string(&mut out, field),
        None => out.push_str("null"),
    }
    let _ = write!(out, ",\"rule\":\"{}\",\"message\":", finding.code);
    write_string(&mut out, &finding.message);
    out.push('}');
    out
}

fn sarif(file: &str, finding: &Finding) -> String {
    let (code, message) = (finding.code, &finding.message);
    let mut out = format!(r#"{{"ruleId":"{code}","level":"error","message":{{"text":"#);
    let text = match &finding.field {
        Some(field) => format!("{field:?}: {message}"),
        None => message.clone(),
    };
    write_string(&mut out, &text);
    out.push_str(r#"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"#);
    write_string(&mut out, &uri(file));
    let _ = write!(
        out,
        r#"}},"region":{{"startLine":{},"startColumn":{}}}}}}}]}}"#,
        finding.place.line, finding.place.column
    );
    out
}

/// A path as a relative reference: what an address gives a meaning to is escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            b'\\' => out.push('/'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn github(file: &str, finding: &Finding) -> String {
    let escape = |text: &str| {
        text.replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
    };
    let property = |text: &str| escape(text).replace(':', "%3A").replace(',', "%2C");
    let title = match &finding.field {
        Some(field) => format!("{field}: {}", finding.code),
        None => finding.code.to_owned(),
    };
    format!(
        "::error file={},line={},col={},title={}::{}",
        property(file),
        finding.place.line,
        finding.place.column,
        property(&title),
        escape(&finding.message)
    )
}
