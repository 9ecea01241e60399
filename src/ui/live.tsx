import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface LiveProps {
  /** Unique on the page. */
  readonly id: string;
  /** A path that answers with `fragment(c, <Live …/>)` of the same id, or with 204 where nothing is new. */
  readonly path: string;
  /** Milliseconds between two looks; 1,000 unless given. `null`: it is settled and looks no more. */
  readonly everyMs?: number | null | undefined;
  readonly children: Child;
}

/**
 * A part of a page that follows what happens. It asks again and again instead of keeping a stream open: that passes
 * every proxy, takes no connection while nothing happens, outlives a restart of the service, and leaves nothing to end
 * when the process goes down. It rests while the page is hidden. Without JavaScript it shows what was true when the
 * page was made.
 */
export const Live = ({ id, path, everyMs = 1_000, children }: LiveProps): Markup =>
  everyMs === null ? (
    <div id={id} aria-live="polite">
      {children}
    </div>
  ) : (
    <div
      id={id}
      aria-live="polite"
      hx-get={path}
      hx-trigger={`every ${everyMs}ms`}
      hx-swap="outerHTML"
      hx-sync="this:drop"
    >
      {children}
    </div>
  );

/** "Waiting for …", with a dot that breathes. */
export const Waiting = ({ children }: { children: Child }): Markup => <span class="waiting">{children}</span>;
