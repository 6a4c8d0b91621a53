//! A schema proposed from a data file: what each column may be, by its values. It judges no row, and proposes nothing
//! that a service would refuse.

mod candidate;
mod column;
mod columns;
mod no_proposal;
mod observation;
mod proposal;

pub use no_proposal::NoProposal;
pub use observation::{Observation, ObservationKind};
pub use proposal::{Evidence, Proposal};

use crate::Reader;
use columns::Columns;
use proposal::propose;

/// What looking through a file may take.
#[derive(Clone, Copy)]
pub struct Bounds<'b> {
    /// Bytes that are judged: a value is judged as each type that it may be still, a column without one in each row. They bound
    /// the time.
    pub judged_bytes_max: u64,
    /// Whether someone waits for it still; asked at each row.
    pub is_wanted: &'b dyn Fn() -> bool,
}

/// Proposes a schema of this name for the rows of a file.
///
/// # Errors
/// See [`NoProposal`].
pub fn infer(reader: &mut Reader, name: &str) -> Result<Proposal, NoProposal> {
    let bounds = Bounds {
        judged_bytes_max: u64::MAX,
        is_wanted: &|| true,
    };
    infer_within(reader, name, bounds)
}

/// The same, for a file of a stranger.
///
/// # Errors
/// See [`NoProposal`]; where nobody waits any more, [`std::io::ErrorKind::Interrupted`].
pub fn infer_within(
    reader: &mut Reader,
    name: &str,
    bounds: Bounds<'_>,
) -> Result<Proposal, NoProposal> {
    let all = Columns::read(reader, bounds)?;
    if !all.doubled.is_empty() {
        return Err(NoProposal::Doubled(all.doubled));
    }
    let (unread, has_header) = (all.unread, all.has_header);
    if all.rows.filled == 0 {
        return Err(NoProposal::NoRow { unread });
    }
    let proposal = propose(name, all.in_order, all.rows, &all.candidates)?;
    Ok(Proposal {
        has_header,
        unread,
        ..proposal
    })
}

#[cfg(test)]
mod tests {
    use super::columns::VALUES_MAX;
    use super::*;
    use crate::Options;
    use std::io::{self, Cursor};

    fn inferred(file: String, is_wanted: bool) -> Result<u64, NoProposal> {
        let commas = Options {
            delimiter: Some(b','),
            quote: Some(b'"'),
            ..Options::default()
        };
        let mut reader = Reader::open(Cursor::new(file), commas)?;
        let bounds = Bounds {
            judged_bytes_max: u64::MAX,
            is_wanted: &|| is_wanted,
        };
        let proposal = infer_within(&mut reader, "Sample", bounds)?;
        Ok(proposal.rows)
    }

    #[test]
    fn a_list_of_more_values_than_are_read_of_one_is_not_looked_through() {
        let list = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        let json = |count| format!("{{\"a\":{}}}\n{{\"a\":[1]}}\n", list(count));
        let cell = |count| format!("Code,Numbers\nA,\"{}\"\nB,[1]\n", list(count));
        assert_eq!(inferred(json(10), true).unwrap(), 2);
        assert_eq!(inferred(cell(10), true).unwrap(), 2);
        for file in [json(VALUES_MAX + 1), cell(VALUES_MAX + 1)] {
            let told = inferred(file, true);
            assert!(matches!(told, Err(NoProposal::TooMuch)), "{told:?}");
        }
    }

