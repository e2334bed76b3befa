#include "report/html/style.hpp"

namespace rmsnorm::report::html {

// One type scale (ratio 1.25), one spacing scale (--s1 to --s6), and colors by their role, each at
// least 4.5:1 against the surfaces on which it stands, in light and dark.
std::string_view style() {
    return R"css(:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --panel: #ffffff; --ink: #1d2329; --soft: #56606a; --line: #d5d5d0;
  --edge: #59636d; --blue: #1d5c96; --rust: #a2441a; --green: #2b6a3c; --plum: #7a3f86;
  --band1: #eef3f8; --band2: #faf3e8; --band3: #f6ece8; --focus: #1d5c96; --shade: #1d232924;
  --s1: .25rem; --s2: .5rem; --s3: 1rem; --s4: 1.5rem; --s5: 2.5rem; --s6: 4rem;
  --small: .8rem; --body: 1rem; --large: 1.25rem; --title: 1.563rem; --display: 2.441rem;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --panel: #1b2026; --ink: #e6e8ea; --soft: #a5aeb7; --line: #363d45;
    --edge: #98a2ac; --blue: #7fb6e8; --rust: #eda07c; --green: #83c795; --plum: #cf9fdb;
    --band1: #1b2733; --band2: #29251b; --band3: #2e211d; --focus: #9cc9f2;
    --shade: #e6e8ea24;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--text); background: var(--paper); color: var(--ink);
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: var(--s5) clamp(var(--s3), 4vw, var(--s6)) var(--s6); }
body > header, body > nav, main, footer { max-width: 72rem; margin-inline: auto; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; margin: 0; text-wrap: balance;
  overflow-wrap: anywhere; }
h1 { font-size: clamp(var(--title), 1.1rem + 2.8vw, var(--display)); letter-spacing: -.015em; }
h2 { font-size: var(--title); letter-spacing: -.01em; }
h3 { font-size: var(--body); }
p, li { max-width: 44rem; }
p { margin: 0; }
a { color: var(--blue); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 2px; }
main:focus { outline: none; }
code { font: .9em var(--mono); overflow-wrap: anywhere; }
.skip { position: absolute; left: var(--s3); top: -6rem; padding: var(--s2) var(--s3);
  background: var(--panel); }
.skip:focus { top: var(--s2); z-index: 1; }
.eyebrow { color: var(--soft); font-size: var(--small); margin-bottom: var(--s2);
  overflow-wrap: anywhere; }
.lede { font-size: var(--large); line-height: 1.45; color: var(--soft); margin-top: var(--s3); }
nav { margin-top: var(--s4); padding-block: var(--s3); border-block: 1px solid var(--line); }
nav ol { margin: 0; padding: 0; list-style: none; columns: 15rem; column-gap: var(--s4);
  counter-reset: part; }
nav li { counter-increment: part; padding-block: var(--s1); break-inside: avoid; display: flex;
  gap: var(--s2); }
nav li::before { content: counter(part); color: var(--soft); min-width: 1.3em;
  font-variant-numeric: tabular-nums; }
section { margin-top: var(--s6); }
section > * + *, figure > * + *, .region + .region { margin-top: var(--s3); }
figure { margin: var(--s4) 0 0; }
figcaption { color: var(--soft); font-size: var(--small); max-width: 44rem; }
footer { margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line);
  font-size: var(--small); color: var(--soft); }
footer p + p { margin-top: var(--s2); }

/* A number breaks only where a whole line cannot hold it. */
.n { font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere; }
td .n, th .n { white-space: nowrap; }
.w { overflow-wrap: anywhere; }
.vector { font-variant-numeric: tabular-nums lining-nums; }
td .vector, .rows .vector { white-space: nowrap; }
.values.wide .n { grid-column: 2; }
.gap { color: var(--soft); font-size: var(--small); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }

.cards { display: grid; gap: var(--s3);
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
/* Three cards of which the last two belong together. */
.trio { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
@media (max-width: 44.5rem) { .trio > :first-child { grid-column: 1 / -1; } }
.flow { grid-template-columns: repeat(auto-fit, minmax(min(100%, 11.75rem), 1fr)); }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: var(--s3); break-inside: avoid; min-width: 0; }
.card > * + * { margin-top: var(--s2); }
.solid { border: 3px solid var(--edge); padding: calc(var(--s3) - 2px); }
.dashed { border: 3px dashed var(--blue); padding: calc(var(--s3) - 2px); }
.double { border: 6px double var(--rust); padding: calc(var(--s3) - 5px); }
.note { font-size: var(--small); color: var(--soft); }
.values { list-style: none; margin: 0; padding: 0; }
.values li { display: grid; grid-template-columns: auto 1fr; column-gap: var(--s2);
  align-items: baseline; padding-block: var(--s1); }
.values .n { text-align: right; }
.values .bar { grid-column: 1 / -1; }
.values .gap { display: block; }
.symbol { min-width: 2.2em; }
.symbol i { font-family: "DejaVu Serif", Georgia, serif; }
sub { font-size: .72em; line-height: 0; }
.bar { display: block; width: 100%; height: .5rem; margin-top: var(--s1); }
.bar .plus, .bar .minus { fill: var(--edge); } .bar .zero { fill: var(--ink); }
.dashed .bar .plus, .dashed .bar .minus { fill: var(--blue); }
.double .bar .plus, .double .bar .minus { fill: var(--rust); }
.bar .minus { opacity: .6; }
.legend { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); list-style: none;
  margin-block: 0; padding: 0; font-size: var(--small); color: var(--soft); }
