import type { Child } from 'hono/jsx';
import { t } from '../languages/translate.ts';
import { isolated } from '../text/text.ts';
import { Num, percentText } from './time.tsx';

/** A name and its value; `null` and `false` leave the pair out. */
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

interface ClaimFiguresProps {
  readonly claims: number;
  readonly redeemed: number;
  /** How many claims can be, or have been, redeemed here: the base of the rate. `null`: no rate is shown. */
  readonly redeemable: number | null;
  readonly more?: readonly [name: string, value: number];
}

export function ClaimFigures({ claims, redeemed, redeemable, more }: ClaimFiguresProps) {
  const rate = redeemable === null ? [] : [[t('Rate'), percentText(redeemed, redeemable)]];
  const figures = [
    [t('Claims'), <Num value={claims} />],
    [t('Redeemed'), <Num value={redeemed} />],
    ...rate,
    ...(more === undefined ? [] : [[more[0], <Num value={more[1]} />]]),
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
