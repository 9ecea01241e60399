import {
  AUDIT_PATH,
  deskAccountPath,
  deskListingPath,
  pathWithQuery,
  QUEUE_PATH,
} from '../../../base/paths.ts';
import { responseOf } from '../../../marketplace/listings/queue-queries.ts';
import { causeText } from '../../../marketplace/listings/report.ts';
import type { AccountRequest } from '../../../people/accounts/request-queries.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ShortcutHelp } from '../../ui/dialog.tsx';
import { FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { usePlanName } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { Age } from '../../ui/time.tsx';
import { type Undoable, UndoNotice } from './decide.tsx';
import type { Queue, QueueItem, SubmittedItem } from './queries.ts';
import {
  DECIDE_TOGETHER_PATH,
  EntryBox,
  type Together,
  TogetherFields,
  TogetherNotices,
} from './together.tsx';

interface QueuePageProps {
  readonly queue: Queue;
  readonly waiting: number;
  readonly decided: Undoable | null;
  /** What became of entries that were decided together. */
  readonly together: Together | null;
  readonly form: FormState;
  /** The cursor of this page of the queue; `undefined` on the first page. */
  readonly after: string | undefined;
  readonly now: EpochMs;
}

export const QueuePage = ({ queue, waiting, decided, together, ...props }: QueuePageProps) => (
  <>
    <PageHeader
      title={t('Queue')}
      lead={waiting === 0 ? undefined : waitText(waiting)}
      actions={
        <ShortcutHelp
          keys={[
            ['j', t('Next')],
            ['k', t('Previous')],
            ['Enter', t('Open')],
            ['u', t('Undo the last decision, within 30 seconds')],
          ]}
        />
      }
    />
    <div class="stack">
      {decided !== null && <UndoNotice undoable={decided} hasLink />}
      {together !== null && <TogetherNotices together={together} />}
      {queue.items.length > 0 && <QueueForm {...props} queue={queue} />}
      {queue.items.length === 0 && <NothingWaits isFirst={props.after === undefined} />}
    </div>
  </>
);

const waitText = (waiting: number): string =>
  t('{count, plural, one {# item is} other {# items are}} waiting for a decision.', { count: waiting });

const NothingWaits = ({ isFirst }: { isFirst: boolean }) => (
  <EmptyState
    sentence={t('Nothing is waiting for a decision.')}
    action={
      isFirst ? (
        <ButtonLink href={AUDIT_PATH}>{t('See recent events')}</ButtonLink>
      ) : (
        <ButtonLink href={QUEUE_PATH}>{t('Back to the queue')}</ButtonLink>
      )
    }
    example={t('Ada Acme submitted the listing Ada Notes.')}
  />
);

type QueueTableProps = Pick<QueuePageProps, 'queue' | 'after' | 'now' | 'form'>;

/** The boxes and the decision are one form, so that it works without scripts. The response shows the same page again. */
const QueueForm = (props: QueueTableProps) => (
  <form
    class="stack-loose"
    method="post"
    action={pathWithQuery(DECIDE_TOGETHER_PATH, { after: props.after })}
    novalidate
  >
    <FormProblems form={props.form} />
    <QueueTable {...props} />
    <TogetherFields form={props.form} items={props.queue.items} />
  </form>
);

const QueueTable = ({ queue, after, now, form }: QueueTableProps) => (
  <Table
    caption={t('Items waiting for a decision')}
    rows={queue.items}
    columns={[
      {
        header: t('About'),
        isName: true,
        cell: (item) => {
          const [href, name] =
            'account' in item
              ? [deskAccountPath(item.account.id), item.account.name]
              : [deskListingPath(item.listing.id), item.listing.name];
          return (
            <div class="choice">
              <EntryBox item={item} label={`${name}, ${kindText(item)}`} form={form} />
              <div class="apart">
                <a href={href} data-stop>
                  {isolated(name)}
                </a>
                <div>
                  <Kind item={item} />
                </div>
              </div>
            </div>
          );
        },
      },
      {
        header: t('publisher|Owner'),
        cell: (item) => {
          const owner = 'account' in item ? item.account : item.owner;
          return (
            <>
              {isolated(owner.name)}
              <span class="sub mail">
                <Breakable text={owner.email} />
              </span>
            </>
          );
        },
      },
      {
        header: t('Details'),
        cell: (item) =>
          'links' in item && item.kind !== 'pictures' && item.kind !== 'texts' ? (
            <div class="apart">
              <div>
                <Changes item={item} />
              </div>
              <div>
                <LinksBadge item={item} />
              </div>
            </div>
          ) : (
            <Changes item={item} />
          ),
      },
      {
        header: t('Waiting'),
        cell: ({ since }) => (
          <span class="nowrap">{t('for {age}', { age: <Age since={since} now={now} /> })}</span>
        ),
      },
    ]}
    pager={
      <Pager
        previous={null}
        next={queue.next === null ? null : `${QUEUE_PATH}?after=${encodeURIComponent(queue.next)}`}
        summary={after === undefined ? undefined : <a href={QUEUE_PATH}>{t('Back to the oldest')}</a>}
      />
    }
  />
);

function Kind({ item }: { item: QueueItem }) {
  const hasLiveTexts = 'links' in item && item.hasLiveTexts;
  const tone = item.kind === 'report' ? 'bad' : hasLiveTexts ? 'warn' : 'plain';
  return <Badge tone={tone}>{kindText(item)}</Badge>;
}

const requestText = (wish: AccountRequest['wish']): string =>
  wish === 'name' ? t('New name') : t('Request');

/** Maximum length of a request's message in the queue. Longer messages are truncated. */
const MAX_QUOTED = 121;

function Changes({ item }: { item: QueueItem }) {
  const planName = usePlanName();
  if ('links' in item) return <Breakable text={changesText(item)} />;
  if ('reports' in item) {
    const [first] = item.reports;
    const more = item.reports.length - 1;
    return (
      <>
        {first !== undefined &&
          (more > 0
            ? t('{cause} and {count, plural, one {# more report} other {# more reports}}', {
                cause: causeText(first.cause),
                count: more,
              })
            : causeText(first.cause))}
        {item.question !== null && (
          <div class="hint">
            {item.question.reply === null ? t('Waiting for the owner’s reply') : t('The owner replied')}
          </div>
        )}
      </>
    );
  }
  const { wish, plan, name, message } = item.request;
  if (wish === 'name') return <Breakable text={t('Proposes “{name}”', { name: isolated(name ?? '') })} />;
  return (
    <>
      {plan === null
        ? t('Asks to publish')
        : t('Asks for the {plan} plan', { plan: isolated(planName(plan)) })}
      {message !== null && (
        <div class="hint" dir="auto">
          <Breakable text={shortened(message, MAX_QUOTED)} />
        </div>
      )}
    </>
  );
}

function kindText(item: QueueItem): string {
  if ('account' in item) return requestText(item.kind);
  if ('reports' in item) return t('Reported');
  const { kind, listing, hasLiveTexts, isNewOffer } = item;
  if (isNewOffer && !hasLiveTexts) return t('New offer');
  if (kind === 'texts') return hasLiveTexts ? t('Changed since you approved') : t('New texts');
  if (kind === 'url') return t('New website');
  if (kind === 'pictures') return t('New pictures');
  if (kind === 'link') return t('New link');
  if (listing.asked !== null) return t('Submitted again');
  return listing.last_live === null ? t('New listing') : t('Was live before');
}

const MAX_FIELDS_NAMED = 3;

function changesText({ kind, listing, offer, differences, links, isNewOffer }: SubmittedItem): string {
  if (kind === 'pictures') return t('The live listing keeps its pictures until you decide.');
  const fields = fieldsText(differences);
  if (isNewOffer) return capital(fields);
  if (kind === 'texts') return t('Changed: {fields}', { fields });
  if (kind !== 'listing') {
    const origin = links[0]?.origin ?? null;
    const host = origin === null ? t('no site') : new URL(origin).host;
    return offer === null
      ? t('Leads to {host}', { host })
      : t('“{offer}” would lead to {host}', { offer: isolated(offer.offer), host });
  }
  if (listing.last_live === null && listing.asked === null) return t('Everything is new');
  if (differences.length === 0) {
    return listing.asked === null
      ? t('Nothing has changed since the listing was live')
      : t('Nothing has changed since you asked for changes');
  }
  return listing.asked === null
    ? t('Changed: {fields}', { fields })
    : t('Changed since you asked: {fields}', { fields });
}

function fieldsText(differences: SubmittedItem['differences']): string {
  const names = differences
    .slice(0, MAX_FIELDS_NAMED)
    .map(({ field }) => wordsOf(field))
    .join(', ');
  const more = differences.length - MAX_FIELDS_NAMED;
  return more > 0 ? t('{names} and {count, number} more', { names, count: more }) : names;
}

function LinksBadge({ item }: { item: SubmittedItem }) {
  const wrong = item.links.filter(({ problems }) => problems.length > 0).length;
  if (wrong > 0) {
    return (
      <Badge tone="bad">
        {t('{count, plural, one {# link} other {# links}} with problems', { count: wrong })}
      </Badge>
    );
  }
  if (item.links.some(({ isPinned }) => !isPinned)) return <Badge tone="warn">{t('Different site')}</Badge>;
  const doubtful = item.links.filter(({ warnings }) => warnings.length > 0).length;
  if (doubtful > 0) {
    return (
      <Badge tone="warn">
        {t('{count, plural, one {# link} other {# links}} to check', { count: doubtful })}
      </Badge>
    );
  }
  const responses = item.links.map(({ link }) => responseOf(item.probes, link));
  if (responses.includes(undefined)) return <Badge tone="plain">{t('Links not checked yet')}</Badge>;
  const silent = responses.filter((response) => response?.status === null).length;
  if (silent > 0) {
    return (
      <Badge tone="warn">
        {t('{count, plural, one {# link} other {# links}} didn’t respond', { count: silent })}
      </Badge>
    );
  }
  return (
    <Badge tone="good">
      {t('{count, plural, one {Responded} other {# responded}}', { count: responses.length })}
    </Badge>
  );
}
