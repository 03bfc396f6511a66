// The overview, the list with its filters, the view of a kernel, and the keys.

const main = document.getElementById("main");
const list = document.getElementById("list");
const more = document.getElementById("more");
const inputs = Object.fromEntries(["search", "kind", "certainty", "path", "order"].map((id) => [id, document.getElementById(id)]));
const wanted = new Set();
const order = Object.keys(VERDICTS);

let shown = [];
let rowOf = () => null;
let current = null;
let finding = null;
let structure = 0;
let group = "block";
let wide = false;

// What the text search looks in, made when it is first used.
const haystacks = [];
function haystack(index) {
  haystacks[index] ??= [report.kernels[index].name, report.kernels[index].file, report.kernels[index].verdict,
    ...report.kernels[index].findings.flatMap((it) => [it.id, it.headline, ...it.reasons])].join("\n").toLowerCase();
  return haystacks[index];
}

function matches(kernel, index) {
  if (wanted.size && !wanted.has(kernel.verdict)) return false;
  const path = inputs.path.value.trim();
  if (path && !kernel.file.includes(path)) return false;
  const { kind, certainty } = { kind: inputs.kind.value, certainty: inputs.certainty.value };
  if ((kind || certainty) && !kernel.findings.some((it) => (!kind || it.rule === kind) && (!certainty || it.certainty === certainty))) return false;
  const words = inputs.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => haystack(index).includes(word));
}

const open = (kernel) => kernel.findings.filter((it) => it.suppressed === null).length;
const ORDERS = {
  verdict: (a, b) => a.rank - b.rank,
  count: (a, b) => open(b) - open(a),
  file: () => 0,
};

function refresh() {
  shown = report.kernels.map((_, index) => index).filter((index) => matches(report.kernels[index], index));
  const compare = ORDERS[inputs.order.value];
  shown.sort((a, b) => compare(report.kernels[a], report.kernels[b]) || a - b);
  document.getElementById("count").textContent = shown.length === report.kernels.length
    ? counted(shown.length, "kernel", "kernels") : `${shown.length.toLocaleString("en")} of ${counted(report.kernels.length, "kernel", "kernels")}`;
  rowOf = lazily(list, more, shown, row, ["kernel", "kernels"]);
  mark();
}

function row(index) {
  const kernel = report.kernels[index];
  const count = open(kernel);
  return h("li", {}, h("a", { href: `#k${index}`, tabindex: "-1", "data-kernel": index },
    h("span", { class: "first" }, badge(kernel.verdict), kernel.certainty && h("span", { class: `certainty ${kernel.certainty}` }, kernel.certainty),
      count > 0 && h("span", { class: "findings", title: counted(count, "finding", "findings") }, count)),
    h("span", { class: "name" }, kernel.name),
    h("span", { class: "place" }, breakable(`${kernel.file}:${kernel.line}`))));
}

// One link of the list is in the order of tabs: that of the kernel shown, else the first.
function mark() {
  for (const link of list.querySelectorAll("a[aria-current], a[tabindex='0']")) {
    link.removeAttribute("aria-current");
    link.tabIndex = -1;
  }
  const at = shown.indexOf(current);
  const link = (at < 0 ? list.firstElementChild : rowOf(at))?.querySelector("a");
  if (!link) return;
  link.tabIndex = 0;
  if (at >= 0) {
    link.setAttribute("aria-current", "true");
    link.scrollIntoView({ block: "nearest" });
  }
}

// The address says what is shown: #k12 a kernel, #k12.f3 a finding of it.
function navigate() {
  const match = /^#k(\d+)(?:\.f(\d+))?$/.exec(location.hash);
  const kernel = match && report.kernels[Number(match[1])];
  if (!kernel) {
    current = null;
    finding = null;
    overview();
  } else {
    const other = current !== Number(match[1]);
    current = Number(match[1]);
    finding = match[2] !== undefined && kernel.findings[Number(match[2])] ? Number(match[2]) : kernel.findings.length ? 0 : null;
    if (other) structure = 0;
    const shows = (nth) => finding === null || kernel.structures[nth].of.some((it) => kernel.findings[finding].launches.includes(it));
    if (!shows(structure)) structure = Math.max(0, kernel.structures.findIndex((_, nth) => shows(nth)));
    if (other) group = "block";
    keepGroup(kernel);
    view(kernel);
    if (other) main.scrollTop = 0;
    if (match[2] !== undefined) main.querySelector("tr.chosen")?.scrollIntoView({ block: "nearest" });
  }
  mark();
}

