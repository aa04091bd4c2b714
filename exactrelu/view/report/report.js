"use strict";
// DATA = {slices: [{where, note, cells: [{signs, map, vertices, bounded, same}]}], sliders}
const stage = document.getElementById("stage");
const panel = document.getElementById("region");
let shown = 0, pinned = null;

const sheet = () => stage.querySelector(`svg[data-slice="${shown}"]`);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function list(lines) {
  const made = element("ul");
  for (const line of lines) made.append(element("li", line, "exact"));
  return made;
}

function describe(k) {
  panel.replaceChildren();
  if (k === null) {
    panel.append(element("h3", "No region"), element("p", "Point at a region; click to keep it."));
    return;
  }
  const cell = DATA.slices[shown].cells[k];
  const facts = element("dl");
  const add = (name, value) => {
    const held = element("dd");
    held.append(value);
    facts.append(element("dt", name), held);
  };
  add("pattern", list(cell.signs));
  add("affine map", list(cell.map));
  if (cell.vertices.length) add("vertices", list(cell.vertices));
  else add("vertices", "none: it contains a line");
  add("shape", cell.bounded ? "bounded" : "unbounded");
  add("regions with this affine map", String(cell.same));
  const title = `Region ${k + 1}` + (pinned === k ? " (kept: click it again to let go)" : "");
  panel.append(element("h3", title), facts);
}

function mark(k) {
  const svg = sheet();
  if (!svg) return;
  const outline = svg.querySelector(".mark");
  const cell = k === null ? null : svg.querySelector(`[data-cell="${k}"]`);
  outline.setAttribute("points", cell ? cell.getAttribute("points") : "");
  outline.classList.toggle("pinned", k !== null && k === pinned);
  panel.dataset.cell = k === null ? "" : String(k);
  describe(k);
}

function pin(k) {
  pinned = pinned === k ? null : k;
  mark(pinned === null ? k : pinned);
}

function number(target) {
  const cell = target.closest ? target.closest("[data-cell]") : null;
  return cell && stage.contains(cell) ? Number(cell.dataset.cell) : null;
}

// Labels of the axes, for the part that is shown.
function view(svg) { return svg.getAttribute("viewBox").split(" ").map(Number); }

function label(svg) {
  const [left, right, bottom, top] = svg.dataset.window.split(" ").map(Number);
  const full = svg.dataset.full.split(" ").map(Number);
  const [x, y, width, height] = view(svg);
  const group = svg.querySelector(".ticks");
  group.replaceChildren();
  const size = width * 0.024;
  for (const pattern of document.querySelectorAll("pattern"))
    pattern.setAttribute("patternTransform", `scale(${width / full[2]})`);
  const write = (at, text, across) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "text");
    made.setAttribute("x", across ? at : x + size / 4);
    made.setAttribute("y", across ? y + height - size / 3 : at + size / 3);
    made.setAttribute("font-size", size);
    made.setAttribute("stroke-width", size / 5);
    if (across) made.setAttribute("text-anchor", "middle");
    made.textContent = text;
    group.append(made);
  };
  for (const [low, high, from, length, total, across] of [
    [left, right, x, width, full[2], true],
    [bottom, top, full[3] - y - height, height, full[3], false],
  ]) {
    const unit = (high - low) / total;
    if (!Number.isFinite(unit) || unit <= 0) continue;
    const start = low + from * unit, end = start + length * unit;
    const power = 10 ** Math.floor(Math.log10((end - start) / 3));
    const step = power * [5, 2, 1].find((k) => k * power <= (end - start) / 3);
    for (let k = Math.ceil(start / step); k * step <= end && k - start / step < 12; k++) {
      const place = (k * step - low) / unit;
      const at = across ? place : full[3] - place;
      const edge = across ? (at - x) / width : (y + height - at) / height;
      if (edge > 0.05 && edge < 0.97) write(at, String(Number((k * step).toPrecision(6))), across);
    }
  }
}

function show(k) {
  for (const svg of stage.querySelectorAll("svg.slice"))
    svg.style.display = Number(svg.dataset.slice) === k ? "" : "none";
  shown = k;
  pinned = null;
  const slice = DATA.slices[k];
  document.getElementById("where").textContent = [slice.where, slice.note].filter(Boolean).join("; ");
  document.getElementById("missing").hidden = slice.cells.length > 0;
  mark(null);
  if (sheet()) label(sheet());
}

