//! A client of the servers of the program: it writes messages, and reads those that come until one is what it waits for.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How messages are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By their lengths, as in the language server protocol.
    Lengths,
    /// One a line, as in the model context protocol.
    Lines,
}

/// How long an answer may take on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server and what it says.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    framing: Framing,
    next: i64,
    /// What came while something else was waited for.
    pub passed: Vec<Value>,
}

impl Client {
    /// Starts a server.
    ///
    /// # Panics
    /// When the program cannot be run.
    #[must_use]
    pub fn start(command: &mut Command, framing: Framing) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let (say, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output, framing) {
                if say.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            child,
            input,
            messages,
            framing,
            next: 0,
            passed: Vec::new(),
        }
    }

    /// Writes these bytes as they are. A server that is gone is told by what it does not say.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Writes a text as the body of a message.
    pub fn body(&mut self, text: &str) {
        let framed = match self.framing {
            Framing::Lengths => format!("Content-Length: {}\r\n\r\n{text}", text.len()),
            Framing::Lines => format!("{text}\n"),
        };
        self.write(framed.as_bytes());
    }

    /// Tells something that has no answer.
    pub fn notify(&mut self, method: &str, parameters: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": parameters });
        self.body(&message.to_string());
    }

    /// Asks something, and gives the number of the request.
    pub fn request(&mut self, method: &str, parameters: &Value) -> i64 {
        self.next += 1;
        let id = self.next;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
        self.body(&message.to_string());
        id
    }

    /// Asks something and waits for the answer, of which it gives the result.
    ///
    /// # Panics
    /// When the answer is an error, or none comes.
    pub fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.request(method, parameters);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a request.
    ///
    /// # Panics
    /// When none comes.
    pub fn answer(&mut self, id: i64) -> Value {
        self.wait(&format!("the answer to request {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    /// The first message from now on that is what is waited for.
    ///
    /// # Panics
    /// When none comes.
    pub fn wait(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.messages.recv_timeout(left) {
                Ok(message) if is_it(&message) => return message,
                Ok(message) => self.passed.push(message),
                Err(RecvTimeoutError::Timeout) => panic!("{what} does not come: {:?}", self.passed),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the server is gone before {what}: {:?}", self.passed)
                }
            }
        }
    }

    /// What comes within this time.
    pub fn within(&mut self, time: Duration) -> Vec<Value> {
        let start = Instant::now();
        let mut came = Vec::new();
        while let Some(left) = time.checked_sub(start.elapsed()) {
            match self.messages.recv_timeout(left) {
                Ok(message) => came.push(message),
                Err(_) => break,
            }
        }
        came
    }

    /// Closes its input and waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub fn end(&mut self) -> ExitStatus {
        drop(self.input.take());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("is a child") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message; nothing at the end.
fn read(from: &mut impl BufRead, framing: Framing) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        match framing {
            Framing::Lines if line.is_empty() => continue,
            Framing::Lines => return serde_json::from_str(line).ok(),
            Framing::Lengths if line.is_empty() => break,
            Framing::Lengths => {
                if let Some(text) = line.strip_prefix("Content-Length: ") {
                    length = text.parse::<usize>().ok();
                }
            }
        }
    }
    let mut body = vec![0; length?];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