// A structure need not have intervals of each group.
function keepGroup(kernel) {
  const { intervals } = kernel.structures[structure];
  if (!intervals.some((it) => it.group === group)) group = intervals[0]?.group;
}

function select(nth) {
  location.hash = `#k${current}.f${nth}`;
}

// The overview.

function overview() {
  document.title = "warplog report";
  const counts = Object.fromEntries(order.map((verdict) => [verdict, 0]));
  const kinds = new Map();
  const folders = new Map();
  for (const kernel of report.kernels) {
    counts[kernel.verdict] += 1;
    for (const it of kernel.findings) {
      const entry = kinds.get(it.rule) || { confirmed: 0, conditional: 0, potential: 0, suppressed: 0 };
      entry[it.suppressed === null ? it.certainty : "suppressed"] += 1;
      kinds.set(it.rule, entry);
    }
    const folder = kernel.file.includes("/") ? kernel.file.slice(0, kernel.file.lastIndexOf("/") + 1) : "./";
    const entry = folders.get(folder) || { kernels: 0, bad: 0, findings: 0 };
    entry.kernels += 1;
    entry.bad += open(kernel) > 0 ? 1 : 0;
    entry.findings += open(kernel);
    folders.set(folder, entry);
  }
  const total = Math.max(1, report.kernels.length);
  const present = order.filter((verdict) => counts[verdict] > 0);
  const worst = [...folders].sort((a, b) => b[1].findings - a[1].findings || (a[0] < b[0] ? -1 : 1)).slice(0, 20);
  main.replaceChildren();
  fill(main, {}, [
    h("h2", {}, "Overview"),
    report.made && h("p", { class: "hint" }, h("code", {}, breakable(report.made[0])), `, ${report.made[1]}, warplog ${report.version}`),
    h("div", { class: "bar", role: "img", "aria-label": present.map((it) => `${VERDICTS[it][1]}: ${counts[it]}`).join(", ") },
      present.map((it) => h("span", { class: it, style: `flex-grow: ${counts[it] / total}`, title: `${VERDICTS[it][1]}: ${counts[it]}` }))),
    h("ul", { class: "tiles" }, present.map((it) => h("li", {}, h("button", { type: "button", onclick: () => only(it) },
      h("strong", {}, counts[it].toLocaleString("en")), badge(it))))),
    kinds.size > 0 && [h("h3", {}, "Findings"), table(["Kind", "Confirmed", "Conditional", "Potential", "Suppressed", ""],
      report.kinds.filter((kind) => kinds.has(kind.rule)).map(({ rule, summary }) => {
        const it = kinds.get(rule);
        return [RULES[rule], it.confirmed, it.conditional, it.potential, it.suppressed, summary];
      }))],
    folders.size > 1 && [h("h3", {}, "Folders"), table(["Folder", "Kernels", "With findings", "Findings"],
      worst.map(([folder, it]) => [h("button", { type: "button", class: "link", onclick: () => under(folder) }, folder), it.kernels, it.bad, it.findings]))],
    notes("Could not be read or analysed", report.errors),
    notes("Not modelled", report.unsupported),
    notes("Notes", report.notes)]);
}

function only(verdict) {
  wanted.clear();
  wanted.add(verdict);
  pressed();
  refresh();
  list.querySelector("a")?.focus();
}

function under(folder) {
  inputs.path.value = folder === "./" ? "" : folder;
  refresh();
  list.querySelector("a")?.focus();
}

function notes(title, lines) {
  if (!lines.length) return null;
  const most = 200;
  return h("details", { open: lines.length <= 5 }, h("summary", {}, h("h3", {}, `${title} (${lines.length.toLocaleString("en")})`)),
    h("ul", { class: "plain" }, lines.slice(0, most).map((line) => h("li", {}, line)),
      lines.length > most && h("li", {}, `and ${(lines.length - most).toLocaleString("en")} more`)));
}

function table(heads, rows) {
  return h("div", { class: "scroll" }, h("table", { class: "data" },
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, nth) => nth === 0
      ? h("th", { scope: "row" }, cell) : h("td", { class: typeof cell === "number" ? "figure" : null }, cell)))))));
}

// A kernel.

