//! The files by which several servers are deployed, as a reader begins with them: each image has a version, no secret stands
//! in them, what is asked of the program it takes, and what they name is there.

use crate::deployments::{documents, file, with};
use crate::support::{fieldstone, text};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a setting with one of these in its name holds is a secret, or the file of one.
const SECRETS: [&str; 4] = ["PASSPHRASE", "PASSWORD", "SECRET", "TOKEN"];

/// The containers of all files, each with where it stands.
fn containers() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (name, whole) in [
        ("compose.yaml", documents("compose.yaml").remove(0)),
        ("compose-standby.yaml", with("compose-standby.yaml")),
        ("compose-citus.yaml", with("compose-citus.yaml")),
    ] {
        let services = whole["services"].as_object().expect("services");
        let services = services.iter();
        found.extend(services.map(|(own, it)| (format!("{name}: {own}"), it.clone())));
    }
    let pod = pod();
    for kind in ["initContainers", "containers"] {
        let own = pod[kind].as_array().expect("containers").iter();
        found.extend(own.map(|it| (format!("kubernetes.yaml: {}", it["name"]), it.clone())));
    }
    found
}

/// What a server is in Kubernetes.
fn pod() -> Value {
    let deployment = documents("kubernetes.yaml").remove(0);
    deployment["spec"]["template"]["spec"].clone()
}

/// The words of a list.
fn words(list: &Value) -> Vec<&str> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

/// What the program of a container is given.
fn arguments(container: &Value) -> Vec<&str> {
    [words(&container["command"]), words(&container["args"])].concat()
}

/// The settings of a container, by their names in capitals.
fn settings(container: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of_compose = container["environment"].as_object().into_iter().flatten();
    let of_compose = of_compose.map(|(name, value)| (name.clone(), text(value)));
    let of_pod = container["env"].as_array().into_iter().flatten();
    let of_pod = of_pod.map(|it| (text(&it["name"]), text(&it["value"])));
    let given = arguments(container);
    let flags = given
        .iter()
        .filter_map(|word| word.strip_prefix("--")?.split_once('='));
    let flags = flags.map(|(name, value)| {
        let name = name.to_uppercase().replace('-', "_");
        (name, value.to_owned())
    });
    of_compose.chain(of_pod).chain(flags).collect()
}

#[test]
fn every_image_has_a_version_and_ours_that_of_the_program() {
    let mut ours = 0;
    for (place, container) in containers() {
        let image = container["image"].as_str().expect("an image");
        let (name, version) = image.rsplit_once(':').unwrap_or((image, ""));
        let begins_with = version.chars().next();
        assert!(
            begins_with.is_some_and(|it| it.is_ascii_digit()),
            "{place}: {image}"
        );
        // what is of no registry is made beside the files
        if !name.contains('/') {
            assert_eq!(image, concat!("fieldstone:", env!("CARGO_PKG_VERSION")));
            ours += 1;
        }
    }
    assert!(ours >= 8, "ours are found: {ours}");
    let made = concat!(" -t fieldstone:", env!("CARGO_PKG_VERSION"), " .\n");
    let containerfile = file("Containerfile");
    assert!(containerfile.contains(made), "{containerfile}");
}

