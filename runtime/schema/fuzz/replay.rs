//! The corpus of a fuzz target, again: every input that was worth keeping is withstood. Tests of each package with a target
//! ask this.

/// Hands every input of a folder to what must withstand it, with its name told before.
pub(crate) fn replay(folder: &str, withstand: fn(&[u8])) {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("its folder can be read").path();
        println!("{}", path.display());
        withstand(&std::fs::read(&path).expect("the input can be read"));
        count += 1;
    }
    assert!(count > 10, "{count}");
}
