/** Styles of the dashboard: the preview of a listing, the operator's words, a request with its answer. */
export const OWNER = `
@layer components {
.preview-title { font-size: var(--text-xl); font-weight: 650; letter-spacing: -.018em; line-height: 1.25; overflow-wrap: anywhere; }
.choices.boxed:has(> :nth-child(6)) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.choices.boxed:has(> :nth-child(6)) > .choice { align-content: start; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: var(--s4); align-items: start; }
.exchange > div { min-width: 0; }
.exchange .kind { margin-bottom: .25rem; }
.faults > li + li { margin-top: .5rem; }
.quoted { margin: .25rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--ink); }
}
`;
