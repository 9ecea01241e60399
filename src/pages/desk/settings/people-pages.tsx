import type { Context } from '../../../base/context.ts';
import {
  MAX_CLAIMS_BY_ACCOUNT,
  MAX_CLAIMS_BY_NETWORK,
  MAX_REMIND_DAYS,
  MAX_UNUSED_MAILS,
  MIN_UNUSED_MAILS,
  type Policy,
  parseCount,
  parseDomains,
  parsePublishing,
  parseSignUp,
  parseTextPolicy,
  readPolicy,
  setPolicy,
} from '../../../people/accounts/policy.ts';
import { invalid } from '../../../platform/errors.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, NumberField, RadioField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { SeenValues } from '../../ui/stale-form.tsx';
import { PEOPLE_PATH } from '../paths.ts';
import { addSettings, FormSection, isTicked, optionalCount, SettingsPage, showSettings } from './parts.tsx';

interface SettingsServices {
  readonly hasMail: boolean;
  readonly hasProvider: boolean;
}

export function peopleDeskPages(app: PageRouter, context: Context, services: SettingsServices): void {
  const { hasMail, hasProvider } = services;
  addSettings(app, {
    path: PEOPLE_PATH,
    read: () => readPolicy(context.db.read, hasProvider),
    parse: (form, stored) => policyIn(form, stored, hasMail),
    save: (policy, change) => setPolicy(context, { policy, hasProvider, ...change }),
    show: (c, form, isSaved) =>
      showSettings(c, PEOPLE_PATH, form, <PeoplePage {...{ form, isSaved }} {...services} />),
  });
}

/** Without a mail server, the form has no mail fields, so their stored values are kept. */
const policyIn = (form: FormInput, stored: Policy, hasMail: boolean): Policy | null =>
  form.read({
    signUp: parseSignUp,
    domains: (text) => parseAllowed(text, form.text('signUp')),
    blockedDomains: parseDomains,
    publishing: parsePublishing,
    texts: parseTextPolicy,
    mustConfirm: () => (hasMail ? isTicked(form, 'mustConfirm') : stored.mustConfirm),
    claimsByAccount: (text) => parseCount(text, COUNTS.claimsByAccount),
    claimsByNetwork: optionalCount(COUNTS.claimsByNetwork),
    shareByNetwork: (text) => parseCount(text, COUNTS.shareByNetwork),
    unusedMails: hasMail ? (text) => parseCount(text, COUNTS.unusedMails) : () => stored.unusedMails,
    mailsCodes: () => (hasMail ? isTicked(form, 'mailsCodes') : stored.mailsCodes),
    remindAfterDays: hasMail ? optionalCount(COUNTS.remindAfterDays) : () => stored.remindAfterDays,
  });

const COUNTS = {
  claimsByAccount: { label: 'Claims per account in 24 hours', max: MAX_CLAIMS_BY_ACCOUNT },
  claimsByNetwork: { label: 'Claims per network in 24 hours', max: MAX_CLAIMS_BY_NETWORK },
  shareByNetwork: { label: 'Share of a limited offer per network and hour, in percent', max: 100 },
  unusedMails: {
    label: 'Unused emails an hour until a challenge',
    min: MIN_UNUSED_MAILS,
    max: MAX_UNUSED_MAILS,
  },
  remindAfterDays: { label: 'Days until a reminder of an unused claim', max: MAX_REMIND_DAYS },
};

const count = (form: FormState, name: keyof typeof COUNTS) => ({ form, name, label: COUNTS[name].label });

function parseAllowed(text: string, signUp: string): readonly string[] {
  const domains = parseDomains(text);
  if (signUp === 'domains' && domains.length === 0) throw invalid('Enter at least one email domain.');
  return domains;
}

type PeoplePageProps = SettingsServices & { readonly form: FormState; readonly isSaved: boolean };

const PeoplePage = (props: PeoplePageProps) => (
  <SettingsPage
    path={PEOPLE_PATH}
    lead="Changes apply immediately. Existing accounts, listings and claims are kept."
    saved={props.isSaved && 'The settings are saved.'}
  >
    <div class="columns">
      <Form form={props.form} action={PEOPLE_PATH}>
        <SeenValues form={props.form} />
        <SignUp {...props} />
        <Publishing {...props} />
        <Claims {...props} />
        {props.hasMail && <Mail {...props} />}
        <FormActions>
          <Button tone="primary">Save settings</Button>
        </FormActions>
      </Form>
    </div>
  </SettingsPage>
);

