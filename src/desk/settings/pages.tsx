/** The operator's settings: who may sign up, and how many offers one person may claim. */
import {
  MAX_CLAIMS_BY_ACCOUNT,
  MAX_CLAIMS_BY_NETWORK,
  MAX_REMIND_DAYS,
  type Policy,
  parseCount,
  parseDomains,
  parseSignUp,
  readPolicy,
  setPolicy,
} from '../../accounts/policy.ts';
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
      claims_by_account: (text) => parseCount(text, 1, MAX_CLAIMS_BY_ACCOUNT),
      claims_by_network: (text) =>
        optional(text.trim(), (typed) => parseCount(typed, 1, MAX_CLAIMS_BY_NETWORK)),
      remind_after_days: (text) => optional(text.trim(), (typed) => parseCount(typed, 1, MAX_REMIND_DAYS)),
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

function parseAllowed(text: string, signUp: string): readonly string[] {
  const domains = parseDomains(text);
  if (signUp === 'domains' && domains.length === 0) throw invalid('Enter at least one mail domain.');
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
      lead="They apply immediately, to new accounts and new claims."
      actions={<ButtonLink href={RETENTION_PATH}>How long data is kept</ButtonLink>}
    />
    <div class="stack">
      {isSaved && <Notice tone="good">The settings are saved.</Notice>}
      <Form form={form} action={SETTINGS_PATH}>
        <RadioField
          form={form}
          name="sign_up"
          label="Who may sign up"
          boxed
          choices={[
            { value: 'open', label: 'Everybody', hint: 'Everybody with an email address.' },
            {
              value: 'domains',
              label: 'People with certain addresses',
              hint: 'Only the mail domains below, such as your company’s.',
            },
            {
              value: 'invited',
              label: 'Nobody by themselves',
              hint: `Operators create accounts${hasProvider ? ', and so does the identity provider' : ''}.`,
            },
          ]}
        />
        <TextAreaField
          form={form}
          name="domains"
          label="Mail domains that may sign up"
          hint="One a line, such as example.com. Subdomains are listed separately."
          optional
        />
        <TextAreaField
          form={form}
          name="blocked_domains"
          label="Blocked mail domains"
          hint="Nobody with an address there can sign up, and no account can move there. Existing accounts stay."
          optional
        />
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
          label="Claims of one account in 24 hours"
          hint="Offers that one person can claim. One offer can be claimed once per mailbox in any case."
        />
        <NumberField
          form={form}
          name="claims_by_network"
          label="Claims of one network in 24 hours"
          hint="Leave it empty for any number: offices and conferences share one network."
          optional
        />
        {hasMail && (
          <>
            <CheckboxesField
              form={form}
              name="mail"
              label="Mail about a claim"
              choices={[
                {
                  value: 'mails_codes',
                  label: 'It contains the code',
                  hint: 'Otherwise the code is only on the claim’s page, for which the person signs in.',
                },
              ]}
            />
            <NumberField
              form={form}
              name="remind_after_days"
              label="Days until a reminder of an unused claim"
              hint="Each claim is reminded of once. Leave it empty for no reminders."
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
