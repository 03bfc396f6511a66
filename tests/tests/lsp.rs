//! `warplog lsp` with a client that is a script, and with Neovim where there is one.
//!
//! `WARPLOG_LSP_TIMES=N` lets the client change a file of ten kernels N times and prints how long the answers took;
//! `WARPLOG_LSP_PROGRAM` is then the program that is measured, for example one that was built for release.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warplog_tests::client::{Client, Framing};
use warplog_tests::command::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");

/// Ten kernels and host code that launches them.
const TEN: &str = include_str!("../editor/ten.cu");

/// A race that a barrier mends, behind characters of which the first is two units of UTF-16.
const RACY: &str = "\
/* 𝛼β */ __global__ void shift(int *v) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = v[t];
  /* 𝛼𝛼 */ v[t] = s[63 - t];
}
void run(int *v) { shift<<<1, 64>>>(v); }
";

struct Editor {
    bench: Bench,
    client: Client,
}

impl Editor {
    fn start() -> Self {
        Editor::of(PROGRAM)
    }

    fn of(program: &str) -> Self {
        let bench = Bench::new(program);
        let mut client = Client::start(bench.command().arg("lsp"), Framing::Lengths);
        let answer = client.ask(
            "initialize",
            &json!({ "capabilities": {}, "processId": null }),
        );
        assert_eq!(answer["serverInfo"]["name"], "warplog");
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        client.notify("initialized", &json!({}));
        Editor { bench, client }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.bench.path().display())
    }

    fn open(&mut self, name: &str, text: &str) {
        let item =
            json!({ "uri": self.uri(name), "languageId": "cuda", "version": 1, "text": text });
        self.client
            .notify("textDocument/didOpen", &json!({ "textDocument": item }));
    }

    fn change(&mut self, name: &str, version: i32, text: &str) {
        let document = json!({ "uri": self.uri(name), "version": version });
        let changes = json!([{ "text": text }]);
        let parameters = json!({ "textDocument": document, "contentChanges": changes });
        self.client.notify("textDocument/didChange", &parameters);
    }

    /// The next diagnostics of a version of a file.
    fn diagnostics(&mut self, name: &str, version: i32) -> Vec<Value> {
        let uri = self.uri(name);
        let message = self
            .client
            .wait(&format!("diagnostics of {name}"), |message| {
                message["method"] == "textDocument/publishDiagnostics"
                    && message["params"]["uri"] == uri.as_str()
                    && message["params"]["version"] == version
            });
        message["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({
            "textDocument": { "uri": self.uri(name) },
            "position": { "line": line, "character": character },
        })
    }

    fn hover(&mut self, name: &str, line: u32, character: u32) -> String {
        let parameters = self.at(name, line, character);
        let answer = self.client.ask("textDocument/hover", &parameters);
        let text = answer["contents"]["value"].as_str();
        text.unwrap_or_else(|| panic!("no hover at {line}:{character}: {answer}"))
            .to_owned()
    }

    fn lenses(&mut self, name: &str) -> Vec<String> {
        let document = json!({ "textDocument": { "uri": self.uri(name) } });
        let answer = self.client.ask("textDocument/codeLens", &document);
        let lenses = answer.as_array().expect("a list").iter();
        lenses
            .map(|lens| {
                let line = &lens["range"]["start"]["line"];
                format!(
                    "{line} {}",
                    lens["command"]["title"].as_str().expect("a title")
                )
            })
            .collect()
    }

    fn end(mut self) {
        assert_eq!(self.client.ask("shutdown", &Value::Null), Value::Null);
        self.client.notify("exit", &Value::Null);
        assert_eq!(self.client.end().code(), Some(0));
    }
}

