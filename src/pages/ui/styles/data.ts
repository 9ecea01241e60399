/** Styles of tables and charts. */

/** Narrows the columns in a `box` that is wider than `from` and at most `to` wide: less padding, and cells may wrap. */
const tightened = (box: string, from: string, to: string): string => `@container (${from} < width <= ${to}) {
  :where(${box}) .table.table :where(th, td) { padding-inline: .5rem; }
  ${box} .table td:not(.end) { white-space: normal; text-wrap: balance; }
  ${box} tbody th { min-width: 7.5rem; }
  ${box} th:has(.faced) { min-width: 13rem; }
  ${box} td:not(.numeric, .end, .keep) { min-width: 6.25rem; }
  ${box} .end > div { flex-wrap: wrap; }
  ${box} .end .button { padding-inline: .5rem; }
}`;

/** Shows rows as cards in a `box` that is at most `width` wide. */
const collapsed = (box: string, width: string): string => `@container (max-width: ${width}) {
  ${box} > .table, ${box} tbody, ${box} th, ${box} td { display: block; }
  ${box} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${box} tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr)); gap: 0 var(--s4); padding: .625rem var(--s4); }
  ${box} tbody tr + tr { border-top: 1px solid var(--line); }
  ${box} tbody tr + tr > * { border: 0; }
  ${box} tbody :is(th, td) { min-width: 0; }
  ${box} tbody :is(th, .end) { grid-column: 1 / -1; }
  ${box} tbody :is(th, td), ${box} tr > :first-child, ${box} tr > :last-child { padding: .1875rem 0; }
  ${box} tbody td[data-label] { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; align-items: baseline; }
  ${box} tbody td[data-label]::before { content: attr(data-label) / ''; color: var(--ink-faint); font-size: .8125rem; }
  ${box} :is(.numeric, .end) { text-align: start; }
  ${box} :is(.numeric, .keep) { white-space: normal; }
  ${box} .end > div { flex-wrap: wrap; justify-content: start; }
  ${box} tbody .end:has(.button) { padding-top: .5rem; }
  ${box} .badge { white-space: normal; }
  ${box} td { text-wrap: balance; }
  ${box} tbody td:has(.wide-only) { display: none; }
}`;

