//! The corpus of the fuzz target `answers`.

#[path = "../fuzz/body.rs"]
mod body;
#[path = "../../schema/fuzz/replay.rs"]
mod replay;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/answers");

#[test]
fn every_input_of_the_corpus_is_withstood() {
    replay::replay(FOLDER, body::withstand);
}

/// Harm is done to what is whole: answers that nobody takes would stand for nothing. By the numbers of what is asked.
#[test]
fn whole_answers_among_them_are_taken() {
    for (name, meant) in [
        ("areas", &[0][..]),
        ("found_by_names", &[4]),
        ("schema", &[3, 18]),
        ("records", &[5, 6]),
        ("record", &[7, 8, 9]),
        ("record_faulty", &[7, 8]),
        ("record_changed", &[11, 12]),
        ("record_of_the_last_version", &[11]),
        ("nothing", &[10, 13]),
        ("absent", &[7, 8]),
        ("hits", &[15]),
        ("file", &[16]),
        ("download", &[17]),
        ("token", &[19]),
    ] {
        let input = std::fs::read(format!("{FOLDER}/{name}")).expect(name);
        let answered = body::answered(&input);
        for number in meant {
            assert!(answered.contains(number), "{name}: {answered:?}");
        }
    }
}
