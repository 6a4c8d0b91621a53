//! t
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let input = generator::read(path.as_ref()).unwrap();
    for f in generator::generate(&[input], &generator::Config::new()).unwrap() { println!("{}", f.text); }
}
