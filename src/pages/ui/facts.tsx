import type { Child } from 'hono/jsx';
import { isolated } from '../../platform/text/text.ts';

/** A name and its value. `null` and `false` are skipped. */
export type Fact = readonly [name: Child, value: Child] | null | false;

export const DefinitionList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div>
            <dt>{isolated(fact[0])}</dt>
            <dd>{isolated(fact[1])}</dd>
          </div>
        ),
    )}
  </dl>
);

export interface TimelineEntry {
  readonly what: Child;
  /** A `Time`; unset if the event has not happened yet. */
  readonly when?: Child | undefined;
  readonly detail?: Child | undefined;
  readonly state: 'done' | 'open' | 'bad';
}

export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map(({ what, when, detail, state }) => (
      <li class={state === 'open' ? undefined : state}>
        <p class="what">{what}</p>
        {when && <p class="when">{when}</p>}
        {detail && <div class="soft-text">{detail}</div>}
      </li>
    ))}
  </ol>
);
