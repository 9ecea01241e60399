import type { Child } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { comparedText, Num, percentText, pointsText } from './time.tsx';

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

interface ClaimCounts {
  readonly claims: number;
  readonly redeemed: number;
  /** Denominator of the rate: claims that are redeemed or can still be redeemed. `null`: no rate is shown. */
  readonly redeemable: number | null;
}

interface ClaimFiguresProps extends ClaimCounts {
  readonly before?: ClaimCounts;
}

export const ClaimFigures = ({ claims, redeemed, redeemable, before }: ClaimFiguresProps) => (
  <dl class="figures">
    <Figure
      name={t('Claims')}
      value={<Num value={claims} />}
      note={before && comparedText(claims, before.claims)}
    />
    <Figure
      name={t('Redeemed')}
      value={<Num value={redeemed} />}
      note={before && comparedText(redeemed, before.redeemed)}
    />
    {redeemable !== null && (
      <Figure
        name={t('Rate')}
        value={percentText(redeemed, redeemable)}
        note={
          redeemable > 0 && before?.redeemable
            ? pointsText(redeemed / redeemable, before.redeemed / before.redeemable)
            : undefined
        }
      />
    )}
  </dl>
);

const Figure = ({ name, value, note }: { name: string; value: Child; note?: string | undefined }) => (
  <div>
    <dt>
      {name}
      {note && <span class="sub">{note}</span>}
    </dt>
    <dd>{value}</dd>
  </div>
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
