import type { Child } from 'hono/jsx';
import {
  codesExportPath,
  OWN_LISTINGS_PATH,
  offerCodesPath,
  ownListingPath,
  ownOfferPath,
} from '../../../base/paths.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { isLow, MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER, NOT_TEXT } from '../../../marketplace/offers/code.ts';
import type { CodeImport } from '../../../marketplace/offers/code-queries.ts';
import { type BadLine, groupByReason } from '../../../marketplace/offers/codes.ts';
import { ALL_CODES_GIVEN } from '../../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { EXPORT_FORMATS } from '../../../platform/text/record-writer.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { HiddenField, SelectField, TextAreaField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Num, numberText, Time } from '../../ui/time.tsx';

export interface CodesDone {
  readonly title: string;
  readonly bad: readonly BadLine[];
  readonly canTakeBack?: boolean;
}

/** Shown before codes are added from a file, or from a text that the reader had to interpret. */
export interface CodesQuestion {
  readonly doubts: readonly string[];
  /** The columns that may have the codes; empty if there is only one. */
  readonly columns: readonly {
    readonly layout: string;
    readonly name: string;
    readonly examples: readonly string[];
  }[];
  readonly examples: readonly string[];
  readonly count: number;
  readonly layout: string;
  readonly start: number;
  readonly startWithHeading: number | null;
}

interface OfferCodesProps {
  readonly listing: OwnListing;
  readonly offer: CountedOffer;
  /** Number of codes withheld after a restore and not yet released by an operator. */
  readonly withheld: number;
  readonly imports: readonly CodeImport[];
  /** Whether the person has confirmed their identity recently enough to download codes. */
  readonly isRecentlyProven: boolean;
  readonly form: FormState;
  readonly done: CodesDone | null;
  readonly question: CodesQuestion | null;
}

export const trailTo = (listing: OwnListing) =>
  [
    [t('Listings'), OWN_LISTINGS_PATH],
    [listing.name, ownListingPath(listing.id)],
  ] as const;

/** Maximum number of lines to list for each reason. */
const NAMED_LINES = 10;

export const OfferCodes = ({
  listing,
  offer,
  withheld,
  imports,
  isRecentlyProven,
  form,
  done,
  question,
}: OfferCodesProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[...trailTo(listing), [offer.offer, ownOfferPath(offer.id)]]} />}
      title={t('Codes')}
      lead={t('Each claim gets the next code in the list. Only the claimant sees the code.')}
    />
    <div class="stack-loose">
      {done !== null && <Done done={done} />}
      {question !== null && <Question offer={offer} form={form} question={question} />}
      {offer.code_list === null ? (
        <NoList offer={offer} />
      ) : (
        <div class="stack" id="codes-stock" data-codes-counts>
          <Stock offer={offer} />
          <SubmitListing listing={listing} offer={offer} />
        </div>
      )}
      <div class="columns">
        {offer.code_list !== null && <AddForm offer={offer} form={form} />}
        <Facts {...{ offer, withheld, imports, isRecentlyProven }} />
      </div>
    </div>
  </>
);

const Done = ({ done: { title, bad, canTakeBack } }: { done: CodesDone }) => (
  <Notice tone={bad.length === 0 ? 'good' : 'warn'} title={title}>
    {canTakeBack && <p>{t('Wrong codes? <a>Take this import back</a>.', { a: linkTo(`#${IMPORTS_ID}`) })}</p>}
    {bad.length > 0 && (
      <>
        <p>{t('{count, plural, one {# line} other {# lines}} left out:', { count: bad.length })}</p>
        <ul>
          {groupByReason(bad, ({ reason }) => wordsOf(reason)).map(({ reason, lines }) => (
            <li>
              {lines.length === 1
                ? t('Line {line}: {reason}', { line: numberText(lines[0]!), reason })
                : t('{count} lines ({lines}): {reason}', {
                    count: numberText(lines.length),
                    lines: linesText(lines),
                    reason,
                  })}
            </li>
          ))}
        </ul>
      </>
    )}
  </Notice>
);

const IMPORTS_ID = 'codes-imports';

const linesText = (lines: readonly number[]): string =>
  lines.slice(0, NAMED_LINES).map(numberText).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');

