/** Styles of the operator's desk: differences, and e-mail addresses in tables. */
export const DESK = `
@layer components {
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
