//! The loop: messages of the client, results of the analysis, and time.
//!
//! Three threads: one reads messages, one analyses, and the loop does all else, so that nothing waits for an analysis but what asks for
//! its result. Such a request is answered when the text that it is about is analysed; it ends with an error when the text changes before
//! or when the client cancels it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CodeLensOptions,
    CodeLensParams, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InitializeResult, MarkupContent, MarkupKind, NumberOrString,
    PublishDiagnosticsParams, SaveOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use warplog_report::{Certainty, Report};

use crate::places::{path_of, uri_of};
use crate::wire::{Incoming, next};
use crate::{Analyser, Job, actions, diagnostics, documents, hover, lens, parts};

/// How long after a change the kernels are analysed that it is in: a pause between two keys.
const DEBOUNCE: Duration = Duration::from_millis(30);

/// How long after that the whole file is.
const SETTLE: Duration = Duration::from_millis(300);

/// How long a request for actions waits for the search for mends.
const PATIENCE: Duration = Duration::from_millis(2000);

/// What is to be done for a text, the next thing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// To analyse the kernels that changed.
    Changed,
    /// To analyse all.
    Whole,
    /// To look for mends.
    Mends,
    /// Nothing.
    Nothing,
}

/// A text that the editor has open.
struct Document {
    uri: Uri,
    version: i32,
    text: Arc<str>,
    need: Need,
    /// When what is needed is to be begun.
    due: Instant,
    /// What was found last, and of which text.
    known: Option<(Arc<str>, Report)>,
    /// Files that have diagnostics because of it.
    shown: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

impl Document {
    /// Whether what was found is about the text as it is.
    fn is_current(&self) -> bool {
        let of = self.known.as_ref().map(|(text, _)| text);
        of.is_some_and(|text| Arc::ptr_eq(text, &self.text)) && self.need > Need::Changed
    }
}

/// An analysis that is being made.
struct Running {
    path: PathBuf,
    version: i32,
    need: Need,
    text: Arc<str>,
    stop: Arc<AtomicBool>,
}

/// A request that waits for an analysis.
struct Waiting {
    request: Request,
    path: PathBuf,
    /// Whether it waits for mends, too, and how long.
    until: Option<Instant>,
}

/// Where a server is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Begins,
    Runs,
    /// `shutdown` was asked for.
    Ends,
}

