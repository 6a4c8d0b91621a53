//! What is known of one column: which candidates still fit, how many values it has and how they differ. Memory is
//! bounded: of its values it holds the few of a picklist, and
//! a megabyte to tell whether all are different.

use super::candidate::{Candidate, Raw};
use crate::decimal_mark::NumberTexts;
use crate::keys::Keys;
use schema::DataType;
use std::collections::BTreeMap;
use std::io;

/// How many codes a proposed picklist has, and how many characters a code. One text alone tells of no list.
const CODES_MIN: usize = 2;
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

/// Of so many values one may be of no candidate that is told to fit nearly all, and so many there have to be.
const NEAR_SHARE: u64 = 20;
/// What else may be none of a candidate that fitted as many before: bad luck among the first rows.
const NEAR_EARLY: u64 = 3;
/// How many of the lines are told that such a candidate does not fit.
const LINES_TOLD: usize = 5;

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

/// The value of a row, which is not missing.
pub(super) struct Given<'g> {
    pub(super) raw: Raw<'g>,
    /// The texts in it.
    pub(super) texts: &'g [&'g str],
    /// Whether it is an array.
    pub(super) is_list: bool,
    /// Whether an object or an array is in it, which no record has.
    pub(super) is_nested: bool,
    /// The number of its row.
    pub(super) row: u64,
    /// The line of the file at which that begins.
    pub(super) line: u64,
}

impl Given<'_> {
    fn text(&self) -> &str {
        let (Raw::Cell(text) | Raw::Json(text)) = self.raw;
        text
    }

    /// Whether it is too long for a date or a time.
    fn is_long(&self) -> bool {
        !self.is_list && self.text().trim().len() > MOMENT_BYTES_MAX
    }
}

/// A candidate that fits most values, and may be what the column was meant to be.
pub(super) struct Near {
    index: usize,
    /// How many values are none of it.
    pub(super) misses: u64,
    /// The lines of the first of them.
    pub(super) lines: Vec<u64>,
}

impl Near {
    /// One that a value at this line is none of, as the first.
    fn new(index: usize, line: u64) -> Self {
        Near {
            index,
            misses: 1,
            lines: vec![line],
        }
    }

    /// Notes one more, which is the last of so many values; whether it fits most of them still.
    fn misses_again(&mut self, line: u64, values: u64) -> bool {
        self.misses += 1;
        if self.lines.len() < LINES_TOLD {
            self.lines.push(line);
        }
        let hits = values.saturating_sub(self.misses);
        self.misses <= 1 + hits.min(NEAR_EARLY) + values / NEAR_SHARE
    }
}

/// A column so far.
pub(super) struct Column {
    pub(super) name: String,
    /// How many rows have a value.
    pub(super) values: u64,
    /// Whether a value is a JSON array.
    pub(super) multivalue: bool,
    /// Whether a value holds what no record has.
    pub(super) nested: bool,
    /// The longest text, in characters.
    pub(super) longest: usize,
    /// How its texts would be written as numbers.
    pub(super) numbers: NumberTexts,
    /// The candidates that fit every value so far.
    fitting: Vec<usize>,
    /// Those that fit most, among them one of the first two.
    near: Vec<Near>,
    /// The line of the first value.
    first_line: u64,
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
            nested: false,
            longest: 0,
            numbers: NumberTexts::default(),
            fitting: (0..candidates.of(false).len()).collect(),
            near: Vec::new(),
            first_line: 0,
            codes: Some(BTreeMap::new()),
            different: Some(Keys::holding(KEYS_HELD_MAX)),
        }
    }

    /// How many bytes are judged if a value is taken: it is, as each candidate that fits all or most before it. Those are
    /// left out that it is too long for.
    pub(super) fn bytes_to_judge(&self, value: &Given<'_>, candidates: &Candidates) -> u64 {
        let all = candidates.of(self.multivalue);
        let is_long = value.is_long();
        let is_judged = |index: &usize| !(is_long && all[*index].is_of_moments());
        let count = if self.is_second() {
            (0..all.len()).filter(is_judged).count()
        } else {
            let near = self.near.iter().map(|near| near.index);
            let judged = self.fitting.iter().copied().chain(near);
            judged.filter(is_judged).count()
        };
        let each = value.text().len() as u64 + VALUE_BYTES;
        each.saturating_mul(count as u64)
    }

    /// Whether the next value is the second one, which is judged as each candidate: the first may be none of what the column
    /// was meant to be. Few fit one of the two, so few are remembered.
    fn is_second(&self) -> bool {
        self.values == 1
    }

    /// Takes the value of a row.
    pub(super) fn take(&mut self, value: &Given<'_>, candidates: &Candidates) -> io::Result<()> {
        self.multivalue |= value.is_list;
        self.nested |= value.is_nested;
        self.judge(value, candidates);
        self.values += 1;
        for text in value.texts {
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
        if let Some(keys) = &mut self.different
            && (value.is_list || keys.insert(value.text().trim(), value.row)?.is_some())
        {
            self.different = None;
        }
        Ok(())
    }

    /// Parts with the candidates that do not fit a value, or no longer most.
    fn judge(&mut self, value: &Given<'_>, candidates: &Candidates) {
        let all = candidates.of(self.multivalue);
        let is_long = value.is_long();
        let mut body = String::new();
        let mut fits = |index: usize| {
            let one = &all[index];
            !(is_long && one.is_of_moments()) && one.fits(value.raw, &mut body)
        };
        if self.values == 0 {
            self.first_line = value.line;
            self.fitting.retain(|index| fits(*index));
            return;
        }
        let (values, line) = (self.values + 1, value.line);
        self.near
            .retain_mut(|near| fits(near.index) || near.misses_again(line, values));
        if self.is_second() {
            let first = &self.fitting;
            let others = (0..all.len()).filter(|index| first.binary_search(index).is_err());
            let near = others.filter(|index| fits(*index));
            let near: Vec<_> = near
                .map(|index| Near::new(index, self.first_line))
                .collect();
            self.near = near;
        }
        let near = &mut self.near;
        self.fitting.retain(|index| {
            let is_fitting = fits(*index);
            if !is_fitting {
                near.push(Near::new(*index, line));
            }
            is_fitting
        });
    }

    /// The type that nearly all values are of, of a column that is none but text: the candidate with the fewest others.
    pub(super) fn nearest<'c>(&self, candidates: &'c Candidates) -> Option<(&'c Candidate, &Near)> {
        let all = candidates.of(self.multivalue);
        let is_typed = |it: &Candidate| match it.field.data_type {
            DataType::String => false,
            // what has a comma before its decimals is no place on the earth
            DataType::Latlng => self.numbers.commas == 0,
            _ => it.mark.is_none(),
        };
        let near = self.near.iter().map(|near| (&all[near.index], near));
        let near = near.filter(|(it, near)| {
            is_typed(it) && near.misses.saturating_mul(NEAR_SHARE) <= self.values
        });
        near.min_by_key(|(_, near)| (near.misses, near.index))
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
        let is_list = codes.len() >= CODES_MIN && uses >= (codes.len() * CODE_USE_MIN) as u64;
        is_list.then_some(codes)
    }

    /// Whether no value stands twice, among at least two.
    pub(super) fn is_different(&mut self) -> io::Result<bool> {
        match self.different.take() {
            Some(keys) if self.values > 1 => Ok(keys.finish()?.is_empty()),
            _ => Ok(false),
        }
    }
}
