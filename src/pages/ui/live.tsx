import { createHash } from 'node:crypto';
import type { Child } from 'hono/jsx';

interface LiveProps {
  readonly id: string;
  /** This path must return `fragment(c, <Live …/>)` with the same `id`, or 204 if nothing has changed. */
  readonly path: string;
  /** Polling interval in milliseconds; 1,000 by default. `null`: the content is final, so polling stops. */
  readonly everyMs?: number | null | undefined;
  /** Keeps screen readers from announcing every update. For lists that change often. */
  readonly isQuiet?: boolean | undefined;
  readonly children: Child;
}

/** Polls for updates. Polling works through every proxy and survives restarts of the service. */
export function Live({ id, path, everyMs = 1_000, isQuiet = false, children }: LiveProps) {
  const polling = {
    'hx-get': path,
    'hx-trigger': `every ${everyMs}ms`,
    'hx-swap': 'outerHTML',
    'hx-sync': 'this:drop',
  };
  return (
    <div
      id={id}
      aria-live={isQuiet && everyMs !== null ? 'off' : 'polite'}
      {...(everyMs !== null && polling)}
    >
      {children}
    </div>
  );
}

/** Hash of the shown data. Polling requests send it, so that the server can respond with 204 if nothing has changed. */
export const fingerprintOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);

export const Waiting = ({ children }: { children: Child }) => <span class="waiting">{children}</span>;

interface FormPartProps {
  readonly id: string;
  readonly form: string;
  /** This path receives the unsaved form by POST and must return the new children as `fragment(c, …)`. */
  readonly path: string;
  readonly children: Child;
}

const TYPING_PAUSE_MS = 300;

export const FormPart = ({ id, form, path, children }: FormPartProps) => (
  <div
    id={id}
    aria-live="polite"
    hx-post={path}
    hx-trigger={`input from:#${form} delay:${TYPING_PAUSE_MS}ms`}
    hx-include={`#${form}`}
    hx-swap="innerHTML"
    hx-sync="this:replace"
  >
    {children}
  </div>
);