function view(kernel) {
  document.title = `${kernel.name}: ${VERDICTS[kernel.verdict][1]}, warplog report`;
  const keep = document.activeElement?.closest?.("#findings") !== null && document.activeElement !== document.body;
  const findings = h("ol", { id: "findings" });
  const button = h("button", { type: "button", hidden: true, class: "more" });
  const reveal = lazily(findings, button, kernel.findings, (it, nth) => findingItem(kernel, it, nth), ["finding", "findings"]);
  const item = finding === null ? null : reveal(finding);
  const chosen = finding === null ? null : kernel.findings[finding];
  const under = { ...kernel, ...kernel.structures[structure], head: chosen?.heads[structure] ?? null };
  const groups = [...new Set(under.intervals.map((it) => it.group))];
  const lines = new Set((chosen?.locations || []).filter((it) => it.role === "first" || it.role === "second").map((it) => it.line));
  const ofGroup = under.intervals.map((it, nth) => ({ ...it, nth })).filter((it) => it.group === group);
  const questions = [...new Set(kernel.launches.flatMap((it) => it.open))];
  const source = h("section", { "aria-labelledby": "h-source" }, h("h3", { id: "h-source" }, "Source ",
    h("button", { type: "button", id: "wide", "aria-pressed": String(wide), onclick: widen }, "wide")),
    kernel.structures.length > 1 && h("label", { class: "structures" }, "Intervals and flows of the launch ",
      h("select", { id: "structure", onchange: (event) => {
        structure = Number(event.target.value);
        keepGroup(kernel);
        view(kernel);
        document.querySelector("#structure").focus();
      } }, kernel.structures.map((it, nth) => h("option", { value: nth, selected: nth === structure }, launchesOf(kernel, it))))),
    groups.length > 1 && h("fieldset", { class: "groups" }, h("legend", {}, "Bands are the intervals between barriers of the"),
      groups.map((it) => h("label", {}, h("input", { type: "radio", name: "group", value: it, checked: it === group,
        onchange: () => { group = it; view(kernel); } }), ` ${it}`))),
    under.pieces.length ? sourceTable(under, group, finding, select) : h("p", {}, "The source is not part of this report."));
  const graph = ofGroup.length > 0 && h("section", { "aria-labelledby": "h-graph" }, h("h3", { id: "h-graph" }, "Barrier intervals"),
    h("div", { class: "beside" }, intervalGraph(under, group, under.head),
      table(["", "From", "To", "Accesses"], ofGroup.map((it) => [
        h("span", { class: "key", style: `--c: ${colour(it.nth)}` }, it.nth + 1), boundWords(under.bounds[it.head]),
        it.tails.map(([to, carried]) => boundWords(under.bounds[to]) + (carried ? " (round a loop)" : "")).join(", ") || "none", it.accesses.toLocaleString("en")]))));
  const flows = under.flows.length > 0 && h("section", { "aria-labelledby": "h-flows" }, h("h3", { id: "h-flows" }, "Parametric flows"),
    h("p", { class: "hint" }, "Classes of threads by the conditions on which threads of a block may differ. Races are looked for within each and between any two."),
    flowTree(under, lines));
  main.replaceChildren();
  fill(main, {}, [
    h("h2", {}, kernel.name, " ", badge(kernel.verdict)),
    h("p", { class: "place" }, breakable(`${kernel.file}:${kernel.line}`)),
    h("div", { class: wide ? "parts wide" : "parts" },
      h("div", {}, source, graph, flows,
        under.cut && h("p", { class: "hint" }, "Too large to be shown whole: some intervals or flows are left out.")),
      h("div", {},
        h("section", { "aria-labelledby": "h-findings" },
          h("h3", { id: "h-findings" }, kernel.findings.length ? counted(kernel.findings.length, "finding", "findings") : "No findings"), findings, button),
        questions.length > 0 && [h("h3", {}, "Left open"), h("ul", { class: "plain" }, questions.map((it) => h("li", {}, prose(it))))],
        kernel.costs && costsOf(kernel.costs),
        h("h3", {}, counted(kernel.launches.length, "launch", "launches")),
        h("ul", { class: "plain launches" }, kernel.launches.slice(0, 100).map((it) => h("li", {}, h("code", {}, breakable(it.words)), " ", badge(it.verdict),
          it.assumptions.length > 0 && h("p", { class: "hint" }, `assumes: ${it.assumptions.join("; ")}`)))),
        notes("Remarks", kernel.notes),
        h("p", { class: "hint" }, `${counted(kernel.stats.accesses, "access", "accesses")} to memory that threads share, `
          + `${counted(kernel.stats.pairs, "pair", "pairs")}, ${kernel.stats.discharged_by_rule.toLocaleString("en")} of them discharged by rule; `
          + `${counted(kernel.stats.queries, "query", "queries")} asked of the solver, ${kernel.stats.undecided.toLocaleString("en")} undecided.`)))]);
  if (keep) item?.querySelector("button")?.focus({ preventScroll: true });
  if (item && finding > 0) item.scrollIntoView({ block: "nearest" });
}

