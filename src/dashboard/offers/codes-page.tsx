/** The codes of an offer: how many are left, the form that adds some, and the button that withdraws them. */
import type { Child } from 'hono/jsx';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { isLow, MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER } from '../../offers/code.ts';
import type { BadLine } from '../../offers/codes.ts';
import { ALL_CODES_GIVEN } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Num, numberText } from '../../ui/time.tsx';
import { OWN_LISTINGS_PATH, offerCodesPath, ownListingPath, ownOfferPath } from '../paths.ts';

export interface CodesDone {
  readonly title: string;
  readonly bad: readonly BadLine[];
}

interface OfferCodesProps {
  readonly listing: OwnListing;
  readonly offer: CountedOffer;
  /** Codes that wait for the operator after a restore. */
  readonly withheld: number;
  readonly form: FormState;
  readonly done: CodesDone | null;
}

export const trailTo = (listing: OwnListing) =>
  [
    ['Listings', OWN_LISTINGS_PATH],
    [listing.name, ownListingPath(listing.id)],
  ] as const;

/** Lines that are shown; the rest is counted. */
const NAMED_LINES = 100;

export const OfferCodes = ({ listing, offer, withheld, form, done }: OfferCodesProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[...trailTo(listing), [offer.offer, ownOfferPath(offer.id)]]} />}
      title="Codes"
      lead="Each claim gets the next code of the list. Only its claimant sees it."
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
        <p>{amountOf(bad.length, 'line')} left out:</p>
        <ul>
          {bad.slice(0, NAMED_LINES).map(({ line, reason }) => (
            <li>
              Line {numberText(line)}: {reason}
            </li>
          ))}
        </ul>
        {bad.length > NAMED_LINES && <p>And {numberText(bad.length - NAMED_LINES)} more.</p>}
      </>
    )}
  </Notice>
);

const NoList = ({ offer }: { offer: CountedOffer }) => (
  <Notice title="The offer has no code list">
    <p>
      To give each claim its own code, <a href={ownOfferPath(offer.id)}>choose a code list for the offer</a>.
    </p>
  </Notice>
);

/** A notice if the code list is empty or low. */
export function Stock({ offer, actions }: { offer: CountedOffer; actions?: Child }) {
  const { codes_left: left, code_list } = offer;
  if (code_list === null) return null;
  const closes = code_list === 'close';
  if (left === 0) {
    return (
      <Notice
        tone="warn"
        title={offer.codes_given === 0 ? 'The code list is empty' : String(ALL_CODES_GIVEN)}
        actions={actions}
      >
        {closes
          ? 'The offer takes claims once you add codes.'
          : 'New claims get the shared code until you add codes.'}
      </Notice>
    );
  }
  return isLow(offer) ? (
    <Notice tone="warn" title={`${amountOf(left, 'code')} left`} actions={actions}>
      {closes ? 'The offer closes after the last one.' : 'After the last one, claims get the shared code.'}
    </Notice>
  ) : null;
}

const AddForm = ({ offer, form }: { offer: CountedOffer; form: FormState }) => (
  <form
    class="form"
    method="post"
    action={offerCodesPath(offer.id)}
    data-codes={MAX_CODES_OF_CALL}
    novalidate
  >
    <FormProblems form={form} />
    <TextAreaField
      form={form}
      name="codes"
      label="Add codes"
      rows={8}
      hint={`One on each line, at most ${numberText(MAX_CODES_OF_CALL)} at a time. Codes already in the list are left out.`}
    />
    <div class="field" data-codes-file hidden>
      <label for="codes-file">Or choose a file</label>
      <p class="hint" id="codes-file-hint">
        CSV or text with one code on each line, up to {numberText(MAX_CODES_OF_OFFER)}.
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
      <Button tone="primary">Add codes</Button>
    </FormActions>
  </form>
);

const Facts = ({ offer, withheld }: { offer: CountedOffer; withheld: number }) => {
  const ungiven = offer.codes_left + withheld;
  return (
    <section class="card" id="codes-counts" aria-labelledby="stock" data-codes-counts>
      <h2 id="stock">In the list</h2>
      <div class="stack">
        <DefinitionList
          facts={[
            ['Left', <Num value={offer.codes_left} />],
            ['Given to claims', <Num value={offer.codes_given} />],
            withheld > 0 && ['Withheld', <Num value={withheld} />],
          ]}
        />
        {withheld > 0 && (
          <p class="soft-text">
            The service was restored from a backup. Codes are withheld until its operator releases them,
            because lost claims may have been given some. You can withdraw them before that.
          </p>
        )}
        {ungiven > 0 && (
          <Confirm
            action={`${offerCodesPath(offer.id)}/withdraw`}
            opener="Withdraw codes…"
            title={`Withdraw the remaining codes of “${isolated(offer.offer)}”?`}
            confirm={`Withdraw ${amountOf(ungiven, 'code')}`}
          >
            <p>They are deleted, and no claim gets them. Codes that were given to claims stay with them.</p>
          </Confirm>
        )}
      </div>
    </section>
  );
};
