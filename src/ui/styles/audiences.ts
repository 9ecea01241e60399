export const AUDIENCES = `
@layer components {
/* The marketplace: tickets as tiles, offers below the perforation, the highlighted ticket. */
.ticket:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent), var(--shadow); }
.ticket.upright { grid-template-columns: minmax(0, 1fr); row-gap: 0; }
.tiles { align-items: start; }
.two-lines { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }
.upright > .ticket-body { align-content: start; padding: 1.25rem 1.25rem 1.125rem; }
.upright > .ticket-stub { align-content: start; justify-items: stretch; padding: 1rem 1.25rem 1.125rem; border-left: 0; border-top: 2px dashed var(--line); text-align: left; }
.upright > .ticket-stub::before, .upright > .ticket-stub::after { top: calc(-.625rem - 1px); bottom: auto; }
.upright > .ticket-stub::before { left: calc(-.625rem - 1px); clip-path: inset(-1px -1px -1px 50%); }
.upright > .ticket-stub::after { left: auto; right: calc(-.625rem - 1px); clip-path: inset(-1px 50% -1px -1px); }
.upright .ticket-title { font-size: var(--text-l); }
.upright > .ticket-stub > * { max-width: none; }
.offer-lines { display: grid; gap: .625rem; }
.offer-lines li { display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); gap: 0 .625rem; align-items: baseline; color: var(--ink); font-size: .9375rem; overflow-wrap: anywhere; }
.offer-lines .kind { font-size: .8125rem; }
.offer-lines .note { grid-column: 2; color: var(--ink-soft); font-size: .8125rem; }
.offer-lines .closed { color: var(--ink-faint); }
.offer-lines .closed .note { color: inherit; }
.ticket-stub .button { max-width: 100%; overflow-wrap: anywhere; }
.with-popovers { display: none; }
.without-popovers { display: grid; }
@supports selector(:popover-open) { .with-popovers { display: grid; } .without-popovers { display: none; } }
.plain-text { white-space: pre-line; overflow-wrap: anywhere; }
/* The dashboard: the preview of a listing, the operator's words, a request with its answer. */
.preview-title { font-size: var(--text-xl); font-weight: 650; letter-spacing: -.018em; line-height: 1.25; overflow-wrap: anywhere; }
.choices.boxed:has(> :nth-child(6)) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.choices.boxed:has(> :nth-child(6)) > .choice { align-content: start; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: var(--s4); align-items: start; }
.exchange > div { min-width: 0; }
.exchange .kind { margin-bottom: .25rem; }
.faults > li + li { margin-top: .5rem; }
.quoted { margin: .25rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--ink); }
/* The desk: differences, and email addresses in tables. */
.lines { white-space: pre-line; overflow-wrap: anywhere; }
del, ins { padding: 0 .125em; border-radius: 3px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
del { background: var(--bad-soft); color: var(--bad); text-decoration-thickness: 1px; }
ins { background: var(--good-soft); color: var(--good); text-decoration: none; }
.mail { display: inline-block; vertical-align: top; max-width: 16rem; overflow-wrap: break-word; }
@container (min-width: 60.01rem) { .table .mail wbr { display: none; } }
.table td:has(.mail) { min-width: 8.5rem; }
.table .sub.mail { display: block; }
@container (max-width: 60rem) { .mail { display: inline; } }
}
`;