// Source over the whole width, what is told of the findings below it.
function widen() {
  wide = !wide;
  if (current !== null) view(report.kernels[current]);
  document.getElementById("wide")?.focus();
}

// The launches that have a structure together.
function launchesOf(kernel, { of }) {
  const words = of.slice(0, 2).map((nth) => kernel.launches[nth]?.words).join("; ");
  return of.length > 2 ? `${words} and ${of.length - 2} more` : words;
}

function findingItem(kernel, it, nth) {
  const chosen = nth === finding;
  const follows = it.lead !== nth;
  // What has the cause of another one is there when that cause is looked at.
  const opened = finding !== null && kernel.findings[finding].lead === it.lead;
  return h("li", { class: `finding ${it.severity}${it.suppressed === null ? "" : " suppressed"}${follows ? " follows" : ""}`, hidden: follows && !opened },
    h("button", { type: "button", "aria-expanded": String(chosen), "data-finding": nth, onclick: () => select(nth) },
      h("span", { class: "nth" }, `F${nth + 1}`), " ", prose(it.headline.replace(` in \`${kernel.name}\``, "")), it.suppressed !== null && h("em", {}, " (suppressed)"),
      !follows && it.of_cause > 1 && h("span", { class: "more-of" }, ` and ${it.of_cause - 1} more of this cause`)),
    chosen && h("div", { class: "details" },
      h("p", { class: "places" }, it.locations.map((at) => h("span", { class: `note ${at.role}` }, `${at.label}, line ${at.line}`))),
      it.between && it.witness && timeline(it),
      it.witness && it.witness.touched.length === 2 && memory(it.witness),
      it.witness && witnessTable(it.witness),
      h("dl", {}, [
        ["Interval", it.interval], ["Help", it.hint], ["Suppressed", it.suppressed],
        certaintyWords(it), ["Question", it.question],
        ["Harm", it.harm === "by_design" && "none: racy by design"],
        ["Also in", it.also.slice(0, 8).map((name) => `\`${name}\``).join(", ") + (it.also.length > 8 ? ` and ${it.also.length - 8} more` : "")],
        ["Launch", it.launches.slice(0, 4).map((index) => kernel.launches[index]?.words).join("; ") + (it.launches.length > 4 ? " and others" : "")],
        ["Assumes", it.assumptions.join("; ")], ["Notes", it.notes.join("; ")], ["Id", it.id],
      ].filter(([, text]) => text).map(([term, text]) => [h("dt", {}, term), h("dd", {}, prose(text))])),
      it.diff && h("pre", { class: "diff" }, it.diff.map((line) => h("div", { class: line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "" }, line)))));
}

// What a kernel costs: a line each, and for a bank conflict the banks with the words that lanes want of them.
function costsOf([found, answers]) {
  return h("section", { "aria-labelledby": "h-costs" }, h("h3", { id: "h-costs" }, found.length ? `Costs (${found.length})` : "Costs"),
    found.slice(0, 100).map((it) => h("details", { class: it.suppressed ? "cost suppressed" : "cost" },
      h("summary", {}, h("code", {}, it.rule), ` line ${it.line}: `, prose(it.words)),
      it.warp && h("p", { class: "hint" }, it.warp), it.banks.length > 0 && banksOf(it.banks),
      h("p", { class: "hint" }, `${fileName(it.file)}:${it.line}, id ${it.id}`))),
    h("ul", { class: "plain" }, answers.map((it) => h("li", {}, prose(it)))));
}

