//! What the browser or the program is called in short that a session was begun by, from what it called itself (`User-Agent`). Anyone may
//! send any text as that: it helps to tell one's own sessions apart, and nothing is decided by it.

use crate::admin::pages::texts::{Texts, filled};

/// What names a browser, in this order: most call themselves by the names of others, too.
const BROWSERS: [(&str, &str); 11] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("HeadlessChrome/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];

/// What names a system, in this order: Android says that it is a Linux, too.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
];

/// Characters that are shown of what is no browser that is known.
const SHOWN: usize = 60;

/// A short name of what called itself so.
pub(super) fn browser_name(user_agent: &str, texts: &Texts) -> String {
    let named = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(mark, _)| user_agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    let browser = named(&BROWSERS).filter(|_| user_agent.starts_with("Mozilla/"));
    match (browser, named(&SYSTEMS)) {
        (Some(browser), Some(system)) => filled(texts.access.session_browser, &[browser, system]),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => user_agent.chars().take(SHOWN).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::browser_name;
    use crate::admin::pages::texts::Texts;

    #[test]
    fn browsers_are_called_by_their_own_names_and_programs_by_the_beginning_of_what_they_say() {
        let texts = Texts::of("en").expect("English");
        let long = "x".repeat(100);
        for (user_agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("Mozilla/5.0 Firefox/140.0", "Firefox"),
            ("curl/8.14.1", "curl/8.14.1"),
            (
                "a program that likes Firefox/140.0",
                "a program that likes Firefox/140.0",
            ),
            (&*long, &long[..60]),
        ] {
            assert_eq!(browser_name(user_agent, texts), name);
        }
    }
}
