/** Several entries of the queue decided together: the boxes, the form below the queue, and what became of the entries. */
import { deskListingPath, QUEUE_PATH } from '../../../base/paths.ts';
import type { Ruling } from '../../../marketplace/listings/decide-together.ts';
import { seenOf } from '../../../people/accounts/requests.ts';
import { type Message, message, t, type Words, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { RadioField, TextAreaField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Decided, type Undoable } from './decide.tsx';
import type { QueueItem } from './queries.ts';

export const DECIDE_TOGETHER_PATH = `${QUEUE_PATH}/decide`;
export const ENTRY_FIELD = 'entry';

function fieldOf(item: QueueItem): string {
  const ids =
    'account' in item
      ? [item.account.id]
      : 'links' in item && item.offer !== null
        ? [item.listing.id, item.offer.id]
        : [item.listing.id];
  return [ENTRY_FIELD, item.kind, ...ids].join(':');
}

/** What the operator saw: the version of a listing, the time of the newest report, or the request. */
function seenIn(item: QueueItem): string {
  if ('account' in item) return seenOf(item.request);
  return 'reports' in item ? (item.reports.at(-1)?.created_at ?? '') : String(item.listing.version);
}

/** After a problem with the form, the value stays what the operator saw first. `label`: names the entry. */
export function EntryBox({ item, label, form }: { item: QueueItem; label: string; form: FormState }) {
  const name = fieldOf(item);
  const sent = form.typed(name);
  return (
    <input
      type="checkbox"
      name={name}
      value={sent || seenIn(item)}
      checked={sent !== ''}
      aria-label={t('Select {name}', { name: label })}
    />
  );
}

type Family = 'submitted' | 'request' | 'report';

const familyOf = (item: QueueItem): Family =>
  'account' in item ? 'request' : 'reports' in item ? 'report' : 'submitted';

interface RulingText {
  readonly value: Ruling['ruling'];
  readonly label: Message;
  /** By what the queue's page contains. */
  readonly hints: Readonly<Partial<Record<Family, Message>>>;
}

const RULING_TEXTS: readonly RulingText[] = [
  {
    value: 'approve',
    label: message('Approve'),
    hints: {
      request: message('Requests are granted.'),
      report: message('Reports are dismissed, and their listings stay live.'),
    },
  },
  {
    value: 'decline',
    label: message('Ask for changes'),
    hints: {
      submitted: message(
        'Listings go back to their owners, who can submit them again. Proposals are declined.',
      ),
      request: message('Requests are declined.'),
      report: message('Reported listings stay live, and their owners get the reason as a question.'),
    },
  },
  {
    value: 'reject',
    label: message('Reject'),
    hints: {
      submitted: message('A rejected listing can’t be submitted again. Proposals are declined.'),
      request: message('Requests are declined.'),
      report: message('Reported listings are suspended.'),
    },
  },
];

function rulingChoices(items: readonly QueueItem[]) {
  const families = new Set(items.map(familyOf));
  return RULING_TEXTS.map(({ value, label, hints }) => {
    const sentences = (['submitted', 'request', 'report'] as const).flatMap((family) =>
      families.has(family) ? (hints[family] ?? []) : [],
    );
    return { value, label, hint: sentences.map((sentence) => t(sentence)).join(' ') || undefined };
  });
}

export const TogetherFields = ({ form, items }: { form: FormState; items: readonly QueueItem[] }) => (
  <Card title={t('Decide the selected items')} isStack>
    <RadioField form={form} name="ruling" label={t('Decision')} choices={rulingChoices(items)} />
    <TextAreaField
      form={form}
      name="reason"
      label={t('Reason')}
      hint={t('Shown to each owner. Not needed for an approval.')}
      optional
    />
    <FormActions>
      <Button>{t('Apply to the selected items')}</Button>
    </FormActions>
  </Card>
);

export interface Together {
  readonly decidedCount: number;
  readonly undoables: readonly Undoable[];
  /** Decided reports and requests. */
  readonly others: readonly NamedEntry[];
  readonly refused: readonly NamedEntry[];
}

interface NamedEntry {
  /** The page of the listing or the account. */
  readonly path: string;
  /** `null` if the listing or the account no longer exists. */
  readonly name: string | null;
  readonly sentence: Words;
}

const EntryLine = ({ path, name, sentence }: NamedEntry) => (
  <>
    {name === null ? t('Deleted') : <a href={path}>{isolated(name)}</a>}
    {': '}
    {wordsOf(sentence)}
  </>
);

export const TogetherNotices = ({
  together: { decidedCount, undoables, others, refused },
}: {
  together: Together;
}) => (
  <>
    {refused.length > 0 && (
      <Notice
        tone="bad"
        title={t('{count, plural, one {# item was} other {# items were}} not decided', {
          count: refused.length,
        })}
      >
        <ul class="apart">
          {refused.map((entry) => (
            <li>
              <EntryLine {...entry} />
            </li>
          ))}
        </ul>
      </Notice>
    )}
    {decidedCount > 0 && (
      <Notice
        tone="good"
        title={t('{count, plural, one {# item was} other {# items were}} decided', {
          count: decidedCount,
        })}
      >
        <ul class="apart">
          {undoables.map(({ listing, action, until }) => (
            <li class="row">
              <span>
                <Decided {...{ listing, action }} hasLink />
              </span>
              <PostButton
                action={`${deskListingPath(listing.id)}/undo`}
                values={{ version: String(listing.version) }}
                small
                label={t('Undo: {name}', { name: listing.name })}
              >
                {t('Undo')}
              </PostButton>
              <span class="hint">
                {t('until {time}', { time: <Time at={until} precision="second" hasZone /> })}
              </span>
            </li>
          ))}
          {others.map((entry) => (
            <li>
              <EntryLine {...entry} />
            </li>
          ))}
        </ul>
      </Notice>
    )}
  </>
);
