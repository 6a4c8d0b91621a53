//! What the page of the whole interface says beside what the OpenAPI document does, and what that says in English in the words
//! of another language. Tests in `whole_api` hold that each has words for every operation and every input, and none for others.

/// Operations by their ids: each in short, what is to be known beyond that, and what it asks for.
pub(super) type Operations = &'static [(&'static str, &'static str, &'static str, &'static str)];

/// The same of what can be done with every noun alike, by what its id begins with. `{one}` stands for one such noun, `{all}`
/// for all of them.
pub(super) type OperationsOfNouns = Operations;

/// The texts.
pub(in crate::admin::pages) struct ApiTexts {
    pub(in crate::admin::pages) answers: &'static str,
    pub(in crate::admin::pages) body: &'static str,
    pub(in crate::admin::pages) codes: &'static str,
    pub(in crate::admin::pages) crate_what: &'static str,
    pub(in crate::admin::pages) data: &'static str,
    pub(in crate::admin::pages) data_what: &'static str,
    pub(in crate::admin::pages) document_fetch: &'static str,
    /// Before the address.
    pub(in crate::admin::pages) document_of_schema: &'static str,
    pub(in crate::admin::pages) management: &'static str,
    pub(in crate::admin::pages) management_what: &'static str,
    pub(in crate::admin::pages) no_credential: &'static str,
    pub(in crate::admin::pages) operation: &'static str,
    /// In the words of this language; those of English stand in the document.
    pub(super) operations: &'static [Operations],
    pub(super) operations_of_nouns: OperationsOfNouns,
    /// Nouns by their word in ids of operations: one of them, and all.
    pub(super) operation_nouns: &'static [(&'static str, [&'static str; 2])],
    /// What operations take and answer, by its English.
    pub(super) operation_inputs: &'static [(&'static str, &'static str)],
    pub(in crate::admin::pages) parameters: &'static str,
    /// Where the generator makes no type of a schema; what it says stands below.
    pub(in crate::admin::pages) rust_untold: &'static str,
    pub(in crate::admin::pages) right: &'static str,
    /// What operations stand under that are about no record and nothing around it.
    pub(in crate::admin::pages) service: &'static str,
    pub(in crate::admin::pages) statuses: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    pub(in crate::admin::pages) whole: &'static str,
}

impl ApiTexts {
    /// An operation in short, what is to be known beyond that, and what it asks for; none where the document's words are those
    /// of the language.
    pub(in crate::admin::pages) fn operation(&self, id: &str) -> Option<[String; 3]> {
        let mut all = self.operations.iter().copied().flatten();
        if let Some((_, summary, about, right)) = all.find(|(own, ..)| *own == id) {
            return Some([summary, about, right].map(|text| (*text).to_owned()));
        }
        self.operations_of_nouns
            .iter()
            .find_map(|(verb, summary, about, right)| {
                let word = id.strip_prefix(*verb)?;
                let word = match *verb {
                    "list" => word.strip_suffix('s')?,
                    _ => word,
                };
                let (_, [one, all]) = self.operation_nouns.iter().find(|(own, _)| *own == word)?;
                let own = |text: &&str| text.replace("{one}", one).replace("{all}", all);
                Some([summary, about, right].map(own))
            })
    }

    /// What an operation takes or answers, in the words of this language.
    pub(in crate::admin::pages) fn input<'t>(&self, english: &'t str) -> &'t str {
        let mut all = self.operation_inputs.iter();
        let own = all.find(|(own, _)| *own == english);
        own.map_or(english, |(_, text)| text)
    }

    /// The ids of all operations that have words of their own, and the English of all inputs.
    #[cfg(test)]
    pub(in crate::admin::pages) fn known(&self) -> [Vec<&'static str>; 2] {
        let operations = self.operations.iter().copied().flatten();
        let inputs = self.operation_inputs.iter();
        [
            operations.map(|(id, ..)| *id).collect(),
            inputs.map(|(english, _)| *english).collect(),
        ]
    }
}