// A column a bank, a box a word: what is in one column is served one after the other.
function banksOf(banks) {
  const most = Math.max(1, ...banks.map((words) => words.length));
  const [width, height] = [17, 16];
  const y = (nth) => (most - 1 - nth) * height;
  const full = banks.filter((words) => words.length === most).length;
  const words = `${counted(most, "word", "words")} in the fullest of ${banks.length} banks (${counted(full, "bank has", "banks have")} as many)`;
  return h("div", { class: "scroll" }, s("svg", { class: "memory", role: "img", "aria-label": words, width: banks.length * width, height: most * height + 18 },
    banks.map((own, bank) => [
      own.map((lanes, nth) => s("rect", { x: bank * width, y: y(nth), width: width - 2, height: height - 2, rx: 2, class: `byte ${own.length > 1 ? "both" : "first"}` },
        s("title", {}, `bank ${bank}: lanes ${lanes.join(", ")}`))),
      s("text", { x: bank * width, y: most * height + 12 }, bank)])), h("p", { class: "hint" }, words));
}

function certaintyWords(it) {
  if (it.certainty === "confirmed") return ["Confirmed", "nothing was abstracted, and the witness was replayed with exact arithmetic"];
  if (it.certainty === "conditional") return ["Conditional", "replayed with exact arithmetic, for values that the caller decides"];
  return ["Potential", it.reasons.join("; ") || "an abstraction took part"];
}

// The two threads side by side: what orders them stands across, what nothing orders beside each other.
function timeline(it) {
  const [from, to] = it.between;
  const of = (role) => it.locations.find((at) => at.role === role);
  const cell = (role, thread) => h("td", { class: role }, h("strong", {}, `line ${of(role)?.line}`), h("div", {}, thread.does),
    thread.loops.map((text) => h("div", { class: "hint" }, text)));
  const [one, other] = it.witness.threads;
  if (!of("first") || !of("second") || !other) return null;
  const across = (words, before) => h("tr", { class: "across" }, h("td", { colspan: 2 }, before, words.join(" or ") || (before === "from " ? "the start of the kernel" : "the end of the kernel")));
  const who = (thread) => `thread ${thread.thread}, block ${thread.block}`;
  return h("table", { class: "timeline" }, h("caption", {}, "Nothing orders the two: either may come first"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, who(one)), h("th", { scope: "col" }, who(other)))),
    h("tbody", {}, across(from, "from "), h("tr", {}, cell("first", one), cell("second", other)), across(to, "to ")));
}

// The bytes that the threads touch, a row a thread, those of both marked.
function memory({ touched, threads, element }) {
  const [a, b] = touched.map(([first, bytes]) => [first, first + bytes]);
  const both = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  if (both[0] >= both[1]) return null;
  const from = Math.max(Math.min(a[0], b[0]), both[0] - MOST_BYTES / 2);
  const end = Math.min(Math.max(a[1], b[1]), from + MOST_BYTES);
  const width = 18;
  const x = (byte) => 150 + (byte - from) * width;
  const bytes = Array.from({ length: end - from }, (_, nth) => from + nth);
  const row = ([first, last], nth) => [
    s("text", { x: 0, y: 40 + nth * 26 }, `${threads[nth].does} by ${threads[nth].thread}`),
    bytes.map((byte) => s("rect", { x: x(byte), y: 26 + nth * 26, width: width - 2, height: 20, rx: 2,
      class: byte < first || byte >= last ? "byte" : byte >= both[0] && byte < both[1] ? `byte both ${nth ? "second" : "first"}` : `byte ${nth ? "second" : "first"}` }))];
  const words = `bytes ${both[0]} to ${both[1] - 1}${element ? ` (${element})` : ""} are touched by both: ${threads[0].does} and ${threads[1].does}`;
  return h("div", { class: "scroll" }, s("svg", { class: "memory", role: "img", "aria-label": words, width: x(end) + 4, height: 84 },
    bytes.filter((byte) => byte === from || byte % 4 === 0).map((byte) => s("text", { x: x(byte), y: 16 }, byte)),
    row(a, 0), row(b, 1)), h("p", { class: "hint" }, words));
}

const MOST_BYTES = 32;

