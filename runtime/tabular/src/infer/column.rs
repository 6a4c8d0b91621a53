//! What is known of one column: which candidates still fit, how many values it has and how they differ. Memory is
//! bounded: of its values it holds the few of a picklist, and
//! a megabyte to tell whether all are different.

use super::candidate::{Candidate, Raw};
use crate::decimal_mark::NumberTexts;
use crate::keys::Keys;
use schema::DataType;
use std::collections::BTreeMap;
use std::io;

/// How many codes a proposed picklist has at most, and how many characters a code.
const CODES_MAX: usize = 30;
const CODE_LENGTH_MAX: usize = 40;
/// How often a code stands on average before it is taken for one.
const CODE_USE_MIN: usize = 10;

/// How many values of a column are held to find one that stands twice: a table of a megabyte, since there may be many
/// columns.
const KEYS_HELD_MAX: usize = (1 << 16) / 8 * 7;

/// The longest date and time in any format, with every character escaped: bytes.
const MOMENT_BYTES_MAX: usize = 256;
/// What is judged of a value however short it is, in bytes.
const VALUE_BYTES: u64 = 32;

/// The candidates of all columns: for one value, and for several.
pub(super) struct Candidates {
    single: Vec<Candidate>,
    multi: Vec<Candidate>,
}

impl Candidates {
    pub(super) fn new() -> Self {
        Candidates {
            single: Candidate::all(false),
            multi: Candidate::all(true),
        }
    }

    fn of(&self, multivalue: bool) -> &[Candidate] {
        if multivalue {
            &self.multi
        } else {
            &self.single
        }
    }
}

/// A column so far.
pub(super) struct Column {
    pub(super) name: String,
    /// How many rows have a value.
    pub(super) values: u64,
    /// Whether a value is a JSON array.
    pub(super) multivalue: bool,
    /// The longest text, in characters.
    pub(super) longest: usize,
    /// How its texts would be written as numbers.
    pub(super) numbers: NumberTexts,
    /// The candidates that fit every value so far.
    fitting: Vec<usize>,
    /// How often each text stands; `None` when there are too many.
    codes: Option<BTreeMap<String, u64>>,
    /// `None` when a value stood twice, or there are several in a row.
    different: Option<Keys>,
}

impl Column {
    pub(super) fn new(name: String, candidates: &Candidates) -> Self {
        Column {
            name,
            values: 0,
            multivalue: false,
            longest: 0,
            numbers: NumberTexts::default(),
            fitting: (0..candidates.of(false).len()).collect(),
            codes: Some(BTreeMap::new()),
            different: Some(Keys::holding(KEYS_HELD_MAX)),
        }
    }

    /// How many bytes are judged if a value is taken: it is, as each candidate that fits all before it. Those are left out
    /// that it is too long for.
    pub(super) fn bytes_to_judge(
        &mut self,
        raw: Raw<'_>,
        is_list: bool,
        candidates: &Candidates,
    ) -> u64 {
        let (Raw::Cell(text) | Raw::Json(text)) = raw;
        if !is_list && text.trim().len() > MOMENT_BYTES_MAX {
            let all = candidates.of(self.multivalue);
            self.fitting.retain(|index| !all[*index].is_of_moments());
        }
        let each = text.len() as u64 + VALUE_BYTES;
        each.saturating_mul(self.fitting.len() as u64)
    }

    /// Takes the value of a row, which is not missing. `texts` are the texts in it, `is_list` whether it is an array.
    pub(super) fn take(
        &mut self,
        raw: Raw<'_>,
        texts: &[&str],
        is_list: bool,
        candidates: &Candidates,
        row: u64,
    ) -> io::Result<()> {
        self.values += 1;
        self.multivalue |= is_list;
        let mut body = String::new();
        let all = candidates.of(self.multivalue);
        self.fitting
            .retain(|index| all[*index].fits(raw, &mut body));
        for text in texts {
            let length = text.chars().count();
            self.longest = self.longest.max(length);
            if let Some(codes) = &mut self.codes {
                let fits = length <= CODE_LENGTH_MAX && text.trim() == *text;
                if !fits || (codes.len() == CODES_MAX && !codes.contains_key(*text)) {
                    self.codes = None;
                } else {
                    *codes.entry((*text).to_owned()).or_default() += 1;
                }
            }
        }
        let (Raw::Cell(text) | Raw::Json(text)) = raw;
        if let Some(keys) = &mut self.different
            && (is_list || keys.insert(text.trim(), row)?.is_some())
        {
            self.different = None;
        }
        Ok(())
    }

    /// Whether its values are numbers with a comma before their decimals, which can't stand for anything else.
    pub(super) fn has_decimal_comma(&self, candidates: &Candidates) -> bool {
        let all = candidates.of(self.multivalue);
        let mut fitting = self.fitting.iter();
        self.numbers.commas > 0 && fitting.any(|index| all[*index].mark.is_some())
    }

    /// Whether its values are numbers with a point before their decimals, which can't stand for anything else.
    pub(super) fn has_decimal_point(&self, candidates: &Candidates) -> bool {
        let all = candidates.of(self.multivalue);
        let mut fitting = self.fitting.iter().map(|index| &all[*index]);
        let is_number = |it: &Candidate| {
            it.mark.is_none() && matches!(it.field.data_type, DataType::Float | DataType::Currency)
        };
        self.numbers.others > 0
            && fitting.clone().all(|it| it.mark.is_none())
            && fitting.any(is_number)
    }

    /// The candidates that fit every value, the one to propose first. `has_comma` where the file is to be read with a comma
    /// before decimals: then dots may stand between thousands. Where it is not, since its columns do not agree, what has a
    /// comma is a text, and no place on the earth.
    pub(super) fn fitting<'c>(
        &self,
        candidates: &'c Candidates,
        has_comma: bool,
    ) -> Vec<&'c Candidate> {
        let numbers = self.numbers;
        let by_comma = has_comma && (numbers.commas > 0 || numbers.may_be_thousands());
        let is_text = !has_comma && self.has_decimal_comma(candidates);
        // few digits are dates by chance
        let has_few = self.values < CODE_USE_MIN as u64;
        let all = candidates.of(self.multivalue);
        let fitting = self.fitting.iter().map(|index| &all[*index]);
        fitting
            .filter(|it| by_comma || it.mark.is_none())
            .filter(|it| !(has_few && it.is_compact_date()))
            .filter(|it| !is_text || it.field.data_type != DataType::Latlng)
            .collect()
    }

    /// The codes of a picklist that the texts may be, and how often each stands.
    pub(super) fn codes(&self) -> Option<&BTreeMap<String, u64>> {
        let codes = self.codes.as_ref()?;
        let uses: u64 = codes.values().sum();
        (!codes.is_empty() && uses >= (codes.len() * CODE_USE_MIN) as u64).then_some(codes)
    }

    /// Whether no value stands twice, among at least two.
    pub(super) fn is_different(&mut self) -> io::Result<bool> {
        match self.different.take() {
            Some(keys) if self.values > 1 => Ok(keys.finish()?.is_empty()),
            _ => Ok(false),
        }
    }
}