// Pointing, keeping, looking closer.
let drag = null;

stage.addEventListener("pointermove", (event) => {
  const svg = sheet();
  if (drag && svg) {
    const scale = 1 / svg.getScreenCTM().a;
    const dx = (event.clientX - drag.x) * scale, dy = (event.clientY - drag.y) * scale;
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4) drag.moved = true;
    if (drag.moved) {
      svg.setAttribute("viewBox", [drag.view[0] - dx, drag.view[1] - dy, drag.view[2], drag.view[3]].join(" "));
      label(svg);
    }
    return;
  }
  if (pinned === null) mark(number(event.target));
});
stage.addEventListener("pointerleave", () => { drag = null; if (pinned === null) mark(null); });
stage.addEventListener("pointerdown", (event) => {
  const svg = sheet();
  if (svg) drag = { x: event.clientX, y: event.clientY, view: view(svg), moved: false };
});
stage.addEventListener("pointerup", (event) => {
  const moved = drag && drag.moved;
  drag = null;
  if (moved) return;
  const k = number(event.target);
  if (k === null) { pinned = null; mark(null); } else pin(k);
});

// The point that stays where it is has coordinates of the picture, not of the screen.
function zoom(factor, px, py) {
  const svg = sheet();
  if (!svg) return;
  const [x, y, width, height] = view(svg);
  const full = svg.dataset.full.split(" ").map(Number);
  const size = Math.min(Math.max(width * factor, full[2] * 1e-6), full[2] * 1.5);
  const real = size / width;
  const at = [px ?? x + width / 2, py ?? y + height / 2];
  svg.setAttribute("viewBox",
    [at[0] - (at[0] - x) * real, at[1] - (at[1] - y) * real, size, height * real].join(" "));
  label(svg);
}

stage.addEventListener("wheel", (event) => {
  const svg = sheet();
  if (!svg) return;
  event.preventDefault();
  const at = new DOMPoint(event.clientX, event.clientY)
    .matrixTransform(svg.getScreenCTM().inverse());
  zoom(event.deltaY > 0 ? 1.25 : 0.8, at.x, at.y);
}, { passive: false });
document.getElementById("closer").addEventListener("click", () => zoom(0.6));
document.getElementById("wider").addEventListener("click", () => zoom(1 / 0.6));
document.getElementById("all").addEventListener("click", () => {
  const svg = sheet();
  if (!svg) return;
  svg.setAttribute("viewBox", svg.dataset.full);
  label(svg);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { pinned = null; mark(null); }
});

// Colours and layers of the picture.
for (const choice of document.querySelectorAll('input[name="colour"]'))
  choice.addEventListener("change", () => {
    for (const svg of stage.querySelectorAll("svg.slice")) {
      svg.classList.toggle("by-pattern", choice.value === "pattern");
      svg.classList.toggle("by-map", choice.value === "map");
    }
  });
for (const box of document.querySelectorAll("input[data-hides]"))
  box.addEventListener("change", () => stage.classList.toggle(box.dataset.hides, !box.checked));

// Sliders: one position of one slider at a time; the others show the base point.
const sliders = document.querySelectorAll("input[data-slider]");
for (const slider of sliders)
  slider.addEventListener("input", () => {
    for (const other of sliders) {
      const known = DATA.sliders[Number(other.dataset.slider)];
      if (other !== slider) {
        const home = known.positions.findIndex((position) => position[1] === 0);
        if (home >= 0) other.value = String(home);
      }
      other.nextElementSibling.textContent = known.positions[Number(other.value)][0];
    }
    show(DATA.sliders[Number(slider.dataset.slider)].positions[Number(slider.value)][1]);
  });

// The table of regions: a row keeps its region.
for (const row of document.querySelectorAll("tr.row")) {
  const choose = () => {
    if (shown !== 0) show(0);
    pinned = null;
    pin(Number(row.dataset.row));
    stage.scrollIntoView({ block: "nearest" });
  };
  row.addEventListener("click", choose);
  row.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(); });
}

show(0);