    #[test]
    fn rows_of_empty_cells_are_none_where_a_primary_key_is_proposed() {
        let proposed = |file: &str| {
            let options = Options {
                header: Some(true),
                delimiter: Some(b';'),
                ..Options::default()
            };
            let mut reader = Reader::open(Cursor::new(file.to_owned()), options)?;
            infer(&mut reader, "Sample")
        };
        let observed = |proposal: &Proposal| {
            let observations = proposal.evidence[0].observations.iter();
            let all: Vec<String> = observations.map(ToString::to_string).collect();
            all.join("; ")
        };
        // as a spreadsheet writes rows that were formatted
        let keyed = proposed("Code;Name\nA;one\n;\nB;two\n ; \n;\n").unwrap();
        let told = observed(&keyed);
        assert!(
            told.contains("2 of 2 rows have a value: required"),
            "{told}"
        );
        let key = keyed.schema.primary_key().map(|field| &*field.name);
        assert_eq!((key, keyed.rows, keyed.unread), (Some("Code"), 2, 0));
        // without a key, each is a record of an import
        let bare = proposed("Name;Kind\nA;x\n;\nA;x\n").unwrap();
        let told = observed(&bare);
        assert!(
            told.contains("2 of 3 rows have a value: optional"),
            "{told}"
        );
        assert!(bare.schema.primary_key().is_none() && bare.rows == 3);
        let none = proposed("Code;Name\n;\n;\n");
        assert!(matches!(none, Err(NoProposal::NoRow { unread: 0 })));
    }

    #[test]
    fn names_below_rows_of_empty_cells_are_those_of_the_fields() {
        let file = ",,\n,,\nCode,Name,Size\nA,one,1\nB,two,2\n";
        let file = Cursor::new(file.to_owned());
        let mut reader = Reader::open(file, Options::default()).unwrap();
        let proposal = infer(&mut reader, "Sample").unwrap();
        let fields = proposal.schema.fields.iter();
        let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["Code", "Name", "Size"]);
        assert!(proposal.has_header);
        assert_eq!((proposal.rows, proposal.unread), (2, 0));
    }

    #[test]
    fn what_an_export_puts_beside_the_fields_is_none_whatever_the_file_is() {
        let rows = "_line,_reason,_dataObjectId,Code,_errors,Name,_own\n2,x,abc,A,y,a,1\n3,x,abd,B,y,b,2\n";
        // and no field may be called so
        let lines = "{\"_dataObjectId\":\"abc\",\"Code\":\"A\",\"_errors\":\"y\",\"Name\":\"a\",\"_own\":1}\n";
        for file in [rows, lines] {
            let file = Cursor::new(file.to_owned());
            let mut reader = Reader::open(file, Options::default()).unwrap();
            let proposal = infer(&mut reader, "Sample").unwrap();
            let fields = proposal.schema.fields.iter();
            let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
            assert_eq!(names, ["Code", "Name"]);
        }
    }

    #[test]
    fn an_odd_header_is_one_all_the_same_and_a_column_without_a_name_has_a_number() {
        for (file, expected, has_header) in [
            (
                "Name;Item number;\na;1;\nb;2;\n",
                &["Name", "Item number"][..],
                true,
            ),
            ("Name;No;\na;1;x\nb;2;\n", &["Name", "No", "Column 3"], true),
            ("Mail @ work,No\na,1\n", &["Mail @ work", "No"], true),
            (
                "a@b.example,No\nb@b.example,x\n",
                &["Column 1", "Column 2"],
                false,
            ),
        ] {
            let source = Cursor::new(file.to_owned());
            let mut reader = Reader::open(source, Options::default()).unwrap();
            let proposal = infer(&mut reader, "Sample").unwrap();
            let fields = proposal.schema.fields.iter();
            let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
            assert_eq!(
                (&names[..], proposal.has_header),
                (expected, has_header),
                "{file}"
            );
        }
        let source = Cursor::new("Name;Name;\na;1;\n".to_owned());
        let mut reader = Reader::open(source, Options::default()).unwrap();
        let told = infer(&mut reader, "Sample");
        assert!(matches!(told, Err(NoProposal::Doubled(_))), "{told:?}");
    }

    #[test]
    fn what_nobody_waits_for_ends() {
        let told = inferred("Code,Name\nA,b\n".to_owned(), false);
        let Err(NoProposal::Read(error)) = told else {
            panic!("it is looked through: {told:?}");
        };
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
