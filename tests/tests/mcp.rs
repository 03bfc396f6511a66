//! `warplog mcp` with a client that is a script.

use serde_json::{Value, json};
use warplog_tests::client::{Client, Framing};
use warplog_tests::command::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");

const RACY: &str = "\
__global__ void shift(int *v) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = v[t];
  v[t] = s[63 - t];
}
void run(int *v) { shift<<<1, 64>>>(v); }
";

const COPY: &str = "__global__ void copy(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
";

fn start(bench: &Bench) -> Client {
    let mut client = Client::start(bench.command().arg("mcp"), Framing::Lines);
    let answer = client.ask(
        "initialize",
        &json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "script", "version": "1" },
        }),
    );
    assert_eq!(answer["serverInfo"]["name"], "warplog");
    assert!(
        answer["instructions"]
            .as_str()
            .is_some_and(|text| text.contains("check"))
    );
    client.notify("notifications/initialized", &json!({}));
    client
}

/// The result of a call, and whether it is an error.
fn call(client: &mut Client, name: &str, arguments: &Value) -> (Value, bool) {
    let answer = client.ask(
        "tools/call",
        &json!({ "name": name, "arguments": arguments }),
    );
    let error = answer["isError"] == true;
    match answer.get("structuredContent") {
        Some(content) => {
            // The same is there as text.
            let text = answer["content"][0]["text"].as_str().expect("text");
            assert_eq!(&serde_json::from_str::<Value>(text).expect("JSON"), content);
            (content.clone(), error)
        }
        None => (answer["content"][0]["text"].clone(), error),
    }
}

