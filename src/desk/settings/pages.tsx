/** The operator's settings: who may sign up, and how many offers one person may claim. */
import {
  MAX_CLAIMS_BY_ACCOUNT,
  MAX_CLAIMS_BY_NETWORK,
  MAX_REMIND_DAYS,
  type Policy,
  parseCount,
  parseDomains,
  parseSignUp,
} from '../../accounts/policy.ts';
import { readPolicy, setPolicy } from '../../accounts/set-policy.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import {
  actorOf,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireOperator,
} from '../../http/pages/pages.ts';
import { optional } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CheckboxesField, NumberField, RadioField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RETENTION_PATH, SETTINGS_PATH } from '../paths.ts';

export interface SettingsServices {
  readonly hasMail: boolean;
  readonly hasProvider: boolean;
}

export function settingsDeskPages(app: PageApp, context: Context, services: SettingsServices): void {
  const show = (c: PageContext, form: FormState, isSaved: boolean) =>
    page(c, <SettingsPage {...{ form, isSaved }} {...services} />, {
      title: 'Settings',
      status: form.status,
    });

  app.get(SETTINGS_PATH, async (c) => {
    requireOperator(c);
    const policy = await readPolicy(context.db.read, services.hasProvider);
    return show(c, newForm(textsOf(policy)), c.req.query('done') !== undefined);
  });

  app.post(SETTINGS_PATH, async (c) => {
    const viewer = requireOperator(c);
    const form = await readForm(c);
    const signUp = form.text('sign_up');
    const values = form.read({
      sign_up: parseSignUp,
      domains: (text) => parseAllowed(text, signUp),
      blocked_domains: parseDomains,
      claims_by_account: (text) => parseCount(text, LABELS.claims_by_account, MAX_CLAIMS_BY_ACCOUNT),
      claims_by_network: (text) =>
        optional(text.trim(), (typed) => parseCount(typed, LABELS.claims_by_network, MAX_CLAIMS_BY_NETWORK)),
      remind_after_days: (text) =>
        optional(text.trim(), (typed) => parseCount(typed, LABELS.remind_after_days, MAX_REMIND_DAYS)),
    });
    if (values === null) return show(c, form, false);
    const policy: Policy = {
      signUp: values.sign_up,
      domains: values.domains,
      blockedDomains: values.blocked_domains,
      // Without a mail server the form doesn't ask.
      mustConfirm: services.hasMail ? form.has('must_confirm') : true,
      claimsByAccount: values.claims_by_account,
      claimsByNetwork: values.claims_by_network,
      mailsCodes: form.has('mails_codes'),
      remindAfterDays: values.remind_after_days,
    };
    const { hasProvider } = services;
    await setPolicy(context, {
      policy,
      hasProvider,
      operatorId: viewer.accountId,
      actor: actorOf(viewer),
    });
    return redirect(c, `${SETTINGS_PATH}?done`);
  });
}

/** Of the fields with a number; their problems name them. */
const LABELS = {
  claims_by_account: 'Claims per account in 24 hours',
  claims_by_network: 'Claims per network in 24 hours',
  remind_after_days: 'Days until a reminder of an unused claim',
} as const;

function parseAllowed(text: string, signUp: string): readonly string[] {
  const domains = parseDomains(text);
  if (signUp === 'domains' && domains.length === 0) throw invalid('Enter at least one email domain.');
  return domains;
}

const textsOf = (policy: Policy): Readonly<Record<string, string>> => ({
  sign_up: policy.signUp,
  domains: policy.domains.join('\n'),
  blocked_domains: policy.blockedDomains.join('\n'),
  must_confirm: policy.mustConfirm ? 'yes' : '',
  claims_by_account: String(policy.claimsByAccount),
  claims_by_network: policy.claimsByNetwork === null ? '' : String(policy.claimsByNetwork),
  mails_codes: policy.mailsCodes ? 'yes' : '',
  remind_after_days: policy.remindAfterDays === null ? '' : String(policy.remindAfterDays),
});

interface SettingsPageProps extends SettingsServices {
  readonly form: FormState;
  readonly isSaved: boolean;
}

const SettingsPage = ({ form, isSaved, hasMail, hasProvider }: SettingsPageProps): Markup => (
  <>
    <PageHeader
      title="Settings"
      lead="Changes apply immediately, to new accounts and new claims."
      actions={<ButtonLink href={RETENTION_PATH}>How long data is kept</ButtonLink>}
    />
    <div class="stack">
      {isSaved && <Notice tone="good">The settings are saved.</Notice>}
      <Form form={form} action={SETTINGS_PATH}>
        <h2>Sign-up</h2>
        <RadioField
          form={form}
          name="sign_up"
          label="Who may sign up"
          boxed
          choices={[
            { value: 'open', label: 'Anyone', hint: 'Anyone with an email address.' },
            {
              value: 'domains',
              label: 'People with certain addresses',
              hint: 'Only the allowed email domains below, such as your company’s.',
            },
            {
              value: 'invited',
              label: 'By invitation only',
              hint: `Operators create accounts${hasProvider ? ', and so does the identity provider' : ''}.`,
            },
          ]}
        />
        <TextAreaField
          form={form}
          name="domains"
          label="Allowed email domains"
          hint="Required if only people with certain addresses may sign up. One per line, such as example.com. Subdomains are listed separately."
          optional="depends"
        />
        <TextAreaField
          form={form}
          name="blocked_domains"
          label="Blocked email domains"
          hint="Nobody with an address there can sign up, and no account can move there. Existing accounts stay."
          optional
        />
        <h2>Claims</h2>
        {hasMail && (
          <CheckboxesField
            form={form}
            name="confirmation"
            label="Before the first claim"
            choices={[
              {
                value: 'must_confirm',
                label: 'The email address must be confirmed',
                hint: 'Signing in with a code by mail or through the identity provider confirms it.',
              },
            ]}
          />
        )}
        <NumberField
          form={form}
          name="claims_by_account"
          label={LABELS.claims_by_account}
          hint="Offers that one person can claim. One offer can be claimed once per mailbox in any case."
        />
        <NumberField
          form={form}
          name="claims_by_network"
          label={LABELS.claims_by_network}
          hint="Leave it empty for any number: offices and conferences share one network."
          optional
        />
        {hasMail && (
          <>
            <h2>Mail</h2>
            <CheckboxesField
              form={form}
              name="mail"
              label="Codes"
              choices={[
                {
                  value: 'mails_codes',
                  label: 'Include the code in claim mails',
                  hint: 'Otherwise people see the code only on the claim’s page, after signing in.',
                },
              ]}
            />
            <NumberField
              form={form}
              name="remind_after_days"
              label={LABELS.remind_after_days}
              hint="One reminder per claim. Leave it empty for no reminders."
              optional
            />
          </>
        )}
        <FormActions>
          <Button tone="primary">Save settings</Button>
        </FormActions>
      </Form>
    </div>
  </>
);