export const DATA = `
@layer components {
.table { width: 100%; font-size: .875rem; line-height: 1.45; }
.table-box { position: relative; container-type: inline-size; overflow-x: auto; border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
.table th, .table td { padding: .625rem .75rem; text-align: start; vertical-align: baseline; overflow-wrap: anywhere; }
.table tr:has(picture, .faced) > * { vertical-align: middle; }
.table th { color: var(--ink-faint); font-size: .8125rem; font-weight: 550; overflow-wrap: normal; white-space: nowrap; }
.table thead th { border-bottom: 1px solid var(--line); }
.table tbody tr + tr > * { border-top: 1px solid var(--line); }
.table tbody tr:hover { background: color-mix(in srgb, var(--hover) 45%, transparent); }
.table tbody th { min-width: 11rem; color: var(--ink); font-size: inherit; white-space: normal; overflow-wrap: anywhere; }
:is(.several, .some) td:not(.numeric, .end, .keep) { min-width: 6.5rem; }
.table .numeric { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.table .keep { white-space: nowrap; overflow-wrap: normal; }
.table .end { text-align: end; white-space: nowrap; }
.table .end > div { display: flex; gap: var(--s2); justify-content: end; }
.table tr > :first-child { padding-inline-start: 1rem; }
.table tr > :last-child { padding-inline-end: 1rem; }
.pairs thead th { width: 50%; }
.sentence { font-weight: 400; }
.sub { display: block; color: var(--ink-faint); font-size: .8125rem; font-weight: 400; }
.table td > div > a:only-child { font-weight: 550; }
.mail { max-width: 16rem; overflow-wrap: break-word; }
.some thead .numeric + .numeric { width: 14%; }
@container (min-width: 46rem) { .table .mail wbr { display: none; } }
.table td:has(.mail) { min-width: 8.5rem; }
.pager { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s3); margin-top: var(--s3); color: var(--ink-faint); font-size: var(--text-s); }
.pager > div { display: flex; gap: var(--s2); margin-inline-start: auto; }
${tightened('.table-box.several', '45.3rem', '60rem')}
${collapsed('.table-box.several', '45.3rem')}
${tightened('.table-box.some', '32.5rem', '48rem')}
@container (width > 46rem) { .table-box.some .end > div { flex-wrap: nowrap; } }
${collapsed('.table-box.some', '32.5rem')}
${tightened('.table-box', '26rem', '33rem')}
${collapsed('.table-box', '26rem')}
/* On phones, each value of a card takes a line or half a line, with the label before the value. */
@container (max-width: 26rem) {
  .table-box.table-box tbody tr { grid-template-columns: minmax(0, 1.32fr) minmax(0, 1fr); column-gap: var(--s2); align-items: baseline; }
  .table-box tbody td:not(.half) { grid-column: 1 / -1; }
  .table-box.table-box th.half { grid-column: auto; }
  .table-box.table-box tbody td[data-label], .table-box :is(th.line, .line > div) { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .375rem; }
  .table-box td:not(.half)::before { flex-basis: 7rem; }
  .table-box td:not(.half) > div { flex: 1; }
  .table-box :is(th.line, .line[data-label] > div) { justify-content: space-between; }
  .table-box.table-box .far { grid-column: 2; justify-content: end; text-align: end; }
  .table-box tr:has(> th.half + .far) { grid-template-columns: minmax(40%, 1fr) auto; }
  .table-box .numeric.far { grid-row: 2; }
  .table-box .line .sub { font-size: inherit; }
  .table-box.table-box tbody td:has(.wide-only) { display: none; }
}
@media (max-width: 40rem) { .pager > div { width: 100%; } .pager .button { flex: 1; } }

.chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s3); }
.chart figcaption { display: grid; gap: var(--s1); font-size: var(--text-s); color: var(--ink-soft); }
.chart-title { font-weight: 600; color: var(--ink); }
.legend { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); }
.legend li { display: flex; align-items: center; gap: .375rem; }
.legend li::before { content: ''; width: .625rem; height: .625rem; border-radius: 3px; background: var(--chart-1); }
.legend li:nth-child(2)::before { background: var(--chart-2); border-radius: 50%; }
.chart-plot { position: relative; padding-inline-start: 2.75rem; }
.chart-plot > svg { width: 100%; height: 11rem; overflow: visible; }
.chart-y { position: absolute; inset-block: -.5em; inset-inline: 0 auto; display: flex; flex-direction: column; justify-content: space-between; width: 2.25rem; text-align: end; }
.chart-x { display: flex; justify-content: space-between; padding-inline-start: 2.75rem; }
.chart-x, .chart-y { color: var(--ink-faint); font-size: var(--text-xs); line-height: 1; font-variant-numeric: tabular-nums; }
.chart .grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
.chart .line-1, .chart .line-2 { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.chart .line-1 { stroke: var(--chart-1); } .chart .line-2 { stroke: var(--chart-2); stroke-dasharray: 5 4; }
.chart .area { fill: var(--chart-1); opacity: .1; }
.chart > .more { margin-bottom: -.625rem; }
.chart .more .table-box { max-height: 20rem; }
}

@layer utilities {
.visually-hidden:not(:focus, :active) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet-text { color: var(--ink-faint); }
.soft-text { color: var(--ink-soft); }
.small-text { font-size: var(--text-s); }
.good-text { color: var(--good); }
.bad-text { color: var(--bad); }
.warn-text { color: var(--warn); }
.nowrap { white-space: nowrap; }
@media (max-width: 48rem) { .wide-only { display: none; } }
@media (width < 64rem) { .key, [data-shortcut-switch] { display: none; } }
.break { overflow-wrap: anywhere; }
.print-only { display: none; }
.top-space { margin-top: var(--s5); }
.end-space { margin-bottom: var(--s5); }
@media print { .side, .site-header, .site-footer, .skip, .button, .demo, .doc-side, .doc-contents, .doc-end { display: none; } .with-menu, .doc { display: block; } .code pre { max-height: none; mask-image: none; white-space: pre-wrap; } .code pre::before { content: none; } .print-only { display: block !important; } .work { display: block; } body { background: #fff; } }
}
`;
