/** The style sheet of every page. It uses cascade layers: a later layer wins regardless of specificity. */

import { BLOCKS } from './blocks.ts';
import { CONTROLS } from './controls.ts';
import { DATA } from './data.ts';
import { DOCS } from './docs.ts';
import { LAYOUT } from './layout.ts';
import { TOKENS } from './tokens.ts';

/** Styles of elements without a class: the reset, text, links, focus. */
const BASE = `
@layer reset {
*, ::before, ::after { box-sizing: border-box; }
body, h1, h2, h3, p, ul, ol, dl, dd, figure, pre, fieldset, blockquote { margin: 0; padding: 0; }
fieldset { border: 0; min-width: 0; }
legend { padding: 0; }
ul, ol { list-style: none; }
table { border-collapse: collapse; border-spacing: 0; }
button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
svg { display: block; flex: none; }
[dir=rtl] svg.mirrored { scale: -1 1; }
img { display: block; max-width: 100%; height: auto; }
[hidden] { display: none !important; }
summary { cursor: pointer; }
}

@layer base {
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block: var(--s7) 5rem; }
body {
  min-height: 100dvh; background: var(--paper); color: var(--ink);
  font: var(--text-m)/1.55 var(--sans); -webkit-font-smoothing: antialiased; overflow-wrap: break-word;
}
h1, h2, h3 { line-height: 1.2; letter-spacing: -.014em; font-weight: 650; text-wrap: balance; }
h1 { font-size: var(--text-2xl); letter-spacing: -.022em; }
/* Text in another script keeps its own direction, but is aligned like the page's text. */
.table a, time, .sub, .when, dd, .numeric > div { unicode-bidi: plaintext; }
[dir=auto]:not(.input), .mono:not(.input), .sub, .when, dd, .numeric > div { text-align: -webkit-match-parent; text-align: match-parent; }
h2 { font-size: var(--text-l); }
h3 { font-size: var(--text-m); }
p { text-wrap: pretty; }
a { color: var(--accent-ink); text-decoration-thickness: 1px; text-underline-offset: .2em; text-decoration-color: var(--accent-line); }
a:hover { text-decoration-color: currentColor; }
strong, b, th { font-weight: 600; }
small { font-size: var(--text-s); }
code, kbd, pre, .mono { direction: ltr; unicode-bidi: isolate; font-family: var(--mono); font-size: .9em; font-variant-ligatures: none; }
code, .mono { overflow-wrap: anywhere; }
:not(pre) > code { padding: .1em .3em; border-radius: 4px; background: var(--hover); }
time, .num { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: var(--radius-s); }
main:focus { outline: none; }
::selection { background: var(--accent-soft); color: var(--ink); }
@media (prefers-reduced-motion: no-preference) {
  a, button, .button, input, select, textarea { transition: background-color .12s, border-color .12s, color .12s, box-shadow .12s; }
}
}
`;

export const STYLES: string = [
  '@layer reset, tokens, base, layout, components, utilities;',
  TOKENS,
  BASE,
  LAYOUT,
  CONTROLS,
  BLOCKS,
  DATA,
  DOCS,
]
  .join('')
  // Strips comments and indentation.
  .replaceAll(/\/\*.*?(?:\*\/|$)/gs, '')
  .replaceAll(/\n\s*/g, '\n');
