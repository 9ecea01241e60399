export const CONTROLS = `
@layer components {
.button { display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: var(--control); padding: .375rem .875rem; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--surface); color: var(--ink); font-size: .9375rem; font-weight: 550; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--hover); }
.button:active { transform: translateY(1px); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); box-shadow: var(--shadow); }
.button.primary:hover { border-color: var(--accent-hover); background: var(--accent-hover); }
.button.danger { border-color: var(--bad-line); color: var(--bad); }
.button.danger:hover { background: var(--bad-soft); }
.button.danger-solid { border-color: var(--bad); background: var(--bad); color: var(--on-bad); }
.button.danger-solid:hover { border-color: var(--bad-hover); background: var(--bad-hover); }
.button.quiet { border-color: transparent; background: none; color: var(--ink-soft); vertical-align: middle; }
.button.quiet:hover { background: var(--hover); color: var(--ink); }
.button.small { min-height: 1.875rem; padding: .1875rem .625rem; border-radius: 6px; font-size: var(--text-s); }
.button.wide { width: 100%; }
.button[aria-disabled=true], .button:disabled { opacity: .55; cursor: default; }
@media (width >= 64rem) { .menu-button { display: none; } }
@media (width > 48rem) { .site-actions > .menu-button { display: none; } }
@media (max-width: 48rem) { .button.small { min-height: 2.75rem; padding: .375rem .875rem; } :is(.spread > .row, .site-actions) > .button { padding-inline: .625rem; } }

.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.375rem; max-width: 34rem; }
:is(.columns, .preview + div) > .form > .form-actions { bottom: 0; padding: var(--s3) 0; border-top: 1px solid var(--line); background: var(--paper); }
:is(.columns, .preview + div) > .form:is(:focus-within, :active) > .form-actions { position: sticky; }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s3); padding-top: var(--s1); }
[type=hidden] + .form-actions { padding: 0; }
.bare .form-actions, .bare .form-actions > form { display: grid; text-align: center; }
.bare .form-actions .button { overflow-wrap: anywhere; }
.form.line { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: end; }
.form.line > .field { flex: 1 1 12rem; }
.form.line, .more .form { max-width: 26rem; }
.field { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: .375rem; }
.field label, .field legend, .field > b { font-weight: 550; font-size: .9375rem; }
.field legend { margin-bottom: .375rem; }
.field .optional { color: var(--ink-faint); font-weight: 400; }
.button.reveal { position: absolute; inset-block-start: .72rem; inset-inline-end: 0; translate: 0 -50%; padding: 0; font-size: var(--text-s); text-decoration: underline; }
.hint { color: var(--ink-faint); font-size: var(--text-s); text-wrap: wrap; }
.field-problem { display: flex; gap: .375rem; color: var(--bad); font-size: var(--text-s); font-weight: 500; overflow-wrap: anywhere; }
.field-problem::before { content: '!'; flex: none; width: 1.125rem; height: 1.125rem; margin-top: .125rem; border-radius: 50%; background: var(--bad); color: var(--on-bad); font-size: .75rem; font-weight: 700; line-height: 1.125rem; text-align: center; }
.input { width: 100%; min-height: var(--control); padding: .375rem .75rem; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--surface); color: var(--ink); font-size: var(--text-m); line-height: 1.4; appearance: none; }
.input:hover { border-color: var(--ink-faint); }
.input:focus-visible { outline: 2px solid var(--focus); outline-offset: 0; border-color: var(--focus); border-radius: var(--radius); }
.input::placeholder { color: var(--ink-faint); opacity: 1; }
.input[aria-invalid=true] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.input:disabled, .input:read-only:not(select) { background: var(--sunken); }
textarea.input { min-height: 6.75rem; padding-block: .5rem; resize: vertical; field-sizing: content; max-height: 28rem; }
.input.wraps { min-height: var(--control); padding-block: .375rem; resize: none; }
.input.mono { font-size: .9375rem; }
input.input[type=file] { padding: .4rem; background: var(--surface); font-size: var(--text-s); }
::file-selector-button { margin-inline-end: var(--s3); padding: .1875rem .625rem; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-weight: 550; cursor: pointer; }
.row > .input { width: 7rem; }
.input.short, .input[type=date], .input[type=datetime-local] { max-width: 16rem; }
.tiles .input { max-width: none; }
.select { position: relative; }
.select select { padding-inline-end: 2.25rem; cursor: pointer; }
.select::after { content: ''; position: absolute; inset-inline-end: .9375rem; top: 50%; width: .4375rem; height: .4375rem; margin-top: -.3125rem; border: solid var(--ink-soft); border-width: 0 1.5px 1.5px 0; rotate: 45deg; pointer-events: none; }
.affixed { display: flex; align-items: stretch; }
.affix { flex: none; align-content: center; max-width: 55%; overflow: hidden; text-overflow: ellipsis; padding: 0 .75rem; border: 1px solid var(--line-strong); border-right: 0; border-radius: var(--radius) 0 0 var(--radius); background: var(--sunken); color: var(--ink-faint); font-size: var(--text-s); white-space: nowrap; }
.affixed .input { border-radius: 0 var(--radius) var(--radius) 0; min-width: 0; }

.choice { position: relative; display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: 0 .625rem; align-items: start; padding: .25rem 0; }
.choice > input { appearance: none; display: grid; place-content: center; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; border: 1.5px solid var(--line-strong); border-radius: 5px; background: var(--surface); cursor: pointer; }
.choice > input[type=radio] { border-radius: 50%; }
.choice > input::before { content: ''; width: .6875rem; height: .6875rem; background: var(--on-accent); clip-path: polygon(14% 44%, 0 65%, 43% 100%, 100% 18%, 82% 4%, 39% 65%); scale: 0; }
.choice > input[type=radio]::before { clip-path: none; width: .5rem; height: .5rem; border-radius: 50%; }
.choice > input:checked { border-color: var(--accent); background: var(--accent); }
.choice > input:checked::before { scale: 1; }
.choice > input:hover { border-color: var(--accent); }
.choice > label { font-weight: 500; cursor: pointer; }
.choice > .hint { grid-column: 2; }
.choices, .buttons { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); }
.choices.boxed .choice { align-content: start; padding: .75rem .875rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.choices.boxed .choice:has(:checked), .plan[aria-current] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.choices.boxed label::after { content: ''; position: absolute; inset: 0; }
.choices.boxed:has(> :nth-child(6)) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
@media (max-width: 48rem) { .choice { padding: .625rem 0; } }
@media (forced-colors: active) { .choice > input { appearance: auto; } .choice > input::before { content: none; } }

.filters { display: flex; flex-wrap: wrap; align-items: end; gap: var(--s3); margin-bottom: var(--s4); }
.filters .field { flex: 0 1 11rem; gap: .25rem; }
.filters .field:has([type=search]) { flex: 1 1 15rem; }
.filters .field label { font-size: var(--text-xs); color: var(--ink-faint); }
.filters .input { max-width: none; font-size: .9375rem; }
.filters .form-actions { padding: 0; gap: var(--s2); }
.filters.many .field { flex-grow: 1; }
.period { display: flex; flex: 0 1 22rem; flex-wrap: wrap; align-items: end; gap: var(--s3); }
.filters .period .field { flex: 1 1 9rem; }
.filters .period:has([type=datetime-local]) { flex-basis: 28rem; }
.filters .period .field:has([type=datetime-local]) { flex-basis: 13rem; }
@media (width > 48rem) { .filters.many .field { flex-basis: 9.5rem; } }
.filters:not(:has(.field ~ .field)) > .field:not(:has([type=search])) { flex-basis: 20rem; }
.fold { margin-bottom: var(--s4); }
.more > .filters { margin: 0; }
.filters .more { flex-basis: 100%; }
@supports selector(::details-content) { @media (min-width: 48.01rem) { .more.fold > summary { display: none; } .fold::details-content { content-visibility: visible; display: block; block-size: auto; } } }
@media (max-width: 48rem) { .filters .field, .filters .field:has([type=search]), .period { flex: 1 1 100%; } .filters .input { font-size: var(--text-m); } .filters .form-actions, .filters .form-actions > .button { flex: 1; } .filters:not(.many) > .field:not(:has([type=search])) { flex: 1 1 7rem; } .filters:has(.field ~ .field ~ .field) > .form-actions { flex-basis: 100%; } .filters:not(:has(.field ~ .field)) > .field:is(.field, :has([type=search])) { flex: 1 1 9rem; } .filters:not(:has(.field ~ .field)) > .form-actions { flex: 0 0 auto; } }

.tabs { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); margin-bottom: var(--s5); border-bottom: 1px solid var(--line); }
.tabs a { display: inline-flex; align-items: center; gap: .375rem; max-width: 100%; min-height: 2.5rem; overflow-wrap: anywhere; margin-bottom: -1px; padding: 0 .125rem; border-bottom: 2px solid transparent; color: var(--ink-soft); font-size: .9375rem; font-weight: 550; text-decoration: none; }
.tabs a:hover { color: var(--ink); border-color: var(--line-strong); }
.tabs a[aria-current] { color: var(--accent-ink); border-color: var(--accent); }
.count { padding: 0 .4375rem; border-radius: 1rem; background: var(--hover); color: var(--ink-soft); font-size: var(--text-xs); font-variant-numeric: tabular-nums; line-height: 1.25rem; }
@media (max-width: 48rem) { .tabs { gap: var(--s2); border: 0; } .tabs a { min-height: 2.75rem; margin: 0; padding: .25rem .875rem; border: 1px solid var(--line); border-radius: 1.375rem; background: var(--surface); } .tabs a[aria-current] { background: var(--accent-soft); } .tabs.scrolls { flex-wrap: nowrap; margin-inline-end: calc(-1 * var(--s4)); padding-inline-end: var(--s4); overflow-x: auto; scrollbar-width: none; white-space: nowrap; } .tabs.scrolls a { outline-offset: -2px; } .scrolls [aria-current] { scroll-margin-inline: 3.5rem; scroll-initial-target: nearest; } }

.dialog { width: min(30rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); margin: auto; padding: var(--s5); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); color: var(--ink); box-shadow: var(--shadow-high); font-size: var(--text-m); text-align: start; white-space: normal; overflow-y: auto; }
.dialog::backdrop { background: var(--veil); }
.dialog h2 { font-size: var(--text-xl); margin-bottom: var(--s2); }
.dialog .form-actions { justify-content: flex-end; margin-top: var(--s5); }
.dialog .form { gap: var(--s4); }
.dialog .form > .form-actions { margin-top: 0; }
.keys { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s2) var(--s3); margin: var(--s3) 0; align-items: baseline; }
.keys > div { display: contents; }
@media (max-width: 30rem) { .choices.boxed:has(> :nth-child(6) > [type=radio]) { grid-template-columns: 1fr 1fr; } .dialog { padding: 1.25rem; } .dialog .form-actions { flex-direction: column-reverse; align-items: stretch; } }
}
`;
