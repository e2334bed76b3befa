// The state: what the reader chose. It stands in the address, as far as it is not the beginning's.
const beginning = {
  x: [3, 4], g: [1.5, 0.5], u: [1, -2], c: [5, 7], e: 1e-5, o: 0, s: 1, k: 0, d: 12, q: 0, p: [],
};
const lists = ["x", "g", "u", "c", "p"];
const widest = 8;
const narrowest = 2;
let state = structuredClone(beginning);

const numbers = (text) => text.split(",").map(Number);

// What is beside a vector of this width, as much of it as there is.
function fit(list, width, filler) {
  return Array.from({ length: width }, (_, i) => (i < list.length ? list[i] : filler));
}

function fitted(one) {
  const width = one.x.length;
  return { ...one, g: fit(one.g, width, 1), u: fit(one.u, width, 1), c: fit(one.c, width, 1) };
}

// Bounds of what is no experiment's input; the core has the say about the rest.
const whole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function stateOf(hash) {
  const read = structuredClone(beginning);
  // A plus sign is that of an exponent, not a blank.
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"))) {
    if (!(key in read) || text === "") continue;
    const value = lists.includes(key) ? numbers(text) : Number(text);
    if ([value].flat().every(Number.isFinite)) read[key] = value;
  }
  if (!whole(read.x.length, narrowest, widest)) read.x = beginning.x;
  if (!whole(read.k, 0, lastStep)) read.k = beginning.k;
  if (!whole(read.d, 1, deepest)) read.d = beginning.d;
  if (!whole(read.q, 0, gates.length - 1)) read.q = beginning.q;
  return fitted(read);
}

function hashOf(one) {
  const usual = { ...fitted({ ...beginning, x: one.x }), p: one.p.map(() => 0) };
  const changed = Object.keys(beginning).filter(
    (key) => String(one[key]) !== String(key === "x" ? beginning.x : usual[key]),
  );
  return changed.map((key) => `${key}=${one[key]}`).join("&");
}

const layer = (one) => `--input=${one.x} --gain=${one.g}`;
const backward = (one) => `${layer(one)} --upstream=${one.u} --epsilon=${one.e}`;
const plane = (one) => one.x.slice(0, 2);

// What each view asks of the core; the first one is its command to copy.
const commands = {
  flow: (s) => [`stages ${backward(s)}`],
  shift: (s) => [
    `compare --input=${s.x} --offset=${s.o} --scale=${s.s} --epsilon=${s.e}`,
    `compare --input=${s.x} --epsilon=${s.e}`,
  ],
  epsilon: (s) => [
    `forward ${layer(s)} --epsilon=${s.e}`,
    `scale --input=${s.x} --epsilon=${s.e} --factor=10`,
  ],
  predict: (s) => [`predict --input=${gates[s.q].x} --gain=${gates[s.q].g} --epsilon=0.00001`],
  plane: (s) => [
    `forward --input=${plane(s)} --gain=${s.g.slice(0, 2)} --epsilon=${s.e}`,
    `compare --input=${plane(s)} --epsilon=${s.e}`,
  ],
  steps: (s) => [`gradcheck ${backward(s)}`, `stages ${backward(s)}`],
  batch: (s) => [
    `history --anchor=${s.x} --companion=${s.c} --epsilon=${s.e}`,
    `history --anchor=${s.x} --companion=${fit(beginning.c, s.x.length, 1)} --epsilon=${s.e}`,
  ],
  depth: (s) => [`depth --input=${s.x} --depths=${depths} --epsilon=${s.e}`],
};
