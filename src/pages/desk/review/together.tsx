/** Several entries of the queue decided together: the boxes, the form below the queue, and what became of the entries. */
import { deskListingPath, QUEUE_PATH } from '../../../base/paths.ts';
import { message, t, type Words, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { RadioField, TextAreaField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Decided, type Undoable } from './decide.tsx';
import type { QueueItem, SubmittedItem } from './queries.ts';

export const DECIDE_TOGETHER_PATH = `${QUEUE_PATH}/decide`;
export const ENTRY_FIELD = 'entry';

const fieldOf = ({ kind, listing, offer }: SubmittedItem): string =>
  [ENTRY_FIELD, kind, listing.id, ...(offer === null ? [] : [offer.id])].join(':');

/** Reports and requests have other decisions, which are made on their own pages. */
export const isDecidedTogether = (item: QueueItem): item is SubmittedItem => 'links' in item;

/** After a problem with the form, the value stays the version that the operator saw first. `label`: names the entry. */
export function EntryBox({ item, label, form }: { item: SubmittedItem; label: string; form: FormState }) {
  const name = fieldOf(item);
  const sent = form.typed(name);
  return (
    <input
      type="checkbox"
      name={name}
      value={sent || String(item.listing.version)}
      checked={sent !== ''}
      aria-label={t('Choose {name}', { name: label })}
    />
  );
}

const RULING_CHOICES = [
  { value: 'approve', label: message('Approve') },
  {
    value: 'decline',
    label: message('Ask for changes'),
    hint: message('Listings go back to their owners, who can submit them again. Proposals are declined.'),
  },
  {
    value: 'reject',
    label: message('Reject'),
    hint: message('A rejected listing can’t be submitted again. Proposals are declined.'),
  },
];

export const TogetherFields = ({ form }: { form: FormState }) => (
  <Card title={t('Decide the chosen entries together')} isStack>
    <RadioField form={form} name="ruling" label={t('Decision')} choices={RULING_CHOICES} />
    <TextAreaField
      form={form}
      name="reason"
      label={t('Reason')}
      hint={t('Shown to each owner. Not needed for an approval.')}
      optional
    />
    <FormActions>
      <Button>{t('Decide together')}</Button>
    </FormActions>
  </Card>
);

export interface Together {
  readonly decidedCount: number;
  readonly undoables: readonly Undoable[];
  /** `name`: `null` if the listing no longer exists. */
  readonly refused: readonly {
    readonly listingId: string;
    readonly name: string | null;
    readonly sentence: Words;
  }[];
}

export const TogetherNotices = ({
  together: { decidedCount, undoables, refused },
}: {
  together: Together;
}) => (
  <>
    {refused.length > 0 && (
      <Notice
        tone="bad"
        title={t('{count, plural, one {# entry was} other {# entries were}} not decided', {
          count: refused.length,
        })}
      >
        <ul class="apart">
          {refused.map(({ listingId, name, sentence }) => (
            <li>
              {name === null ? (
                t('A deleted listing')
              ) : (
                <a href={deskListingPath(listingId)}>{isolated(name)}</a>
              )}
              {': '}
              {wordsOf(sentence)}
            </li>
          ))}
        </ul>
      </Notice>
    )}
    {decidedCount > 0 && (
      <Notice
        tone="good"
        title={t('{count, plural, one {# entry was} other {# entries were}} decided', {
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
        </ul>
      </Notice>
    )}
  </>
);
