/** Light and dark by the reader's system; on paper everything that is shown stays, and nothing that is clicked. */
export const STYLE = `:root {
  color-scheme: light dark;
  --bg: #fff; --fg: #1c2024; --dim: #5d6570; --line: #d5dae0; --soft: #f3f5f7;
  --good: #14692f; --bad: #b3261e; --open: #7a5300; --accent: #1a56b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #14171a; --fg: #e4e7ea; --dim: #9aa4af; --line: #363d45; --soft: #1f2429;
    --good: #6fce8b; --bad: #ff8f85; --open: #e5b95c; --accent: #8ab4f8;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.5rem 3rem; max-width: 84rem; background: var(--bg); color: var(--fg);
  font: 15px/1.5 system-ui, "PingFang TC", "Noto Sans TC", "Microsoft JhengHei", sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
code { font: .92em ui-monospace, "Cascadia Mono", Menlo, monospace; overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); } td.none { color: var(--dim); } .open, .some { color: var(--open); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[hidden] { display: none !important; }
button, input, select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line);
  border-radius: 4px; padding: .15rem .55rem; }
button { cursor: pointer; }
button[aria-pressed="true"] { outline: 2px solid var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .3rem .55rem; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { font-weight: 600; white-space: nowrap; }
.num { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
.tile { background: var(--soft); border-radius: 6px; padding: .4rem .8rem; }
.tile dt { color: var(--dim); } .tile dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.matrix { width: auto; }
.cell { min-width: 4.5rem; }
.scroll { overflow-x: auto; }
#table thead th { position: sticky; top: 0; background: var(--bg); }
#table thead button { border: 0; background: none; padding: 0; font-weight: 600; }
th[aria-sort="ascending"] .arrow::after { content: " ▲"; }
th[aria-sort="descending"] .arrow::after { content: " ▼"; }
.toggle { border: 0; background: none; padding: 0 .4rem; }
.badge { border: 1px solid var(--open); color: var(--open); border-radius: 8px; padding: 0 .4rem; font-size: .85em; white-space: nowrap; }
.detail > td { background: var(--soft); }
.detail dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .3rem 0 .3rem 2rem; }
.detail dt { color: var(--dim); } .detail dd, .detail ul { margin: 0; } .detail ul { padding-inline-start: 1.1rem; }
#filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin-bottom: .5rem; }
progress { width: 6rem; vertical-align: middle; accent-color: var(--accent); }
.chart { width: 100%; max-width: 60rem; height: auto; }
.grid { stroke: var(--line); } .tick { fill: var(--dim); font-size: 11px; }
.tick.end { text-anchor: end; } .tick.middle { text-anchor: middle; }
.line { fill: none; stroke-width: 2; } .dashed { stroke-dasharray: 5 4; }
.line.total { stroke: var(--dim); } .line.legacy { stroke: var(--open); } .line.untagged { stroke: var(--bad); }
.dot.total, .key.total { fill: var(--dim); } .dot.legacy, .key.legacy { fill: var(--open); } .dot.untagged, .key.untagged { fill: var(--bad); }
@media print {
  :root { color-scheme: light; --bg: #fff; --fg: #000; --dim: #444; --line: #999; --soft: #f6f6f6; --good: #14692f; --bad: #b3261e; --open: #7a5300; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .noprint, .toggle { display: none !important; }
  .cell { border: 0; background: none; }
  #table thead th { position: static; }
  .scroll { overflow: visible; }
  tr, .chart { break-inside: avoid; }
  thead { display: table-header-group; }
  @page { margin: 14mm; size: landscape; }
}
`;
