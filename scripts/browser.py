"""A headless Chromium, driven over a pipe with nothing but the standard library.

The browser is the one that WARPLOG_BROWSER names, else the first of the usual names on PATH. It gets a profile of its own, no
network, and messages of the DevTools protocol as JSON, each ended by a zero byte, over file descriptors 3 and 4.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")


def find():
    """The path of a browser, or None."""
    named = os.environ.get("WARPLOG_BROWSER")
    if named is not None:
        return shutil.which(named) if named else None
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    """A browser with one page."""

    def __init__(self, browser, width=1500, height=950):
        self.profile = tempfile.mkdtemp(prefix="warplog-browser-")
        to_read, self.to = os.pipe()
        self.source, to_write = os.pipe()
        # The child has the ends as 3 and 4, whatever they are here.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, to_write)]
        os.close(to_read)
        os.close(to_write)

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        command = [
            browser, "--headless=new", "--remote-debugging-pipe", "--disable-gpu",
            "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
            "--force-color-profile=srgb", f"--window-size={width},{height}", f"--user-data-dir={self.profile}",
            "--proxy-server=127.0.0.1:1",
            # A test goes to more addresses in a second than the browser lets a page.
            "--disable-ipc-flooding-protection",
        ]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(command, pass_fds=(3, 4), preexec_fn=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        for end in ends:
            os.close(end)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        """Ends the browser and removes its profile."""
        try:
            os.close(self.to)
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.source], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.source, 1 << 20)
            if not more:
                raise ConnectionError("the browser ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        """Calls a method of the protocol and gives its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, expression):
        """The value of an expression of JavaScript."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until the expression is true."""
        until = time.monotonic() + seconds
        while not self.run(f"!!({expression})"):
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.02)

    def open(self, path, fragment=""):
        """Opens a file that is a report; gives the milliseconds until it can be used."""
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}{fragment}")
        self.wait("document.documentElement?.dataset.ready === 'true'", 60)
        # Two frames later it has been painted.
        return self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))")

    def key(self, key):
        """Presses a key, as a person would."""
        extra = {"text": key} if len(key) == 1 else CODES.get(key, {})
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)
        self.settle()

    def type(self, text):
        """Types a text."""
        for character in text:
            self.key(character)

    def click(self, selector):
        """Clicks in the middle of an element."""
        box = self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}}); "
                       "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.settle()

    def settle(self):
        """Lets the page react."""
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def scheme(self, scheme):
        """Asks for the light or dark colours."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        """Writes what is seen as a PNG."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def complaints(self):
        """Errors of the script, and what was asked of the network."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "about:")):
                found.append(f"asks for {params['request']['url']}")
        return found


CODES = {
    "Enter": {"windowsVirtualKeyCode": 13, "text": "\r"},
    "Escape": {"windowsVirtualKeyCode": 27},
    "Tab": {"windowsVirtualKeyCode": 9},
    "ArrowDown": {"windowsVirtualKeyCode": 40},
    "ArrowUp": {"windowsVirtualKeyCode": 38},
}
