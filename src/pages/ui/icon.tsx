/** Decorative 16×16 line icons in the text colour. The text next to an icon, perhaps hidden, has the same meaning. */
import { raw } from 'hono/html';

const DRAWINGS = {
  accounts:
    '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.5 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.4.6 2.2 1.9 2.5 3.7"/>',
  automatic: '<circle cx="8" cy="8" r="6"/><path d="M8 2v12A6 6 0 0 0 8 2z" fill="currentColor"/>',
  campaigns: '<path d="M2 13.5h12M4 11V8M8 11V3.5M12 11V6"/>',
  check: '<path d="m3 8.5 3.2 3.2L13 4.5"/>',
  claims:
    '<path d="M1.5 4.5h13v2.2a1.4 1.4 0 0 0 0 2.6v2.2h-13V9.3a1.4 1.4 0 0 0 0-2.6zM10 4.5v1.3M10 7.4v1.2M10 10.2v1.3"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 3.2v-.2A1.5 1.5 0 0 0 9 1.5H4A1.5 1.5 0 0 0 2.5 3v5A1.5 1.5 0 0 0 4 9.5"/>',
  dark: '<path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z"/>',
  docs: '<path d="M8 4C6.8 2.9 5 2.5 1.5 2.5v10c3.5 0 5.3.4 6.5 1.5 1.2-1.1 3-1.5 6.5-1.5v-10C11 2.5 9.2 2.9 8 4zM8 4v10"/>',
  down: '<path d="M8 3v10M4 9l4 4 4-4"/>',
  events: '<path d="M2 3.5h12M2 8h12M2 12.5h7"/>',
  info: '<circle cx="8" cy="8" r="6.5"/><path d="M8 7.3v4M8 4.7v.2"/>',
  keys: '<circle cx="5" cy="11" r="3"/><path d="m7.2 8.8 6.3-6.3M10.5 5.5l2 2"/>',
  linkCheck: '<path d="M6 11.5H4.8a3.5 3.5 0 0 1 0-7H6M10 4.5h1.2a3.5 3.5 0 0 1 0 7H10M5.5 8h5"/>',
  listings: '<rect x="2" y="2.5" width="12" height="11" rx="1.5"/><path d="M2 6h12M5 9h6M5 11h4"/>',
  marketplace:
    '<path d="M2.5 7v6.5h11V7M1.5 5.5 3 2.5h10l1.5 3a2 2 0 0 1-3.2.8 2.2 2.2 0 0 1-3.3 0 2.2 2.2 0 0 1-3.3 0 2 2 0 0 1-3.2-.8z"/>',
  light:
    '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"/>',
  menu: '<path d="M2 4.5h12M2 8h12M2 11.5h12"/>',
  next: '<path d="M3 8h10M9 4l4 4-4 4"/>',
  outbox: '<rect x="1.5" y="3" width="13" height="10" rx="1.5"/><path d="m2 4.5 6 4.5 6-4.5"/>',
  person: '<circle cx="8" cy="5.5" r="3"/><path d="M2.5 14c.6-3 2.7-4.5 5.5-4.5s4.9 1.5 5.5 4.5"/>',
  plan: '<rect x="1.5" y="3.5" width="13" height="9" rx="1.5"/><path d="M1.5 6.5h13M4 10h3"/>',
  previous: '<path d="M13 8H3M7 4 3 8l4 4"/>',
  queue: '<path d="M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.5h3l1-1.5H14"/>',
  requests: '<path d="M2 5.5h10M9 2.5l3 3-3 3M14 10.5H4M7 7.5l-3 3 3 3"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  settings:
    '<path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6"/><circle cx="10" cy="4.5" r="2"/><circle cx="6" cy="11.5" r="2"/>',
  start: '<path d="m2 7 6-5 6 5v6.5h-4V9.5H6v4H2z"/>',
  system:
    '<rect x="2" y="2.5" width="12" height="4.5" rx="1"/><rect x="2" y="9" width="12" height="4.5" rx="1"/><path d="M4.5 4.75h.01M4.5 11.25h.01"/>',
  up: '<path d="M8 13V3M4 7l4-4 4 4"/>',
  webhooks:
    '<circle cx="8" cy="4" r="2"/><circle cx="3.5" cy="12" r="2"/><circle cx="12.5" cy="12" r="2"/><path d="M7 5.7 4.4 10.2M9 5.7l2.6 4.5M5.5 12h5"/>',
  warning: '<path d="M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.5v.2"/>',
} as const;

export type IconName = keyof typeof DRAWINGS;

/** Directional icons, which are mirrored in right-to-left languages. */
const MIRRORED: ReadonlySet<IconName> = new Set(['events', 'next', 'previous', 'requests']);

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    class={MIRRORED.has(name) ? 'mirrored' : undefined}
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {raw(DRAWINGS[name])}
  </svg>
);

/** The logo and favicon: a ticket torn at its perforation. */
export const MARK =
  '<path d="M4 6h11.2v20H4a2 2 0 0 1-2-2v-3.5a4.5 4.5 0 0 0 0-9V8a2 2 0 0 1 2-2zM17.8 6H28a2 2 0 0 1 2 2v3.5a4.5 4.5 0 0 0 0 9V24a2 2 0 0 1-2 2H17.8z"/>';

export const Mark = () => (
  <svg width="26" height="26" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
    {raw(MARK)}
  </svg>
);
