/** Styles of the marketplace: tickets as tiles, offers below the perforation, the highlighted ticket. */
export const MARKET = `
@layer components {
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
.plain-text { white-space: pre-line; overflow-wrap: anywhere; }
}
`;
