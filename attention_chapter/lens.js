(() => {
  const root = document.currentScript.parentElement, words = root.querySelector("p"), still = root.querySelector("img");
  const {keys, values, names, size, start} = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const BLUE = "#0072B2", ORANGE = "#D55E00", GREY = "#888888", sum = xs => xs.reduce((a, b) => a + b, 0);
  const fixed = (x, digits) => x.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");

  // The mathematics. The null slot, where there is one, has key and value 0 and its logit t.
  const compute = ({angle, c, t}) => {
    const turn = angle * Math.PI / 180, u = [Math.cos(turn), Math.sin(turn)], none = t === null ? [] : [[0, 0]];
    const K = [...keys, ...none], V = [...values, ...none];
    const z = K.map((k, j) => j < keys.length ? c * (k[0] * u[0] + k[1] * u[1]) : t), top = Math.max(...z);
    const e = z.map(x => Math.exp(x - top)), total = sum(e), p = e.map(x => x / total);
    const mean = M => [0, 1].map(i => sum(p.map((w, j) => w * M[j][i]))), o = mean(V), middle = mean(K);
    const D = [0, 1].map(i => [0, 1].map(l => sum(p.map((w, j) => w * (V[j][i] - o[i]) * (K[j][l] - middle[l])))));
    const all = sum(D.flat().map(x => x * x)), det = D[0][0] * D[1][1] - D[0][1] * D[1][0];
    const reach = Math.sqrt((all + Math.sqrt(Math.max(all * all - 4 * det * det, 0))) / 2);
    return {p, o, D, reach, u};
  };
  const told = (state, {p, o, reach}) => `direction ${fixed(state.angle, 0)} degrees, c = ${fixed(state.c, 1)}`
    + (state.t === null ? "" : `, null slot at ${fixed(state.t, 1)}`)
    + `: ${p.map((w, j) => `${names[j] ?? "null slot"} ${fixed(w, 4)}`).join(", ")}; output (${fixed(o[0], 4)}, ${fixed(o[1], 4)})`
    + `; leak ${fixed(1 - Math.max(...p), 4)}; a nudge of length ${size} moves the output by at most ${fixed(size * reach, 4)}`;

  // The drawing: left the keys and the query, right the values and the output, below one unit of weight.
  const make = (tag, settings, ...inside) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(settings)) element.setAttribute(name, value);
    element.append(...inside);
    return element;
  };
  const write = (x, y, anchor, text, more = {}) => make("text", {x, y, "text-anchor": anchor, "font-size": 17, fill: "currentColor", ...more}, text);
  const across = values.map(v => v[0]), up = values.map(v => v[1]);
  const unit = Math.min(270 / (Math.max(...across) - Math.min(...across) || 1), 190 / (Math.max(...up) - Math.min(...up) || 1));
  const middle = xs => (Math.min(...xs) + Math.max(...xs)) / 2;
  const place = v => [460 + unit * (v[0] - middle(across)), 130 - unit * (v[1] - middle(up))];
  const aim = v => [140 + 84 * v[0], 130 - 84 * v[1]], far = (v, r) => aim(v.map(x => r * x));
  const side = x => x > 0.4 ? "start" : x < -0.4 ? "end" : "middle";
  const line = (from, to, settings) => make("line", {x1: from[0], y1: from[1], x2: to[0], y2: to[1], "stroke-linecap": "round", ...settings});
  const svg = make("svg", {viewBox: "0 0 640 320", role: "img", "aria-hidden": "true"});
  svg.style.cssText = "width:100%;max-width:760px;height:auto;display:block";
  svg.append(make("circle", {cx: 140, cy: 130, r: 84, fill: "none", stroke: GREY}));
  for (const [j, k] of keys.entries()) {
    const at = far(k, 1.2);
    svg.append(line(aim([0, 0]), aim(k), {stroke: "currentColor", "stroke-width": 2}), write(at[0], at[1] + 5, side(k[0]), names[j]));
  }
  const query = line(aim([0, 0]), aim([1, 0]), {stroke: ORANGE, "stroke-width": 5});
  const handle = make("circle", {r: 13, fill: ORANGE, "fill-opacity": 0.85});
  handle.style.cssText = "cursor:grab;touch-action:none";
  svg.append(make("polygon", {points: values.map(place).join(" "), fill: GREY, "fill-opacity": 0.12, stroke: GREY}));
  const dots = [...values, [0, 0]].map(v => {
    const [cx, cy] = place(v);
    return make("circle", {cx, cy, fill: BLUE, "fill-opacity": 0.55});
  });
  const nowhere = place([0, 0]), none = write(nowhere[0], nowhere[1] + 24, "middle", "nothing");
  svg.append(...dots, none);
  for (const [j, v] of values.entries()) {
    const [x, y] = place(v), out = v[0] - middle(across);
    svg.append(make("rect", {x: x - 4, y: y - 4, width: 8, height: 8, fill: "currentColor"}));
    svg.append(Math.abs(out) * unit > 20 ? write(x + 14 * Math.sign(out), y + 5, out > 0 ? "start" : "end", names[j])
      : write(x, v[1] > middle(up) ? y - 12 : y + 22, "middle", names[j]));
  }
  const ellipse = make("polygon", {fill: ORANGE, "fill-opacity": 0.25, stroke: ORANGE, "stroke-width": 2});
  const output = make("circle", {r: 7, fill: ORANGE, stroke: "white", "stroke-width": 1.5});
  const strip = make("g", {});
  svg.append(ellipse, output, strip, query, handle);

  let state = {...start};
  const draw = () => {
    const now = compute(state), {p, o, D, u} = now, tip = aim(u), says = told(state, now);
    query.setAttribute("x2", tip[0]);
    query.setAttribute("y2", tip[1]);
    handle.setAttribute("cx", tip[0]);
    handle.setAttribute("cy", tip[1]);
    none.setAttribute("visibility", state.t === null ? "hidden" : "visible");
    dots.forEach((dot, j) => dot.setAttribute("r", 24 * Math.sqrt(p[j] ?? 0)));
    const rim = Array.from({length: 61}, (_, k) => [Math.cos(k * Math.PI / 30), Math.sin(k * Math.PI / 30)]);
    ellipse.setAttribute("points", rim.map(r => place([0, 1].map(i => o[i] + size * (D[i][0] * r[0] + D[i][1] * r[1])))).join(" "));
    const [x, y] = place(o);
    output.setAttribute("cx", x);
    output.setAttribute("cy", y);
    let from = 20;
    strip.replaceChildren(...p.flatMap((w, j) => {
      const wide = 600 * w, at = from;
      from += wide;
      return [make("rect", {x: at, y: 262, width: wide, height: 26, fill: BLUE, "fill-opacity": j % 2 ? 0.35 : 0.65, stroke: "currentColor", "stroke-width": 0.5}),
        ...(wide > 70 ? [write(at + wide / 2, 280, "middle", `${names[j] ?? "null slot"} ${fixed(w, 2)}`)] : [])];
    }), write(20, 308, "start", "one unit of weight"));
    words.textContent = says;
    for (const [name, input] of Object.entries(inputs)) {
      input.setAttribute("aria-valuetext", says);
      if (state[name] !== null) input.value = state[name];
    }
    box.checked = state.t !== null;
    inputs.t.disabled = state.t === null;
  };

  // The controls.
  const element = (tag, settings, ...inside) => {
    const made = Object.assign(document.createElement(tag), settings);
    made.append(...inside);
    return made;
  };
  const inputs = {angle: [0, 360, 1], c: [0, 12, 0.1], t: [-4, 8, 0.1]};
  for (const [name, [min, max, step]] of Object.entries(inputs)) {
    inputs[name] = element("input", {type: "range", min, max, step});
    inputs[name].style.cssText = "width:11em;height:24px;margin:0";
    inputs[name].addEventListener("input", () => {
      state[name] = Number(inputs[name].value);
      draw();
    });
  }
  const box = element("input", {type: "checkbox"}), row = element("div", {});
  box.style.cssText = "width:20px;height:20px";
  box.addEventListener("change", () => {
    state.t = box.checked ? Number(inputs.t.value) : null;
    draw();
  });
  row.style.cssText = "display:flex;flex-wrap:wrap;align-items:center;gap:0.2em 1.4em";
  const label = (text, input) => {
    const made = element("label", {}, `${text} `, input);
    made.style.cssText = "display:flex;align-items:center;gap:0.5em;min-height:24px";
    return made;
  };
  row.append(label("direction of the query", inputs.angle), label("sharpness c", inputs.c), label("null slot", box), label("its logit t", inputs.t));
  inputs.t.value = start.t ?? start.c / 2;
  handle.addEventListener("pointerdown", event => {
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  handle.addEventListener("pointermove", event => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const frame = svg.getBoundingClientRect(), [x, y] = [event.clientX - frame.left, event.clientY - frame.top].map(d => d * 640 / frame.width);
    state.angle = (Math.round(Math.atan2(130 - y, x - 140) * 180 / Math.PI) + 360) % 360;
    draw();
  });
  // Jupyter has commands on single keys (b inserts a cell); those with Ctrl, Alt or Shift+Enter are its own.
  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter")) return;
    if (event.key !== "Tab" && event.key !== "Escape") event.stopPropagation();
  });
  words.before(row);
  still.replaceWith(svg);
  root.compute = compute;
  root.told = state => told(state, compute(state));
  draw();
})();