/// Answers the messages of a stream until `exit`, and gives the exit status: 0 if `shutdown` came before.
///
/// # Errors
/// A stream fails, or it cannot be told where the next message begins.
pub fn serve(
    analyser: &dyn Analyser,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<u8> {
    let (say, messages) = unbounded();
    // It ends with the process: the client may leave the stream open behind `exit`.
    std::thread::spawn(move || read(input, &say));
    std::thread::scope(|scope| {
        let (give, jobs) = unbounded::<Job>();
        let (tell, results) = unbounded::<Report>();
        scope.spawn(move || {
            for job in jobs {
                if tell.send(analyser.check(&job)).is_err() {
                    return;
                }
            }
        });
        let mut server = Server {
            analyser,
            output,
            life: Life::Begins,
            documents: BTreeMap::new(),
            running: None,
            waiting: Vec::new(),
            jobs: give,
        };
        let end = server.run(&messages, &results);
        server.stop();
        end
    })
}

fn read(mut input: impl BufRead, say: &Sender<io::Result<Incoming>>) {
    loop {
        let message = match next(&mut input) {
            Ok(Some(message)) => Ok(message),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let fails = message.is_err();
        if say.send(message).is_err() || fails {
            return;
        }
    }
}

struct Server<'a> {
    analyser: &'a dyn Analyser,
    output: &'a mut dyn Write,
    life: Life,
    documents: BTreeMap<PathBuf, Document>,
    running: Option<Running>,
    waiting: Vec<Waiting>,
    jobs: Sender<Job>,
}

impl Server<'_> {
    fn run(
        &mut self,
        messages: &Receiver<io::Result<Incoming>>,
        results: &Receiver<Report>,
    ) -> io::Result<u8> {
        loop {
            self.begin();
            let timer = match self.next_moment() {
                Some(moment) => after(moment.saturating_duration_since(Instant::now())),
                None => never(),
            };
            select! {
                recv(messages) -> message => match message {
                    // The client is gone without a word.
                    Err(_) => return Ok(u8::from(self.life != Life::Ends)),
                    Ok(message) => {
                        if let Some(status) = self.message(message?)? {
                            return Ok(status);
                        }
                    }
                },
                recv(results) -> report => {
                    if let Ok(report) = report {
                        self.analysed(report)?;
                    }
                }
                recv(timer) -> _ => {}
            }
            self.answer_waiting()?;
        }
    }

    /// Ends what is being analysed.
    fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// When something is to be done without a message or a result.
    fn next_moment(&self) -> Option<Instant> {
        let needs = self
            .documents
            .values()
            .filter(|one| one.need != Need::Nothing);
        let due = needs.map(|one| one.due).min();
        let due = due.filter(|_| self.running.is_none());
        let until = self.waiting.iter().filter_map(|one| one.until).min();
        due.into_iter().chain(until).min()
    }

    /// Begins the next analysis, if it is time for one and none is made.
    fn begin(&mut self) {
        let now = Instant::now();
        while self.running.is_none() {
            let documents = self.documents.iter_mut();
            let due = documents.filter(|(_, one)| one.need != Need::Nothing && one.due <= now);
            let Some((path, document)) = due.min_by_key(|(_, one)| (one.need, one.due)) else {
                return;
            };
            let mut kernels = Vec::new();
            if document.need == Need::Changed {
                let changed = document.known.as_ref().and_then(|(text, report)| {
                    let whole = report.errors.is_empty();
                    whole.then(|| parts::changed(text, &document.text))?
                });
                match changed {
                    Some(names) if !names.is_empty() => kernels = names,
                    _ => document.need = Need::Whole,
                }
            }
            let stop = Arc::new(AtomicBool::new(false));
            let job = Job {
                path: path.clone(),
                text: document.text.clone(),
                kernels,
                mends: document.need == Need::Mends,
                stop: stop.clone(),
            };
            self.running = Some(Running {
                path: path.clone(),
                version: document.version,
                need: document.need,
                text: document.text.clone(),
                stop,
            });
            if self.jobs.send(job).is_err() {
                return;
            }
        }
    }

    /// Takes the result of the analysis that was made.
    fn analysed(&mut self, report: Report) -> io::Result<()> {
        let Some(running) = self.running.take() else {
            return Ok(());
        };
        let Some(document) = self.documents.get_mut(&running.path) else {
            return Ok(());
        };
        let stale = document.version != running.version
            || !Arc::ptr_eq(&document.text, &running.text)
            || running.stop.load(Ordering::Relaxed);
        if stale {
            return Ok(());
        }
        let now = Instant::now();
        let report = match running.need {
            Need::Changed => {
                document.need = Need::Whole;
                document.due = now + SETTLE;
                match &document.known {
                    Some((before, known)) => {
                        with_changed(known, report, (before, &running.text), &running.path)
                    }
                    None => report,
                }
            }
            Need::Whole => {
                let findings = report.kernels.iter().flat_map(|kernel| &kernel.findings);
                let mut findings = findings.filter(|one| one.suppressed.is_none());
                document.need = match findings.any(|one| one.certainty > Certainty::Potential) {
                    true => Need::Mends,
                    false => Need::Nothing,
                };
                document.due = now;
                report
            }
            Need::Mends | Need::Nothing => {
                document.need = Need::Nothing;
                report
            }
        };
        let shown = diagnostics::of_report(&report, &running.path, &running.text);
        document.known = Some((running.text, report));
        let before = std::mem::replace(&mut document.shown, shown);
        let document = &self.documents[&running.path];
        let mut files: BTreeSet<PathBuf> = before.into_keys().collect();
        files.extend(document.shown.keys().cloned());
        for file in files {
            self.publish(&file)?;
        }
        Ok(())
    }

    /// Sends what all texts have to say of a file.
    fn publish(&mut self, file: &Path) -> io::Result<()> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for document in self.documents.values() {
            for one in document.shown.get(file).into_iter().flatten() {
                if !all.contains(one) {
                    all.push(one.clone());
                }
            }
        }
        let document = self.documents.get(file);
        let Some(uri) = document.map(|one| one.uri.clone()).or_else(|| uri_of(file)) else {
            return Ok(());
        };
        let parameters = PublishDiagnosticsParams {
            uri,
            diagnostics: all,
            version: document.map(|document| document.version),
        };
        self.notify("textDocument/publishDiagnostics", &parameters)
    }

    fn message(&mut self, incoming: Incoming) -> io::Result<Option<u8>> {
        match incoming {
            Incoming::Malformed(why) => {
                let text = format!("a message that is none was passed over: {why}");
                self.notify("window/logMessage", &json!({ "type": 1, "message": text }))?;
            }
            Incoming::Message(Message::Request(request)) => self.request(request)?,
            Incoming::Message(Message::Notification(notification)) => {
                if notification.method == "exit" {
                    return Ok(Some(u8::from(self.life != Life::Ends)));
                }
                if self.life == Life::Runs {
                    self.notification(notification)?;
                }
            }
            // Nothing is asked of the client.
            Incoming::Message(Message::Response(_)) => {}
        }
        Ok(None)
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        match (self.life, request.method.as_str()) {
            (Life::Begins, "initialize") => {
                self.life = Life::Runs;
                self.answer(request.id, &initialized())
            }
            (Life::Begins, _) => self.refuse(
                request.id,
                ErrorCode::ServerNotInitialized,
                "`initialize` comes first",
            ),
            (Life::Ends, _) | (_, "initialize") => self.refuse(
                request.id,
                ErrorCode::InvalidRequest,
                "it is too late for this",
            ),
            (Life::Runs, "shutdown") => {
                self.life = Life::Ends;
                self.stop();
                self.answer(request.id, &Value::Null)
            }
            (Life::Runs, "textDocument/hover") => self.wait(request, |of: HoverParams| {
                of.text_document_position_params.text_document.uri
            }),
            (Life::Runs, "textDocument/codeLens") => {
                self.wait(request, |of: CodeLensParams| of.text_document.uri)
            }
            (Life::Runs, "textDocument/codeAction") => {
                self.wait(request, |of: CodeActionParams| of.text_document.uri)
            }
            (Life::Runs, method) => {
                let text = format!("`{method}` is not known here");
                self.refuse(request.id, ErrorCode::MethodNotFound, &text)
            }
        }
    }

    /// Keeps a request about a text until that is analysed.
    fn wait<P: DeserializeOwned>(
        &mut self,
        request: Request,
        uri: impl Fn(P) -> Uri,
    ) -> io::Result<()> {
        let uri = match serde_json::from_value::<P>(request.params.clone()) {
            Ok(parameters) => uri(parameters),
            Err(error) => {
                let text = error.to_string();
                return self.refuse(request.id, ErrorCode::InvalidParams, &text);
            }
        };
        let path = path_of(&uri).filter(|path| self.documents.contains_key(path));
        let Some(path) = path else {
            return self.answer(request.id, &Value::Null);
        };
        let for_mends = request.method == "textDocument/codeAction";
        self.waiting.push(Waiting {
            request,
            path,
            until: for_mends.then(|| Instant::now() + PATIENCE),
        });
        Ok(())
    }

    /// Answers the requests whose texts are analysed.
    fn answer_waiting(&mut self) -> io::Result<()> {
        for waiting in std::mem::take(&mut self.waiting) {
            let Some(document) = self.documents.get(&waiting.path) else {
                self.answer(waiting.request.id, &Value::Null)?;
                continue;
            };
            let is_late = waiting.until.is_some_and(|until| until <= Instant::now());
            let is_ready = match waiting.until {
                Some(_) => document.is_current() && (document.need == Need::Nothing || is_late),
                None => document.is_current(),
            };
            match (is_ready, &document.known) {
                (true, Some((text, report))) => {
                    let about = (waiting.path.as_path(), text);
                    let answer = answer(self.analyser, &waiting.request, about, report);
                    self.answer(waiting.request.id, &answer)?;
                }
                _ => {
                    let until = waiting.until.filter(|_| !is_late);
                    self.waiting.push(Waiting { until, ..waiting });
                }
            }
        }
        Ok(())
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        let done = match method.as_str() {
            "textDocument/didOpen" => serde_json::from_value(params).map(|of| self.open(of)),
            "textDocument/didChange" => serde_json::from_value(params).map(|of| self.change(of)),
            "textDocument/didSave" => serde_json::from_value(params).map(|of| self.save(&of)),
            "textDocument/didClose" => serde_json::from_value(params).map(|of| self.close(&of)),
            "$/cancelRequest" => serde_json::from_value(params).map(|of| self.cancel(of)),
            "workspace/didChangeConfiguration" | "workspace/didChangeWatchedFiles" => {
                self.again(None);
                Ok(Ok(()))
            }
            _ => Ok(Ok(())),
        };
        match done {
            Ok(done) => done,
            Err(error) => {
                let text = format!("`{method}` was passed over: {error}");
                self.notify("window/logMessage", &json!({ "type": 1, "message": text }))
            }
        }
    }

    fn open(&mut self, of: DidOpenTextDocumentParams) -> io::Result<()> {
        let item = of.text_document;
        // A buffer without a file has no headers and no configuration, and no name in a report.
        let Some(path) = path_of(&item.uri) else {
            return Ok(());
        };
        let document = Document {
            uri: item.uri,
            version: item.version,
            text: item.text.into(),
            need: Need::Whole,
            due: Instant::now(),
            known: None,
            shown: BTreeMap::new(),
        };
        self.stop_if(&path);
        self.documents.insert(path, document);
        Ok(())
    }

    fn change(&mut self, of: DidChangeTextDocumentParams) -> io::Result<()> {
        let path = path_of(&of.text_document.uri);
        let Some((path, document)) = path.and_then(|path| {
            let document = self.documents.get_mut(&path)?;
            Some((path, document))
        }) else {
            return Ok(());
        };
        document.text = documents::changed(&document.text, &of.content_changes);
        document.version = of.text_document.version;
        document.need = Need::Changed;
        document.due = Instant::now() + DEBOUNCE;
        self.stop_if(&path);
        let (gone, kept) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|waiting| waiting.path == path);
        self.waiting = kept;
        let gone: Vec<Waiting> = gone;
        for waiting in gone {
            let text = "the text changed";
            self.refuse(waiting.request.id, ErrorCode::ContentModified, text)?;
        }
        Ok(())
    }

    /// What is on the disk changed, as other texts may include it.
    fn save(&mut self, of: &DidSaveTextDocumentParams) -> io::Result<()> {
        self.again(path_of(&of.text_document.uri).as_deref());
        Ok(())
    }

    /// Analyses all texts again but for one.
    fn again(&mut self, but: Option<&Path>) {
        let due = Instant::now() + SETTLE;
        for (path, document) in &mut self.documents {
            if Some(path.as_path()) != but && document.need > Need::Whole {
                document.need = Need::Whole;
                document.due = due;
            }
        }
    }

    fn close(&mut self, of: &DidCloseTextDocumentParams) -> io::Result<()> {
        let Some(path) = path_of(&of.text_document.uri) else {
            return Ok(());
        };
        self.stop_if(&path);
        if let Some(document) = self.documents.remove(&path) {
            for file in document.shown.keys() {
                self.publish(file)?;
            }
        }
        Ok(())
    }

    fn cancel(&mut self, of: lsp_types::CancelParams) -> io::Result<()> {
        let id = match of.id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        let is_it = |waiting: &Waiting| waiting.request.id == id;
        let Some(at) = self.waiting.iter().position(is_it) else {
            // It is answered already.
            return Ok(());
        };
        self.waiting.remove(at);
        self.refuse(id, ErrorCode::RequestCanceled, "cancelled")
    }

    /// Ends the analysis that is being made of a text.
    fn stop_if(&self, path: &Path) {
        if let Some(running) = &self.running
            && running.path == path
        {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    fn answer(&mut self, id: RequestId, result: &impl serde::Serialize) -> io::Result<()> {
        self.send(Response::new_ok(id, result).into())
    }

    fn refuse(&mut self, id: RequestId, code: ErrorCode, text: &str) -> io::Result<()> {
        let code = code as i32;
        self.send(Response::new_err(id, code, text.to_owned()).into())
    }

    fn notify(&mut self, method: &str, parameters: &impl serde::Serialize) -> io::Result<()> {
        self.send(Notification::new(method.to_owned(), parameters).into())
    }

    fn send(&mut self, message: Message) -> io::Result<()> {
        message.write(&mut self.output)
    }
}

/// What the server can do.
fn initialized() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(lsp_types::PositionEncodingKind::UTF16),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            code_lens_provider: Some(CodeLensOptions {
                resolve_provider: Some(false),
            }),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![lsp_types::CodeActionKind::QUICKFIX]),
                ..CodeActionOptions::default()
            })),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "warplog".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

