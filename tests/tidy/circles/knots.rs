//! Circles in a graph: groups of nodes that all lead to one another.

use std::collections::{BTreeMap, BTreeSet};

/// The groups of two and more nodes that reach one another; each sorted.
pub(super) fn knots(arrows: &BTreeSet<(usize, usize)>) -> Vec<BTreeSet<usize>> {
    let mut ahead: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in arrows {
        ahead.entry(*from).or_default().push(*to);
    }
    let reached: BTreeMap<usize, BTreeSet<usize>> = ahead
        .keys()
        .map(|start| (*start, reachable(&ahead, *start)))
        .collect();
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    for (node, far) in &reached {
        if found.iter().any(|knot| knot.contains(node)) || !far.contains(node) {
            continue;
        }
        let returns = |other: &usize| reached.get(other).is_some_and(|far| far.contains(node));
        found.push(far.iter().copied().filter(returns).collect());
    }
    found
}

fn reachable(ahead: &BTreeMap<usize, Vec<usize>>, start: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for next in ahead.get(&node).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    seen
}

#[test]
fn a_knot_is_what_leads_back_to_itself() {
    let arrows = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 4), (5, 6)];
    let found = knots(&arrows.into_iter().collect());
    assert_eq!(found, [[1, 2, 3].into(), [4, 5].into()]);
}
