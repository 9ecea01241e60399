/** The forms that issue and replace claims by hand, on the page of an account. */
import type { Account } from '../../accounts/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { More } from '../../ui/code.tsx';
import { CheckboxField, RadioField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { accountPath } from './paths.ts';
import { type IssuableOffer, MAX_OFFERS_LISTED } from './queries.ts';

interface IssueClaimProps {
  readonly account: Account;
  readonly offers: readonly IssuableOffer[];
  readonly forms: { readonly issue: FormState; readonly replace: FormState };
}

/** Issues claims by hand: for a person of an outside marketplace, or after a redemption that went wrong. */
export const IssueClaim = ({ account, offers, forms }: IssueClaimProps): Markup => (
  <section class="card">
    <h2>Issue a claim by hand</h2>
    <Form form={forms.issue} action={`${accountPath(account)}/claims`} idPrefix="issue">
      <SelectField
        form={forms.issue}
        idPrefix="issue"
        name="offer"
        label="Offer"
        hint={offers.length < MAX_OFFERS_LISTED ? undefined : `The newest ${MAX_OFFERS_LISTED} are listed.`}
        choices={offers.map(({ id, offer, listing }) => ({
          value: id,
          label: `${isolated(listing)}: ${isolated(offer)}`,
        }))}
      />
      <TextField
        form={forms.issue}
        idPrefix="issue"
        name="claimant"
        label="Whose claim it is"
        hint="Your own reference for the person, such as a customer number. Asking again gives the same claim."
        optional
      />
      <TextField form={forms.issue} idPrefix="issue" name="via" label="Campaign label" mono optional />
      <RadioField
        form={forms.issue}
        idPrefix="issue"
        name="mode"
        label="Mode"
        choices={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test', hint: 'For test keys only. Not counted.' },
        ]}
      />
      <CheckboxField
        form={forms.issue}
        idPrefix="issue"
        name="replace"
        label="In place of their redeemed claim"
        hint="The old one stays redeemed; they get a new one, past the limit of the offer too."
      />
      <FormActions>
        <Button>Issue claim</Button>
      </FormActions>
    </Form>
    <div class="top-space">
      {forms.replace.problems.length > 0 ? (
        <ReplaceClaim account={account} form={forms.replace} />
      ) : (
        <More summary="Replace a claim that a person made here">
          <ReplaceClaim account={account} form={forms.replace} />
        </More>
      )}
    </div>
  </section>
);

const ReplaceClaim = ({ account, form }: { account: Account; form: FormState }): Markup => (
  <Form form={form} action={`${accountPath(account)}/claims/replace`} idPrefix="replace">
    <TextField
      form={form}
      idPrefix="replace"
      name="claim"
      label="Id of the redeemed claim"
      hint="It is on the owner's page of the claim, and in the address of the claimant's page."
      mono
    />
    <FormActions>
      <Button>Replace claim</Button>
    </FormActions>
  </Form>
);
