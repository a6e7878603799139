// SPDX-License-Identifier: MIT
"use strict";
// The timeline of one launch on a canvas, and the table of all scopes. Times are cycles since the launch began. Of whole
// kernels (`data.kind`) it is the timeline of all launches: devices are in the place of programs, streams in that of warps,
// and times are nanoseconds.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const isOfKernels = data.kind === "kernels";
  const element = (id) => document.getElementById(id);
  const canvas = element("timeline"), box = element("rows"), spacer = element("spacer"), tip = element("tip");
  const context = canvas.getContext("2d");

  // Heights and widths in CSS pixels.
  const RULER = 22, HEAD = 22, SLICE = 15, GAP = 4;
  // Launches of more programs begin with these folded: a line for each.
  const UNFOLDED = 8;
  const COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7", "#9c755f",
    "#3f9fdd", "#a3c644", "#c2649a"];
  const colours = new Map();
  const hidden = new Set(), folded = new Set();
  let launch, rows = [], view = [0, 1], hovered = null, selected = null, gutter = 90, theme = {};

  function colourOf(name) {
    if (!colours.has(name)) {
      const place = colours.size;
      colours.set(name, COLOURS[place] || `hsl(${(place * 137.5) % 360} 50% ${50 + (place % 3) * 9}%)`);
    }
    return colours.get(name);
  }

  /* Black or white, whichever is easier to read on the colour. */
  function inkOf(colour) {
    const known = inks.get(colour);
    if (known) return known;
    context.fillStyle = colour;
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(context.fillStyle.slice(at, at + 2), 16));
    const ink = red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? "#000" : "#fff";
    inks.set(colour, ink);
    return ink;
  }
  const inks = new Map();

  const grouped = (number) => Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, " ");

  /* Cycles as time, in the unit that is right for `like`. */
  function timeText(cycles, digits = 4, like = cycles) {
    const nanoseconds = cycles / launch.frequency * 1000, extent = Math.abs(like) / launch.frequency * 1000;
    const [unit, size] = extent >= 1e6 ? ["ms", 1e6] : extent >= 1e3 ? ["µs", 1e3] : ["ns", 1];
    return `${Number((nanoseconds / size).toPrecision(digits))} ${unit}`;
  }

  //===--- Rows --------------------------------------------------------------===//

  /* From the flat numbers of a row: scope, depth, cycles from begin to begin, duration. */
  function unpack(numbers) {
    const slices = [];
    let begin = 0;
    for (let at = 0; at < numbers.length; at += 4) {
      begin += numbers[at + 2];
      slices.push({ scope: numbers[at], depth: numbers[at + 1], begin, end: begin + numbers[at + 3] });
    }
    return slices;
  }

  function programName(program) {
    if (program.name) return program.name;
    const where = program.processor >= 0 ? ` on processor ${program.processor}` : "";
    return `program ${program.number}${where}`;
  }

  /* The rows of the programs that are chosen, with their places from top to bottom. */
  function arrange() {
    const chosen = element("programs").value;
    rows = [];
    let top = 0;
    for (const program of launch.kept) {
      if (chosen !== "all" && String(program.number) !== chosen) continue;
      const isFolded = folded.has(program) && chosen === "all";
      rows.push({ head: true, program, top, height: HEAD, slices: [], isFolded });
      top += HEAD;
      if (isFolded) continue;
      const places = new Map();
      for (const row of program.rows) {
        row.unpacked ||= unpack(row.slices);
        let depth = 0;
        for (const slice of row.unpacked) depth = Math.max(depth, slice.depth);
        const height = (depth + 1) * SLICE + GAP;
        const label = row.label ?? (row.lane ? "" : `warp ${row.warp}`);
        const made = { program, warp: row.warp, lane: row.lane, label, top, height, slices: row.unpacked };
        if (!row.lane) places.set(row.warp, made);
        rows.push(made);
        top += height;
      }
      rows.at(-1).arrows = program.arrows.map(([scope, from, to, begin, end]) =>
        ({ scope, from: places.get(from), to: places.get(to), begin, end, isArrow: true }));
    }
    box.style.height = `min(66vh, 900px, ${top + RULER + 8}px)`;
    resize();
    canvas.dataset.rows = rows.filter((row) => !row.head).length;
    canvas.dataset.slices = rows.reduce((sum, row) => sum + row.slices.length, 0);
    canvas.dataset.heads = rows.filter((row) => row.head).length;
    selected = hovered = null;
    element("status").textContent = "";
  }

  /* Fold or unfold programs: all of them alike. */
  function fold(programs, how) {
    for (const program of programs) {
      if (how) folded.add(program);
      else folded.delete(program);
    }
    arrange();
    redraw();
  }

  const scopeName = (slice) => launch.scopes[slice.scope];

  //===--- Drawing -----------------------------------------------------------===//

  function readTheme() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["back", "panel", "text", "faint", "line", "grid", "accent"])
      theme[name] = style.getPropertyValue(`--${name}`).trim();
  }

  const width = () => canvas.clientWidth - gutter;
  const toX = (time) => gutter + (time - view[0]) / (view[1] - view[0]) * width();
  const toTime = (x) => view[0] + (x - gutter) / width() * (view[1] - view[0]);

  let frame = 0;
  function redraw() {
    if (!frame) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const before = performance.now();
    const scale = window.devicePixelRatio || 1, all = canvas.clientWidth, high = canvas.clientHeight;
    if (canvas.width !== Math.round(all * scale) || canvas.height !== Math.round(high * scale)) {
      canvas.width = Math.round(all * scale);
      canvas.height = Math.round(high * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = theme.back;
    context.fillRect(0, 0, all, high);
    context.font = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    drawGrid(all, high);
    context.save();
    context.beginPath();
    context.rect(0, RULER, all, high - RULER);
    context.clip();
    const shift = RULER - box.scrollTop;
    for (const row of rows) {
      const top = row.top + shift;
      if (top > high || top + row.height < RULER) continue;
      if (row.head) drawHead(row, top, all);
      else drawRow(row, top, all);
    }
    for (const row of rows) for (const arrow of row.arrows || []) drawArrow(arrow, shift);
    context.restore();
    canvas.dataset.view = view.join(" ");
    canvas.dataset.milliseconds = performance.now() - before;
  }

  function drawGrid(all, high) {
    const perMicrosecond = launch.frequency, largest = Math.max(Math.abs(view[0]), Math.abs(view[1]));
    const least = (view[1] - view[0]) / perMicrosecond * 90 / Math.max(width(), 1);
    let step = 10 ** Math.floor(Math.log10(least));
    step *= [1, 2, 5, 10].find((factor) => step * factor >= least);
    context.fillStyle = theme.panel;
    context.fillRect(0, 0, all, RULER);
    for (let tick = Math.ceil(view[0] / perMicrosecond / step); ; tick += 1) {
      const time = tick * step * perMicrosecond;
      if (time > view[1]) break;
      const x = Math.round(toX(time)) + 0.5;
      context.fillStyle = theme.grid;
      context.fillRect(x - 0.5, RULER, 1, high - RULER);
      context.fillStyle = theme.faint;
      context.fillText(timeText(time, 6, largest), Math.min(x + 3, all - 50), RULER / 2);
    }
    context.fillStyle = theme.line;
    context.fillRect(0, RULER - 1, all, 1);
  }

  function drawHead(row, top, all) {
    const { program } = row;
    context.fillStyle = theme.panel;
    context.fillRect(0, top, all, row.height - 1);
    const [left, right] = [toX(program.begin), toX(program.end)].map((x) => Math.min(Math.max(x, gutter), all));
    context.fillStyle = theme.accent;
    if (right > gutter && left < all) context.fillRect(left, top + row.height - 6, Math.max(right - left, 2), 4);
    context.fillStyle = theme.text;
    const remarks = [programName(program), timeText(program.end - program.begin), ...program.remarks];
    const mark = element("programs").value !== "all" ? "" : row.isFolded ? "▸ " : "▾ ";
    context.fillText(fitText(mark + remarks.join(" · "), all - 12), 6, top + 8);
  }

  function drawRow(row, top, all) {
    const filled = [];
    for (const slice of row.slices) {
      if (slice.begin > view[1]) break;
      if (slice.end < view[0] || hidden.has(scopeName(slice))) continue;
      const left = Math.max(toX(slice.begin), gutter), right = Math.min(toX(slice.end), all);
      const wide = right - left, y = top + slice.depth * SLICE;
      // An interval within the pixel that was filled last is not drawn.
      if (wide < 1 && filled[slice.depth] >= right) continue;
      filled[slice.depth] = Math.ceil(right);
      const colour = colourOf(scopeName(slice));
      context.fillStyle = colour;
      context.fillRect(left, y, Math.max(wide - (wide > 3 ? 1 : 0), 1), SLICE - 1);
      if (wide > 24) {
        context.fillStyle = inkOf(colour);
        context.fillText(fitText(scopeName(slice), wide - 7), left + 3, y + SLICE / 2);
      }
      if (slice === selected || slice === hovered) outline(left, y, wide, slice === selected ? 2 : 1);
    }
    context.fillStyle = theme.back;
    context.fillRect(0, top, gutter - 2, row.height);
    context.fillStyle = theme.faint;
    context.fillText(fitText(row.label, gutter - 16), 12, top + SLICE / 2);
    context.fillStyle = theme.grid;
    context.fillRect(0, top + row.height - 3, all, 1);
  }

  function outline(left, y, wide, thickness) {
    context.strokeStyle = theme.text;
    context.lineWidth = thickness;
    context.strokeRect(left, y, Math.max(wide - 1, 2), SLICE - 1);
  }

  function drawArrow(arrow, shift) {
    if (!arrow.from || !arrow.to || hidden.has(scopeName(arrow))) return;
    const points = [[arrow.begin, arrow.from], [arrow.end, arrow.to]].map(([time, row]) =>
      [Math.max(toX(time), gutter), row.top + shift + SLICE / 2]);
    const [[x, y], [x2, y2]] = points, bend = Math.max((x2 - x) / 2, 12);
    context.beginPath();
    context.moveTo(x, y);
    context.bezierCurveTo(x + bend, y, x2 - bend, y2, x2, y2);
    // To be seen on slices, too.
    for (const [thickness, colour] of [[5, theme.back], [2.5, colourOf(scopeName(arrow))]]) {
      context.lineWidth = thickness;
      context.strokeStyle = context.fillStyle = colour;
      context.stroke();
    }
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 8, y2 - 5);
    context.lineTo(x2 - 8, y2 + 5);
    context.fill();
  }

  function fitText(text, room) {
    if (context.measureText(text).width <= room) return text;
    let length = Math.floor(text.length * room / context.measureText(text).width);
    while (length > 0 && context.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
    return length > 0 ? `${text.slice(0, length)}…` : "";
  }

  //===--- Looking and moving ------------------------------------------------===//

  /* Show these times; never less than ten cycles, nor more than twice the launch. */
  function show(begin, end) {
    const length = Math.min(Math.max(end - begin, 10), launch.length * 2);
    const middle = (begin + end) / 2;
    const low = Math.min(Math.max(middle - length / 2, -launch.length / 2), launch.length * 1.5 - length);
    view = [low, low + length];
    redraw();
  }

  /* Show all of the programs that are chosen. */
  function fit() {
    const programs = rows.filter((row) => row.head).map((row) => row.program);
    const begin = Math.min(...programs.map((program) => program.begin));
    const length = Math.max(...programs.map((program) => program.end)) - begin;
    show(begin - length * 0.01, begin + length * 1.02);
  }

  function zoom(factor, time = selected ? (selected.begin + selected.end) / 2 : (view[0] + view[1]) / 2) {
    show(time + (view[0] - time) * factor, time + (view[1] - time) * factor);
  }

  function move(share) {
    const step = (view[1] - view[0]) * share;
    show(view[0] + step, view[1] + step);
  }

  function findRow(y) {
    const at = y - RULER + box.scrollTop;
    return y < RULER ? null : rows.find((one) => at >= one.top && at < one.top + one.height);
  }

  function find(x, y) {
    const row = findRow(y), at = y - RULER + box.scrollTop;
    if (!row || row.head || x < gutter) return null;
    const depth = Math.floor((at - row.top) / SLICE), early = toTime(x - 2), late = toTime(x + 2);
    let best = null;
    for (const slice of row.slices) {
      if (slice.begin > late) break;
      if (slice.depth === depth && slice.end >= early && !hidden.has(scopeName(slice))) best = slice;
    }
    return best && { row, slice: best };
  }

  function describe({ row, slice }) {
    const duration = slice.end - slice.begin;
    const line = launch.lines[slice.scope] ? ` (line ${launch.lines[slice.scope]})` : "";
    if (isOfKernels)
      return [scopeName(slice), `stream ${row.warp} of ${programName(row.program)}`,
        `begins ${timeText(slice.begin, 6)} after the first launch`, `takes ${timeText(duration)}`];
    return [scopeName(slice) + line, `warp ${row.warp} of ${programName(row.program)}`,
      `begins ${timeText(slice.begin, 6)} after the launch`, `takes ${timeText(duration)} (${grouped(duration)} cycles)`];
  }

  function showTip(found, x, y) {
    tip.hidden = !found;
    if (!found) return;
    const [name, ...lines] = describe(found);
    tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: name }),
      ...lines.map((line) => Object.assign(document.createElement("span"), { textContent: line })));
    const { width: wide, height: high } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(Math.min(x + 14, innerWidth - wide - 8), 4)}px`;
    tip.style.top = `${y + 18 + high > innerHeight ? y - high - 10 : y + 18}px`;
  }

  function select(found) {
    selected = found && found.slice;
    element("status").textContent = found ? describe(found).join(", ") : "";
    redraw();
  }

  /* From the slice that is selected to the next in this direction: within its row, or to the row above or below. */
  function step(sideways, down) {
    if (rows.every((row) => row.head)) fold([launch.kept[0]], false);
    const visible = rows.filter((row) => row.slices.some((slice) => !hidden.has(scopeName(slice))));
    if (!visible.length) return;
    const shown = (row) => row.slices.filter((slice) => !hidden.has(scopeName(slice)));
    let at = visible.findIndex((row) => row.slices.includes(selected));
    let slice;
    if (at < 0) {
      at = 0;
      slice = shown(visible[0])[0];
    } else if (down) {
      at = Math.min(Math.max(at + down, 0), visible.length - 1);
      const near = (one) => Math.abs(one.begin - selected.begin) + 1e6 * launch.length * (one.depth !== selected.depth);
      slice = shown(visible[at]).reduce((one, other) => (near(other) < near(one) ? other : one));
    } else {
      const slices = shown(visible[at]);
      slice = slices[Math.min(Math.max(slices.indexOf(selected) + sideways, 0), slices.length - 1)];
    }
    const row = visible[at], room = canvas.clientHeight - RULER;
    if (row.top < box.scrollTop) box.scrollTop = row.top;
    if (row.top + row.height > box.scrollTop + room) box.scrollTop = row.top + row.height - room;
    if (slice.end < view[0] || slice.begin > view[1]) {
      const half = (view[1] - view[0]) / 2;
      show((slice.begin + slice.end) / 2 - half, (slice.begin + slice.end) / 2 + half);
    }
    select({ row, slice });
  }

  const keys = {
    "+": () => zoom(1 / 1.5), "=": () => zoom(1 / 1.5), "-": () => zoom(1.5), "0": fit, "Home": fit,
    "ArrowLeft": (event) => (event.shiftKey ? move(-0.2) : step(-1, 0)),
    "ArrowRight": (event) => (event.shiftKey ? move(0.2) : step(1, 0)),
    "ArrowUp": (event) => (event.shiftKey ? box.scrollBy(0, -60) : step(0, -1)),
    "ArrowDown": (event) => (event.shiftKey ? box.scrollBy(0, 60) : step(0, 1)),
    "Escape": () => select(null),
    "f": () => fold(launch.kept, !launch.kept.every((program) => folded.has(program))),
  };

  function listen() {
    const pointers = new Map();
    let moved = 0;
    const place = (event) => {
      const { left, top } = canvas.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x] = place(event);
      if (event.shiftKey) box.scrollBy(0, event.deltaY || event.deltaX);
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX / width());
      else zoom(Math.exp(event.deltaY * 0.0015), toTime(Math.max(x, gutter)));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) {
        const found = find(...place(event));
        showTip(found, event.clientX, event.clientY);
        if (hovered !== (found && found.slice)) {
          hovered = found && found.slice;
          redraw();
        }
        return;
      }
      const [x, y] = [event.clientX - last.clientX, event.clientY - last.clientY];
      moved += Math.abs(x) + Math.abs(y);
      pointers.set(event.pointerId, event);
      canvas.classList.add("moving");
      tip.hidden = true;
      const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
      if (other) {
        // Two fingers: what is between them stays there.
        const gap = (one) => Math.max(Math.abs(one.clientX - other.clientX), 20);
        zoom(gap(last) / gap(event), toTime(place(event)[0]));
        return;
      }
      box.scrollTop -= y;
      move(-x / width());
    });
    const release = (event) => {
      if (pointers.has(event.pointerId) && moved < 4 && event.type === "pointerup") {
        const found = find(...place(event)), row = findRow(place(event)[1]);
        if (row && row.head && element("programs").value === "all") fold([row.program], !row.isFolded);
        else select(found);
        if (event.pointerType === "touch") showTip(found, event.clientX, event.clientY);
      }
      pointers.delete(event.pointerId);
      canvas.classList.remove("moving");
    };
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release);
    canvas.addEventListener("pointerleave", () => showTip(null));
    canvas.addEventListener("keydown", (event) => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action(event);
    });
    box.addEventListener("scroll", () => { tip.hidden = true; redraw(); });
    element("zoom-in").addEventListener("click", () => zoom(1 / 1.5));
    element("zoom-out").addEventListener("click", () => zoom(1.5));
    element("fit").addEventListener("click", fit);
    element("launch").addEventListener("change", () => open(data.launches[element("launch").value]));
    element("programs").addEventListener("change", () => { arrange(); box.scrollTop = 0; fit(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); redraw(); });
    new ResizeObserver(resize).observe(box);
  }

  function resize() {
    canvas.style.height = `${box.clientHeight}px`;
    gutter = box.clientWidth < 600 ? 62 : 90;
    const end = rows.at(-1);
    const all = end ? end.top + end.height : 0;
    spacer.style.height = `${Math.max(all + RULER + 6 - box.clientHeight, 0)}px`;
    redraw();
  }

  //===--- The selection -----------------------------------------------------===//

  function option(value, text) {
    return Object.assign(document.createElement("option"), { value, textContent: text });
  }

  function open(chosen) {
    launch = chosen;
    const all = `${launch.kept.length === 1 ? "the one" : `all ${launch.kept.length}`} shown here`;
    element("programs").replaceChildren(option("all", all), ...launch.kept.map((program) =>
      option(program.number, [programName(program), ...program.remarks].join(", "))));
    const without = launch.programs - launch.kept.length;
    const texts = [];
    if (without) texts.push(`${grouped(without)} of ${grouped(launch.programs)} programs of this launch are not on the page.`);
    if (data.left_out) texts.push(`${grouped(data.left_out)} ${data.left_out === 1 ? "launch is" : "launches are"} not on the page.`);
    element("left-out").textContent = texts.join(" ");
    const names = [...new Set(launch.kept.flatMap((program) =>
      [...program.rows.flatMap((row) => row.slices.filter((_, at) => at % 4 === 0)), ...program.arrows.map((a) => a[0])]))]
      .sort((one, other) => one - other).map((scope) => launch.scopes[scope]);
    element("legend").replaceChildren(...[...new Set(names)].map(legendEntry));
    folded.clear();
    if (launch.kept.length > UNFOLDED) launch.kept.forEach((program) => folded.add(program));
    arrange();
    box.scrollTop = 0;
    fit();
  }

  function legendEntry(name) {
    const button = document.createElement("button"), patch = document.createElement("i");
    patch.style.background = colourOf(name);
    button.append(patch, name);
    button.setAttribute("aria-pressed", String(!hidden.has(name)));
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      redraw();
    });
    return button;
  }

  //===--- The table ---------------------------------------------------------===//

  const percent = (share) => (share === null ? "-" : `${(share * 100).toFixed(1)} %`);
  const microseconds = (row) => (row.frequency ? row.each / row.frequency : null);
  const SHARED_COLUMNS = [
    { title: isOfKernels ? "kernel" : "scope", value: (row) => row.path.at(-1) },
    { title: "count", value: (row) => row.count, text: (row) => grouped(row.count) },
    { title: "share", value: (row) => row.share ?? -1, text: (row) => percent(row.share), bar: true },
  ];
  const timeColumn = (title, name) =>
    ({ title, value: (row) => row[name], text: (row) => (row[name] < 100 ? row[name].toPrecision(3) : grouped(row[name])) });
  const COLUMNS = isOfKernels ? [
    ...SHARED_COLUMNS, timeColumn("µs", "each"), timeColumn("least", "least"), timeColumn("most", "most"),
  ] : [
    ...SHARED_COLUMNS,
    { title: "of parent", value: (row) => row.parent_share ?? -1, text: (row) => percent(row.parent_share) },
    { title: "cycles", value: (row) => row.each, text: (row) => grouped(row.each) },
    { title: "µs", value: (row) => microseconds(row) ?? -1,
      text: (row) => (microseconds(row) === null ? "-" : microseconds(row).toPrecision(3)) },
  ];

  /* Rows in their tree: those of one parent in the order of a column. */
  function sorted(column, sign) {
    const roots = [], open_ = [];
    for (const row of data.rows) {
      const node = { row, children: [] };
      open_.length = row.path.length - 1;
      (open_.length ? open_.at(-1).children : roots).push(node);
      open_.push(node);
    }
    const compare = (one, other) => {
      const [a, b] = [column.value(one.row), column.value(other.row)];
      return sign * (typeof a === "string" ? a.localeCompare(b) : a - b);
    };
    const flatten = (nodes) => nodes.sort(compare).flatMap((node) => [node.row, ...flatten(node.children)]);
    return flatten(roots);
  }

  function fillTable(column, sign) {
    document.querySelectorAll("#tree th").forEach((head, place) =>
      head.setAttribute("aria-sort", COLUMNS[place] !== column ? "none" : sign < 0 ? "descending" : "ascending"));
    document.querySelector("#tree tbody").replaceChildren(...sorted(column, sign).map((row) => {
      const line = document.createElement("tr");
      line.className = row.path.length === 1 ? "kernel" : "";
      for (const each of COLUMNS) {
        const cell = line.insertCell();
        cell.textContent = each.text ? each.text(row) : each.value(row);
        if (!each.text) {
          cell.style.paddingLeft = `${6 + 14 * (row.path.length - 1)}px`;
          if (row.path.length === 1 && row.host.length)
            cell.append(Object.assign(document.createElement("small"), { textContent: `in ${row.host.join(" › ")}` }));
        }
        if (each.bar && row.share !== null) {
          const bar = document.createElement("span");
          bar.className = "bar";
          bar.style.width = `${Math.min(row.share, 1) * 100}%`;
          cell.append(bar);
        }
      }
      return line;
    }));
  }

  function makeTable() {
    let current = COLUMNS[2], sign = -1;
    document.querySelector("#tree thead tr").replaceChildren(...COLUMNS.map((column) => {
      const head = document.createElement("th"), button = document.createElement("button");
      button.textContent = column.title;
      button.addEventListener("click", () => {
        sign = column === current ? -sign : column.text ? -1 : 1;
        current = column;
        fillTable(current, sign);
      });
      head.append(button);
      head.scope = "col";
      return head;
    }));
    fillTable(current, sign);
  }

  document.querySelector("h1").textContent = data.name;
  element("summary").textContent = data.summary;
  element("launch").replaceChildren(...data.launches.map((one, place) => option(place, one.title)));
  for (const part of document.querySelectorAll("[data-kind]")) part.hidden = part.dataset.kind !== data.kind;
  readTheme();
  makeTable();
  open(data.launches[0]);
  listen();
})();
