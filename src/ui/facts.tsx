import type { Child } from 'hono/jsx';
import { isolated } from '../text/text.ts';

/** A name and its value; `null` leaves the pair out. */
export type Fact = readonly [name: Child, value: Child] | null;

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

export const Figures = ({
  figures,
}: {
  /** `false`: left out. */
  figures: readonly (readonly [name: Child, value: Child] | false)[];
}) => (
  <dl class="figures">
    {figures
      .filter((figure) => figure !== false)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export interface TimelineEntry {
  readonly what: Child;
  /** A `Time`; left out for an entry that has not happened. */
  readonly when?: Child | undefined;
  readonly detail?: Child | undefined;
  /** A full dot, a hollow one, or a red one. */
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
