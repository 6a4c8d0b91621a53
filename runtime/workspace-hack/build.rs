fn main() {} // so that dependencies of the host have one feature set, too
