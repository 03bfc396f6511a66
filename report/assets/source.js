// Source with coloured words, marks of a finding, tags of all findings, and a band for each barrier interval.

const KEYWORDS = new Set(("alignas auto bool break case char class const constexpr continue default delete do double else enum extern "
  + "false float for goto if inline int long namespace new nullptr operator private public register return short signed sizeof static "
  + "struct switch template this true typedef typename union unsigned using void volatile while half "
  + "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ __forceinline__ __noinline__").split(" "));
const BUILT_IN = /^(threadIdx|blockIdx|blockDim|gridDim|warpSize|atomic\w+|__sync\w+|__shfl\w*|__ballot\w*|__any\w*|__all\w*|__threadfence\w*)$/;
const TOKEN = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|^\s*#\s*\w+|\b\d[\w.']*|[A-Za-z_]\w*/g;

// Words of a line with their class; whether a comment is open comes in and goes out.
function tokens(text, open) {
  const found = [];
  let at = 0;
  if (open) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    found.push([0, at, "comment"]);
    open = end < 0;
  }
  TOKEN.lastIndex = at;
  for (let match; !open && (match = TOKEN.exec(text));) {
    const [word] = match;
    const start = match.index;
    if (word === "/*") {
      const end = text.indexOf("*/", start + 2);
      const stop = end < 0 ? text.length : end + 2;
      found.push([start, stop, "comment"]);
      open = end < 0;
      TOKEN.lastIndex = stop;
    } else if (word.startsWith("//")) found.push([start, start + word.length, "comment"]);
    else if (/^["']/.test(word)) found.push([start, start + word.length, "string"]);
    else if (/^\s*#/.test(word)) found.push([start, start + word.length, "directive"]);
    else if (/^\d/.test(word)) found.push([start, start + word.length, "num"]);
    else if (KEYWORDS.has(word)) found.push([start, start + word.length, "keyword"]);
    else if (BUILT_IN.test(word)) found.push([start, start + word.length, "builtin"]);
  }
  return [found, open];
}

// Columns count characters; strings here count halves of those beyond the basic plane.
function offset(text, column) {
  let at = 0;
  for (const character of text) {
    if (column <= 1) break;
    column -= 1;
    at += character.length;
  }
  return at;
}

// The line as elements: classes of words, and marks over them.
function coloured(text, words, marks) {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of [...words, ...marks]) cuts.add(from).add(to);
  const bounds = [...cuts].filter((at) => at <= text.length).sort((a, b) => a - b);
  const out = [];
  for (let nth = 0; nth + 1 < bounds.length; nth += 1) {
    const [from, to] = [bounds[nth], bounds[nth + 1]];
    const word = words.find((it) => it[0] <= from && to <= it[1]);
    const mark = marks.find((it) => it[0] <= from && to <= it[1]);
    const piece = text.slice(from, to);
    const inner = word ? h("span", { class: word[2] }, piece) : piece;
    out.push(mark ? h("mark", { class: mark[2] }, inner) : inner);
  }
  return out;
}

// A column for each interval that no other interval in it overlaps.
function lanes(intervals) {
  const ends = [];
  const lane = new Map();
  const extent = (interval) => {
    const lines = interval.stretches;
    return [Math.min(...lines.map((it) => it[1])), Math.max(...lines.map((it) => it[2]))];
  };
  for (const interval of intervals.filter((it) => it.stretches.length)) {
    const [first, last] = extent(interval);
    let nth = ends.findIndex((end) => end < first);
    if (nth < 0) nth = ends.length;
    ends[nth] = last;
    lane.set(interval, nth);
  }
  return [lane, ends.length];
}

const WIDEST = 12;

// The table of a kernel's source. `select` opens a finding.
function sourceTable(kernel, group, selected, select) {
  const intervals = kernel.intervals.map((it, nth) => ({ ...it, nth })).filter((it) => it.group === group);
  const [lane, width] = lanes(intervals);
  const columns = Math.min(width, WIDEST);
  const bands = new Map();
  for (const interval of intervals) {
    for (const [file, first, last, carried] of interval.stretches) {
      for (let line = first; line <= last; line += 1) {
        const key = `${file}:${line}`;
        if (!bands.has(key)) bands.set(key, []);
        bands.get(key).push([lane.get(interval), interval, carried, line === first]);
      }
    }
  }
  const tags = new Map();
  kernel.findings.forEach((finding, nth) => {
    const seen = new Set();
    for (const { file, line, role } of finding.locations) {
      const key = `${file}:${line}`;
      if (seen.has(key + role)) continue;
      seen.add(key + role);
      if (!tags.has(key)) tags.set(key, []);
      tags.get(key).push([nth, role]);
    }
  });
  const chosen = selected === null ? null : kernel.findings[selected];
  const body = h("tbody", {});
  kernel.pieces.forEach(([file, first, last], nth) => {
    if (nth > 0 || file !== kernel.key) {
      body.append(h("tr", { class: "file" }, h("th", { scope: "colgroup", colspan: columns + 3 }, `${fileName(file)}:${first}`)));
    }
    let open = false;
    for (let line = first; line <= last; line += 1) {
      const row = sourceLine(file, line, open);
      open = row.open;
      body.append(row.element);
    }
  });
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Source" },
    h("table", { class: "source" },
      h("caption", { class: "hidden" }, `Source of ${kernel.name}, with barrier intervals as bands`),
      h("thead", { class: "hidden" }, h("tr", {}, h("th", { scope: "col" }, "Line"),
        columns > 0 && h("th", { scope: "col", colspan: columns }, "Intervals"),
        h("th", { scope: "col" }, "Code"), h("th", { scope: "col" }, "Findings"))),
      body));

  function sourceLine(file, line, open) {
    const key = `${file}:${line}`;
    const text = lineText(file, line);
    const here = (chosen?.locations || []).filter((it) => it.file === file && it.line <= line && line <= it.end_line);
    const roles = [...new Set((tags.get(key) || []).map((it) => it[1]))];
    let words = [];
    let code;
    if (text === undefined) code = h("span", { class: "gone" }, "⋯");
    else {
      [words, open] = tokens(text, open);
      const marks = here.map((it) => [
        it.line === line ? offset(text, it.column) : 0,
        it.end_line === line ? offset(text, it.end_column) : text.length, it.role]);
      code = coloured(text, words, marks);
    }
    const cells = [];
    const of = bands.get(key) || [];
    for (let nth = 0; nth < columns; nth += 1) {
      const band = of.find((it) => it[0] === nth);
      const head = band && kernel.head === band[1].head;
      cells.push(band
        ? h("td", { class: `lane${band[2] ? " carried" : ""}${head ? " meets" : ""}`, style: `--c: ${colour(band[1].nth)}`,
          title: intervalWords(kernel, band[1]) }, band[3] ? `${band[1].nth + 1}` : null)
        : h("td", { class: "lane" }));
    }
    const notes = here.filter((it) => it.line === line).map((it) => h("span", { class: `note ${it.role}` }, it.label));
    const seen = new Set();
    const others = (tags.get(key) || []).filter(([nth]) => nth !== selected && !seen.has(nth) && seen.add(nth));
    const links = others.slice(0, 4).map(([nth, role]) => h("button", {
      type: "button", class: `tag ${role}`, onclick: () => select(nth),
      "aria-label": `finding ${nth + 1}: ${kernel.findings[nth].headline}`, title: kernel.findings[nth].headline,
    }, `F${nth + 1}`));
    if (others.length > 4) links.push(h("span", { class: "tag-more" }, `+${others.length - 4}`));
    const element = h("tr", { class: ["line", ...roles, here.length ? "chosen" : ""].join(" "), "data-line": line },
      h("td", { class: "ln" }, line), cells,
      h("td", { class: "code" }, h("code", {}, code), notes.length > 0 && h("div", { class: "notes" }, notes)), h("td", { class: "tags" }, links));
    return { element, open };
  }
}

function boundWords(bound) {
  return bound.kind === "barrier" ? `${bound.what} in line ${bound.line}` : `${bound.what} of the kernel`;
}

function intervalWords(kernel, interval) {
  const tails = interval.tails.map(([bound, carried]) =>
    boundWords(kernel.bounds[bound]) + (carried ? ", round a loop" : ""));
  return `Interval ${interval.nth + 1}: from the ${boundWords(kernel.bounds[interval.head])} to ${tails.join(" or ") || "nowhere"}`;
}
