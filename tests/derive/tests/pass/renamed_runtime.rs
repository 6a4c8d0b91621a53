//! A runtime that is reached by another path, and one that is reached by a path of this crate.

#![deny(warnings)]

mod kept {
    pub(crate) mod deep {
        pub(crate) use runtime as engine;
    }
    // hides the real one from paths that begin here
    #[allow(dead_code, reason = "it is here to be in the way")]
    mod runtime {}

    #[derive(deep::engine::Record)]
    #[record(crate = deep::engine)]
    pub(crate) struct Near {
        #[field(picklist)]
        pub(crate) kind: Option<Kind>,
        #[field(type = "integer")]
        pub(crate) count: Option<Count>,
    }

    pub(crate) type Count = i64;

    #[derive(Clone, Copy, deep::engine::Picklist)]
    #[picklist(crate = crate::kept::deep::engine)]
    pub(crate) enum Kind {
        A,
    }
}

use kept::deep::engine::Record;

#[derive(Record)]
#[record(crate = self::kept::deep::engine)]
struct Far {
    name: String,
}

fn main() {
    let near = kept::Near::from_json(br#"{"kind": "A", "count": 1}"#).unwrap();
    assert!(matches!(near.kind, Some(kept::Kind::A)) && near.count == Some(1));
    assert!(Far::from_json(br#"{"name": "x"}"#).is_ok_and(|far| far.name == "x"));
}
