// Elements, and what all parts share. Texts become text nodes: nothing of a report is ever read as markup.

const report = JSON.parse(document.getElementById("data").textContent);

// h("a", {href: "#", class: "x", onclick: f}, "text", element, [more])
function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function s(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(4)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// A sentence with `code` in it.
function prose(text) {
  return text.split("`").map((part, nth) => (nth % 2 ? h("code", {}, breakable(part)) : breakable(part)));
}

// A text whose long paths are broken behind a slash, not within a line number.
function breakable(text) {
  return text.split(/(?<=\/)/).map((part, nth) => (nth ? [h("wbr", {}), part] : part));
}

function counted(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

// Sign and words of each verdict, worst first. The sign is there for those who do not see the colour.
const VERDICTS = {
  racy: ["✕", "racy"],
  barrier_divergence: ["≠", "barrier divergence"],
  assertion_failed: ["¬", "assertion failed"],
  error: ["!", "error"],
  unknown: ["?", "unknown"],
  race_free: ["✓", "race-free"],
};

const RULES = {
  "data-race": "data race",
  "barrier-divergence": "barrier divergence",
  "invalid-mask": "invalid mask",
  "assertion-failed": "assertion failed",
  "missing-proxy-fence": "missing proxy fence",
  "endless-wait": "endless wait",
};

function badge(verdict) {
  const [sign, words] = VERDICTS[verdict];
  return h("span", { class: `badge ${verdict}` }, h("span", { "aria-hidden": "true" }, sign), ` ${words}`);
}

// Number of colours for intervals.
const COLOURS = 8;
const colour = (nth) => `var(--i${nth % COLOURS})`;

// The text of a line, if it is known.
function lineText(file, line) {
  const run = report.sources[file]?.[1].find(([first, lines]) => first <= line && line < first + lines.length);
  return run?.[1][line - run[0]];
}

function fileName(file) {
  return report.sources[file]?.[0] ?? "";
}

// Fills a list a hundred at a time: the rest when it is scrolled to, or asked for.
const PAGE = 100;

function lazily(list, more, items, render, words) {
  let done = 0;
  const next = (until) => {
    const fragment = document.createDocumentFragment();
    const end = Math.min(items.length, Math.max(done + PAGE, until || 0));
    for (; done < end; done += 1) fragment.append(render(items[done], done));
    list.append(fragment);
    more.hidden = done >= items.length;
    const left = items.length - done;
    more.textContent = `Show ${Math.min(PAGE, left)} more (${counted(left, words[0], words[1])} left)`;
  };
  list.replaceChildren();
  next();
  more.onclick = () => {
    const first = done;
    next();
    list.children[first]?.querySelector("a, button")?.focus();
  };
  if (more.observer) more.observer.disconnect();
  more.observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !more.hidden) next();
  }, { rootMargin: "300px" });
  more.observer.observe(more);
  // Makes sure that an item is there.
  return (nth) => {
    if (nth >= done) next(nth + 1);
    return list.children[nth];
  };
}
