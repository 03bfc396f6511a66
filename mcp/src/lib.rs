//! What warplog offers to agents: the model context protocol over tools that are given to it.
//!
//! [`serve`] talks over standard input and output by the official SDK, `rmcp`, on a thread of its own; each call of a tool is handed to
//! the thread that called [`serve`], one after the other, so that the analysis sees neither futures nor the protocol. What a tool gives is
//! a JSON value: the client gets it as structured content, and as text for those that know no other.
//!
//! A client that gives a token with its call is told each second what is being done for it, in the words of who does it, so that it can show
//! that, and knows that the call is alive.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

/// A tool as it is offered.
#[derive(Clone, Debug)]
pub struct Offer {
    /// What it is called.
    pub name: &'static str,
    /// What it does, for a model that is to choose it.
    pub description: &'static str,
    /// The JSON schema of its arguments, an object.
    pub arguments: Map<String, Value>,
}

/// The arguments of a call.
pub type Arguments = Map<String, Value>;

/// Who waits for the answer of a call.
#[derive(Clone, Debug, Default)]
pub struct Client {
    cancelled: Arc<AtomicBool>,
    /// What is being done now.
    doing: Arc<Mutex<String>>,
}

impl Client {
    /// A flag that is set when nobody wants the answer any more.
    #[must_use]
    pub fn cancelled(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Says what is being done; a client that asked for it is told the last that was said.
    pub fn say(&self, doing: &str) {
        let mut said = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.clone_into(&mut said);
    }

    fn doing(&self) -> String {
        let said = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        said.clone()
    }
}

/// How often a client is told what is being done.
const TOLD_EVERY: Duration = Duration::from_secs(1);

/// A call on its way to who answers it.
struct Call {
    name: String,
    arguments: Arguments,
    client: Client,
    answer: oneshot::Sender<Result<Value, String>>,
}

/// Serves the client at standard input and output until it is gone. `call` gets the name of an offered tool, its arguments, and who
/// waits for the answer, which is nobody any more once the client cancels the call; what it gives as an error is told to the model as the result
/// of the call. A call that is cancelled before its turn is not made.
///
/// # Errors
/// The client does not begin as the protocol asks, or the system gives no thread.
pub fn serve(
    (instructions, version): (&'static str, &'static str),
    offers: Vec<Offer>,
    mut call: impl FnMut(&str, &Arguments, &Client) -> Result<Value, String>,
) -> io::Result<()> {
    let (say, calls) = channel();
    let handler = Handler {
        instructions,
        version,
        offers: offers.into(),
        say,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let protocol = thread::Builder::new()
        .name("protocol".to_owned())
        .spawn(move || {
            let served = runtime.block_on(async {
                let transport = (tokio::io::stdin(), tokio::io::stdout());
                let running = handler.serve(transport).await.map_err(io::Error::other)?;
                running.waiting().await.map_err(io::Error::other)
            });
            // A read of standard input that waits would keep the runtime.
            runtime.shutdown_background();
            served.map(|_| ())
        })?;
    for one in calls {
        if one.client.cancelled.load(Ordering::Relaxed) {
            continue;
        }
        one.client.say("beginning");
        // Nobody may wait for the answer any more.
        let _ = one
            .answer
            .send(call(&one.name, &one.arguments, &one.client));
    }
    protocol
        .join()
        .map_err(|_| io::Error::other("the protocol failed"))?
}

/// Says that nobody wants an answer any more once it is dropped, which happens with the call: it is answered, or the client is gone.
struct Watch {
    task: tokio::task::JoinHandle<()>,
    cancelled: Arc<AtomicBool>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

struct Handler {
    instructions: &'static str,
    version: &'static str,
    offers: Arc<[Offer]>,
    say: Sender<Call>,
}

impl Handler {
    fn tools(&self) -> Vec<Tool> {
        let tool = |offer: &Offer| {
            let tool = Tool::new(
                offer.name,
                offer.description,
                Arc::new(offer.arguments.clone()),
            );
            // It reads files and changes none.
            tool.with_annotations(ToolAnnotations::from_raw(
                None,
                Some(true),
                Some(false),
                Some(true),
                Some(false),
            ))
        };
        self.offers.iter().map(tool).collect()
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("warplog", self.version))
            .with_instructions(self.instructions)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        if !self.offers.iter().any(|offer| offer.name == name) {
            let text = format!("there is no tool `{name}`");
            return Err(ErrorData::invalid_params(text, None));
        }
        let (answer, answered) = oneshot::channel();
        let client = Client::default();
        client.say("waiting for its turn");
        let cancelled = client.cancelled();
        let call = Call {
            name,
            arguments: request.arguments.unwrap_or_default(),
            client: client.clone(),
            answer,
        };
        let (token, flag) = (context.ct.clone(), Arc::clone(&cancelled));
        let task = tokio::spawn(async move {
            token.cancelled().await;
            flag.store(true, Ordering::Relaxed);
        });
        let _watch = Watch { task, cancelled };
        let gone = || ErrorData::internal_error("the analysis is gone", None);
        self.say.send(call).map_err(|_| gone())?;
        let answer = told_meanwhile(&context, &client, answered).await;
        Ok(match answer.map_err(|_| gone())? {
            Ok(value) => CallToolResult::structured(value).into(),
            Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]).into(),
        })
    }
}

/// Waits for what comes, and meanwhile tells a client that gave a token for it what is being done; nothing is told behind the answer.
async fn told_meanwhile<T>(
    context: &RequestContext<RoleServer>,
    client: &Client,
    mut coming: oneshot::Receiver<T>,
) -> Result<T, oneshot::error::RecvError> {
    let Some(token) = context.meta.get_progress_token() else {
        return coming.await;
    };
    let begun = Instant::now();
    loop {
        match tokio::time::timeout(TOLD_EVERY, &mut coming).await {
            Ok(came) => return came,
            Err(_) => {
                // Seconds are what grows for certain; how much is left nobody knows.
                let seconds = begun.elapsed().as_secs_f64();
                let told = ProgressNotificationParam::new(token.clone(), seconds);
                // A client that is gone does not hear it, which ends the call elsewhere.
                let _ = context
                    .peer
                    .notify_progress(told.with_message(client.doing()))
                    .await;
            }
        }
    }
}
