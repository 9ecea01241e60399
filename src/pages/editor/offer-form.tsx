import { type Child, useContext } from 'hono/jsx';
import { websiteOf } from '../../marketplace/listings/listing.ts';
import { OFFER_FIELDS } from '../../marketplace/offers/fields.ts';
import { KIND_TEXTS, KINDS, kindName } from '../../marketplace/offers/offer.ts';
import { message, t } from '../../platform/languages/translate.ts';
import { zoneText } from '../../platform/text/time-zone.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import {
  type Choice,
  type FieldProps,
  FormId,
  HiddenField,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { FormPart } from '../ui/live.tsx';
import { LocalTimeField } from '../ui/local-time-field.tsx';
import { TimeZone } from '../ui/time.tsx';
import { controlsOf } from './edit-page.ts';
import { LinkTester, type LinkTesterProps } from './link-tester.tsx';
import { COPIED } from './offer-form-values.ts';

export const FORM_ID = 'offer-form';

const CODE_LIST_CHOICES: readonly Choice[] = [
  { value: '', label: message('No list') },
  { value: 'close', label: message('A list; when it runs out, the offer closes') },
  { value: 'shared_code', label: message('A list; when it runs out, people get the shared code') },
];

interface OfferFormProps extends LinkTesterProps {
  readonly form: FormState;
  readonly path: string;
  readonly hasApiKeys: boolean;
  readonly save: Child;
  readonly children?: Child;
}

export function OfferForm({ form, path, hasApiKeys, save, children, ...tested }: OfferFormProps) {
  const control = controlsOf(form, OFFER_FIELDS);
  const byLink = (
    <Way id="by-link" title={t('With a link')}>
      <LinkFields {...tested} form={form} path={path} />
    </Way>
  );
  const byCode = (
    <Way id="by-code" title={t('With a code')}>
      <CodeFields form={form} />
    </Way>
  );
  return (
    <Form form={form} action={path} id={FORM_ID}>
      <FormId form={form} />
      {form.typed(COPIED) !== '' && <HiddenField name={COPIED} value={form.typed(COPIED)} />}
      {children}
      <TextField
        {...control('offer')}
        hint={t('The offer as people will read it, such as “20% off the first year”.')}
      />
      <RadioField
        {...control('kind')}
        choices={KINDS.map((kind) => ({ value: kind, label: kindName(kind), hint: KIND_TEXTS[kind].hint }))}
        boxed
      />
      <TextAreaField
        {...control('conditions')}
        hint={t('Who can claim the offer, and how to use it. Shown before people claim.')}
      />
      <FormSection id="ways" title={t('How people get it')}>
        <p>
          {t('Fill in at least one of these: a redemption link, a shared code or a code list.')}
          {!hasApiKeys &&
            ` ${t('Your plan has no API keys, so your server can’t verify tokens: use a shared code or a code list instead.')}`}
        </p>
        {hasApiKeys ? [byLink, byCode] : [byCode, byLink]}
      </FormSection>
      <FormSection id="times" title={t('When people can claim it')}>
        <StartField {...control('starts_at')} />
        <EndField {...control('ends_at')} />
        <NumberField
          {...control('claim_limit')}
          hint={t('The offer ends after this many claims. Existing claims stay redeemable.')}
        />
      </FormSection>
      <FormActions>
        {save}
        {/* With JavaScript, the link is checked as it is typed. */}
        <noscript>
          <Button formaction={`${path}/check`} tone="quiet">
            {t('Check without saving')}
          </Button>
        </noscript>
      </FormActions>
    </Form>
  );
}

const FormSection = (props: { id: string; title: string; children: Child }) => (
  <section class="form top-space" aria-labelledby={props.id}>
    <h2 id={props.id}>{props.title}</h2>
    {props.children}
  </section>
);

const Way = (props: { id: string; title: string; children: Child }) => (
  <section class="card form" aria-labelledby={props.id}>
    <h3 id={props.id}>{props.title}</h3>
    {props.children}
  </section>
);

function LinkFields({ form, path, ...tested }: LinkTesterProps & { path: string }) {
  const control = controlsOf(form, OFFER_FIELDS);
  return (
    <>
      <div class="field">
        <TextField
          {...control('redemption_link')}
          optional="depends"
          mono
          wraps
          hint={
            <>
              {t('A page on the app’s site, with {code} where the claim token goes: {code2}.', {
                code: <code>{'{claim}'}</code>,
                code2: (
                  <code>
                    <Breakable text={`${websiteOf(tested.listing)}/welcome?claim={claim}`} />
                  </code>
                ),
              })}{' '}
              {t(
                'In other parameters, {code} adds the campaign label of the claim, and {code2} the ID of the offer.',
                { code: <code>{'{via}'}</code>, code2: <code>{'{offer}'}</code> },
              )}
            </>
          }
        />
        <FormPart id="link-tester" form={FORM_ID} path={`${path}/check`}>
          <LinkTester form={form} {...tested} />
        </FormPart>
      </div>
      <details class="more" open={form.typed('test_link') !== '' || form.problemOf('test_link') !== null}>
        <summary>{t('Test link for development')}</summary>
        <TextField
          {...control('test_link')}
          mono
          wraps
          hint={t(
            'Only test claims use this link. Claimants never see it, and it is not reviewed. It may be a local address such as {code}.',
            {
              code: (
                <code>
                  <Breakable text="http://localhost:8080/welcome?claim={claim}" />
                </code>
              ),
            },
          )}
        />
      </details>
    </>
  );
}

function CodeFields({ form }: { form: FormState }) {
  const control = controlsOf(form, OFFER_FIELDS);
  return (
    <>
      <TextField
        {...control('code')}
        optional="depends"
        mono
        short
        hint={t('The same for everyone. People enter it at checkout.')}
      />
      <SelectField
        {...control('code_list')}
        optional="depends"
        choices={CODE_LIST_CHOICES}
        hint={t(
          'Each claim gets its own code, and only the claimant sees the code. You add the codes after you save the offer.',
        )}
      />
      <TextField
        {...control('shop_url')}
        mono
        wraps
        hint={t('The page where people enter the code. Default: the website of the app.')}
      />
    </>
  );
}

const StartField = (control: FieldProps) => (
  <LocalTimeField
    {...control}
    hint={t(
      'In {zone}. Before this time, people see the offer with this date but can’t claim it. Leave the field empty to open the offer immediately.',
      { zone: zoneText(useContext(TimeZone)) },
    )}
  />
);

function EndField(control: FieldProps) {
  const zone = zoneText(useContext(TimeZone));
  return /^(\d{4}-\d\d-\d\d)?$/.test(control.form.typed('ends_at')) ? (
    <TextField
      {...control}
      type="date"
      hint={t('The offer is open until the end of this day in {zone}.', { zone })}
    />
  ) : (
    <LocalTimeField {...control} hint={t('The offer is open until this time in {zone}.', { zone })} />
  );
}
