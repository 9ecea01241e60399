export const LAYOUT = `
@layer layout {
.skip { position: absolute; inset-inline-start: var(--s3); top: -6rem; z-index: 10; padding: var(--s2) var(--s4); background: var(--accent); color: var(--on-accent); border-radius: var(--radius); }
.skip:focus { top: var(--s3); }
.demo { padding: var(--s2) var(--s4); background: var(--warn-soft); color: var(--warn); font-size: var(--text-s); text-align: center; border-bottom: 1px solid var(--warn-line); }

.test-mode { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: var(--s1) var(--s4); padding: var(--s1) var(--s4); background: var(--ink); color: var(--paper); font-size: var(--text-s); text-align: center; }
.mode-switch { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 2px; margin: var(--s1) var(--s2) 0; padding: 2px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); }
.mode-switch button { min-height: 1.75rem; border: 0; border-radius: 6px; background: none; color: var(--ink-soft); font-size: var(--text-s); font-weight: 500; cursor: pointer; }
.mode-switch button:hover { background: var(--hover); color: var(--ink); }
.mode-switch button[aria-pressed="true"] { background: var(--surface); color: var(--ink); font-weight: 600; box-shadow: 0 0 0 1px var(--line); }
.mode-switch button[value="test"][aria-pressed="true"] { background: var(--ink); color: var(--paper); }

.brand { display: inline-flex; align-items: center; gap: var(--s2); min-height: 2.75rem; font-weight: 680; letter-spacing: -.02em; font-size: 1.0625rem; color: var(--ink); text-decoration: none; white-space: nowrap; min-width: 0; }
.brand svg { color: var(--accent); }
.brand img { max-height: 2rem; width: auto; border-radius: 0; }
.brand span { overflow: hidden; text-overflow: ellipsis; }

/* Public pages: a header and a single column. */
.public { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr auto; min-height: 100dvh; }
.site-header { background: var(--surface); border-bottom: 1px solid var(--line); }
.site-header > div { display: flex; align-items: center; gap: var(--s3); max-width: 68rem; min-height: 3.75rem; margin: 0 auto; padding: 0 var(--s5); }
.site-nav { display: flex; gap: var(--s1); margin-inline-start: var(--s4); }
.site-nav a { padding: var(--s2) var(--s3); white-space: nowrap; border-radius: var(--radius); color: var(--ink-soft); text-decoration: none; font-size: .9375rem; font-weight: 500; }
.site-nav a:hover { background: var(--hover); color: var(--ink); }
.site-nav a[aria-current] { color: var(--ink); background: var(--sunken); }
.site-actions { display: flex; flex-shrink: 99; align-items: center; gap: var(--s2); min-width: min-content; margin-inline-start: auto; }
.site-actions > .quiet { min-width: 0; }
.site-actions > [popovertarget], .find button, [data-shortcut-switch]:only-child { margin-inline-end: -.875rem; }
.menu-name { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu-word { display: none; }
.public > main { width: 100%; max-width: 68rem; margin: 0 auto; padding: var(--s7) var(--s5) var(--s8); }
.site-footer { border-top: 1px solid var(--line); color: var(--ink-faint); font-size: var(--text-s); }
.site-footer > div, .site-footer ul { display: flex; flex-wrap: wrap; gap: 0 var(--s5); }
.site-footer > div { max-width: 68rem; margin: 0 auto; padding: var(--s4) var(--s5); }
.site-footer div > div { flex: 1 1 20rem; padding: var(--s1) 0; }
.site-footer a { display: inline-block; padding: var(--s1) 0; color: inherit; text-decoration: none; }
.site-footer a:hover { color: var(--ink); text-decoration: underline; }

/* Pages for a single task, without navigation. */
.bare > main { max-width: 28rem; padding-top: var(--s6); }
.bare .site-header { background: none; border: 0; }
.bare .site-header > div { justify-content: center; padding-top: var(--s6); }

/* Dashboard and desk: a menu at the side of the page. */
.work { display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); min-height: 100dvh; }
.side { background: var(--sunken); border-inline-end: 1px solid var(--line); }
.side > div { position: sticky; top: 0; display: flex; flex-direction: column; height: 100dvh; overflow-y: auto; padding: var(--s3) var(--s3) var(--s4); }
.side .brand { padding: 0 var(--s2); }
.side-menu[popover] { all: unset; box-sizing: border-box; display: flex; flex: 1; flex-direction: column; gap: var(--s1); }
.side-title { padding: var(--s4) var(--s2) var(--s1); color: var(--ink-faint); font-size: var(--text-xs); font-weight: 600; letter-spacing: .02em; }
.side-menu ul { display: grid; gap: 1px; }
.side-menu li > a { display: flex; align-items: center; gap: .625rem; padding: .4375rem var(--s2); border-radius: 6px; color: var(--ink-soft); text-decoration: none; font-size: var(--text-s); font-weight: 500; }
.side-menu li > a svg { color: var(--ink-faint); }
.side-menu .count { margin-inline-start: auto; }
.side-menu li > a:hover { background: var(--hover); color: var(--ink); }
.side-menu li > a[aria-current] { background: var(--surface); color: var(--ink); box-shadow: 0 0 0 1px var(--line); }
.side-menu li > a[aria-current] svg { color: var(--accent); }
.account-switch { margin: var(--s2) var(--s2) 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); font-size: var(--text-s); }
.account-switch summary { padding: .4375rem var(--s2); font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.account-switch button { display: block; width: 100%; padding: .4375rem var(--s2); border: 0; background: none; text-align: start; overflow: hidden; text-overflow: ellipsis; cursor: pointer; }
.account-switch button:hover { background: var(--hover); }
.account-switch button[aria-current] { background: var(--sunken); font-weight: 600; }
.account-switch > a { display: block; padding: .4375rem var(--s2); }
.side-end { margin-top: auto; padding-top: var(--s4); }
.side-person { padding: var(--s3) var(--s2) 0; margin-top: var(--s3); border-top: 1px solid var(--line); font-size: var(--text-s); }
.side-person strong, .side-person span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.side-person form { margin-block-start: var(--s2); margin-inline-start: -.6875rem; }
.work-page { display: flex; flex-direction: column; min-width: 0; min-height: 100dvh; font-size: .9375rem; }
.find { border-bottom: 1px solid var(--line); background: var(--surface); }
.find form { display: flex; align-items: center; gap: var(--s2); max-width: 74rem; margin: 0 auto; padding: var(--s1) var(--s6); color: var(--ink-faint); }
.find input { flex: 1; text-overflow: ellipsis; min-width: 0; min-height: 2.75rem; border: 0; background: none; color: var(--ink); }
.work-page > main { flex: 1; width: 100%; max-width: 74rem; margin: 0 auto; padding: var(--s6) var(--s6) var(--s7); }
.work-page .site-footer { border: 0; }
.work-page .site-footer > div { max-width: 74rem; padding: var(--s3) var(--s6) var(--s5); }

.menu { position: fixed; inset-block: 3.5rem auto; width: 16rem; inset-inline: auto max(var(--s4), calc(50vw - 33rem)); margin: 0; padding: var(--s2); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); color: var(--ink); box-shadow: var(--shadow-high); position-anchor: auto; top: anchor(bottom, 3.5rem); }
.menu-who { padding: var(--s2) var(--s3) var(--s3); margin-bottom: var(--s2); border-bottom: 1px solid var(--line); font-size: var(--text-s); overflow-wrap: anywhere; }
.menu :is(a, button) { display: flex; width: 100%; align-items: center; min-height: 2.5rem; padding: var(--s1) var(--s3); border: 0; border-radius: 6px; background: none; color: var(--ink); font-size: .9375rem; text-align: start; text-decoration: none; cursor: pointer; }
.menu :is(a, button):hover { background: var(--hover); }
.menu form { border-top: 1px solid var(--line); margin-top: var(--s2); padding-top: var(--s2); }

/* Reduces the spacing, so that the menu fits on a laptop screen. */
@media (width >= 64rem) and (max-height: 56rem) { .side-menu li > a { padding-block: .3125rem; } .side-title { padding-top: var(--s3); } .side-person { padding-top: var(--s2); margin-top: var(--s2); } .side-person form { margin-block-start: 0; } .side-end { padding-top: var(--s3); } }
/* In narrow windows, a button opens the menu, because a side menu would leave too little space for tables. */
@media (width < 64rem) {
  .work { grid-template: auto 1fr / minmax(0, 1fr); }
  .side { border: 0; border-bottom: 1px solid var(--line); }
  .side > div { position: static; flex-direction: row; align-items: center; justify-content: space-between; height: auto; padding: var(--s1) var(--s4); overflow: visible; }
  .side .brand { padding: 0; }
  .side-menu[popover]:not(:popover-open) { display: none; }
  .side-menu[popover] { position: fixed; inset-block: 0; inset-inline: auto 0; width: min(19rem, 90vw); height: 100dvh; padding: var(--s4) var(--s3); border-inline-start: 1px solid var(--line); background: var(--surface); box-shadow: var(--shadow-high); overflow-y: auto; }
  .side-menu::backdrop { background: var(--veil); }
  .mode-switch button { min-height: 2.75rem; font-size: var(--text-m); }
  .side-menu li > a { min-height: 2.75rem; font-size: var(--text-m); }
  .side-menu li > a[aria-current] { background: var(--sunken); }
  .work-page { min-height: 0; }
}
@media (max-width: 60rem) { .site-nav { gap: 0; margin-inline-start: 0; } .site-nav a { padding-inline: var(--s2); font-size: var(--text-s); } .menu-name { display: none; } .menu-word { display: inline; } }
@media (max-width: 48rem) {
  .site-header > div { padding: 0 var(--s4); gap: var(--s1); }
  .site-nav { display: none; }
  .site-actions > [popovertarget] { margin-inline-end: -.625rem; }
  .public > main { padding: var(--s5) var(--s4) var(--s7); }
  .bare > main { padding-top: var(--s4); }
  .site-footer > div { padding: var(--s4); }
  .site-footer a { padding: var(--s3) 0; }
  .work-page { font-size: var(--text-m); }
  .work-page > main { padding: var(--s5) var(--s4) var(--s7); }
  .find form { padding: var(--s1) var(--s4); }
  .work-page .site-footer > div { padding: var(--s4); }
  .menu :is(a, button) { min-height: 2.75rem; font-size: var(--text-m); }
  .menu { inset-inline-end: var(--s3); }
}

.page-header { margin-bottom: var(--s5); }
.page-header-line { display: flex; flex-wrap: wrap; align-items: flex-start; gap: var(--s3) var(--s5); }
.page-header-text { flex: 1 1 18rem; min-width: 0; }
.page-header-title { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.page-header-title h1 { min-width: 0; overflow-wrap: anywhere; }
.page-header-actions { display: flex; flex-wrap: wrap; gap: var(--s2); }
.public .page-header h1 { font-size: var(--text-3xl); }
.bare :is(.page-header, main > p) { text-align: center; }
.bare > main > * + * { margin-top: var(--s5); }
/* Alternatives, such as ways to sign in, separated by "or". */
.ways, .ways > form { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); }
.or { background: linear-gradient(var(--line) 0 0) 0 / calc(50% - 1.25rem) 1px no-repeat, linear-gradient(var(--line) 0 0) 100% / calc(50% - 1.25rem) 1px no-repeat; color: var(--ink-faint); font-size: var(--text-s); text-align: center; }
.or:last-child, .or:has(+ [hidden]:last-child) { display: none; }
.bare .page-header-title { justify-content: center; }
.bare .page-header h1 { font-size: var(--text-2xl); }
.lead { max-width: var(--measure); margin-top: var(--s2); color: var(--ink-soft); }
.public .lead { font-size: var(--text-l); }
.bare .lead { font-size: var(--text-m); text-wrap: balance; }

.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); }
.stack:empty { display: none; }
.stack-loose { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s6); }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.spread { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s4); }
.spread > :is(.quiet, .row:has(> .quiet)) { margin-inline: -.625rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15.5rem), 1fr)); gap: 0 1.25rem; }
.tiles:has(> .card) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: var(--s4); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 20rem); gap: var(--s6); align-items: start; }
@media (max-width: 82rem) { .work .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 19.25rem); gap: var(--s5); } }
.columns:has(> :is(.form, .preview)) { grid-template-columns: minmax(0, 34rem) minmax(0, 1fr); }
@media (width > 72rem) { .columns > aside:first-child { order: 1; } }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 72rem) { .work .columns { grid-template-columns: minmax(0, 1fr); } .work aside.stack { grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); align-items: start; } .work aside.stack > :first-child:nth-last-child(3) { grid-row: span 2; } }
.narrow, .prose { max-width: var(--measure); }
.prose > * + * { margin-top: var(--s4); }
.prose > h2 { margin-top: var(--s6); }
.prose > h2 + * { margin-top: var(--s2); }
.prose :is(ul, ol) { list-style: disc; padding-inline-start: 1.25em; }
.prose ol { list-style: decimal; padding-inline-start: 1.75em; }
}
`;