#[test]
fn no_secret_stands_in_a_file() {
    let mut seen = 0;
    for (place, container) in containers() {
        for (name, value) in settings(&container) {
            if SECRETS.iter().any(|secret| name.contains(secret)) {
                assert!(name.ends_with("_FILE"), "{place}: {name}");
                assert!(value.starts_with("/run/secrets/"), "{place}: {name}");
                seen += 1;
            }
            if let Some((_, behind)) = value.split_once("://") {
                let user = behind.split_once('@').map_or("", |(user, _)| user);
                assert!(!user.contains(':'), "{place}: {name}");
            }
        }
        for script in arguments(&container) {
            for given in script.split("PASSWORD=").skip(1) {
                let is_read = given.starts_with("\"$$(cat /run/secrets/");
                assert!(is_read, "{place}: {script}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 10, "they are found: {seen}");
    let compose = documents("compose.yaml").remove(0);
    for (name, secret) in compose["secrets"].as_object().expect("secrets") {
        let given: Vec<&String> = secret.as_object().expect("an object").keys().collect();
        assert_eq!(given, ["file"], "{name}");
    }
    let kinds = documents("kubernetes.yaml");
    assert!(kinds.iter().all(|it| it["kind"] != "Secret"));
}

/// A word of a compose file, where its variables are not set.
fn unset(word: &str) -> String {
    let mut left = word.to_owned();
    while let Some((before, behind)) = left.split_once("${") {
        let (variable, behind) = behind.split_once('}').expect("its end");
        let (_, default) = variable
            .split_once(":-")
            .expect("what it is unless it is set");
        left = format!("{before}{default}{behind}");
    }
    left
}

#[test]
fn what_is_asked_of_the_program_it_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    // what stands before is read before the help is shown
    let is_taken = |arguments: &[String]| {
        let mut program = fieldstone(folder.path());
        let told = program.args(arguments).arg("--help").output();
        let told = told.expect("it starts");
        (told.status.success(), text(&told.stderr))
    };
    let mut ours = 0;
    for (place, container) in containers() {
        let image = container["image"].as_str().expect("an image");
        if image.contains('/') {
            continue;
        }
        let given: Vec<String> = arguments(&container).into_iter().map(unset).collect();
        let (is_good, told) = is_taken(&given);
        assert!(!given.is_empty() && is_good, "{place}: {given:?}: {told}");
        ours += 1;
    }
    assert!(ours >= 8, "ours are found: {ours}");
    for wrong in [
        ["serve", "--no-such-setting"],
        ["serve", "--trusted-proxy=everybody"],
    ] {
        let (is_good, _) = is_taken(&wrong.map(str::to_owned));
        assert!(!is_good, "{wrong:?}");
    }
}

#[test]
fn whoever_is_waited_for_tells_how_it_is() {
    for name in ["compose.yaml", "compose-standby.yaml", "compose-citus.yaml"] {
        let whole = if name == "compose.yaml" {
            documents(name).remove(0)
        } else {
            with(name)
        };
        let services = whole["services"].as_object().expect("services");
        for (own, service) in services {
            let before = service["depends_on"].as_object().into_iter().flatten();
            for (before, wanted) in before {
                let before = &services[before];
                let (check, restart) = (before.get("healthcheck"), before.get("restart"));
                match wanted["condition"].as_str() {
                    Some("service_healthy") => assert!(check.is_some(), "{name}: {own}"),
                    Some("service_completed_successfully") => {
                        assert!(restart.is_none(), "{name}: {own}");
                    }
                    other => panic!("{name}: {own}: {other:?}"),
                }
            }
            let Some(check) = service.get("healthcheck") else {
                continue;
            };
            // of the database that the servers ask, by the user that they are
            let made = &services["database"]["environment"];
            let setting = |name: &str| made[name].as_str().expect("a name");
            let expected = [
                "CMD".to_owned(),
                "pg_isready".to_owned(),
                // a new database answers by its socket before anybody else can reach it
                "--host=127.0.0.1".to_owned(),
                format!("--username={}", setting("POSTGRES_USER")),
                format!("--dbname={}", setting("POSTGRES_DB")),
            ];
            assert_eq!(words(&check["test"]), expected, "{name}: {own}");
            assert!(check["start_period"].is_string(), "{name}: {own}");
        }
    }
}

#[test]
fn probes_and_the_service_find_the_port_and_the_path_that_they_ask() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = fieldstone(folder.path()).arg("openapi").output();
    let told = told.expect("it starts").stdout;
    let interface: Value = serde_json::from_slice(&told).expect("JSON");
    let all = documents("kubernetes.yaml");
    let pod = pod();
    let server = &pod["containers"][0];
    let ports = server["ports"].as_array().expect("ports");
    let [port] = &ports[..] else {
        panic!("one port: {ports:?}");
    };
    let listen = format!("FIELDSTONE_LISTEN=0.0.0.0:{} ", port["containerPort"]);
    assert!(file("Containerfile").contains(&listen), "{listen}");
    for (probe, path) in [
        ("startupProbe", "/healthz"),
        // a database that is away is no reason to begin anew
        ("livenessProbe", "/healthz"),
        ("readinessProbe", "/readyz"),
    ] {
        let asked = &server[probe]["httpGet"];
        assert_eq!(asked["path"], path, "{probe}");
        assert_eq!(asked["port"], port["name"], "{probe}");
        assert!(interface["paths"][path]["get"].is_object(), "{path}");
    }
    let of_kind = |kind: &str| all.iter().find(|it| it["kind"] == kind).expect("one");
    let labels = &all[0]["spec"]["template"]["metadata"]["labels"];
    let service = &of_kind("Service")["spec"];
    assert_eq!(service["ports"][0]["targetPort"], port["name"]);
    assert_eq!(&service["selector"], labels);
    for selector in [
        &all[0]["spec"]["selector"],
        &of_kind("PodDisruptionBudget")["spec"]["selector"],
    ] {
        assert_eq!(&selector["matchLabels"], labels);
    }
}

#[test]
fn volumes_of_a_pod_are_there_and_hold_the_files_that_it_is_told_of() {
    let (all, pod, whole) = (documents("kubernetes.yaml"), pod(), file("kubernetes.yaml"));
    let volumes = pod["volumes"].as_array().expect("volumes");
    let names: BTreeSet<&str> = volumes
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    let claims = all
        .iter()
        .filter(|it| it["kind"] == "PersistentVolumeClaim");
    let claims: Vec<&Value> = claims.map(|it| &it["metadata"]["name"]).collect();
    for volume in volumes {
        if let Some(claim) = volume.get("persistentVolumeClaim") {
            assert!(claims.contains(&&claim["claimName"]), "{claim}");
        }
    }
    let of_kubernetes = containers()
        .into_iter()
        .filter(|(place, _)| place.starts_with("kubernetes.yaml"));
    for (place, container) in of_kubernetes {
        let mounts = container["volumeMounts"].as_array().expect("mounts");
        for mount in mounts {
            let name = mount["name"].as_str().expect("a name");
            assert!(names.contains(name), "{place}: {name}");
        }
        for (name, value) in settings(&container) {
            if !name.ends_with("_FILE") {
                continue;
            }
            let mut places = mounts.iter().filter_map(|it| it["mountPath"].as_str());
            let key = places.find_map(|path| value.strip_prefix(path)?.strip_prefix('/'));
            let key = key.unwrap_or_else(|| panic!("{place}: {value} is in no volume"));
            // the file says what its secret must have
            assert!(whole.contains(&format!("`{key}`")), "{place}: {key}");
        }
    }
}