/// The answer to a request about an analysed text.
fn answer(
    analyser: &dyn Analyser,
    request: &Request,
    (path, text): (&Path, &Arc<str>),
    report: &Report,
) -> Value {
    let parameters = request.params.clone();
    let answer = match request.method.as_str() {
        "textDocument/hover" => serde_json::from_value(parameters)
            .map(|of: HoverParams| {
                let position = of.text_document_position_params.position;
                let pointed = hover::pointed(path, text, position);
                let words = pointed.and_then(|pointed| {
                    Some((pointed.name.clone(), analyser.uniformity(&pointed)?))
                });
                hover::of_report(report, (path, text), position, words).map(|value| Hover {
                    contents: HoverContents::Markup(MarkupContent {
                        kind: MarkupKind::Markdown,
                        value,
                    }),
                    range: None,
                })
            })
            .and_then(serde_json::to_value),
        "textDocument/codeAction" => serde_json::from_value(parameters)
            .map(|of: CodeActionParams| {
                let shown = &of.context.diagnostics;
                actions::of_report(report, (path, text), of.range, shown)
            })
            .and_then(serde_json::to_value),
        _ => serde_json::to_value(lens::of_report(report, path, text)),
    };
    answer.unwrap_or(Value::Null)
}

/// What was known, with the kernels anew that changed and all else where it is now.
fn with_changed(
    known: &Report,
    changed: Report,
    (before, after): (&str, &str),
    path: &Path,
) -> Report {
    let name = path.to_string_lossy();
    let moved = parts::Moved::new(before, after, &name);
    let anew: Vec<String> = parts::changed(before, after).unwrap_or_default();
    let is_anew = |kernel: &&warplog_report::Kernel| {
        let plain = kernel.name.split('<').next().unwrap_or_default();
        let plain = plain.rsplit("::").next().unwrap_or(plain);
        anew.iter().any(|name| name == plain) && kernel.file == name
    };
    let kept = known.kernels.iter().filter(|kernel| !is_anew(kernel));
    let mut kernels: Vec<_> = kept.map(|kernel| moved.kernel(kernel)).collect();
    kernels.extend(changed.kernels.iter().filter(is_anew).cloned());
    kernels.sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
    Report {
        kernels,
        errors: changed.errors,
        ..Report::default()
    }
}
