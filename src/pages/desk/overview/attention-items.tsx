/** Items that need the operator's attention, most important first. */

import type { Child } from 'hono/jsx';
import {
  DESK_WEBHOOKS_PATH,
  deskAccountPath,
  deskListingPath,
  OUTBOX_PATH,
  QUEUE_PATH,
  SYSTEM_PATH,
} from '../../../base/paths.ts';
import type { Waiting, WaitingCounts } from '../../../marketplace/listings/queue-queries.ts';
import { type Message, message, t, wordsOf } from '../../../platform/languages/translate.ts';
import { MARKETPLACE_ID } from '../../../platform/store/tables/webhooks.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { Section } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Age, numberText } from '../../ui/time.tsx';
import { CHECK_NAMES } from '../system/findings.tsx';
import { STEPS, stepsLeft } from './first-steps.tsx';
import type { Overview } from './overview.ts';
import { COUNTED_MAILS, NAMED, READ } from './queries.ts';

interface AttentionItem {
  readonly name: string;
  readonly href: string;
  readonly detail: Child;
  readonly since: string | null;
}

export function AttentionItems({ overview }: { overview: Overview }) {
  const entries = [...workItems(overview), ...serviceItems(overview), ...ownerItems(overview)];
  if (entries.length === 0) {
    return overview.isQuiet ? null : (
      <Notice tone="good">{t('Nothing needs your attention, and all checks pass.')}</Notice>
    );
  }
  return (
    <Section title={t('Needs attention')} id="waits">
      <ul class="ranking">
        {entries.map(({ name, href, detail, since }) => (
          <li>
            <div>
              <a href={href}>{name}</a>
              <span class="sub">{detail}</span>
            </div>
            {since !== null && (
              <span class="nowrap soft-text">
                {t('for {age}', { age: <Age since={since} now={overview.now} /> })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** If `isCut`, `amount` is a lower bound, so the text says “or more”. */
const amountValues = (amount: number, isCut = amount === READ) => ({
  amount,
  count: isCut ? t('{count} or more', { count: numberText(amount) }) : numberText(amount),
});

/** In the order in which the kinds are named. */
const REVIEWS: Readonly<Record<Waiting['kind'], Message>> = {
  listing: message('{amount, plural, one {# submitted listing} other {# submitted listings}}'),
  texts: message('changed texts of {amount, plural, one {# listing} other {# listings}}'),
  name: message('{amount, plural, one {# new name} other {# new names}}'),
  url: message('{amount, plural, one {# new website} other {# new websites}}'),
  link: message('{amount, plural, one {# new link} other {# new links}}'),
  pictures: message('new pictures of {amount, plural, one {# listing} other {# listings}}'),
  report: message('{amount, plural, one {# reported listing} other {# reported listings}}'),
  plan: message('{amount, plural, one {# request for a plan} other {# requests for a plan}}'),
  publish: message('{amount, plural, one {# request to publish} other {# requests to publish}}'),
};

function reviewsText(reviews: WaitingCounts): string {
  const kinds = Object.keys(REVIEWS) as Waiting['kind'][];
  return (
    kinds
      .filter((kind) => reviews.has(kind))
      // A line doesn't end with a number.
      .map((kind) => t(REVIEWS[kind], { amount: reviews.get(kind)! }).replace(/(?<=\d) /, '\u00a0'))
      .join(', ')
  );
}

function workItems({ waiting, steps, isQuiet }: Overview): readonly AttentionItem[] {
  const { reviews, oldestReview, outbox, hasMail } = waiting;
  const entries: AttentionItem[] = [];
  const items = [...reviews.values()].reduce((sum, amount) => sum + amount, 0);
  if (items > 0) {
    const name = t('{count, plural, one {# review} other {# reviews}}', { count: items });
    const detail = t('Waiting for your decision: {items}.', { items: reviewsText(reviews) });
    entries.push({ name, href: QUEUE_PATH, detail, since: oldestReview });
  }
  if (outbox.mails > 0) {
    const name = t(
      '{amount, plural, one {1 email} other {{count} emails}}',
      amountValues(outbox.mails, outbox.mails === COUNTED_MAILS),
    );
    const detail = hasMail
      ? t('Not accepted by the mail server.')
      : t('No mail server is set up, so pass mail on to its recipients yourself.');
    entries.push({ name, href: OUTBOX_PATH, detail, since: outbox.since });
  }
  // On a quiet marketplace, the page shows the list of first steps directly below.
  const left = steps === null || isQuiet ? [] : stepsLeft(steps);
  const [next] = left;
  if (next !== undefined) {
    entries.push({
      name: t('{count, plural, one {# first step} other {# first steps}}', { count: left.length }),
      href: '#first-steps',
      detail: t('Next: {step}', { step: STEPS[next][0] }),
      since: null,
    });
  }
  return entries;
}

const serviceItems = ({ checks }: Overview): readonly AttentionItem[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ check, detail }) => ({
      name: t(CHECK_NAMES[check]),
      href: SYSTEM_PATH,
      detail: capital(wordsOf(detail)),
      since: null,
    }));

function ownerItems({ waiting: { lowOffers, endpoints, callers } }: Overview): readonly AttentionItem[] {
  const failing = endpoints.reduce((sum, { endpoints: of }) => sum + Number(of), 0);
  return [
    ...itemNaming(
      t(
        '{amount, plural, one {1 offer is running out of codes} other {{count} offers are running out of codes}}',
        amountValues(lowOffers.length),
      ),
      lowOffers.map(({ listing, listing_id, codes_left }) => ({
        name: listing,
        href: deskListingPath(listing_id),
        note: codes_left === 0 ? t('no codes left') : t('{count, number} left', { count: codes_left }),
      })),
    ),
    ...itemNaming(
      t(
        '{amount, plural, one {1 webhook is failing} other {{count} webhooks are failing}}',
        amountValues(failing, endpoints.length === READ),
      ),
      endpoints.map(({ id, name }) => ({
        name: name ?? t('Marketplace'),
        href: id === MARKETPLACE_ID ? DESK_WEBHOOKS_PATH : deskAccountPath(id),
        note: null,
      })),
      endpoints[0]?.since,
    ),
    ...itemNaming(
      t(
        '{amount, plural, one {1 owner with failing calls} other {{count} owners with failing calls}}',
        amountValues(callers.length),
      ),
      callers.map(({ id, name, calls }) => ({
        name,
        href: deskAccountPath(id),
        note: t('{count, plural, one {# call} other {# calls}}', { count: calls }),
      })),
    ),
  ];
}

interface NamedLink {
  readonly name: string;
  readonly href: string;
  readonly note: string | null;
}

function itemNaming(
  name: string,
  things: readonly NamedLink[],
  since: string | null = null,
): readonly AttentionItem[] {
  const [first] = things;
  return first === undefined ? [] : [{ name, href: first.href, detail: <NameLinks of={things} />, since }];
}

function NameLinks({ of }: { of: readonly NamedLink[] }) {
  const names = (
    <>
      {of.slice(0, NAMED).map(({ name, href, note }, index) => (
        <>
          {index > 0 && ', '}
          <a href={href}>{isolated(name)}</a>
          {note !== null && ` (${note})`}
        </>
      ))}
    </>
  );
  if (of.length <= NAMED) return names;
  return (
    <>
      {of.length === READ
        ? t('{names} and others', { names })
        : t('{names} and {count, number} more', { names, count: of.length - NAMED })}
    </>
  );
}