// A column a thread.
function witnessTable(witness) {
  const loops = witness.threads.some((it) => it.loops.length);
  const row = (head, cell) => [head, ...witness.threads.map(cell)];
  return [table(["Witness", ...witness.threads.map((it) => it.does)], [
    row("threadIdx", (it) => it.thread), row("blockIdx", (it) => it.block), row("warp, lane", (it) => `${it.warp}, ${it.lane}`),
    ...(loops ? [row("loops", (it) => it.loops.map((text) => h("div", {}, text)))] : []),
  ]),
  h("p", { class: "with" }, h("code", {}, `blockDim = ${witness.block_dim}`), h("code", {}, `gridDim = ${witness.grid_dim}`),
    witness.element && h("code", { title: "where they meet" }, `at ${witness.element}`),
    witness.values.slice(0, MOST_VALUES).map(([name, value]) => h("code", {}, `${name} = ${value}`)),
    witness.values.length > MOST_VALUES && `and ${witness.values.length - MOST_VALUES} more`)];
}

const MOST_VALUES = 40;

// Filters and keys.

function pressed() {
  for (const button of document.querySelectorAll("#verdicts button")) {
    button.setAttribute("aria-pressed", String(wanted.has(button.value)));
  }
}

function clear() {
  for (const id of ["search", "kind", "certainty", "path"]) inputs[id].value = "";
  wanted.clear();
  pressed();
  refresh();
}

function step(by) {
  if (!shown.length) return;
  const at = shown.indexOf(current);
  const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, at + by));
  location.hash = `#k${shown[next]}`;
}

function stepFinding(by) {
  const kernel = report.kernels[current];
  if (!kernel?.findings.length) return;
  select(Math.min(kernel.findings.length - 1, Math.max(0, (finding ?? -1) + by)));
}

const help = document.getElementById("help");
const KEYS = {
  "/": () => { inputs.search.focus(); inputs.search.select(); },
  j: () => step(1), k: () => step(-1), n: () => stepFinding(1), p: () => stepFinding(-1),
  o: () => { location.hash = "#"; main.focus(); }, w: widen, "?": () => help.showModal(), Escape: clear,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const typing = event.target.matches("input:not([type=radio]), select");
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    else if (event.key === "Enter" && event.target.matches("input")) list.querySelector("a")?.focus();
    else return;
    event.preventDefault();
    return;
  }
  if (event.target.closest("#list") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const at = shown.indexOf(Number(event.target.dataset.kernel)) + (event.key === "ArrowDown" ? 1 : -1);
    if (at >= 0 && at < shown.length) rowOf(at).querySelector("a").focus();
    event.preventDefault();
    return;
  }
  if (KEYS[event.key]) { KEYS[event.key](); event.preventDefault(); }
});

function start() {
  const findings = report.kernels.reduce((sum, kernel) => sum + open(kernel), 0);
  document.getElementById("summary").textContent =
    `${counted(report.kernels.length, "kernel", "kernels")} in ${counted(report.files, "file", "files")}, ${counted(findings, "finding", "findings")}`;
  if (report.incomplete) {
    const banner = document.getElementById("banner");
    banner.textContent = `Incomplete: ${report.incomplete[0]} of ${counted(report.incomplete[1], "file", "files")} analysed before the run was ended. Nothing is known of the rest.`;
    banner.hidden = false;
  }
  const present = new Map();
  for (const kernel of report.kernels) present.set(kernel.verdict, (present.get(kernel.verdict) || 0) + 1);
  document.getElementById("verdicts").append(...order.filter((it) => present.has(it)).map((it) => h("button", {
    type: "button", value: it, "aria-pressed": "false", class: it,
    onclick: () => { if (!wanted.delete(it)) wanted.add(it); pressed(); refresh(); } },
  h("span", { "aria-hidden": "true" }, VERDICTS[it][0]), ` ${VERDICTS[it][1]} `, h("b", {}, present.get(it).toLocaleString("en")))));
  const rules = new Set(report.kernels.flatMap((kernel) => kernel.findings.map((it) => it.rule)));
  inputs.kind.append(...report.kinds.filter((it) => rules.has(it.rule)).map((it) => h("option", { value: it.rule }, RULES[it.rule])));
  const folders = new Set();
  for (const kernel of report.kernels) {
    if (folders.size < 200 && kernel.file.includes("/")) folders.add(kernel.file.slice(0, kernel.file.lastIndexOf("/") + 1));
  }
  document.getElementById("folders").append(...[...folders].sort().map((it) => h("option", { value: it })));
  for (const input of Object.values(inputs)) input.addEventListener("input", refresh);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
  window.addEventListener("hashchange", navigate);
  refresh();
  navigate();
  document.documentElement.dataset.ready = "true";
}

start();
