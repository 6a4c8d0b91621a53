//! How what runs a server confines it and stops it: the container's image, the files for several servers, the systemd unit.

use crate::deployments::{documents, file};
use crate::support::{fieldstone, text};

#[test]
fn whoever_stops_a_server_waits_longer_than_it_may_take() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = fieldstone(folder.path()).args(["serve", "--help"]).output();
    let help = text(&told.expect("it starts").stdout);
    let (_, behind) = help.split_once("--stop-seconds").expect("the setting");
    let (_, behind) = behind.split_once("[default: ").expect("its default");
    let (seconds, _) = behind.split_once(']').expect("its end");
    let least: u64 = seconds.parse().expect("seconds");
    let compose = documents("compose.yaml").remove(0);
    let services = compose["services"].as_object().expect("services");
    for (name, service) in services {
        if service["command"][0] == "serve" {
            let grace = service["stop_grace_period"].as_str();
            let grace = grace.and_then(|grace| grace.strip_suffix('s'));
            let grace: u64 = grace.expect("a time").parse().expect("seconds");
            assert!(grace > least, "{name}: {grace}");
            assert_eq!(service["restart"], "unless-stopped", "{name}");
        }
    }
    let deployment = documents("kubernetes.yaml").remove(0);
    let pod = &deployment["spec"]["template"]["spec"];
    let before = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"].as_u64();
    let grace = pod["terminationGracePeriodSeconds"].as_u64();
    assert!(grace > before.map(|before| before + least), "{pod}");
    let unit = file("fieldstone.service");
    let mut lines = unit.lines();
    let grace = lines.find_map(|line| line.strip_prefix("TimeoutStopSec="));
    let grace: u64 = grace.expect("a time").parse().expect("seconds");
    assert!(grace > least, "{grace}");
}

#[test]
fn the_container_has_no_root_and_is_asked_for_its_health_and_the_unit_takes_what_is_not_needed() {
    let containerfile = file("Containerfile");
    let (_, image) = containerfile.rsplit_once("\nFROM ").expect("the image");
    // the C library and nothing else, no shell either
    assert!(image.starts_with("gcr.io/distroless/cc-"), "{image}");
    for line in ["USER 65532:65532", "VOLUME /data", "STOPSIGNAL SIGTERM"] {
        assert!(image.lines().any(|own| own == line), "{line}: {image}");
    }
    // Kubernetes takes none for not root that is known by its name alone, and podman's own format has no health check
    let deployment = documents("kubernetes.yaml").remove(0);
    let context = &deployment["spec"]["template"]["spec"]["securityContext"];
    assert_eq!(context["runAsNonRoot"], true);
    assert_eq!(context["runAsUser"], 65532);
    assert!(image.contains("--chown=65532:65532"), "{image}");
    let builds = containerfile
        .lines()
        .filter(|line| line.contains("podman build "));
    for build in builds {
        assert!(build.contains(" --format docker "), "{build}");
    }
    let health = image.lines().find(|line| line.starts_with("HEALTHCHECK "));
    let health = health.expect("a health check");
    assert!(
        health.ends_with(r#"CMD ["/usr/bin/fieldstone", "health"]"#),
        "{health}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let help = fieldstone(folder.path())
        .args(["health", "--help"])
        .output();
    assert!(help.expect("it starts").status.success());
    let unit = file("fieldstone.service");
    for line in [
        "Type=notify",
        "User=fieldstone",
        "UMask=0077",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "PrivateDevices=yes",
        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
        "MemoryDenyWriteExecute=yes",
        "SystemCallFilter=@system-service",
    ] {
        assert!(unit.lines().any(|own| own == line), "{line}: {unit}");
    }
}

#[test]
fn where_nothing_else_is_written_there_is_room_for_what_is_temporary() {
    let deployment = documents("kubernetes.yaml").remove(0);
    let pod = &deployment["spec"]["template"]["spec"];
    let volumes = pod["volumes"].as_array().expect("volumes");
    for kind in ["initContainers", "containers"] {
        for container in pod[kind].as_array().expect("containers") {
            let context = &container["securityContext"];
            assert_eq!(context["readOnlyRootFilesystem"], true, "{container}");
            let mounts = container["volumeMounts"].as_array().expect("mounts");
            let mut mounts = mounts.iter();
            let temporary = mounts.find(|mount| mount["mountPath"] == "/tmp");
            let name = &temporary.expect("a mount")["name"];
            let volume = volumes.iter().find(|volume| volume["name"] == *name);
            assert!(volume.expect("a volume")["emptyDir"].is_object(), "{name}");
        }
    }
    // other files leave the folder for it as it is
    for name in ["compose.yaml", "compose-citus.yaml", "compose-standby.yaml"] {
        assert!(!file(name).contains("read_only"), "{name}");
    }
}

#[test]
fn the_unit_leaves_the_call_by_which_the_thread_of_the_search_index_gives_way() {
    let unit = file("fieldstone.service");
    let filters = unit
        .lines()
        .filter_map(|line| line.strip_prefix("SystemCallFilter="));
    // what stands behind counts: `@resources` has that call, too
    assert_eq!(
        filters.collect::<Vec<_>>(),
        ["@system-service", "~@privileged @resources", "setpriority"]
    );
}
