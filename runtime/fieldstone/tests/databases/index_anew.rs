//! A search index that somebody changed by hand is made anew by a command, while servers run that had nothing to write to it.

use crate::place::Place;
use crate::single::finds;

pub(crate) fn an_index_that_was_changed_by_hand_is_made_anew_while_servers_run() {
    let place = Place::new();
    let key = place.company();
    let servers = [place.serve("one", &[]), place.serve("other", &[])];
    let found_by_all = |count| {
        for server in &servers {
            finds(server, &key, "delft", count);
        }
    };
    found_by_all(1);
    let lost = [
        "UPDATE search_words SET lexemes = ''::tsvector;",
        "DELETE FROM search_words; DELETE FROM search_records;",
    ];
    for lost in lost {
        let script = format!("\\connect {}\n{lost}", place.database());
        place.cluster.run(&script).expect("it is done");
        found_by_all(0);
        let told = place.json(&["index", "rebuild"]);
        assert_eq!(told["datasets"], 1, "{told}");
        found_by_all(1);
    }
    for server in servers {
        server.stop();
    }
    // and while none does: the next one fills it
    let script = format!("\\connect {}\nDELETE FROM search_words;", place.database());
    place.cluster.run(&script).expect("it is done");
    place.json(&["index", "rebuild"]);
    let server = place.serve("one", &[]);
    finds(&server, &key, "delft", 1);
    server.stop();
}
