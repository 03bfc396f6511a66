// The graph of barrier intervals and the tree of parametric flows, as SVG.

const ROW = 58;

// Heads and barriers from top to bottom in program order; an edge for each interval and each of its ends.
function intervalGraph(kernel, group, head) {
  const intervals = kernel.intervals.map((it, nth) => ({ ...it, nth })).filter((it) => it.group === group);
  const used = new Set(intervals.flatMap((it) => [it.head, ...it.tails.map((tail) => tail[0])]));
  const nodes = [...used].sort((a, b) => a - b);
  const place = new Map(nodes.map((bound, nth) => [bound, nth]));
  const edges = intervals.flatMap((it) => it.tails.map(([to, carried]) => ({
    it, from: place.get(it.head), to: place.get(to), carried })));
  const reach = (side) => Math.max(0, ...edges.filter((e) => sideOf(e) === side).map(bulge));
  const [left, right] = [reach("left"), reach("right")];
  const labels = nodes.map((bound) => {
    const it = kernel.bounds[bound];
    return it.kind === "barrier" ? `${it.what}  line ${it.line}` : it.what;
  });
  const box = Math.max(90, ...labels.map((label) => label.length * 7.3 + 24));
  const middle = left + 40 + box / 2;
  const [width, height] = [middle + box / 2 + right + 60, nodes.length * ROW + 10];
  const y = (nth) => nth * ROW + 24;
  const shapes = [];
  for (const edge of edges) {
    const [a, b] = [y(edge.from), y(edge.to)];
    const side = sideOf(edge);
    const chosen = head === edge.it.head;
    let path;
    let mid;
    let tip;
    if (side === "straight") {
      path = `M${middle} ${a + 14} L${middle} ${b - 20}`;
      mid = [middle + 10, (a + b) / 2 + 1];
      tip = `M${middle} ${b - 14} l-5 -9 h10 z`;
    } else {
      const sign = side === "right" ? 1 : -1;
      const edgeX = middle + sign * box / 2;
      const out = edgeX + sign * (bulge(edge) + 18);
      const [start, end] = a === b ? [a + 6, b - 6] : [a, b];
      path = `M${edgeX} ${start} C${out} ${start} ${out} ${end} ${edgeX + sign * 7} ${end}`;
      mid = [edgeX + sign * (bulge(edge) + 18) * 0.75 + (sign > 0 ? 4 : -16), (start + end) / 2 + 4];
      tip = `M${edgeX} ${end} l${sign * 9} -5 v10 z`;
    }
    shapes.push(s("g", { class: `edge${chosen ? " meets" : ""}`, style: `--c: ${colour(edge.it.nth)}` },
      s("title", {}, intervalWords(kernel, edge.it)),
      s("path", { d: path, class: edge.carried ? "carried" : null }), s("path", { d: tip, class: "tip" }),
      s("text", { x: mid[0], y: mid[1] }, String(edge.it.nth + 1))));
  }
  const divergent = new Set(kernel.findings.filter((it) => it.rule === "barrier-divergence")
    .flatMap((it) => it.locations.filter((at) => at.role === "barrier").map((at) => `${at.file}:${at.line}`)));
  nodes.forEach((bound, nth) => {
    const it = kernel.bounds[bound];
    const wrong = it.kind === "barrier" && divergent.has(`${it.file}:${it.line}`);
    shapes.push(s("g", { class: `node ${it.kind}${wrong ? " divergent" : ""}` },
      s("title", {}, wrong ? `${boundWords(it)}: not reached by all threads` : boundWords(it)),
      s("rect", { x: middle - box / 2, y: y(nth) - 14, width: box, height: 28, rx: it.kind === "barrier" ? 4 : 14 }),
      s("text", { x: middle, y: y(nth) + 5, "text-anchor": "middle" }, labels[nth])));
  });
  return drawing(width, height, `Interval graph of ${kernel.name}: ${counted(nodes.length, "bound", "bounds")}, `
    + `${counted(intervals.length, "interval", "intervals")}; the table beside it says the same`, shapes);
}

function sideOf(edge) {
  if (edge.to === edge.from + 1 && !edge.carried) return "straight";
  return edge.to > edge.from ? "right" : "left";
}

function bulge(edge) {
  return 16 + 15 * Math.min(12, Math.abs(edge.to - edge.from));
}

function drawing(width, height, label, shapes) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, shapes));
}

const STEP = 26;
const LINE = 44;

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

// The tree of conditions on which threads of a block may differ, from the top to the bottom, a row a node.
function flowTree(kernel, lines) {
  const children = kernel.flows.map(() => []);
  kernel.flows.forEach((flow, nth) => { if (flow.parent !== null) children[flow.parent].push(nth); });
  const shapes = [];
  let row = 0;
  let width = 0;
  const walk = (nth, depth) => {
    const flow = kernel.flows[nth];
    const at = [depth * STEP + 8, row * LINE + 22];
    row += 1;
    const title = nth === 0 ? "all threads" : `${shortened(flow.condition, 60)}`;
    const reason = nth === 0 ? "" : `${CAUSES[flow.cause] || flow.cause} in line ${flow.line}`;
    const count = flow.accesses.reduce((sum, access) => sum + access[3], 0);
    const what = count
      ? `flow ${flow.flow}: ${counted(count, "access", "accesses")} in ${lineList(flow.accesses)}` : "no accesses of its own";
    const chosen = flow.accesses.some((access) => lines.has(access[0]));
    const size = Math.max(title.length * 7.4 + (reason.length + 2) * 6.4, what.length * 6.6) + 24;
    width = Math.max(width, at[0] + size);
    for (const child of children[nth]) {
      const start = row;
      walk(child, depth + 1);
      shapes.push(s("path", { class: "branch", d: `M${at[0] + 10} ${at[1] + 18} V${start * LINE + 22} h${STEP - 10}` }));
    }
    shapes.push(s("g", { class: `flow${flow.accesses.length ? " used" : ""}${chosen ? " meets" : ""}` },
      s("title", {}, nth === 0 ? what : `${flow.condition}; ${reason}; ${what}`),
      s("rect", { x: at[0], y: at[1] - 18, width: size, height: 36, rx: 5 }),
      s("text", { x: at[0] + 10, y: at[1] - 3 }, s("tspan", { class: "condition" }, title),
        s("tspan", { class: "cause", dx: 10 }, reason)),
      s("text", { x: at[0] + 10, y: at[1] + 12, class: "what" }, what)));
  };
  walk(0, 0);
  return drawing(width + 12, row * LINE + 6, `Parametric flows of ${kernel.name}: `
    + `${counted(kernel.flows.filter((it) => it.accesses.length).length, "class", "classes")} of threads with accesses`, shapes);
}

const CAUSES = { branch: "branch", loop: "in the loop", return: "not returned", break: "not left by break", continue: "not continued" };

function lineList(accesses) {
  const lines = [...new Set(accesses.map((it) => it[0]))].sort((a, b) => a - b);
  const shown = lines.slice(0, 6).join(", ") + (lines.length > 6 ? ", …" : "");
  return `${lines.length === 1 ? "line" : "lines"} ${shown}`;
}
