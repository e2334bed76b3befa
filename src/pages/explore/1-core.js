// The core: the program's own code. A request is a command line without the program's name.
const byId = (id) => document.getElementById(id);

let code;
let core;
let starting = null;
const roomy = 2 ** 24;

function unpacked() {
  const packed = Uint8Array.from(atob(byId("core").textContent), (character) => character.charCodeAt(0));
  return WebAssembly.compile(unpack(packed));
}

async function start() {
  // What a C library would ask of a system; the core asks nothing of it.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(code)) {
    (imports[from] ??= {})[name] = () => 0;
  }
  core = (await WebAssembly.instantiate(code, imports)).exports;
  core._initialize?.();
  starting = null;
}

const memory = () => new Uint8Array(core.memory.buffer);

// The bytes that the program prints for the request with --format json, or its refusal.
function run(request) {
  const bytes = new TextEncoder().encode(request);
  const place = core.explorer_request(bytes.length);
  memory().set(bytes, place);
  const refused = core.explorer_run() !== 0;
  const at = core.explorer_answer();
  const text = new TextDecoder().decode(memory().subarray(at, at + core.explorer_answer_size()));
  // The core frees nothing, and an exception passes it without cleanups: what is left goes with its instance.
  if (refused || memory().length > roomy) starting ??= start();
  if (!refused) return { text, document: JSON.parse(text) };
  const [name, message] = [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)];
  return { refusal: { name, message } };
}

// The path of the first place where two documents differ.
function difference(found, expected, path = "") {
  if (found === expected) return null;
  const nested = (value) => typeof value === "object" && value !== null;
  if (!nested(found) || !nested(expected)) return path || "/";
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const inner = difference(found[key], expected[key], `${path}/${key}`);
    if (inner) return inner;
  }
  return null;
}

// Null when the core runs and gives the chapter's evidence back, every bit of it.
async function fault() {
  try {
    code = await unpacked();
    await start();
  } catch (error) {
    return `the core cannot be started (${error.message})`;
  }
  const answer = run("report");
  if (answer.refusal) return answer.refusal.message;
  const place = difference(JSON.parse(answer.text), JSON.parse(byId("evidence").textContent));
  return place && `this browser computes ${place} otherwise than the evidence of this page`;
}
