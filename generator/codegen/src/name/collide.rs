//! Names for everything in one scope. Those that would be equal get a suffix from the hash of their
//! stable id, longer and longer until all differ; at its longest the suffix is the id itself in hex,
//! so it always ends. Nothing here looks at positions.

use super::cause::{Cause, RIVALS_SHOWN};
use super::kind::{IdentifierKind, is_keyword};
use super::words::{camel, snake, words};
use std::collections::{BTreeMap, BTreeSet};

/// A name to be found: what it is for, the display name, and the stable id of what has it.
#[derive(Clone, Debug)]
pub(crate) struct IdentifierRequest<'a> {
    pub kind: IdentifierKind,
    /// What stands before the display name: the record, for the enum of one of its fields.
    pub owner: &'a str,
    pub text: &'a str,
    pub id: &'a str,
    /// What the configuration calls it; already judged by [`refuse`].
    pub rename: Option<&'a str>,
    /// What the lock calls it.
    pub locked: Option<&'a str>,
}

impl IdentifierRequest<'_> {
    /// Whether its name is said, so that others have to give way.
    fn is_given(&self) -> bool {
        self.rename.or(self.locked).is_some()
    }
}

/// An identifier and what had to be done for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identifier {
    /// Without `r#`.
    pub text: String,
    pub causes: Vec<Cause>,
}

/// Names that a scope has already.
pub(crate) type ReservedNames<'a> = BTreeSet<&'a str>;

/// How many hex digits of the hash each stage shows; behind the last, the whole id.
const STAGES: [usize; 3] = [4, 8, 16];

struct Candidate<'w, 'a> {
    request: &'w IdentifierRequest<'a>,
    /// The name in its case, without a way around keywords and reserved names.
    base: String,
    /// 0 is no suffix.
    stage: usize,
    /// Whether the scope had such a name already.
    reserved: bool,
    causes: Vec<Cause>,
}

/// The display names of those that would have had one name, and how many have each. All of them share it, since they may be
/// the thousands of codes of a picklist.
type Rivals<'a> = BTreeMap<&'a str, usize>;

/// One name for each of `requests`, in their order. Their ids must differ, and their renames too.
pub(crate) fn assign(
    requests: &[IdentifierRequest<'_>],
    reserved: &ReservedNames<'_>,
) -> Vec<Identifier> {
    let mut candidates: Vec<_> = requests.iter().map(Candidate::new).collect();
    let mut rivalries: Vec<Rivals<'_>> = Vec::new();
    // the rivalries that each was in
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); candidates.len()];
    loop {
        let mut holders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, candidate) in candidates.iter().enumerate() {
            holders.entry(candidate.name().0).or_default().push(at);
        }
        let mut settled = true;
        for (name, group) in &holders {
            if group.len() < 2 && !reserved.contains(name.as_str()) {
                continue;
            }
            let mut rivals = Rivals::new();
            for &at in group {
                if candidates[at].lengthen() {
                    settled = false;
                }
                *rivals.entry(requests[at].text).or_default() += 1;
                own[at].push(rivalries.len());
                candidates[at].reserved |= reserved.contains(name.as_str());
            }
            rivalries.push(rivals);
        }
        if settled {
            break;
        }
    }
    let pairs = candidates.into_iter().zip(own);
    pairs
        .map(|(candidate, own)| {
            let own: Vec<&Rivals<'_>> = own.iter().map(|at| &rivalries[*at]).collect();
            candidate.finish(&own)
        })
        .collect()
}