.legend li { display: flex; align-items: center; gap: var(--s2); }
.key { flex: none; width: 2rem; height: 1.25rem; border-radius: 4px; padding: 0; }

dl { margin: 0; }
dl > div + div { margin-top: var(--s2); }
dt { color: var(--soft); font-size: var(--small); }
dd { margin: 0; overflow-wrap: anywhere; }
ol.questions { margin-bottom: 0; padding-left: 1.6rem; }
ol.questions a { font-size: var(--small); white-space: nowrap; }
section > dl { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s5); margin-top: var(--s3); }
section > dl > div + div { margin-top: 0; }
.items { margin: 0; padding-left: 2em; }
.nested dl { border-left: 2px solid var(--line); padding-left: var(--s3); }
ol.questions li { padding-left: var(--s1); }
ol.questions li + li { margin-top: var(--s2); }

/* A line and a shade at each edge behind which there is more. The covers move with the content and
   hide them at its ends. */
.region { overflow-x: auto; background:
    linear-gradient(to right, var(--paper) 1.5rem, transparent) 0 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 1.5rem, transparent) 100% 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--edge) 2px, var(--shade) 2px, transparent)
      0 0 / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--edge) 2px, var(--shade) 2px, transparent)
      100% 0 / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums lining-nums;
  min-width: min(100%, 44rem); }
caption { text-align: left; color: var(--soft); font-size: var(--small); padding-bottom: var(--s2); }
/* As wide as the screen where the table is wider, so that it is read without scrolling. */
caption > span { display: block; width: max-content;
  max-width: min(44rem, 100vw - 2 * clamp(var(--s3), 4vw, var(--s6)) - 1rem); }
th, td { text-align: right; padding: var(--s2) var(--s3); border-bottom: 1px solid var(--line);
  vertical-align: baseline; white-space: nowrap; }
thead th { color: var(--soft); font-size: var(--small); font-weight: 600; vertical-align: bottom;
  white-space: normal; text-wrap: balance;
  border-bottom: 2px solid var(--edge); }
tr > :first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: 500; }
.numeric tr > :first-child { text-align: right; }
tr > :last-child { padding-right: 0; }
/* Figures under each other by their points, and their head, begin at the column's left. */
tr > .points, .numeric tr > .points { text-align: left; }
.points > .sign { visibility: hidden; }
tr { break-inside: avoid; }
.words td, .words th { text-align: left; white-space: normal; }
.words td, .words tbody th { min-width: 8rem; }
.words td:has(> .verdict) { min-width: 0; }
/* A column is as wide as its longest word; the table scrolls before a word breaks. */
.words .w, .words code { overflow-wrap: break-word; }
.rows td { text-align: right; }
.verdict { white-space: nowrap; font-weight: 500; }
.good { color: var(--green); } .bad { color: var(--rust); }

.formula { margin-block: var(--s3); }
.parts { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: var(--s4); }
.formula math { font-size: var(--large); margin-inline: 0; text-align: left; max-width: 100%;
  overflow-x: auto; overflow-y: hidden; padding-block: var(--s1); }
math[display="block"] { display: block math; width: fit-content; }
.plain { font: var(--small)/1.5 var(--mono); color: var(--soft); overflow-wrap: anywhere; }

.plot { display: block; width: 100%; min-width: 34rem; max-width: 60rem; height: auto;
  font-family: var(--text); }
.graph { display: block; width: 100%; min-width: 40rem; max-width: 60rem; height: auto; }
.plot.drawn-narrow { min-width: 18rem; }
.graph.drawn-narrow { min-width: 22.25rem; }
.drawn-narrow { display: none; }
@media screen and (max-width: 40rem) {
  .drawn-wide { display: none; }
  .drawn-narrow { display: block; }
}
.plot text { fill: var(--soft); font-size: 14px; font-variant-numeric: tabular-nums; }
.plot .band-name { font-weight: 600; }
.plot.drawn-narrow .band-name { font-size: 12px; }
.plot .name { font-weight: 600; font-size: 15px; stroke: var(--paper); stroke-width: 4px;
  paint-order: stroke; stroke-linejoin: round; }
