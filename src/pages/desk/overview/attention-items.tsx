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
import { t } from '../../../platform/languages/translate.ts';
import { MARKETPLACE_ID } from '../../../platform/store/tables/webhooks.ts';
import { amountOf, capital, isolated } from '../../../platform/text/text.ts';
import { Notice } from '../../ui/notice.tsx';
import { Age, numberText } from '../../ui/time.tsx';
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
      <Notice tone="good">Nothing needs your attention, and all checks pass.</Notice>
    );
  }
  return (
    <section class="section" aria-labelledby="waits">
      <h2 id="waits">Needs attention</h2>
      <ul class="ranking">
        {entries.map(({ name, href, detail, since }) => (
          <li>
            <div>
              <a href={href}>{name}</a>
              <span class="sub">{detail}</span>
            </div>
            {since !== null && (
              <span class="nowrap soft-text">
                for <Age since={since} now={overview.now} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** If `isCut`, `amount` is a lower bound, so the text says “or more”. */
const countText = (amount: number, one: string, more: string, isCut = amount === READ): string =>
  amount === 1 ? one : `${numberText(amount)} ${isCut ? 'or more ' : ''}${more}`;

/** In the order in which the kinds are named. */
const REVIEWS: Readonly<Record<Waiting['kind'], (amount: number) => string>> = {
  listing: (amount) => amountOf(amount, 'submitted listing'),
  texts: (amount) => `changed texts of ${amountOf(amount, 'listing')}`,
  name: (amount) => amountOf(amount, 'new name'),
  url: (amount) => amountOf(amount, 'new website'),
  link: (amount) => amountOf(amount, 'new link'),
  pictures: (amount) => `new pictures of ${amountOf(amount, 'listing')}`,
  report: (amount) => amountOf(amount, 'reported listing'),
  plan: (amount) => `${amountOf(amount, 'request')} for a plan`,
  publish: (amount) => `${amountOf(amount, 'request')} to publish`,
};

function reviewsText(reviews: WaitingCounts): string {
  const kinds = Object.keys(REVIEWS) as Waiting['kind'][];
  return (
    kinds
      .filter((kind) => reviews.has(kind))
      // A line doesn't end with a number.
      .map((kind) => REVIEWS[kind](reviews.get(kind)!).replace(/(?<=\d) /, '\u00a0'))
      .join(', ')
  );
}

function workItems({ waiting, steps, isQuiet }: Overview): readonly AttentionItem[] {
  const { reviews, oldestReview, outbox, hasMail } = waiting;
  const entries: AttentionItem[] = [];
  const items = [...reviews.values()].reduce((sum, amount) => sum + amount, 0);
  if (items > 0) {
    const name = countText(items, '1 review', 'reviews', false);
    const detail = `Waiting for your decision: ${reviewsText(reviews)}.`;
    entries.push({ name, href: QUEUE_PATH, detail, since: oldestReview });
  }
  if (outbox.mails > 0) {
    const name = countText(outbox.mails, '1 email', 'emails', outbox.mails === COUNTED_MAILS);
    const detail = hasMail
      ? 'Not accepted by the mail server.'
      : 'No mail server is set up, so pass mail on to its recipients yourself.';
    entries.push({ name, href: OUTBOX_PATH, detail, since: outbox.since });
  }
  // On a quiet marketplace, the page shows the list of first steps directly below.
  const left = steps === null || isQuiet ? [] : stepsLeft(steps);
  const [next] = left;
  if (next !== undefined) {
    const name = countText(left.length, '1 first step', 'first steps');
    entries.push({
      name,
      href: '#first-steps',
      detail: `Next: ${STEPS[next][0].toLowerCase()}.`,
      since: null,
    });
  }
  return entries;
}

const serviceItems = ({ checks }: Overview): readonly AttentionItem[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ check, detail }) => ({
      name: capital(check),
      href: SYSTEM_PATH,
      detail: capital(detail),
      since: null,
    }));

function ownerItems({ waiting: { lowOffers, endpoints, callers } }: Overview): readonly AttentionItem[] {
  const failing = endpoints.reduce((sum, { endpoints: of }) => sum + Number(of), 0);
  return [
    ...itemNaming(
      countText(lowOffers.length, '1 offer is running out of codes', 'offers are running out of codes'),
      lowOffers.map(({ listing, listing_id, codes_left }) => ({
        name: listing,
        href: deskListingPath(listing_id),
        note: codes_left === 0 ? 'no codes left' : `${numberText(codes_left)} left`,
      })),
    ),
    ...itemNaming(
      countText(failing, '1 webhook is failing', 'webhooks are failing', endpoints.length === READ),
      endpoints.map(({ id, name }) => ({
        name: name ?? t('Marketplace'),
        href: id === MARKETPLACE_ID ? DESK_WEBHOOKS_PATH : deskAccountPath(id),
        note: null,
      })),
      endpoints[0]?.since,
    ),
    ...itemNaming(
      countText(callers.length, '1 owner with failing calls', 'owners with failing calls'),
      callers.map(({ id, name, calls }) => ({
        name,
        href: deskAccountPath(id),
        note: `${numberText(calls)} ${calls === 1 ? 'call' : 'calls'}`,
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

const NameLinks = ({ of }: { of: readonly NamedLink[] }) => (
  <>
    {of.slice(0, NAMED).map(({ name, href, note }, index) => (
      <>
        {index > 0 && ', '}
        <a href={href}>{isolated(name)}</a>
        {note !== null && ` (${note})`}
      </>
    ))}
    {of.length > NAMED && (of.length === READ ? ' and others' : ` and ${numberText(of.length - NAMED)} more`)}
  </>
);
