//! The goals that fit what is typed: of all that are offered as many as are shown, those first that begin as it does.

/// Goals that are shown at most, without the records.
pub(super) const GOALS_MAX: usize = 12;

/// What kind of goal it is: those of a kind stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Dataset,
    View,
    Field,
    /// A page that stands for itself, and that of a thing.
    Page,
    /// What may be done.
    Action,
}

/// Somewhere to go.
pub(super) struct Goal {
    pub(super) kind: Kind,
    pub(super) label: String,
    /// Where that is.
    pub(super) context: String,
    pub(super) path: String,
}

impl Goal {
    /// Something that may be done.
    pub(super) fn new(label: &str, context: &str, path: String) -> Self {
        Goal {
            kind: Kind::Action,
            label: label.to_owned(),
            context: context.to_owned(),
            path,
        }
    }
}

/// Goals of one kind, and what that is called.
pub(super) struct GoalGroup {
    kind: Kind,
    pub(super) name: &'static str,
    pub(super) goals: Vec<Goal>,
}

/// Goals by their kinds: that of the first one first, and each kind in the order of its goals.
pub(super) fn by_kind(goals: Vec<Goal>, named: impl Fn(Kind) -> &'static str) -> Vec<GoalGroup> {
    let mut groups: Vec<GoalGroup> = Vec::new();
    for goal in goals {
        match groups.iter_mut().find(|group| group.kind == goal.kind) {
            Some(group) => group.goals.push(goal),
            None => groups.push(GoalGroup {
                kind: goal.kind,
                name: named(goal.kind),
                goals: vec![goal],
            }),
        }
    }
    groups
}

/// What a goal is found by.
#[derive(Clone, Copy)]
pub(super) struct Offer<'o> {
    kind: Kind,
    label: &'o str,
    /// Words that find it, too, and are not shown.
    also: &'o str,
    context: &'o str,
}

impl<'o> Offer<'o> {
    pub(super) fn new(label: &'o str, context: &'o str) -> Self {
        Offer {
            kind: Kind::Action,
            label,
            also: "",
            context,
        }
    }

    /// The same of another kind than what may be done.
    pub(super) fn of(self, kind: Kind) -> Self {
        Offer { kind, ..self }
    }

    /// The same, found by these words, too.
    pub(super) fn also(self, also: &'o str) -> Self {
        Offer { also, ..self }
    }
}

/// What is typed, and the goals with all of its words, in the order in which they are offered.
pub(super) struct Best {
    typed: String,
    words: Vec<String>,
    /// Those whose labels begin as what is typed.
    first: Vec<Goal>,
    later: Vec<Goal>,
}

impl Best {
    pub(super) fn of(typed: &str) -> Self {
        let typed = typed.to_lowercase();
        Best {
            words: typed.split_whitespace().map(str::to_owned).collect(),
            typed,
            first: Vec::new(),
            later: Vec::new(),
        }
    }

    /// Takes a goal if it fits and there is room; its address is asked for then alone, and is none where the visitor may not go.
    pub(super) fn offer(&mut self, offer: Offer<'_>, path: impl FnOnce() -> Option<String>) {
        let label = offer.label.to_lowercase();
        let goals = if label.starts_with(&self.typed) {
            &mut self.first
        } else {
            &mut self.later
        };
        if goals.len() == GOALS_MAX {
            return;
        }
        let (also, context) = (offer.also.to_lowercase(), offer.context.to_lowercase());
        let texts = [&label, &also, &context];
        let has = |word: &String| texts.iter().any(|text| text.contains(word.as_str()));
        if self.words.iter().all(has) {
            let path = path();
            goals.extend(path.map(|path| Goal {
                kind: offer.kind,
                ..Goal::new(offer.label, offer.context, path)
            }));
        }
    }

    /// Those that are shown.
    pub(super) fn into_goals(self) -> Vec<Goal> {
        let all = self.first.into_iter().chain(self.later);
        all.take(GOALS_MAX).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(typed: &str, offers: &[(Offer<'_>, Option<&str>)]) -> Vec<String> {
        let mut best = Best::of(typed);
        for (offer, path) in offers {
            best.offer(*offer, || path.map(str::to_owned));
        }
        let goals = best.into_goals().into_iter();
        goals.map(|goal| goal.path).collect()
    }

    #[test]
    fn what_begins_as_typed_comes_first_and_each_word_counts() {
        let offers = [
            (Offer::new("Old cities", "Europe"), Some("/1")),
            (Offer::new("Cities", "Europe"), Some("/2")),
            (Offer::new("People", "Asia"), Some("/3")),
            (Offer::new("New secret", "Keys").also("rotate"), Some("/4")),
        ];
        assert_eq!(found("CIT", &offers), ["/2", "/1"]);
        assert_eq!(found("europe old", &offers), ["/1"]);
        assert_eq!(found("", &offers), ["/1", "/2", "/3", "/4"]);
        assert_eq!(found("Rotate keys", &offers), ["/4"]);
        assert!(found("nothing", &offers).is_empty());
    }

    #[test]
    fn goals_of_a_kind_stand_together_and_the_first_stays_the_first() {
        let goal = |kind, path: &str| Goal {
            kind,
            ..Goal::new("", "", path.to_owned())
        };
        let goals = vec![
            goal(Kind::Field, "/1"),
            goal(Kind::Action, "/2"),
            goal(Kind::Field, "/3"),
        ];
        let named = |kind: Kind| {
            if kind == Kind::Field {
                "Fields"
            } else {
                "Actions"
            }
        };
        let told = by_kind(goals, named).into_iter().map(|group| {
            let paths = group.goals.into_iter().map(|goal| goal.path);
            format!("{}: {}", group.name, paths.collect::<Vec<_>>().join(" "))
        });
        let told: Vec<_> = told.collect();
        assert_eq!(told, ["Fields: /1 /3", "Actions: /2"]);
    }

    #[test]
    fn where_one_may_not_go_is_no_goal_and_takes_no_room() {
        let mut offers = vec![(Offer::new("Delete", "it"), None); 2 * GOALS_MAX];
        offers.push((Offer::new("Delete", "that"), Some("/1")));
        assert_eq!(found("delete", &offers), ["/1"]);
    }

    #[test]
    fn of_many_that_fit_as_many_are_shown_as_have_room_and_what_is_offered_last_may_come_first() {
        let mut offers = vec![(Offer::new("Change", "a key"), Some("/later")); 100];
        offers.push((Offer::new("Key", ""), Some("/first")));
        let found = found("key", &offers);
        assert_eq!(found.len(), GOALS_MAX);
        assert_eq!(found[0], "/first");
    }
}
