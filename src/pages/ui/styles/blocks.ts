import { DARK, LIGHT } from '../../../platform/colour/palette.ts';

/** Places the stub of a ticket below its body, with a horizontal perforation. */
const stubBelow = (ticket: string): string => `${ticket} { grid-template-columns: minmax(0, 1fr); }
${ticket} > .ticket-stub { border-inline-start: 0; border-top: 2px dashed var(--line); }
${ticket} > .ticket-stub::before, ${ticket} > .ticket-stub::after { top: calc(-.625rem - 1px); bottom: auto; }
${ticket} > .ticket-stub::before { inset-inline-start: calc(-.625rem - 1px); clip-path: inset(-1px -1px -1px 50%); }
${ticket} > .ticket-stub::after { inset-inline-start: auto; inset-inline-end: calc(-.625rem - 1px); clip-path: inset(-1px 50% -1px -1px); }
${ticket}:dir(rtl) > .ticket-stub::before { clip-path: inset(-1px 50% -1px -1px); }
${ticket}:dir(rtl) > .ticket-stub::after { clip-path: inset(-1px -1px -1px 50%); }`;

export const BLOCKS = `
@layer components {
.card { padding: var(--s5); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
.card > :is(h2, .spread):first-child { margin-bottom: var(--s4); }
.section > h2, .section > .spread { margin-bottom: var(--s3); }
@media (max-width: 48rem) { .card { padding: var(--s4); } }
@media (width >= 64rem) { .account > .card { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: var(--s5); align-items: start; } .account .spread { display: grid; justify-items: start; } }
.account .ordered { margin-block: calc(-1 * var(--s3)); }
.account .ordered > :first-child { border: 0; }
@media (max-width: 40rem) { :is(.account .row, .columns > .form > .form-actions) > .button { flex: auto; } .columns > .form > .form-actions { flex-wrap: wrap-reverse; } }

.good { --tone: var(--good); --tone-soft: var(--good-soft); --tone-line: var(--good-line); }
.warn { --tone: var(--warn); --tone-soft: var(--warn-soft); --tone-line: var(--warn-line); }
.bad { --tone: var(--bad); --tone-soft: var(--bad-soft); --tone-line: var(--bad-line); }
.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .5625rem; border-radius: 1rem; background: var(--hover); color: var(--ink-soft); font-size: .8125rem; font-weight: 550; line-height: 1.375rem; white-space: nowrap; }
.badge::before { content: ''; width: .4375rem; height: .4375rem; border-radius: 50%; background: currentColor; }
.badge:is(.good, .warn, .bad) { background: var(--tone-soft); color: var(--tone); }
.badge.accent { background: var(--accent-soft); color: var(--accent-ink); }
.badge.hollow::before { background: none; box-shadow: inset 0 0 0 1.5px currentColor; }
.kind { color: var(--ink-faint); font-size: var(--text-s); font-weight: 550; }

.notice { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: 0 .75rem; padding: .875rem var(--s4); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow-wrap: anywhere; }
.notice > svg { margin-top: .125rem; color: var(--ink-faint); }
.notice h2 { font-size: var(--text-m); margin-bottom: .25rem; }
:is(.notice h2 + div, .field) > .stack { padding-top: var(--s2); }
.notice ul { display: grid; gap: .125rem; margin-top: .25rem; }
.notice ul a { display: inline-block; padding: .125rem 0; color: inherit; text-decoration-color: currentColor; }
.notice .row, .notice .table-box { margin-top: var(--s3); }
.notice:is(.good, .warn, .bad) { border-color: var(--tone-line); background: color-mix(in srgb, var(--tone-soft) 55%, var(--surface)); }
.notice:is(.good, .warn, .bad) > svg { color: var(--tone); }

/* Tickets: a body with the offer, a perforation and a stub. */
.ticket { --ground: var(--paper); position: relative; display: grid; grid-template-columns: minmax(0, 1fr) minmax(16rem, 30%); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); box-shadow: var(--shadow); }
.ticket-body { display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; gap: var(--s1); padding: var(--s5); min-width: 0; }
.ticket-title, .preview-title { font-size: var(--text-xl); font-weight: 650; letter-spacing: -.018em; line-height: 1.25; overflow-wrap: anywhere; }
.ticket-title a { color: inherit; }
.ticket-title a::after { content: ''; position: absolute; inset: 0; border-radius: var(--radius-l); }
.ticket:has(.ticket-title a:hover) { border-color: var(--accent); }
.ticket-meta { color: var(--ink-soft); font-size: .9375rem; }
.ticket-meta > * + * { margin-top: var(--s2); }
.ticket-stub { position: relative; display: grid; align-content: center; gap: var(--s2); padding: var(--s5) var(--s4); border-inline-start: 2px dashed var(--line); text-align: center; color: var(--ink-soft); font-size: var(--text-s); min-width: 0; }
.ticket-stub .button { position: relative; max-width: 100%; overflow-wrap: anywhere; text-wrap: balance; }
.ticket-stub .badge { justify-self: center; }
.ticket-stub form { display: grid; }
.ticket-stub .secret code { justify-content: center; flex-basis: 100%; font-size: var(--text-l); text-wrap: balance; }
.ticket-stub .secret > :is(.button, form) { flex: 1 1 auto; }
.ticket-stub::before, .ticket-stub::after { content: ''; position: absolute; inset-inline-start: -.6875rem; width: 1.25rem; height: 1.25rem; border: 1px solid var(--line); border-radius: 50%; background: var(--ground); }
.ticket-stub::before { top: calc(-.625rem - 1px); clip-path: inset(50% -1px -1px -1px); }
.ticket-stub::after { bottom: calc(-.625rem - 1px); clip-path: inset(-1px -1px 50% -1px); }
.ticket.spent { background: var(--sunken); box-shadow: none; }
.ticket.spent .ticket-title { color: var(--ink-soft); }
.ticket h1.ticket-title { margin-top: var(--s2); font-size: var(--text-2xl); }
.icon > img { border-radius: 22%; }
/* A plate behind a picture that is hardly visible on the background of a theme. */
@media screen and (prefers-color-scheme: dark) { .faint-in-dark > img { background: ${LIGHT.surface}; } .faint-in-dark:not(.icon) > img { padding: .25rem .5rem; border-radius: var(--radius-s); } }
@media not all and (prefers-color-scheme: dark) { .faint-in-light > img { background: ${DARK.surface}; } .faint-in-light:not(.icon) > img { padding: .25rem .5rem; border-radius: var(--radius-s); } }
.cover > img { border-radius: var(--radius); background: var(--sunken); }
:is(.page-header, .stack) > .cover > img { width: 100%; }
.page-header > .cover { display: block; margin-bottom: var(--s4); }
@media (min-width: 48.01rem) { .page-header:has(> .cover) { display: grid; grid-template: auto 1fr / minmax(0, 1fr) 20rem; align-items: start; column-gap: var(--s6); } .page-header > .cover { grid-area: 1 / 2 / span 2; margin: 0; } }
.faced { display: flex; align-items: center; gap: var(--s3); }
.faced > :is(.icon, .monogram) { flex: none; }
.faced > span { min-width: 0; overflow-wrap: anywhere; }
.ticket-body:has(> :is(.icon, .monogram)) { grid-template-columns: fit-content(30%) minmax(0, 1fr); column-gap: var(--s4); }
.ticket-body > :is(.icon, .monogram) { grid-row: 1 / span 3; }
.ticket-body > :is(.icon, .monogram) ~ * { grid-column: 2; }
.ticket-body:has(> .cover) { grid-template-columns: minmax(0, 1fr) auto; column-gap: var(--s4); }
.ticket-body > .cover { grid-area: 1 / 2 / span 2; }
.ticket-body > .cover > img { width: 4rem; aspect-ratio: 1; object-fit: cover; }
.cover ~ .ticket-meta { grid-column: 1 / -1; }
.picture-form, .picture-form .form, .plan { display: grid; gap: var(--s3); }
.plan { align-items: start; }
.plan li { list-style: '✓\\2002'; }
.plan .without { color: var(--ink-faint); list-style: '✕\\2002'; }
.picture-form:has(> h3), .plan { grid-row: span 3; grid-template-rows: subgrid; }
.pictures { display: flex; flex-wrap: wrap; align-items: start; gap: var(--s4); }
.pictures > * { min-width: 0; }
.pictures:is(.on-light, .on-dark) { padding: var(--s3); border: 1px solid var(--line); border-radius: var(--radius); background: #fffefb; color: #5b564b; font-size: var(--text-s); }
.pictures.on-dark { background: #16150f; color: #b5b0a3; }
.no-picture { display: grid; place-items: center; width: 15rem; max-width: 100%; aspect-ratio: 16/9; border: 1px dashed var(--line-strong); border-radius: var(--radius); }
.chosen { max-width: 100%; max-height: 11.25rem; border-radius: var(--radius); }
.card .ticket { --ground: var(--surface); box-shadow: none; background: var(--paper); }
@media (max-width: 40rem) {
  ${stubBelow('.ticket')}
  .ticket-body { padding: var(--s4) var(--s4) 1.25rem; }
  .ticket-stub { padding: 1.25rem var(--s4) var(--s4); }
}
.ticket:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent), var(--shadow); }
${stubBelow('.ticket.upright')}
.upright > .ticket-body { align-content: start; padding: 1.25rem 1.25rem 1.125rem; }
.upright > .ticket-stub { align-content: start; justify-items: stretch; padding: 1rem 1.25rem 1.125rem; text-align: start; }
.upright .ticket-title { font-size: var(--text-l); }
.clamped { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }
.app a { text-decoration: none; }
.app { grid-row: span 3; grid-template-rows: auto 1fr auto; grid-template-rows: subgrid; row-gap: 0; margin-bottom: 1.25rem; }
.app-cover { aspect-ratio: 2 / 1; overflow: hidden; border-radius: var(--radius-l) var(--radius-l) 0 0; background: var(--sunken); }
@media screen and (prefers-color-scheme: dark) { .app-cover > svg > g { fill-opacity: .42; } }
.app-cover :is(svg, img) { width: 100%; height: 100%; object-fit: cover; }
.app > :is(.ticket-body, .ticket-stub) { gap: var(--s3); padding: var(--s4) 1.25rem; }
.app-head { display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: var(--s3); }
.app-head :is(img, svg) { border-radius: 22%; }
.app .ticket-title { font-size: 1.0625rem; line-height: 1.3; }
.app-group { overflow: hidden; color: var(--ink-faint); font-size: .8125rem; text-overflow: ellipsis; white-space: nowrap; }
.app-summary { color: var(--ink-soft); font-size: .9375rem; overflow-wrap: anywhere; -webkit-line-clamp: 3; line-clamp: 3; }
.app-offers { display: grid; gap: var(--s3); }
.app-offers li { display: grid; gap: .125rem; overflow-wrap: anywhere; }
.app-offer { color: var(--ink); font-size: .9375rem; font-weight: 600; line-height: 1.35; }
.app .note { color: var(--ink-soft); font-size: .8125rem; }
.app .note > * + .note::before { content: ' · '; }
.app .note.soon > .kind + .note { color: var(--warn); font-weight: 600; }
.app-offers .closed :is(.app-offer, .note, .kind) { color: var(--ink-faint); }
.app.spent .app-cover, .app.spent .app-head > :first-child { filter: saturate(.35); }
.app.wide { grid-row: auto; grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr); grid-template-rows: auto 1fr; }
.app.wide > .app-cover { grid-row: 1 / -1; aspect-ratio: auto; min-height: 17rem; border-start-end-radius: 0; border-end-start-radius: var(--radius-l); }
.app.wide > .app-cover > * { position: relative; }
.app.wide .ticket-title { font-size: var(--text-xl); }
.app.wide > :is(.ticket-body, .ticket-stub) { padding: var(--s5); }
@media (max-width: 40rem) {
  .app.wide { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr auto; }
  .app.wide > .app-cover { grid-row: auto; aspect-ratio: 16 / 9; min-height: 0; border-start-end-radius: var(--radius-l); border-end-start-radius: 0; }
  .app { margin-bottom: var(--s3); }
  .tiles:not(.featured, .of-1, .of-2, .of-3) > .app > .app-cover { display: none; }
  .app.wide > :is(.ticket-body, .ticket-stub), .app > :is(.ticket-body, .ticket-stub) { padding: var(--s3) var(--s4); }
  .app > .ticket-body { gap: var(--s2); }
}
/* Columns for a few cards, and for the featured row, which scrolls horizontally on phones. */
.tiles.of-1 { grid-template-columns: minmax(0, 1fr); }
.tiles:is(.of-2, .of-4):not(.featured) { grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
.tiles.of-3:not(.featured) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.tiles.featured { grid-template-columns: repeat(6, minmax(0, 1fr)); }
.tiles.featured > .app { grid-column: span 2; }
.tiles.featured > .wide { grid-column: 1 / -1; }
.tiles.featured:is(.of-2, .of-5) > :nth-child(-n + 2) { grid-column: span 3; }
@media (min-width: 60.01rem) { .tiles.featured.of-4:not(:has(> .wide)) { grid-template-columns: repeat(4, minmax(0, 1fr)); } .tiles.featured.of-4:not(:has(> .wide)) > .app { grid-column: auto; } }
@media (max-width: 60rem) { .tiles.featured.of-4:not(:has(> .wide)) > .app { grid-column: span 3; } }
@media (max-width: 40rem) {
  .tiles.featured:not(.of-1) { display: flex; gap: var(--s3); margin-inline: calc(-1 * var(--s4)); padding-inline: var(--s4); overflow-x: auto; scroll-snap-type: x proximity; scroll-padding: var(--s4); }
  .tiles.featured:not(.of-1) > .app { flex: 0 0 min(17rem, 82%); grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr auto; scroll-snap-align: start; }
  .tiles.featured > .app > .app-cover { aspect-ratio: 2 / 1; }
  .tiles.featured:not(.of-1) > .app .ticket-title { font-size: 1.0625rem; }
}
/* The marketplace's filters: next to the cards in wide windows, otherwise above them. */
.market { display: grid; margin-top: var(--s6); grid-template-columns: minmax(0, 1fr); gap: var(--s5); }
.market-bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s4); margin-bottom: var(--s4); }
.market-bar h2 { display: flex; align-items: center; gap: var(--s2); min-width: 0; overflow-wrap: anywhere; }
.market-bar .tabs { margin: 0; border: 0; }
.market-choices { display: grid; gap: var(--s4); }
.market-choices > nav { min-width: 0; }
.facets-label { margin-bottom: var(--s1); color: var(--ink-faint); font-size: var(--text-s); font-weight: 600; }
.facets { display: flex; flex-wrap: wrap; gap: var(--s2); }
.facets a { display: inline-flex; align-items: center; justify-content: space-between; gap: var(--s2); max-width: 100%; min-height: 2.25rem; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1.25rem; background: var(--surface); color: var(--ink); font-size: .9375rem; text-decoration: none; overflow-wrap: anywhere; }
.facets a:hover { border-color: var(--line-strong); }
.facets a[aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent-ink); font-weight: 600; }
@media (min-width: 60.01rem) {
  .market:has(> .market-filters) { grid-template-columns: 12rem minmax(0, 1fr); gap: var(--s6); align-items: start; }
  .market-choices { gap: var(--s5); }
  .facets { display: grid; gap: 0; }
  .facets a { min-height: 2.125rem; margin-inline: -.625rem; padding: .25rem .625rem; width: calc(100% + 1.25rem); border-color: transparent; border-radius: var(--radius); background: none; }
  .facets a:hover { border-color: transparent; background: var(--hover); }
  .facets a[aria-current] { border-color: transparent; background: var(--accent-soft); }
  .facets .count { background: none; padding: 0; }
}
@media (max-width: 48rem) { .facets a { min-height: 2.75rem; } .market { margin-top: var(--s4); gap: var(--s3); } .market-filters { margin: 0; } }
.invitation { margin-top: var(--s6); color: var(--ink-soft); }
.note-line { margin-top: var(--s4); color: var(--ink-soft); }
/* Lists with a name and buttons in each row. */
.ordered { display: grid; }
.ordered > li { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: var(--s2) var(--s3); padding: var(--s3) 0; border-top: 1px solid var(--line); }
.ordered .row { gap: var(--s2); }
.ordered-name { flex: 1 1 10rem; min-width: 0; align-self: center; overflow-wrap: anywhere; }
.with-popovers { display: none; }
.without-popovers { display: grid; }
@supports selector(:popover-open) { .with-popovers { display: grid; } .without-popovers { display: none; } }

.empty { display: grid; grid-template-columns: minmax(0, 1fr); justify-items: center; gap: var(--s3); padding: var(--s7) var(--s4); border: 1.5px dashed color-mix(in srgb, var(--line-strong) 55%, var(--line)); border-radius: var(--radius-l); text-align: center; }
.empty > p:first-child { max-width: min(30rem, 100%); overflow-wrap: anywhere; font-size: var(--text-l); text-wrap: balance; }
.empty .example { width: 100%; max-width: 34rem; margin-top: var(--s4); color: var(--ink-faint); font-size: var(--text-s); }
.empty .example-label { margin-bottom: var(--s1); font-weight: 650; text-transform: uppercase; letter-spacing: .04em; font-size: .75rem; }
.empty .ticket { text-align: start; filter: grayscale(1); }
.empty > .row { justify-content: center; }

.steps { counter-reset: step; border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
.step { display: grid; grid-template-columns: 1.75rem minmax(0, 1fr); gap: .25rem .875rem; align-items: start; padding: 1.125rem var(--s5); counter-increment: step; }
.step + .step { border-top: 1px solid var(--line); }
.step::before { content: counter(step); height: 1.75rem; border: 1.5px solid var(--line-strong); border-radius: 50%; color: var(--ink-soft); font-size: var(--text-s); font-weight: 600; line-height: 1.5625rem; text-align: center; font-variant-numeric: tabular-nums; }
.step:is(.done, .check-good)::before { content: '✓' / ''; border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.step:is(.now, .check-waiting)::before { border-color: var(--accent); color: var(--accent-ink); box-shadow: 0 0 0 3px var(--accent-soft); }
.check-later::before { content: '·' / ''; }
.check-note::before { content: '!' / ''; border-color: var(--warn-line); background: var(--warn-soft); color: var(--warn); }
.check-bad::before { content: '✕' / ''; border-color: var(--bad); background: var(--bad); color: var(--on-bad); }
.check-waiting::before { content: '…' / ''; }
.check-later :is(.step-title, .step-body) { color: var(--ink-faint); }
.step-title { padding-top: .1875rem; font-size: var(--text-m); }
.step.done .step-title { color: var(--ink-soft); font-weight: 550; }
.step-body { grid-column: 2; color: var(--ink-soft); }
@media (max-width: 40rem) { .step { padding: var(--s4); } }

.facts { display: grid; grid-template-columns: fit-content(11rem) minmax(0, 1fr); margin-block: -.625rem; font-size: .9375rem; }
.facts > div { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; gap: var(--s4); padding: .625rem 0; }
.facts > div + div { border-top: 1px solid var(--line); }
.facts > :has(.more) { align-items: baseline; }
.facts dt { color: var(--ink-faint); }
.facts dd { min-width: 0; overflow-wrap: anywhere; text-wrap: balance; }
.facts dd > code { padding: 0; background: none; }
@media (min-width: 40.01rem) { .columns > :is(aside, :last-child) .facts { font-size: var(--text-s); } }
/* On phones, a value that doesn't fit next to its label wraps to the next line. */
@media (max-width: 40rem) { .facts { display: block; } .facts > div { display: flex; flex-wrap: wrap; gap: .125rem var(--s4); } .facts dt { min-width: 7rem; } }

.ranking { margin-top: var(--s3); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
.ranking li { display: flex; align-items: baseline; justify-content: space-between; gap: var(--s4); padding: .625rem var(--s4); overflow-wrap: anywhere; }
.ranking li + li { border-top: 1px solid var(--line); }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 45%), 1fr)); gap: 1px; border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--line); overflow: hidden; }
@media (min-width: 44rem) { .figures:has(> :nth-child(8):last-child) { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 48rem) { .figures:has(> :nth-child(4):last-child) { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.figures > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: var(--s4); background: var(--surface); }
@media (max-width: 28rem) { .figures > div { padding-inline: var(--s3); } .figures > :last-child:nth-child(odd) { grid-column: 1 / -1; } }
.figures dt { color: var(--ink-faint); font-size: var(--text-s); }
.figures dd { font-size: var(--text-2xl); font-weight: 620; letter-spacing: -.02em; line-height: 1.25; font-variant-numeric: tabular-nums; }

.timeline > li { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: .125rem; padding-block: 0 var(--s5); padding-inline: 1.75rem 0; }
.timeline > li::before { content: ''; position: absolute; inset-inline-start: .1875rem; top: .4375rem; width: .6875rem; height: .6875rem; border-radius: 50%; border: 2px solid var(--accent); background: var(--surface); }
.timeline > li.done::before { background: var(--accent); }
.timeline > li.bad::before { border-color: var(--bad); background: var(--bad); }
.timeline > li:not(:last-child)::after { content: ''; position: absolute; inset-inline-start: .5rem; top: 1.375rem; bottom: -.1875rem; width: 1.5px; background: var(--line); }
.timeline > li:last-child { padding-bottom: 0; }
.timeline .when { color: var(--ink-faint); font-size: var(--text-s); }
.timeline .what { font-weight: 550; }

.code { position: relative; direction: ltr; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); }
.code pre { padding: .75rem var(--s4); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8438rem; line-height: 1.6; tab-size: 4; border-radius: var(--radius); }
/* Prevents the code from overlapping the copy button. */
:where(.code:has(> .button:not([hidden]))) pre::before { content: ''; float: inline-end; width: 7rem; height: 1.25rem; }
.code .comment { color: var(--ink-faint); font-style: italic; }
.code .string { color: var(--accent-ink); }
.code > .button { position: absolute; top: .5rem; inset-inline-end: .5rem; }
@media (max-width: 40rem) { .code pre::before { content: none; } .code > .button { position: static; margin: 0 var(--s4) var(--s3); } .scrolls pre { white-space: pre; overflow-x: auto; background: linear-gradient(var(--sunken) 0 0) 100% / 1.5rem 100% no-repeat local, linear-gradient(270deg, var(--line), #0000) 100% / 1.5rem 100% no-repeat; } }
.secret { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: stretch; }
.secret code { flex: 1 1 16rem; display: flex; align-items: center; min-height: var(--control); padding: .375rem .75rem; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--surface); color: var(--ink); }
.part { display: inline-block; }
.ticket .secret code { border: 1px dashed var(--accent); background: var(--accent-soft); color: var(--accent-ink); font-weight: 600; }
kbd, .key { display: inline-block; min-width: 1.375rem; padding: 0 .3125rem; border: 1px solid var(--line-strong); border-bottom-width: 2px; border-radius: 4px; background: var(--surface); color: var(--ink-soft); font-size: .75rem; line-height: 1.25rem; text-align: center; }
.key[data-letter]::before { content: attr(data-letter) / ''; }
.button.primary .key { border-color: currentColor; background: none; color: inherit; }

.swatch { direction: ltr; width: 100%; max-width: 24rem; font-family: var(--sans); }
.plain-text { white-space: pre-line; overflow-wrap: anywhere; }
.exchange, .picture-forms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, var(--least, 19rem)), 1fr)); gap: var(--s5); align-items: start; }
.exchange { --least: 18rem; }
.exchange > div { min-width: 0; }
.exchange .kind { margin-bottom: .25rem; }
.apart > * + * { margin-top: .5rem; }
.quoted { margin: .25rem 0; padding-inline-start: .75rem; border-inline-start: 3px solid var(--line); color: var(--ink); }
del, ins { padding: 0 .125em; border-radius: 3px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
del { background: var(--bad-soft); color: var(--bad); text-decoration-thickness: 1px; }
ins { background: var(--good-soft); color: var(--good); text-decoration: none; }

.breadcrumb { margin-bottom: var(--s2); font-size: var(--text-s); }
.breadcrumb ol { display: flex; flex-wrap: wrap; gap: 0 var(--s2); }
.breadcrumb li { display: flex; align-items: baseline; gap: var(--s2); color: var(--ink-faint); min-width: 0; }
.breadcrumb li::before { content: '/' / ''; color: var(--line-strong); }
.breadcrumb li:first-child::before { content: '‹' / ''; }
.breadcrumb a { min-width: 0; padding: .25rem 0; overflow-wrap: anywhere; color: var(--ink-soft); text-decoration: none; }
.breadcrumb a:hover { color: var(--ink); text-decoration: underline; }

.qr { display: grid; justify-items: center; }
.qr svg { width: 11rem; height: 11rem; border-radius: var(--radius); background: #fff; color: #14120f; box-shadow: 0 0 0 1px var(--line); }

.waiting { display: inline-flex; align-items: center; gap: var(--s2); color: var(--ink-soft); }
.waiting::before { content: ''; flex: none; width: .625rem; height: .625rem; border-radius: 50%; background: var(--accent); }
@media (prefers-reduced-motion: no-preference) { .waiting::before { animation: breathe 1.8s ease-in-out infinite; } }
@keyframes breathe { 50% { opacity: .25; } }

:where(.more) > summary { display: inline-flex; align-items: center; gap: var(--s2); min-height: 2rem; color: var(--ink-soft); font-size: var(--text-s); font-weight: 550; list-style: none; }
.more > summary::-webkit-details-marker { display: none; }
.more > summary:not(.button)::before { content: ''; width: .375rem; height: .375rem; border: solid currentColor; border-width: 0 1.5px 1.5px 0; rotate: -45deg; }
[dir=rtl] .more:not([open]) > summary::before { rotate: 135deg; }
.more[open] > summary::before { rotate: 45deg; }
.more > summary:hover { color: var(--ink); }
.more > summary ~ * { margin-top: var(--s2); }
@media (max-width: 48rem) { .more > summary { min-height: 2.75rem; } }
.preview + .form, .preview + * .form { max-width: none; }
.preview > h2 { margin: 0 0 var(--s4); }
@media (width <= 72rem) { .preview > h2 { display: none; } .preview:not([open]) { padding-block: var(--s1); } }
@media (width > 72rem) {
  .columns:has(> .preview) { grid-template-rows: auto 1fr; row-gap: var(--s4); }
  .preview { grid-area: 1 / 2 / 3; position: sticky; top: var(--s4); }
  .preview + * { grid-area: 1 / 1; }
  .preview:has(~ aside) { grid-row-end: 2; position: static; }
  .preview:has(~ aside) + * { grid-row-end: 3; }
  .preview ~ aside { grid-column: 2; }
  @supports selector(::details-content) { .preview > summary { display: none; } .preview::details-content { content-visibility: visible; display: block; block-size: auto; } }
}
}
`;
