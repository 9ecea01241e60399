/** Where owners publish and set up: the preview of a listing, what the operator wrote, an exchange with the service. */
export const OWNER = `
@layer components {
.preview-title { font-size: var(--text-xl); font-weight: 650; letter-spacing: -.018em; line-height: 1.25; overflow-wrap: anywhere; }
.quoted { margin: .25rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--ink); }
}
`;
