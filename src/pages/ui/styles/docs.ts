export const DOCS = `
@layer components {
.public:has(.with-menu) :is(.site-header, .site-footer) > div { max-width: 84rem; }
.with-menu { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 var(--s6); width: 100%; max-width: 84rem; margin: 0 auto; padding: 0 var(--s5); }
.with-menu > main { padding: var(--s6) 0 var(--s8); }
.doc-side { position: sticky; top: 0; align-self: start; display: flex; flex-direction: column; gap: var(--s3); max-height: 100dvh; margin-inline-start: -.625rem; padding-top: var(--s6); }
.doc-side > * { padding-inline: .625rem 2px; }
/* Fades the edges of a scrollable menu to show that it continues. At the menu's start and end, only padding fades. */
.doc-side > nav, .doc-contents { padding-bottom: var(--s6); overflow-y: auto; mask-image: linear-gradient(#0000, #000 1rem calc(100% - var(--s6)), #0000); }
.doc-search { display: flex; gap: var(--s2); }
.doc-search .input { min-width: 0; padding-inline: .625rem; }
:is(.doc-side, .doc-contents) .side-title { padding: var(--s4) 0 var(--s1); }
.doc-side li a, .doc-contents a { display: block; padding: .3125rem var(--s2); margin-inline-start: calc(-1 * var(--s2)); border-radius: 6px; color: var(--ink-soft); font-size: var(--text-s); text-decoration: none; }
.doc-side li a:hover, .doc-contents a:hover { background: var(--hover); color: var(--ink); }
.doc-side li a[aria-current] { background: var(--surface); color: var(--ink); box-shadow: 0 0 0 1px var(--line); font-weight: 550; }
.doc-contents .deeper a { padding-inline-start: var(--s4); }
.doc { display: grid; grid-template-columns: minmax(0, 46rem); align-content: start; }
.doc.with-contents { grid-template-columns: minmax(0, 46rem) minmax(0, 13rem); gap: 0 var(--s7); justify-content: space-between; }
.doc > :is(.page-header, .doc-prose, .doc-end, .doc-found, .empty) { grid-column: 1; }
.doc > .doc-contents { grid-column: 2; grid-row: 1 / span 3; position: sticky; top: 0; align-self: start; max-height: 100dvh; margin-top: -1rem; }
.doc-prose { max-width: none; }
.doc-prose > :is(p, ul, ol, blockquote) { max-width: var(--measure); }
.doc-prose h2 { font-size: var(--text-xl); }
.doc-prose > h2:first-child { margin-top: var(--s2); }
.doc-prose > h3 { margin-top: var(--s5); }
.doc-prose > h3 + * { margin-top: var(--s2); }
.doc-prose :is(li + li, li > p + p) { margin-top: var(--s2); }
.doc-prose li > ul { margin-top: var(--s2); }
.doc-prose .sub { margin: -.25rem 0 .375rem; }
.doc-prose pre { white-space: pre; overflow-x: auto; background: linear-gradient(var(--sunken) 0 0) 100% / 1rem 100% no-repeat local, linear-gradient(270deg, var(--line), #0000) 100% / .75rem 100% no-repeat; }
.doc-prose blockquote { padding: .75rem var(--s4); border-inline-start: 3px solid var(--accent); border-start-end-radius: var(--radius); border-end-end-radius: var(--radius); background: var(--accent-soft); }
.anchor { margin-inline-start: .375em; color: var(--ink-faint); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3):hover > .anchor, .anchor:focus-visible { opacity: 1; }
.doc-table.doc-table .table :is(td, span, code) { min-width: 0; overflow-wrap: break-word; text-wrap-style: pretty; }
@container (min-width: 26.01rem) { .doc-table td:first-child code { white-space: nowrap; } .doc-table td:nth-child(n+3):last-child { width: 50%; } }
@container (max-width: 26rem) { .doc-table.doc-table.doc-table tr { display: flex; flex-wrap: wrap; gap: 0 var(--s2); } .doc-table td:is([data-label], :last-child) { flex-basis: 100%; } }
.snippets { display: flex; flex-wrap: wrap; gap: var(--s1); }
.snippets > input { position: absolute; opacity: 0; }
.snippets > label { padding: .375rem .5rem; border-radius: var(--radius); color: var(--ink-soft); font-size: var(--text-s); font-weight: 550; cursor: pointer; }
.snippets > label:hover { background: var(--hover); }
.snippets > input:checked + label { background: var(--accent-soft); color: var(--accent-ink); }
.snippets > input:focus-visible + label { outline: 2px solid var(--focus); outline-offset: 2px; }
.snippets > .programs { order: 1; width: 100%; }
.snippets > input:not(:checked) + label + .programs { display: none; }
.program { padding-top: var(--s3); }
.program .side-title { padding: 0; }
.program:has(> .more:not([open])) pre { max-height: 25rem; mask-image: linear-gradient(#000 calc(100% - var(--s6)), #0000); }
.program [open] .opens, .program .more:not([open]) .closes { display: none; }
.doc-prose > .program { margin-top: var(--s1); }
.program > .spread { flex-wrap: nowrap; min-height: var(--control); margin-bottom: var(--s1); }
.program .row { flex: none; }
.doc-end { margin-top: var(--s7); padding-top: var(--s4); border-top: 1px solid var(--line); font-size: var(--text-s); }
.doc-end nav { display: flex; flex-wrap: wrap; gap: var(--s3); margin-bottom: var(--s4); }
.doc-end nav:empty { display: none; }
.doc-end nav a { flex: 1 1 12rem; padding: .75rem var(--s4); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); font-size: var(--text-m); font-weight: 550; text-decoration: none; }
.doc-end nav a:hover { border-color: var(--line-strong); }
.doc-end nav [rel=next] { text-align: end; }
.doc-end nav span { display: block; color: var(--ink-faint); font-size: var(--text-s); font-weight: 400; }
.doc-found > li { padding: var(--s4) 0; border-top: 1px solid var(--line); }
.doc-found h2 { font-size: var(--text-m); }
.doc-found p { margin-top: var(--s1); color: var(--ink-soft); }
mark { padding: 0 .0625em; border-radius: 3px; background: var(--warn-soft); color: inherit; }
@supports selector(::details-content) {
  @media (min-width: 48.01rem) { .doc-side summary ~ * { margin-top: 0; } }
  @media (48.01rem < width <= 78rem) { .doc-contents .more.fold > summary { display: inline-flex; } .doc-contents .fold:not([open])::details-content { content-visibility: hidden; display: none; } }
}
@media (max-width: 78rem) {
  .doc.with-contents { grid-template-columns: minmax(0, 46rem); }
  .doc > .doc-contents { grid-column: 1; grid-row: auto; position: static; max-height: none; margin: 0 0 var(--s4); padding: 0; mask-image: none; }
  .doc-contents .side-title { display: none; }
}
@media (max-width: 48rem) {
  .with-menu { grid-template-columns: minmax(0, 1fr); padding: 0 var(--s4); }
  .with-menu > main { padding: var(--s4) 0 var(--s7); }
  .doc-side { position: static; max-height: none; margin: 0; padding-top: var(--s4); }
  .doc-side.doc-side > * { padding: 0; mask-image: none; overflow: visible; }
  .doc-side li a, .doc-contents a { padding: .625rem var(--s2); font-size: var(--text-m); }
  :is(.doc-side, .doc-contents) .fold { margin: var(--s2) 0 0; }
  .snippets > label { padding-block: .625rem; }
}
}
`;