/// A text with one replacement, which must be there.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn findings_have_both_places_in_units_of_utf16_and_what_mends_them() {
    let mut editor = Editor::start();
    // The buffer is not saved: there is no such file.
    editor.open("k.cu", RACY);
    let found = editor.diagnostics("k.cu", 1);
    let [race] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert_eq!(race["severity"], 1);
    assert_eq!(race["code"], "data-race");
    let places: Vec<&Value> = race["relatedInformation"]
        .as_array()
        .expect("places")
        .iter()
        .map(|place| &place["location"]["range"]["start"])
        .collect();
    let write = json!({ "line": 3, "character": 2 });
    let read = json!({ "line": 4, "character": 20 });
    assert!(
        places.contains(&&write) && places.contains(&&read),
        "{places:?}"
    );
    let message = race["message"].as_str().expect("text");
    assert!(message.contains("meet at `s["), "{message}");

    let range = json!({ "start": read, "end": read });
    let parameters = json!({
        "textDocument": { "uri": editor.uri("k.cu") },
        "range": range,
        "context": { "diagnostics": [race] },
    });
    // Mends are looked for behind the findings: an answer may come before, and then says nothing of them.
    let start = Instant::now();
    let (mend, allow) = loop {
        let answer = editor.client.ask("textDocument/codeAction", &parameters);
        let actions = answer.as_array().expect("a list").clone();
        let titled = |words: &str| {
            let mut all = actions.iter();
            all.find(|one| {
                one["title"]
                    .as_str()
                    .is_some_and(|title| title.contains(words))
            })
            .cloned()
        };
        let allow = titled("Suppress this data-race").expect("a suppression");
        if let Some(mend) = titled("Make `shift` race-free") {
            break (mend, allow);
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{actions:#?}");
    };
    let edits = |action: &Value| {
        let edits = action["edit"]["changes"][editor.uri("k.cu")].clone();
        edits.as_array().expect("edits").clone()
    };
    let barrier = edits(&mend)[0]["newText"]
        .as_str()
        .expect("text")
        .to_owned();
    assert!(barrier.contains("__syncthreads();"), "{barrier}");
    let comment = &edits(&allow)[0];
    assert_eq!(
        comment["newText"],
        "  // warplog: allow data-race because TODO say why this is meant\n"
    );

    // With the comment there is nothing to show, and with the barrier neither.
    let suppressed = with(
        RACY,
        "  s[t] = v",
        &format!("{}  s[t] = v", comment["newText"].as_str().expect("text")),
    );
    editor.change("k.cu", 2, &suppressed);
    assert_eq!(editor.diagnostics("k.cu", 2), Vec::<Value>::new());
    editor.change("k.cu", 3, &with(RACY, "  /* ", "  __syncthreads();\n  /* "));
    assert_eq!(editor.diagnostics("k.cu", 3), Vec::<Value>::new());
    let lenses = editor.lenses("k.cu");
    assert!(
        lenses[0].starts_with("0 warplog: race-free in 1 launch"),
        "{lenses:?}"
    );
    editor.end();
}

#[test]
fn hovers_tell_threads_intervals_flows_and_uniformity() {
    let mut editor = Editor::start();
    editor.open("ten.cu", TEN);
    editor.diagnostics("ten.cu", 1);
    let at = |words: &str, name: &str| {
        let start = TEN.find(words).unwrap_or_else(|| panic!("{words}"));
        let offset = start + TEN[start..].find(name).expect(name);
        let line = TEN[..offset].matches('\n').count();
        let column = offset - TEN[..offset].rfind('\n').map_or(0, |at| at + 1);
        (
            u32::try_from(line).expect("small"),
            u32::try_from(column).expect("small"),
        )
    };
    for (words, name, says) in [
        (
            "if (t < s) part[t] += part[t + s];",
            "t <",
            "may differ between the threads of a warp",
        ),
        (
            "if (t < s) part[t] += part[t + s];",
            "s)",
            "one value for all threads of the grid",
        ),
        (
            "int row = blockIdx.y * TILE",
            "row",
            "may differ between the threads of a warp",
        ),
        (
            "if (threadIdx.x < s) part[threadIdx.x]",
            "part",
            "an array in shared memory",
        ),
        (
            "s[t] = clamp01(s[t - 1])",
            "s[t",
            "confirmed data race in `neighbours`",
        ),
        (
            "s[t] = clamp01(s[t - 1])",
            "s[t",
            "barrier interval: from the start of the kernel to the end",
        ),
        ("if (t < s) part[t] += part[t + s];", "+=", "flow"),
    ] {
        let (line, column) = at(words, name);
        let text = editor.hover("ten.cu", line, column);
        assert!(text.contains(says), "{words} {name}: {text}");
    }
    // Of white space outside of kernels there is nothing to say.
    let nothing = editor.at("ten.cu", 3, 0);
    assert_eq!(
        editor.client.ask("textDocument/hover", &nothing),
        Value::Null
    );
    editor.end();
}

#[test]
fn a_change_is_answered_by_its_kernel_first_and_by_the_whole_file_then() {
    let mut editor = Editor::start();
    editor.open("ten.cu", TEN);
    let before = editor.diagnostics("ten.cu", 1);
    let names = |found: &[Value]| -> Vec<String> {
        let messages = found
            .iter()
            .map(|one| one["message"].as_str().expect("text"));
        let mut names: Vec<String> = messages
            .filter_map(|text| Some(text.split("in `").nth(1)?.split('`').next()?.to_owned()))
            .collect();
        names.dedup();
        names
    };
    assert_eq!(names(&before), ["matmul", "neighbours", "rgb_to_grey"]);
    // A barrier is lost, and a line is added before other kernels.
    let broken = with(
        TEN,
        "  __syncthreads();\n  x = blockIdx.y",
        "\n\n  x = blockIdx.y",
    );
    editor.change("ten.cu", 2, &broken);
    let first = editor.diagnostics("ten.cu", 2);
    let second = editor.diagnostics("ten.cu", 2);
    for found in [&first, &second] {
        assert_eq!(
            names(found),
            ["transpose", "matmul", "neighbours", "rgb_to_grey"]
        );
    }
    // What was taken over is where the analysis of the whole file finds it, to the word.
    let plain = |found: &[Value]| -> Vec<Value> {
        let mut found = found.to_vec();
        for one in &mut found {
            let message = one["message"].as_str().expect("text");
            let message = message.split("\nhelp").next().expect("text").to_owned();
            one["message"] = json!(message);
        }
        found
    };
    assert_eq!(plain(&first), plain(&second));
    let lenses = editor.lenses("ten.cu");
    assert_eq!(lenses.len(), 10);
    assert!(lenses[2].contains("racy: "), "{lenses:?}");
    // And back, by the pieces that editors send.
    let line = broken[..broken.find("\n\n  x = blockIdx.y").expect("there")]
        .matches('\n')
        .count()
        + 1;
    let document = json!({ "uri": editor.uri("ten.cu"), "version": 3 });
    let place = json!({ "line": line, "character": 0 });
    let changes = json!([
        { "range": { "start": place, "end": place }, "text": "  __syncthreads" },
        { "range": { "start": { "line": line, "character": 15 }, "end": { "line": line, "character": 15 } }, "text": "();" },
    ]);
    let parameters = json!({ "textDocument": document, "contentChanges": changes });
    editor.client.notify("textDocument/didChange", &parameters);
    let mended = editor.diagnostics("ten.cu", 3);
    assert_eq!(names(&mended), names(&before));
    editor.end();
}

#[test]
fn what_is_not_wanted_any_more_is_ended() {
    let mut editor = Editor::start();
    // This one never ends by itself.
    editor.open("slow.cu", &format!("// fault: loop\n{RACY}"));
    let hover = editor.at("slow.cu", 4, 3);
    let cancelled = editor.client.request("textDocument/hover", &hover);
    editor
        .client
        .notify("$/cancelRequest", &json!({ "id": cancelled }));
    assert_eq!(editor.client.answer(cancelled)["error"]["code"], -32800);
    // What is answered already cannot be cancelled.
    editor
        .client
        .notify("$/cancelRequest", &json!({ "id": "unknown" }));
    let overtaken = editor.client.request("textDocument/hover", &hover);
    let start = Instant::now();
    editor.change("slow.cu", 2, RACY);
    assert_eq!(editor.client.answer(overtaken)["error"]["code"], -32801);
    assert_eq!(editor.diagnostics("slow.cu", 2).len(), 1);
    assert!(start.elapsed() < Duration::from_secs(60));
    // A text that crashes the analysis is told, and the server stays.
    editor.change("slow.cu", 3, &format!("// fault: abort\n{RACY}"));
    let crashed = editor.diagnostics("slow.cu", 3);
    let message = crashed[0]["message"].as_str().expect("text");
    assert!(message.contains("crashed"), "{message}");
    editor.change("slow.cu", 4, RACY);
    assert_eq!(editor.diagnostics("slow.cu", 4).len(), 1);
    // Closed, it has no diagnostics.
    let document = json!({ "textDocument": { "uri": editor.uri("slow.cu") } });
    editor.client.notify("textDocument/didClose", &document);
    let uri = editor.uri("slow.cu");
    editor.client.wait("no diagnostics", |message| {
        message["params"]["uri"] == uri.as_str() && message["params"]["diagnostics"] == json!([])
    });
    editor.end();
}

#[test]
fn what_is_no_message_or_no_request_is_refused_and_the_server_stays() {
    let bench = Bench::new(PROGRAM);
    let mut client = Client::start(bench.command().args(["lsp", "--stdio"]), Framing::Lengths);
    let early = client.request("textDocument/hover", &json!({}));
    assert_eq!(client.answer(early)["error"]["code"], -32002);
    client.ask("initialize", &json!({ "capabilities": {} }));
    for body in ["{", "[]", "nonsense", "{\"jsonrpc\":\"2.0\"}"] {
        client.body(body);
        client.wait("a remark", |message| {
            message["method"] == "window/logMessage"
        });
    }
    let unknown = client.request("textDocument/rename", &json!({}));
    assert_eq!(client.answer(unknown)["error"]["code"], -32601);
    let wrong = client.request("textDocument/hover", &json!({ "position": 3 }));
    assert_eq!(client.answer(wrong)["error"]["code"], -32602);
    client.notify("textDocument/didChange", &json!({ "textDocument": {} }));
    client.wait("a remark", |message| {
        message["method"] == "window/logMessage"
    });
    // Of a file that is not open, and of a buffer that has no file, nothing is known.
    for uri in ["file:///no/such.cu", "untitled:Untitled-1"] {
        let item = json!({ "uri": uri, "languageId": "cuda", "version": 1, "text": RACY });
        if uri.starts_with("untitled") {
            client.notify("textDocument/didOpen", &json!({ "textDocument": item }));
        }
        let document = json!({ "textDocument": { "uri": uri } });
        assert_eq!(client.ask("textDocument/codeLens", &document), Value::Null);
    }
    // Without a length there is no next message.
    client.write(b"Content-Length: many\r\n\r\n{}");
    assert_eq!(client.end().code(), Some(3));

    let mut client = Client::start(bench.command().arg("lsp"), Framing::Lengths);
    client.ask("initialize", &json!({ "capabilities": {} }));
    client.notify("exit", &Value::Null);
    assert_eq!(client.end().code(), Some(1));
    let mut gone = Client::start(bench.command().arg("lsp"), Framing::Lengths);
    assert_eq!(gone.end().code(), Some(1));
}

#[test]
fn a_change_in_a_file_of_ten_kernels_is_answered_soon() {
    let times = std::env::var("WARPLOG_LSP_TIMES").ok();
    let times: i32 = times.and_then(|times| times.parse().ok()).unwrap_or(3);
    let program = std::env::var("WARPLOG_LSP_PROGRAM");
    let mut editor = Editor::of(program.as_deref().unwrap_or(PROGRAM));
    editor.open("ten.cu", TEN);
    editor.diagnostics("ten.cu", 1);
    let mut took: Vec<Duration> = Vec::new();
    // Somebody types in one kernel after the other.
    let places = [
        "y[i] = a",
        "part[t] = i",
        "out[y * height",
        "c[row * n",
        "atomicAdd(&bins",
        "data[blockIdx",
        "out[i] = 0",
        "v[blockIdx.x * BLOCK + t] = s",
        "grey[i] =",
        "part[threadIdx.x] = sum",
    ];
    for version in 2..2 + times {
        let place = places[usize::try_from(version).expect("small") % places.len()];
        let text = with(TEN, place, &format!("/* {version} */ {place}"));
        let start = Instant::now();
        editor.change("ten.cu", version, &text);
        let found = editor.diagnostics("ten.cu", version);
        took.push(start.elapsed());
        assert!(!found.is_empty());
    }
    took.sort();
    let median = took[took.len() / 2];
    eprintln!("median {median:?} of {times}, slowest {:?}", took.last());
    editor.end();
}

/// The first one that is there.
fn neovim() -> Option<&'static str> {
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["nvim"].into_iter().find(runs)
}