const Question = ({
  offer,
  form,
  question,
}: Pick<OfferCodesProps, 'offer' | 'form'> & { question: CodesQuestion }) => (
  <Notice tone="warn" title={t('Check the codes before they are added')}>
    <form class="stack" method="post" action={offerCodesPath(offer.id)}>
      {question.doubts.map((doubt) => (
        <p>{doubt}</p>
      ))}
      {question.columns.length > 0 ? (
        <SelectField
          form={newForm({ layout: question.layout })}
          name="layout"
          label={t('Column with the codes')}
          choices={question.columns.map(({ layout, name, examples }) => ({
            value: layout,
            label: t('{column}: {examples}', { column: name, examples: examples.join(', ') }),
          }))}
        />
      ) : (
        <>
          <p>{t('First codes:')}</p>
          <ul>
            {question.examples.map((code) => (
              <li>
                <code translate="no">{code}</code>
              </li>
            ))}
          </ul>
          <HiddenField name="layout" value={question.layout} />
        </>
      )}
      <HiddenField name="codes" value={form.typed('codes')} />
      <FormActions>
        <Button tone="primary" name="start" value={String(question.start)}>
          {t('Add {count, plural, one {# code} other {# codes}}', { count: question.count })}
        </Button>
        {question.startWithHeading !== null && (
          <Button name="start" value={String(question.startWithHeading)}>
            {t('Add the first line too')}
          </Button>
        )}
      </FormActions>
    </form>
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

const SubmitListing = ({ listing, offer }: Pick<OfferCodesProps, 'listing' | 'offer'>) =>
  listing.state === 'draft' &&
  offer.codes_left > 0 && (
    <Notice
      title={t('“{name}” is still a draft', { name: isolated(listing.name) })}
      actions={
        <PostButton action={`${ownListingPath(listing.id)}/submit`} tone="primary">
          {t('Submit for review')}
        </PostButton>
      }
    >
      {t('The operator reviews the listing before it goes live. You can add more codes at any time.')}
    </Notice>
  );

/** Texts for the client script, which replaces the placeholders in braces. */
const progressTexts = () => ({
  'data-not-text': t(NOT_TEXT),
  'data-sending': t('Sending {sent} of {total} lines…', { sent: '{sent}', total: '{total}' }),
  'data-added': t('Codes added: {added}', { added: '{added}' }),
  'data-repeated': t('The list already has all of these codes: {repeated}', { repeated: '{repeated}' }),
  'data-left-out': t('Lines left out: {left}', { left: '{left}' }),
  'data-stopped': t('Sending stopped at line {line}: {reason}', { line: '{line}', reason: '{reason}' }),
  'data-line': t('Line {line}: {reason}', { line: '{line}', reason: '{reason}' }),
  'data-lines': t('{count} lines ({lines}): {reason}', {
    count: '{count}',
    lines: '{lines}',
    reason: '{reason}',
  }),
  'data-check': t('Check the codes before they are added'),
  'data-examples': t('{count} codes, for example {examples}. Add them?', {
    count: '{count}',
    examples: '{examples}',
  }),
  'data-column': t('Column with the codes'),
  'data-add': t('Add these codes'),
  'data-add-first': t('Add the first line too'),
  'data-undo': t('Wrong codes? Take this import back.'),
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
        {t(
          'CSV or text, up to {maxCodesOfOffer} codes. You see the first codes before anything is added, and can choose the column. In Excel, save the file as “CSV UTF-8”.',
          {
            maxCodesOfOffer: numberText(MAX_CODES_OF_OFFER),
          },
        )}
      </p>
      <input
        id="codes-file"
        class="input"
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.xls,.ods,text/csv,text/plain"
        aria-describedby="codes-file-hint"
      />
    </div>
    <div role="status" data-codes-progress />
    <FormActions>
      <Button tone="primary">{t('Add codes')}</Button>
    </FormActions>
  </form>
);

const Facts = ({
  offer,
  withheld,
  imports,
  isRecentlyProven,
}: Pick<OfferCodesProps, 'offer' | 'withheld' | 'imports' | 'isRecentlyProven'>) => {
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
        <Imports offer={offer} imports={imports} />
        {ungiven > 0 && (
          <div class="stack" id="codes-export">
            <h3>{t('Export')}</h3>
            <p class="soft-text">
              {t(
                'The codes that have not been given to claims. To use them elsewhere, first pause the offer, then download the codes and withdraw them.',
              )}
            </p>
            <div class="row">
              <DownloadButtons
                formats={EXPORT_FORMATS}
                pathOf={(format) => codesExportPath(offer.id, format)}
                // Without a recent confirmation, the link leads to a page.
                download={isRecentlyProven}
                small
              />
            </div>
          </div>
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

/** Each import can be taken back, as far as its codes were not given to claims. */
const Imports = ({ offer, imports }: Pick<OfferCodesProps, 'offer' | 'imports'>) =>
  imports.length > 0 && (
    <div class="stack" id={IMPORTS_ID}>
      <h3>{t('Latest imports')}</h3>
      <ul class="plain stack">
        {imports.map(({ added_at, codes }, index) => (
          <li class="row">
            <span>
              <Time at={added_at} />{' '}
              <span class="sub">
                {t('{left, plural, one {# code} other {# codes}} left', { left: codes })}
              </span>
            </span>
            <Confirm
              id={`import-${index}`}
              action={`${offerCodesPath(offer.id)}/withdraw`}
              opener={t('Take back…')}
              small
              title={t('Take this import back?')}
              confirm={t('Withdraw {ungiven, plural, one {# code} other {# codes}}', { ungiven: codes })}
            >
              <HiddenField name="import" value={added_at} />
              <p>{t('Only codes of this import are deleted. Codes already given stay with their claims.')}</p>
            </Confirm>
          </li>
        ))}
      </ul>
    </div>
  );