#[test]
fn the_tools_are_listed_with_the_schemas_of_their_arguments() {
    let bench = Bench::new(PROGRAM);
    let mut client = start(&bench);
    let answer = client.ask("tools/list", &json!({}));
    let tools = answer["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["check", "explain", "equal", "costs"]);
    for tool in tools {
        assert!(
            tool["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40)
        );
        let validator = jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
        assert!(
            !validator.is_valid(&json!({ "fix": true })),
            "{}",
            tool["name"]
        );
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    assert_eq!(client.end().code(), Some(0));
}

#[test]
fn a_text_and_a_file_are_checked_alike_and_as_the_command_does() {
    let bench = Bench::new(PROGRAM);
    bench.file("kernel.cu", RACY);
    let mut client = start(&bench);
    let (of_text, error) = call(&mut client, "check", &json!({ "source": RACY }));
    assert!(!error);
    let path = bench.path().join("kernel.cu");
    let (of_file, _) = call(&mut client, "check", &json!({ "path": path }));
    let command: Value =
        serde_json::from_str(&bench.run("check kernel.cu --format json").out).expect("JSON");
    assert_eq!(of_text, command);
    for report in [&of_text, &of_file] {
        assert_eq!(report["schema"], command["schema"]);
        assert_eq!(report["kernels"][0]["verdict"], "racy");
    }
    // Sizes, macros and kernels can be said.
    let (open, _) = call(&mut client, "check", &json!({ "source": COPY }));
    assert_eq!(open["kernels"][0]["verdict"], "race_free");
    let arguments = json!({ "source": COPY, "block_dim": "64", "grid_dim": "2", "kernels": ["copy"], "assume": ["n == 128"] });
    let (given, _) = call(&mut client, "check", &arguments);
    assert_eq!(given["kernels"][0]["launches"][0]["source"], "flag");
    // What is found can be explained.
    let id = &of_text["kernels"][0]["findings"][0]["id"];
    let (told, error) = call(
        &mut client,
        "explain",
        &json!({ "what": id, "source": RACY }),
    );
    assert!(!error, "{told}");
    assert!(
        told["explanation"]
            .as_str()
            .is_some_and(|text| text.contains("shift")),
        "{told}"
    );
    let (told, _) = call(
        &mut client,
        "explain",
        &json!({ "what": "kernel.cu:4", "source": RACY }),
    );
    assert!(
        told["explanation"]
            .as_str()
            .is_some_and(|text| text.contains("write of shared")),
        "{told}"
    );
    let (costs, _) = call(&mut client, "costs", &json!({ "source": RACY }));
    assert!(costs["kernels"][0].get("costs").is_some(), "{costs}");
    assert_eq!(client.end().code(), Some(0));
}

#[test]
fn kernels_are_compared_from_texts_and_files() {
    let bench = Bench::new(PROGRAM);
    let path = bench.file("copy.cu", COPY);
    let mut client = start(&bench);
    let same = COPY.replace(
        "int i = blockIdx.x * blockDim.x + threadIdx.x",
        "int i = threadIdx.x + blockDim.x * blockIdx.x",
    );
    let other = COPY.replace("in[i];", "in[i] + 1;");
    let side = |source: &str| json!({ "source": source, "kernel": "copy" });
    let left = json!({ "path": path, "kernel": "copy" });
    let (equal, error) = call(
        &mut client,
        "equal",
        &json!({ "left": left, "right": side(&same) }),
    );
    assert!(!error, "{equal}");
    assert_eq!(equal["verdict"], "equal", "{equal}");
    let (different, _) = call(
        &mut client,
        "equal",
        &json!({ "left": side(COPY), "right": side(&other) }),
    );
    assert_eq!(different["verdict"], "different", "{different}");
    assert_eq!(client.end().code(), Some(0));
}

#[test]
fn what_is_wrong_is_told_and_the_server_stays() {
    let bench = Bench::new(PROGRAM);
    let mut client = start(&bench);
    let unknown = client.request("tools/call", &json!({ "name": "fix", "arguments": {} }));
    assert_eq!(client.answer(unknown)["error"]["code"], -32602);
    let unknown = client.request("no/such", &json!({}));
    assert_eq!(client.answer(unknown)["error"]["code"], -32601);
    for (name, arguments, says) in [
        ("check", json!({}), "either `source` or `path` is wanted"),
        (
            "check",
            json!({ "source": COPY, "block_dim": "many" }),
            "block-dim",
        ),
        (
            "check",
            json!({ "source": COPY, "fix": true }),
            "`fix` is no argument",
        ),
        (
            "explain",
            json!({ "what": "0123456789ab", "source": COPY }),
            "0123456789ab",
        ),
        (
            "equal",
            json!({ "left": { "source": COPY, "kernel": "none" }, "right": { "source": COPY, "kernel": "copy" } }),
            "none",
        ),
    ] {
        let (told, error) = call(&mut client, name, &arguments);
        assert!(error, "{name}: {told}");
        assert!(
            told.as_str().is_some_and(|text| text.contains(says)),
            "{name}: {told}"
        );
    }
    // A path that is not there is in the report, as everywhere.
    let (report, error) = call(&mut client, "check", &json!({ "path": "/no/such.cu" }));
    assert!(!error, "{report}");
    assert!(
        report["errors"][0]["message"]
            .as_str()
            .is_some_and(|text| text.contains("no such file")),
        "{report}"
    );
    let (report, _) = call(&mut client, "check", &json!({ "source": COPY }));
    assert_eq!(report["kernels"][0]["verdict"], "race_free");
    assert_eq!(client.end().code(), Some(0));
}

/// A call that is cancelled ends what it began, and the next one has its turn; one that waits for its turn is not begun at all.
#[test]
fn calls_are_cancelled() {
    let bench = Bench::new(PROGRAM);
    let mut client = start(&bench);
    let endless = format!("// fault: loop\n{RACY}");
    let ask = |client: &mut Client, name: &str, arguments: &Value| {
        client.request(
            "tools/call",
            &json!({ "name": name, "arguments": arguments }),
        )
    };
    let arguments = json!({ "source": endless });
    let explained = json!({ "source": endless, "what": "shift" });
    for (name, arguments) in [("check", &arguments), ("explain", &explained)] {
        let first = ask(&mut client, name, arguments);
        let second = ask(&mut client, name, arguments);
        let third = ask(&mut client, "check", &json!({ "source": COPY }));
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let start = std::time::Instant::now();
        for id in [second, first] {
            client.notify(
                "notifications/cancelled",
                &json!({ "requestId": id, "reason": "changed" }),
            );
        }
        let answer = client.answer(third);
        let verdict = &answer["result"]["structuredContent"]["kernels"][0]["verdict"];
        assert_eq!(verdict, "race_free", "{answer}");
        // Its bound is two minutes.
        assert!(
            start.elapsed() < std::time::Duration::from_secs(60),
            "{:?}",
            start.elapsed()
        );
    }
    assert_eq!(client.end().code(), Some(0));
}

/// What is being done is told to who gave a token for it, again and again, and nothing of it behind the answer; nobody else is told.
#[test]
fn long_calls_tell_how_far_they_are() {
    let bench = Bench::new(PROGRAM);
    let mut client = start(&bench);
    let endless = json!({ "source": format!("// fault: loop\n{RACY}") });
    let first =
        json!({ "name": "check", "arguments": endless, "_meta": { "progressToken": "first" } });
    let second = json!({ "name": "check", "arguments": { "source": COPY }, "_meta": { "progressToken": 7 } });
    let silent = json!({ "name": "check", "arguments": { "source": COPY } });
    let (first, second, silent) = (
        client.request("tools/call", &first),
        client.request("tools/call", &second),
        client.request("tools/call", &silent),
    );
    let told = |client: &mut Client, token: Value, says: &str| {
        client.wait(says, |message| {
            let of = &message["params"];
            message["method"] == "notifications/progress"
                && of["progressToken"] == token
                && of["message"]
                    .as_str()
                    .is_some_and(|text| text.contains(says))
        })
    };
    let once = told(&mut client, json!("first"), "showing a fault");
    told(&mut client, json!(7), "waiting for its turn");
    let again = told(&mut client, json!("first"), "showing a fault");
    let progress = |message: &Value| message["params"]["progress"].as_f64().expect("a number");
    assert!(progress(&again) > progress(&once), "{once} {again}");
    client.notify(
        "notifications/cancelled",
        &json!({ "requestId": first, "reason": "enough" }),
    );
    for id in [second, silent] {
        let answer = client.answer(id);
        assert!(
            answer["result"]["structuredContent"].is_object(),
            "{answer}"
        );
    }
    let late = client.within(std::time::Duration::from_millis(2500));
    assert_eq!(late, Vec::<Value>::new());
    assert_eq!(client.end().code(), Some(0));
}

/// Of a folder it is told how many of its files are through.
#[test]
fn files_of_a_folder_are_counted() {
    let bench = Bench::new(PROGRAM);
    for name in ["a.cu", "b.cu"] {
        bench.file(&format!("some/{name}"), COPY);
    }
    // It comes last, and does not end.
    bench.file("some/z.cu", &format!("// fault: loop\n{RACY}"));
    let mut client = start(&bench);
    let call = json!({
        "name": "check", "arguments": { "path": bench.path().join("some") }, "_meta": { "progressToken": 1 },
    });
    client.request("tools/call", &call);
    client.wait("a count", |message| {
        let text = message["params"]["message"].as_str();
        text.is_some_and(|text| text.starts_with("2 of 3 files are analysed"))
    });
    client.end();
}

/// A client that goes away while a call is at work takes the server with it.
#[test]
fn a_client_that_is_gone_is_not_worked_for() {
    let bench = Bench::new(PROGRAM);
    let mut client = start(&bench);
    let endless = format!("// fault: loop\n{RACY}");
    client.request(
        "tools/call",
        &json!({ "name": "check", "arguments": { "source": endless } }),
    );
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let start = std::time::Instant::now();
    client.end();
    assert!(start.elapsed() < std::time::Duration::from_secs(60));
}
