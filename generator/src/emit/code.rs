//! Code as a small tree: items with docs, attributes and members. It holds finished words only;
//! where lines break is `render`'s to say.

/// The code of one module or file.
pub(crate) struct Code {
    /// The comment on its first line.
    pub header: String,
    pub items: Vec<Item>,
}

/// An item, or a field or variant inside one.
pub(crate) enum Item {
    /// `use path::{names};`
    Use {
        path: String,
        names: Vec<&'static str>,
    },
    /// Anything else.
    Thing(Thing),
}

/// A struct, an enum, a module, a field or a variant.
#[derive(Default)]
pub(crate) struct Thing {
    /// The lines of its doc comment, without slashes.
    pub docs: Vec<String>,
    pub attributes: Vec<Attribute>,
    /// Such as `pub struct City`, `pub name: String` or `pub mod city`.
    pub code: String,
    /// What stands in its braces, if it has braces.
    pub members: Option<Vec<Thing>>,
}

/// An attribute of an item.
pub(crate) enum Attribute {
    Call(Call),
    /// One that the configuration gives.
    Given(Box<syn::Attribute>),
}

/// `name(arguments)`, in an attribute.
pub(crate) struct Call {
    pub name: &'static str,
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
pub(crate) enum Argument {
    /// A word, a literal, or `key = value`.
    Word(String),
    Call(Call),
}

impl Attribute {
    /// An attribute whose arguments are words.
    pub(super) fn of_words(name: &'static str, words: impl IntoIterator<Item = String>) -> Self {
        let arguments = words.into_iter().map(Argument::Word).collect();
        Attribute::Call(Call { name, arguments })
    }
}
