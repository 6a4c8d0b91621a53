//! A printer of code as it is written, line by line, laid out as rustfmt would do it. It knows the few
//! shapes that generated code has, and formats only what the configuration adds with `prettyplease`.

use crate::syntax::{Argument, Attribute, Body, Call, Declaration, Imports, SourceModule};

/// How wide a line may be.
const WIDTH: usize = 100;

/// How wide the arguments of an attribute may be on one line.
const ARGUMENTS_WIDTH: usize = 70;

/// How much an inner line is moved.
const INDENT: usize = 4;

/// The header, then everything else with a blank line between; declarations of one line stay together.
pub(super) fn text(module: &SourceModule) -> String {
    let mut printer = Printer::new(&module.header);
    if let Some(imports) = &module.imports {
        printer.blank();
        printer.imports(imports);
    }
    let mut was_short = false;
    for declaration in &module.declarations {
        let is_short = matches!(declaration.body, Body::None);
        if !(is_short && was_short) {
            printer.blank();
        }
        was_short = is_short;
        printer.declaration(declaration, 0);
    }
    printer.text
}

struct Printer {
    text: String,
}

impl Printer {
    fn new(header: &str) -> Self {
        let mut text = String::with_capacity(16 * 1024);
        text.extend([header, "\n"]);
        Printer { text }
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Writes the parts as one line.
    fn line(&mut self, indent: usize, parts: &[&str]) {
        self.indent(indent);
        self.text.extend(parts.iter().copied());
        self.text.push('\n');
    }

    fn indent(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// `use path::{names};`
    fn imports(&mut self, imports: &Imports) {
        let Imports { path, names } = imports;
        if let [name] = names[..] {
            self.line(0, &["use ", path, "::", name, ";"]);
            return;
        }
        let list = names.join(", ");
        if "use ::{};".len() + path.len() + list.len() <= WIDTH {
            self.line(0, &["use ", path, "::{", &list, "};"]);
        } else {
            self.line(0, &["use ", path, "::{"]);
            self.fill(INDENT, names);
            self.line(0, &["};"]);
        }
    }

    /// As many words in each line as fit, a comma behind each.
    fn fill(&mut self, indent: usize, words: &[&str]) {
        let mut column = 0;
        for word in words {
            // a comma, and the space before the word
            let fits = column > 0 && column + word.len() + 2 <= WIDTH;
            if fits {
                self.text.push(' ');
                column += word.len() + 2;
            } else {
                if column > 0 {
                    self.text.push('\n');
                }
                self.indent(indent);
                column = indent + word.len() + 1;
            }
            self.text.extend([word, ","]);
        }
        self.text.push('\n');
    }

    /// A declaration with what stands in its braces; where it has none, with what ends it.
    fn declaration(&mut self, declaration: &Declaration, indent: usize) {
        self.opening(declaration, indent);
        let head = &declaration.head;
        match &declaration.body {
            Body::None if indent == 0 => self.line(indent, &[head, ";"]),
            Body::None => self.line(indent, &[head, ","]),
            Body::Members(members) if members.is_empty() => self.line(indent, &[head, " {}"]),
            Body::Members(members) => {
                self.line(indent, &[head, " {"]);
                for member in members {
                    self.declaration(member, indent + INDENT);
                }
                self.line(indent, &["}"]);
            }
            Body::Expression(expression) => {
                self.line(indent, &[head, " {"]);
                self.line(indent + INDENT, &[expression]);
                self.line(indent, &["}"]);
            }
            Body::Module(module) => {
                self.line(indent, &[head, " {"]);
                // no literal of ours holds a raw line break, so every line may be moved
                for line in text(module).lines() {
                    let inner = if line.is_empty() { 0 } else { indent + INDENT };
                    self.line(inner, &[line]);
                }
                self.line(indent, &["}"]);
            }
        }
    }

    /// Docs and attributes.
    fn opening(&mut self, declaration: &Declaration, indent: usize) {
        for doc in &declaration.docs {
            let space = if doc.is_empty() { "" } else { " " };
            self.line(indent, &["///", space, doc]);
        }
        for attribute in &declaration.attributes {
            match attribute {
                Attribute::Call(call) if call.name == "derive" => self.derive(call, indent),
                Attribute::Call(call) => {
                    self.indent(indent);
                    self.text.push_str("#[");
                    self.call(call, indent, "#[".len() + "]".len());
                    self.text.push_str("]\n");
                }
                Attribute::Given(attribute) => {
                    for line in formatted(attribute).lines() {
                        self.line(indent, &[line]);
                    }
                }
            }
        }
    }

    /// A call, on one line if it fits there beside `other` characters.
    fn call(&mut self, call: &Call, indent: usize, other: usize) {
        self.text.push_str(call.name);
        if call.arguments.is_empty() {
            return;
        }
        let width = flat_width(&call.arguments);
        let whole = indent + call.name.len() + "()".len() + width + other;
        if width <= ARGUMENTS_WIDTH && whole <= WIDTH {
            self.flat(&call.arguments);
            return;
        }
        self.text.push_str("(\n");
        for (index, argument) in call.arguments.iter().enumerate() {
            if index > 0 {
                self.text.push_str(",\n");
            }
            self.indent(indent + INDENT);
            match argument {
                Argument::Word(word) => self.text.push_str(word),
                Argument::Call(inner) => self.call(inner, indent + INDENT, ",".len()),
            }
        }
        self.text.push('\n');
        self.indent(indent);
        self.text.push(')');
    }

    /// The arguments on one line.
    fn flat(&mut self, arguments: &[Argument]) {
        self.text.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            match argument {
                Argument::Word(word) => self.text.push_str(word),
                Argument::Call(call) => {
                    self.text.push_str(call.name);
                    self.flat(&call.arguments);
                }
            }
        }
        self.text.push(')');
    }

    /// Derives are filled lines, when they are too many for one.
    fn derive(&mut self, call: &Call, indent: usize) {
        let whole = indent + "#[derive()]".len() + flat_width(&call.arguments);
        self.indent(indent);
        self.text.push_str("#[derive");
        if whole <= WIDTH {
            self.flat(&call.arguments);
        } else {
            let names = call.arguments.iter().filter_map(|argument| match argument {
                Argument::Word(word) => Some(word.as_str()),
                Argument::Call(_) => None,
            });
            self.text.push_str("(\n");
            self.fill(indent + INDENT, &names.collect::<Vec<_>>());
            self.indent(indent);
            self.text.push(')');
        }
        self.text.push_str("]\n");
    }
}

/// How wide the arguments are on one line, without their parentheses.
fn flat_width(arguments: &[Argument]) -> usize {
    let separators = arguments.len().saturating_sub(1) * ", ".len();
    let widths = arguments.iter().map(|argument| match argument {
        Argument::Word(word) => word.chars().count(),
        Argument::Call(call) => call.name.len() + "()".len() + flat_width(&call.arguments),
    });
    widths.sum::<usize>() + separators
}

/// An attribute of the configuration, as lines.
fn formatted(attribute: &syn::Attribute) -> String {
    let file = syn::parse_quote!(#attribute struct X;);
    let text = prettyplease::unparse(&file);
    text.trim_end().trim_end_matches("struct X;").to_owned()
}