/// That a name collides with others, where it does: the first of them, in order, and how many more there are.
fn collision(own: &str, rivalries: &[&Rivals<'_>]) -> Option<Cause> {
    // suffixes seldom collide: beside the one that may have thousands, the others are small
    let (at, most) = rivalries
        .iter()
        .copied()
        .enumerate()
        .max_by_key(|(_, rivals)| rivals.len())?;
    let mut further: BTreeSet<&str> = BTreeSet::new();
    for (other, &rivals) in rivalries.iter().enumerate() {
        if other != at {
            let names = rivals.keys().copied();
            further.extend(
                names.filter(|name| is_rival(rivals, name, own) && !is_rival(most, name, own)),
            );
        }
    }
    let count = most.len() - usize::from(!is_rival(most, own, own)) + further.len();
    let first = most
        .keys()
        .copied()
        .filter(|name| is_rival(most, name, own));
    let first: BTreeSet<&str> = first.take(RIVALS_SHOWN).chain(further).collect();
    let others: Vec<String> = first
        .into_iter()
        .take(RIVALS_SHOWN)
        .map(str::to_owned)
        .collect();
    let more = count - others.len();
    (count > 0).then_some(Cause::Collision { others, more })
}

/// Whether another one has this display name, be it the same as one's own.
fn is_rival(rivals: &Rivals<'_>, name: &str, own: &str) -> bool {
    let count = rivals.get(name).copied().unwrap_or_default();
    count > usize::from(name == own)
}

impl<'w, 'a> Candidate<'w, 'a> {
    fn new(request: &'w IdentifierRequest<'a>) -> Self {
        if let Some(rename) = request.rename {
            let base = rename.strip_prefix("r#").unwrap_or(rename);
            let is_locked = request.locked == Some(base);
            let locked = is_locked.then_some(Cause::Locked);
            return Candidate {
                request,
                base: base.to_owned(),
                stage: 0,
                reserved: false,
                causes: std::iter::once(Cause::Renamed).chain(locked).collect(),
            };
        }
        if let Some(locked) = request.locked {
            let unlocked = IdentifierRequest {
                locked: None,
                ..request.clone()
            };
            let own = Candidate::new(&unlocked);
            let is_own = own.stage == 0 && own.name().0 == locked;
            let mut causes = if is_own { own.causes } else { Vec::new() };
            // of a name that is simply the display name there is nothing to say
            if !is_own || !causes.is_empty() {
                causes.push(Cause::Locked);
            }
            return Candidate {
                request,
                base: locked.to_owned(),
                stage: 0,
                reserved: false,
                causes,
            };
        }
        let kind = request.kind;
        let (found, mut causes) = words(request.text);
        let cased = if kind.is_camel() {
            // an owner makes a leading digit harmless
            let owned = found.iter().map(String::as_str);
            camel(kind, &owner_words(request.owner, owned))
        } else {
            snake(kind, &found)
        };
        let (base, stage) = match cased {
            Some((base, prefixed)) if !found.is_empty() => {
                if prefixed {
                    causes.push(Cause::Digit);
                }
                (base, 0)
            }
            _ => {
                causes.push(Cause::Empty);
                let base = match request.owner {
                    "" => kind.prefix().trim_end_matches('_').to_owned(),
                    owner => format!("{owner}Field"),
                };
                (base, 1)
            }
        };
        Candidate {
            request,
            base,
            stage,
            reserved: false,
            causes,
        }
    }

    /// The name at the present stage, and why it is not the base.
    fn name(&self) -> (String, Option<Cause>) {
        let kind = self.request.kind;
        match self.stage {
            0 if self.request.is_given() => (self.base.clone(), None),
            0 => match kind.refusal(&self.base) {
                Some((suffix, cause)) => (format!("{}{suffix}", self.base), Some(cause)),
                None if is_keyword(&self.base) => (self.base.clone(), Some(Cause::Keyword)),
                None => (self.base.clone(), None),
            },
            stage => {
                let id = self.request.id;
                let suffix = match STAGES.get(stage - 1) {
                    Some(digits) => schema::id_of(&[id])[..*digits].to_owned(),
                    None => hex(id),
                };
                (kind.with_suffix(&self.base, &suffix), None)
            }
        }
    }

    /// Goes to the next stage; a name that is given never does, and the last stage is the last.
    fn lengthen(&mut self) -> bool {
        let can = !self.request.is_given() && self.stage <= STAGES.len();
        self.stage += usize::from(can);
        can
    }

    fn finish(mut self, rivalries: &[&Rivals<'_>]) -> Identifier {
        let (text, cause) = self.name();
        self.causes.extend(cause);
        if self.reserved {
            // in Rust, nobody but the lock keeps names of fields and codes
            self.causes.push(match self.request.kind {
                IdentifierKind::Field | IdentifierKind::Variant => Cause::Kept,
                IdentifierKind::Module | IdentifierKind::Type => Cause::Reserved,
            });
        }
        if !self.request.is_given() {
            self.causes.extend(collision(self.request.text, rivalries));
        }
        Identifier {
            text,
            causes: self.causes,
        }
    }
}

/// The owner's name, which is already in its case, before the words of the thing itself.
fn owner_words<'s>(owner: &str, own: impl Iterator<Item = &'s str>) -> Vec<String> {
    // a suffix that keeps a keyword apart has no place in the middle of a name
    let owner = owner.trim_end_matches('_');
    let owner = (!owner.is_empty()).then(|| owner.to_owned());
    owner.into_iter().chain(own.map(str::to_owned)).collect()
}

fn hex(id: &str) -> String {
    use std::fmt::Write as _;
    id.bytes().fold(String::new(), |mut out, byte| {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(out, "{byte:02x}");
        out
    })
}