const SignUp = ({ form, hasProvider }: PeoplePageProps) => (
  <FormSection title="Sign-up">
    <RadioField
      form={form}
      name="signUp"
      label="Who may sign up"
      boxed
      choices={[
        { value: 'open', label: 'Anyone', hint: 'Anyone with an email address.' },
        {
          value: 'domains',
          label: 'People with certain addresses',
          hint: 'Only people with an address at one of the allowed email domains below, such as your company’s.',
        },
        {
          value: 'invited',
          label: 'Nobody',
          hint: `Only operators${hasProvider ? ' and the identity provider' : ''} can create accounts.`,
        },
      ]}
    />
    <TextAreaField
      form={form}
      name="domains"
      label="Allowed email domains"
      hint="Required if only people with certain addresses may sign up. These domains are also exempt from the limits on new accounts per domain. One per line, such as example.com. List each subdomain separately."
      optional="depends"
    />
    <TextAreaField
      form={form}
      name="blockedDomains"
      label="Blocked email domains"
      hint="Nobody can sign up with an address at one of these domains or their subdomains, or change to such an address. Existing accounts are kept."
      optional
    />
  </FormSection>
);

const Publishing = ({ form }: PeoplePageProps) => (
  <FormSection title="Publishing">
    <RadioField
      form={form}
      name="publishing"
      label="Who may publish"
      boxed
      choices={[
        {
          value: 'everyone',
          label: 'Everyone with an account',
          hint: 'Each new listing is reviewed before it is live.',
        },
        {
          value: 'allowed',
          label: 'Accounts that you allow',
          hint: 'Other people can request permission on the dashboard. Requests appear in the queue. Existing listings stay as they are.',
        },
      ]}
    />
    <RadioField
      form={form}
      name="texts"
      label="Changed texts of approved listings"
      hint="New names of listings and accounts always wait for your approval."
      boxed
      choices={[
        {
          value: 'wait',
          label: 'Wait for your approval',
          hint: 'Also new offers. People see the approved texts until you decide.',
        },
        {
          value: 'standing',
          label: 'Wait, unless the owner is in good standing',
          hint: 'An owner is in good standing once 30 days have passed since the first approval, and since you last rejected or suspended one of their listings or restored its texts.',
        },
        {
          value: 'list',
          label: 'Go live, and appear in the queue',
          hint: 'As “Changed since you approved”, with the difference. You can restore the approved texts.',
        },
      ]}
    />
  </FormSection>
);

const Claims = ({ form, hasMail }: PeoplePageProps) => (
  <FormSection title="Claims">
    {hasMail && (
      <CheckboxField
        form={form}
        name="mustConfirm"
        label="Require a confirmed email address before the first claim"
        hint="Signing in with an emailed code or through the identity provider confirms the address."
      />
    )}
    <NumberField
      {...count(form, 'claimsByAccount')}
      hint="How many offers one person can claim. Regardless of this limit, each offer can be claimed only once per mailbox."
    />
    <NumberField
      {...count(form, 'claimsByNetwork')}
      hint="Leave it empty for no limit. A low limit can block people in an office or at a conference, because they share one network."
      optional
    />
    <NumberField
      {...count(form, 'shareByNetwork')}
      hint="The largest share of an offer’s remaining claims or codes that new accounts in one network, or all accounts with one mail domain, can claim within an hour. 20 claims are always possible. Accounts that are older than a week or at large mail providers don’t count for the network. Large providers and the domains that you allow don’t count for the mail domain. 100 turns the limit off."
    />
  </FormSection>
);

const Mail = ({ form }: PeoplePageProps) => (
  <FormSection title="Mail">
    <CheckboxField
      form={form}
      name="mailsCodes"
      label="Include the code in emails about claims"
      hint="If off, people see the code only on the claim’s page, after signing in."
    />
    <NumberField
      {...count(form, 'unusedMails')}
      hint="If at least this many sign-in and password emails of the last hour, and more than half of them, were not used, browsers must solve a challenge for a few seconds before another one is sent. Browsers in which the person has signed in before are exempt. Raise the number before a rush of new people."
    />
    <NumberField
      {...count(form, 'remindAfterDays')}
      hint="One reminder per claim. Leave it empty for no reminders."
      optional
    />
  </FormSection>
);
