import type { Child } from 'hono/jsx';
import { t } from '../../languages/translate.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { isLow, MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER } from '../../offers/code.ts';
import type { BadLine } from '../../offers/codes.ts';
import { ALL_CODES_GIVEN } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Num, numberText } from '../../ui/time.tsx';
import { OWN_LISTINGS_PATH, offerCodesPath, ownListingPath, ownOfferPath } from '../paths.ts';

export interface CodesDone {
  readonly title: string;
  readonly bad: readonly BadLine[];
}

interface OfferCodesProps {
  readonly listing: OwnListing;
  readonly offer: CountedOffer;
  /** Number of codes withheld after a restore and not yet released by an operator. */
  readonly withheld: number;
  readonly form: FormState;
  readonly done: CodesDone | null;
}

export const trailTo = (listing: OwnListing) =>
  [
    [t('Listings'), OWN_LISTINGS_PATH],
    [listing.name, ownListingPath(listing.id)],
  ] as const;

/** Maximum number of rejected lines to list. The rest are only counted. */
const NAMED_LINES = 100;

export const OfferCodes = ({ listing, offer, withheld, form, done }: OfferCodesProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[...trailTo(listing), [offer.offer, ownOfferPath(offer.id)]]} />}
      title={t('Codes')}
      lead={t('Each claim gets the next code in the list. Only the claimant sees the code.')}
    />
    <div class="stack-loose">
      {done !== null && <Done done={done} />}
      {offer.code_list === null ? (
        <NoList offer={offer} />
      ) : (
        <div class="stack" id="codes-stock" data-codes-counts>
          <Stock offer={offer} />
        </div>
      )}
      <div class="columns">
        {offer.code_list !== null && <AddForm offer={offer} form={form} />}
        <Facts offer={offer} withheld={withheld} />
      </div>
    </div>
  </>
);

const Done = ({ done: { title, bad } }: { done: CodesDone }) => (
  <Notice tone={bad.length === 0 ? 'good' : 'warn'} title={title}>
    {bad.length > 0 && (
      <>
        <p>{t('{count, plural, one {# line} other {# lines}} left out:', { count: bad.length })}</p>
        <ul>
          {bad.slice(0, NAMED_LINES).map(({ line, reason }) => (
            <li>{t('Line {line}: {reason}', { line: numberText(line), reason })}</li>
          ))}
        </ul>
        {bad.length > NAMED_LINES && (
          <p>{t('And {count} more.', { count: numberText(bad.length - NAMED_LINES) })}</p>
        )}
      </>
    )}
  </Notice>
);

const NoList = ({ offer }: { offer: CountedOffer }) => (
  <Notice title={t('The offer has no code list')}>
    <p>
      {t('To give each claim its own code, <a>choose a code list for the offer</a>.', {
        a: linkTo(ownOfferPath(offer.id)),
      })}
    </p>
  </Notice>
);

export function Stock({ offer, actions }: { offer: CountedOffer; actions?: Child }) {
  const { codes_left: left, codes_given, code_list } = offer;
  if (code_list === null || !isLow(offer)) return null;
  const whenEmpty = codes_given === 0 ? t('The code list is empty') : t(ALL_CODES_GIVEN);
  const [now, later] =
    code_list === 'close'
      ? [t('The offer takes claims once you add codes.'), t('The offer closes after the last code.')]
      : [
          t('New claims get the shared code until you add codes.'),
          t('After the last code, claims get the shared code.'),
        ];
  return (
    <Notice
      tone="warn"
      title={left === 0 ? whenEmpty : t('{left, plural, one {# code} other {# codes}} left', { left })}
      actions={actions}
    >
      {left === 0 ? now : later}
    </Notice>
  );
}

/** Texts for the client script, which replaces the placeholders in braces. */
const progressTexts = () => ({
  'data-not-utf8': t('The file is not UTF-8. In Excel, save it as “CSV UTF-8”.'),
  'data-sending': t('Sending {sent} of {total} lines…', { sent: '{sent}', total: '{total}' }),
  'data-added': t('Codes added: {added}', { added: '{added}' }),
  'data-left-out': t('Lines left out: {left}', { left: '{left}' }),
  'data-stopped': t('Sending stopped at line {line}: {reason}', { line: '{line}', reason: '{reason}' }),
  'data-line': t('Line {line}: {reason}', { line: '{line}', reason: '{reason}' }),
  'data-more': t('And {count} more.', { count: '{count}' }),
  'data-failed': t('Sending failed. Reload the page and send the same codes again.'),
  'data-no-answer': t('No response. Send the same codes again: those already added are left out.'),
});

const AddForm = ({ offer, form }: { offer: CountedOffer; form: FormState }) => (
  <form
    class="form"
    method="post"
    action={offerCodesPath(offer.id)}
    data-codes={MAX_CODES_OF_CALL}
    {...progressTexts()}
    novalidate
  >
    <FormProblems form={form} />
    <TextAreaField
      form={form}
      name="codes"
      label={t('Add codes')}
      rows={8}
      hint={t('One per line, at most {maxCodesOfCall} at a time. Codes already in the list are left out.', {
        maxCodesOfCall: numberText(MAX_CODES_OF_CALL),
      })}
    />
    <div class="field" data-codes-file hidden>
      <label for="codes-file">{t('Or choose a file')}</label>
      <p class="hint" id="codes-file-hint">
        {t('CSV or text with one code per line, up to {maxCodesOfOffer}.', {
          maxCodesOfOffer: numberText(MAX_CODES_OF_OFFER),
        })}
      </p>
      <input
        id="codes-file"
        class="input"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-describedby="codes-file-hint"
      />
    </div>
    <div role="status" data-codes-progress />
    <FormActions>
      <Button tone="primary">{t('Add codes')}</Button>
    </FormActions>
  </form>
);

const Facts = ({ offer, withheld }: { offer: CountedOffer; withheld: number }) => {
  const ungiven = offer.codes_left + withheld;
  return (
    <section class="card" id="codes-counts" aria-labelledby="stock" data-codes-counts>
      <h2 id="stock">{t('In the list')}</h2>
      <div class="stack">
        <DefinitionList
          facts={[
            [t('Left'), <Num value={offer.codes_left} />],
            [t('Given to claims'), <Num value={offer.codes_given} />],
            withheld > 0 && [t('Withheld'), <Num value={withheld} />],
          ]}
        />
        {withheld > 0 && (
          <p class="soft-text">
            {t(
              'The service was restored from a backup. Some of the withheld codes may have been given to claims that were lost in the restore. The codes stay withheld until the operator releases them. Until then, you can still withdraw them.',
            )}
          </p>
        )}
        {ungiven > 0 && (
          <Confirm
            action={`${offerCodesPath(offer.id)}/withdraw`}
            opener={t('Withdraw codes…')}
            title={t('Withdraw the remaining codes of “{offer}”?', { offer: isolated(offer.offer) })}
            confirm={t('Withdraw {ungiven, plural, one {# code} other {# codes}}', { ungiven })}
          >
            <p>
              {t(
                'They are deleted and can no longer be given to claims. Codes already given stay with their claims.',
              )}
            </p>
          </Confirm>
        )}
      </div>
    </section>
  );
};