.plot .exponent { font-size: 10px; }
.plot .grid { stroke: var(--line); } .plot .mark { stroke: var(--edge); }
.plot .band1 { fill: var(--band1); } .plot .band2 { fill: var(--band2); }
.plot .band3 { fill: var(--band3); }
.plot .curve { fill: none; stroke-width: 2; }
.plot .dot { stroke: var(--paper); stroke-width: 1.5; }
/* The first color and line are LayerNorm's, the second RMSNorm's, as in the cards. */
.plot path.s1 { stroke: var(--blue); } .plot circle.s1, .plot text.s1 { fill: var(--blue); }
.plot path.s2 { stroke: var(--rust); stroke-dasharray: 7 4; }
.plot circle.s2, .plot text.s2 { fill: var(--rust); }
.plot path.s3 { stroke: var(--green); }
.plot circle.s3, .plot text.s3 { fill: var(--green); }
.plot path.s4 { stroke: var(--plum); stroke-dasharray: 7 4; }
.plot circle.s4, .plot text.s4 { fill: var(--plum); }
.plot path.s5 { stroke: var(--edge); stroke-dasharray: 2 4; }
.plot circle.s5, .plot text.s5 { fill: var(--edge); }
.choice { border: 0; margin: var(--s4) 0 0; padding: 0; min-width: 0; }
.choice legend { padding: 0; margin-bottom: var(--s2); color: var(--soft); font-size: var(--small); }
.choice > input { appearance: none; position: absolute; margin: 0; width: 1px; height: 1px; }
.choice > label { display: inline-block; padding: var(--s2) var(--s3); margin: 0 var(--s1) var(--s2) 0;
  border: 1px solid var(--edge); border-radius: 6px; cursor: pointer; background: var(--panel); }
.choice > input:checked + label { background: var(--blue); border-color: var(--blue);
  color: var(--paper); font-weight: 600; }
.choice > input:focus-visible + label { outline: 3px solid var(--focus); outline-offset: 3px; }
.case { display: none; }
.case > * + * { margin-top: var(--s3); }
#choose-1:checked ~ .case-1, #choose-2:checked ~ .case-2, #choose-3:checked ~ .case-3 {
  display: block; }
.graph .node { fill: var(--panel); stroke: var(--edge); stroke-width: 1.5; }
.graph .module { stroke: var(--blue); stroke-dasharray: 6 4; }
.graph .end { stroke: var(--rust); stroke-width: 2.5; }
.graph .edge { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.graph .arrow { fill: var(--soft); }
.graph text { fill: var(--ink); font-family: var(--text); font-size: 13px; }
.graph.drawn-narrow text { font-size: 11px; }
details summary { cursor: pointer; color: var(--blue); width: fit-content; }
details > * + * { margin-top: var(--s3); }

@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (max-width: 60rem) {
  table { font-size: .875rem; }
  th, td { padding: var(--s2); }
  tbody th { white-space: normal; min-width: 6rem; }
  .numeric tbody th { white-space: nowrap; min-width: 0; }
}
@media (max-width: 30rem) {
  th, td { padding: .4rem; }
  .lede { font-size: var(--body); }
  .formula math { font-size: 1.05rem; }
}
@media (forced-colors: active) {
  :root { --paper: Canvas; --edge: CanvasText; --shade: transparent; }
  .card { border-color: CanvasText; }
  .card .bar rect { fill: CanvasText; }
  .plot text { fill: CanvasText; stroke: none; }
  .plot .name { stroke: none; }
  .plot .curve { stroke: CanvasText; } .plot .dot { fill: CanvasText; stroke: Canvas; }
  .plot .grid { stroke: GrayText; } .plot .mark { stroke: CanvasText; }
  .plot .band { fill: Canvas; stroke: GrayText; }
  .graph .node { fill: Canvas; stroke: CanvasText; }
  .graph .edge { stroke: CanvasText; } .graph .arrow, .graph text { fill: CanvasText; }
  .choice > input:checked + label { forced-color-adjust: none; background: Highlight;
    color: HighlightText; border-color: Highlight; }
}
@media print {
  @page { size: A4; margin: 15mm; }
  :root { --paper: #ffffff; --panel: #ffffff; --ink: #000000; --soft: #3f464d; --line: #b8b8b8;
    --edge: #444c54; --blue: #1d5c96; --rust: #a2441a; --green: #2b6a3c; --plum: #7a3f86;
    --band1: #eef3f8; --band2: #faf3e8; --band3: #f6ece8; color-scheme: light; }
  html { font-size: 80%; }
  body { padding: 0; }
  nav, .skip, .download { display: none; }
  section { margin-top: var(--s5); }
  h2, h3, caption, figcaption { break-after: avoid; }
  .card, .formula, .plot, .graph { break-inside: avoid; }
  .region { overflow: visible; background: none; }
  .choice legend, .choice > label { display: none; }
  .case { display: block; }
  .case + .case { margin-top: var(--s4); }
  .graph { min-width: 0; }
  .plot { min-width: 0; }
  table { font-size: .8rem; }
  th, td { padding: .2rem .35rem; }
}
)css";
}

}  // namespace rmsnorm::report::html