#[test]
fn neovim_shows_what_is_found() {
    let Some(neovim) = neovim() else {
        eprintln!("skipped: there is no nvim (apt install neovim)");
        return;
    };
    let bench = Bench::new(PROGRAM);
    bench.file("k.cu", RACY);
    bench.file(
        "client.lua",
        r#"
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = 'warplog', cmd = { vim.env.WARPLOG, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
local out = io.open('out.txt', 'w')
local function diagnostics(count)
  return vim.wait(60000, function() return #vim.diagnostic.get(buffer) == count end, 20)
end
out:write('found ', tostring(diagnostics(1)), '\n')
local first = vim.diagnostic.get(buffer)[1]
out:write('at ', first.lnum, ' ', first.source, ' ', first.message:match('^[^\n]*'), '\n')
local position = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = 3, character = 2 } }
local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/hover', position, 60000)
out:write('hover ', answers[id].result.contents.value:match('thread %([^\n]*'), '\n')
vim.api.nvim_buf_set_lines(buffer, 4, 4, false, { '  __syncthreads();' })
out:write('mended ', tostring(diagnostics(0)), '\n')
out:close()
vim.lsp.stop_client(id)
vim.cmd('qall!')
"#,
    );
    let output = Command::new(neovim)
        .args(["--headless", "--clean", "k.cu", "-c", "luafile client.lua"])
        .current_dir(bench.path())
        .env("WARPLOG", PROGRAM)
        .env("HOME", bench.path())
        .env("WARPLOG_CACHE_DIR", "")
        .output()
        .expect("runs");
    let said = fs::read_to_string(bench.path().join("out.txt")).unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    let error = String::from_utf8_lossy(&output.stderr);
    let [found, at, hover, mended] = lines.as_slice() else {
        panic!("{said}\n{error}");
    };
    assert_eq!(
        (*found, *mended),
        ("found true", "mended true"),
        "{said}\n{error}"
    );
    assert!(
        at.starts_with("at 3 warplog confirmed data race in `shift`"),
        "{at}"
    );
    assert!(hover.contains("meet at `s["), "{hover}");
}
