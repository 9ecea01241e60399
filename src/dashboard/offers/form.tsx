/** The form of an offer: its fields, their parsing, and the check of the link as it is typed. */

import { type Child, useContext } from 'hono/jsx';
import { type Message, message, t, wordsOf } from '../../languages/translate.ts';
import { leavesPinnedOrigin } from '../../listings/listing.ts';
import type { Listing } from '../../listings/queries.ts';
import { OFFER_FIELDS, type OfferTexts } from '../../offers/fields.ts';
import {
  KINDS,
  type Kind,
  kindName,
  type OfferLinks,
  refusePastEnd,
  refuseStartAfterEnd,
  requireLinkOrCode,
} from '../../offers/offer.ts';
import type { Offer } from '../../offers/queries.ts';
import { describeRedemptionLink, linkWarnings, websiteWarnings } from '../../offers/redemption-link.ts';
import { namesOf, parsersOf } from '../../text/fields.ts';
import { DEFAULT_TIME_ZONE, dayIn, isEndOfDay, localIn } from '../../text/time-zone.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import {
  type Choice,
  DateField,
  type FieldProps,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { FormPart } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { InMarketLanguage } from '../../ui/site.tsx';
import { howItWorks, Ticket } from '../../ui/ticket.tsx';
import { TimeZone } from '../../ui/time.tsx';
import { controlsOf } from '../edit-page.ts';
import type { OwnPictures } from '../pictures.tsx';
import { PreviewFrame } from '../preview-frame.tsx';

const FORM_ID = 'offer-form';

/**
 * Checks every field, and returns the texts, which the verbs parse again. Returns `null` if a field was refused; the
 * form then has the reason for each refused field. `endsAt`: the offer's current end, which may be in the past; a new
 * end must be after `now` (milliseconds since the epoch).
 */
export function readOfferForm(
  form: FormInput,
  endsAt: string | null,
  now: number,
  timeZone: string,
): OfferTexts | null {
  const parsers = parsersOf(OFFER_FIELDS, timeZone);
  const values = form.read({
    ...parsers,
    redemption_link: (text) => parsers.redemption_link(text.trim()),
    test_link: (text) => parsers.test_link(text.trim()),
  });
  if (values === null) return null;
  const isFine = form.read({
    redemption_link: () => requireLinkOrCode({ ...values, link: values.redemption_link }),
    starts_at: () => refuseStartAfterEnd(values, timeZone),
    ends_at: () => values.ends_at === endsAt || refusePastEnd(values.ends_at, { now, timeZone }),
  });
  if (isFine === null) return null;
  // A form that was opened before an upgrade, or a script that posts here, must not delete fields it doesn't know.
  const sent = namesOf(OFFER_FIELDS).filter((name) => form.has(name));
  const texts = Object.fromEntries(sent.map((name) => [name, form.text(name)]));
  return { ...texts, redemption_link: values.redemption_link, test_link: values.test_link };
}

/**
 * The initial values of an offer's form. The link field shows a link that waits for review or was declined, rather than
 * the live one.
 */
export const offerValues = (offer: Offer, zone: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(namesOf(OFFER_FIELDS).map((name) => [name, String(offer[name] ?? '')])),
  redemption_link: offer.proposed_link ?? offer.redemption_link ?? '',
  starts_at: typedTime(zone, offer.starts_at, OFFER_FIELDS.starts_at.parse),
  ends_at:
    offer.ends_at !== null && isEndOfDay(zone, offer.ends_at)
      ? dayIn(zone, offer.ends_at)
      : typedTime(zone, offer.ends_at, OFFER_FIELDS.ends_at.parse),
});

/**
 * The time as a form shows it: local to the zone, or in UTC if the local time is ambiguous (in the hour that repeats
 * when clocks are set back).
 */
function typedTime(zone: string, at: string | null, parse: (text: string, zone: string) => string): string {
  if (at === null) return '';
  const text = localIn(zone, at).replace(/(T\d\d:\d\d):00$/, '$1');
  return parse(text, zone) === at ? text : at;
}

const CODE_LIST_CHOICES: readonly Choice[] = [
  { value: '', label: message('No list') },
  { value: 'close', label: message('A list; when it runs out, the offer closes') },
  { value: 'shared_code', label: message('A list; when it runs out, people get the shared code') },
];

const KIND_HINTS: Readonly<Record<Kind, Message>> = {
  discount: message('A lower price, for a limited time or permanently.'),
  trial: message('A longer or larger trial than usual.'),
  credit: message('Something to spend in the app.'),
  bonus: message('Something on top of what people buy.'),
  access: message('Access that others don’t have, or don’t have yet.'),
  gift: message('Free, without buying anything.'),
};

interface OfferFormProps extends LinkTesterProps {
  readonly form: FormState;
  readonly path: string;
  readonly hasApiKeys: boolean;
  readonly save: Child;
  readonly children?: Child;
}

export const OfferForm = ({ form, path, save, children, ...props }: OfferFormProps) => (
  <Form form={form} action={path} id={FORM_ID}>
    {children}
    <OfferFields {...props} form={form} checkPath={`${path}/check`} />
    <FormActions>
      {save}
      {/* With scripts, the link is checked as it is typed. */}
      <noscript>
        <Button formaction={`${path}/check`} tone="quiet">
          {t('Check without saving')}
        </Button>
      </noscript>
    </FormActions>
  </Form>
);

type OfferFieldsProps = Pick<OfferFormProps, 'form' | 'hasApiKeys' | keyof LinkTesterProps> & {
  /** Path of the link tester; see `FormPart`. */
  readonly checkPath: string;
};

function OfferFields({ form, checkPath, hasApiKeys, ...tested }: OfferFieldsProps) {
  const control = controlsOf(form, OFFER_FIELDS);
  return (
    <>
      <TextField
        {...control('offer')}
        hint={t('The offer in the words that people will read, such as “20% off the first year”.')}
      />
      <RadioField
        {...control('kind')}
        choices={KINDS.map((kind) => ({ value: kind, label: kindName(kind), hint: KIND_HINTS[kind] }))}
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
        <Way id="by-link" title={t('With a link')}>
          <LinkFields {...tested} form={form} checkPath={checkPath} />
        </Way>
        <Way id="by-code" title={t('With a code')}>
          <CodeFields form={form} />
        </Way>
      </FormSection>
      <FormSection id="times" title={t('When people can claim it')}>
        <StartField {...control('starts_at')} />
        <EndField {...control('ends_at')} />
        <NumberField
          {...control('claim_limit')}
          hint={t('The offer ends after this many claims. Existing claims stay redeemable.')}
        />
      </FormSection>
    </>
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

function LinkFields({ form, checkPath, ...tested }: Omit<OfferFieldsProps, 'hasApiKeys'>) {
  const control = controlsOf(form, OFFER_FIELDS);
  return (
    <>
      <div class="field">
        <TextField
          {...control('redemption_link')}
          optional="depends"
          mono
          wraps
          hint={t('A page on the app’s site, with {code} where the claim token goes: {code2}.', {
            code: <code>{'{claim}'}</code>,
            code2: (
              <code>
                <Breakable text={`${websiteOf(tested.listing)}/welcome?claim={claim}`} />
              </code>
            ),
          })}
        />
        <FormPart id="link-tester" form={FORM_ID} path={checkPath}>
          <LinkTester form={form} {...tested} />
        </FormPart>
      </div>
      <details class="more" open={form.text('test_link') !== '' || form.problemOf('test_link') !== null}>
        <summary>{t('Test link for development')}</summary>
        <TextField
          {...control('test_link')}
          mono
          wraps
          hint={t(
            'It opens with test claims only, so claimants never see it, and it is not reviewed. It may be a local address such as {code}.',
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
        hint={t('Each claim gets its own code, from a list added after saving. Only the claimant sees it.')}
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

const LOCAL_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?$/;

/** A text field, for a value that a date control would drop. */
function TypedTimeField(control: FieldProps) {
  const zone = useContext(TimeZone);
  const zones = zone === DEFAULT_TIME_ZONE ? zone : t('{zone}, or in UTC with a Z at the end', { zone });
  return (
    <TextField
      {...control}
      mono
      hint={t('A day such as 2026-11-20, or a time such as 2026-11-20T10:00, in {zones}.', { zones })}
    />
  );
}

/** A date and time control for a local time of the zone; a text field for any other text. */
function LocalTimeField({ hint, ...control }: FieldProps & { hint: string }) {
  const typed = control.form.text(control.name);
  if (!LOCAL_TIME.test(typed)) return <TypedTimeField {...control} />;
  const isToMinute = typed.length <= LOCAL_MINUTE_LENGTH;
  return <TextField {...control} type="datetime-local" isToMinute={isToMinute} hint={hint} />;
}

const LOCAL_MINUTE_LENGTH = '2026-11-20T10:00'.length;

const StartField = (control: FieldProps) => (
  <LocalTimeField
    {...control}
    hint={t(
      'In {zone}. Until then, people see the offer with this date but can’t claim it. Leave it empty to open the offer immediately.',
      { zone: useContext(TimeZone) },
    )}
  />
);

function EndField(control: FieldProps) {
  const zone = useContext(TimeZone);
  return /^(\d{4}-\d\d-\d\d)?$/.test(control.form.text('ends_at')) ? (
    <DateField {...control} hint={t('The offer is open until the end of this day in {zone}.', { zone })} />
  ) : (
    <LocalTimeField {...control} hint={t('The offer is open until this time in {zone}.', { zone })} />
  );
}

/** Example token in the final link; no claim has it. */
const EXAMPLE_TOKEN = 'clm_EXAMPLE';

interface LinkTesterProps {
  readonly form: FormState;
  readonly current: OfferLinks;
  readonly listing: Pick<Listing, 'origin' | 'url'>;
  /** Set if an operator edits the offer: a new link then doesn't wait for review. */
  readonly isOperator?: true | undefined;
}

const websiteOf = ({ origin, url }: LinkTesterProps['listing']): string => origin ?? new URL(url).origin;

export function LinkTester({ form, current, listing, isOperator }: LinkTesterProps) {
  const link = form.text('redemption_link').trim();
  if (link === '') return <p class="hint">{t('Enter a link to see where it leads.')}</p>;
  const { parameter, finalLink, origin, problems } = describeRedemptionLink(link, EXAMPLE_TOKEN);
  if (problems.length > 0) {
    return (
      <Notice tone="bad" title={t('This link won’t work')}>
        <ul>
          {problems.map((problem) => (
            <li>{wordsOf(problem)}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (!isOperator && link === current.proposed_link && current.declined_reason === null) {
    return <p class="hint">{t('This link is waiting for review.')}</p>;
  }
  const warnings = [...linkWarnings(link), ...websiteWarnings(link, websiteOf(listing))];
  return (
    <Notice
      tone={warnings.length === 0 ? 'good' : 'warn'}
      title={warnings.length === 0 ? t('The link looks right') : t('The link looks right, but check this')}
    >
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li>{wordsOf(warning)}</li>
          ))}
        </ul>
      )}
      <DefinitionList
        facts={[
          [t('Parameter'), <code>{parameter}</code>],
          [
            t('Final link'),
            <code>
              <Breakable text={finalLink ?? ''} />
            </code>,
          ],
          [
            t('After saving'),
            isOperator
              ? t('It becomes the offer’s link as soon as you save.')
              : whenSaved(link, origin ?? '', current, listing.origin),
          ],
        ]}
      />
    </Notice>
  );
}

/** What happens to the link when the form is saved. */
function whenSaved(link: string, origin: string, current: OfferLinks, pinned: string | null): string {
  if (link === current.redemption_link) return t('This is the offer’s current link.');
  if (link === current.proposed_link) return t('The operator declined this link.');
  if (pinned === null) return t('It will be reviewed with the listing.');
  if (!leavesPinnedOrigin(pinned, origin)) return t('It goes live as soon as you save.');
  return current.redemption_link === null
    ? t('It waits for review first, because it leads to a different site than the approved {pinned}.', {
        pinned,
      })
    : t(
        'It waits for review, because it leads to a different site than the approved {pinned}. Until it is approved, the current link stays live.',
        { pinned },
      );
}

interface OfferPreviewProps {
  readonly form: FormState;
  /** `null`: the offer is not stored yet. */
  readonly pictures: OwnPictures | null;
}

export const OfferPreviewCard = ({ path, ...props }: OfferPreviewProps & { path: string }) => (
  <PreviewFrame form={FORM_ID} path={`${path}/preview`}>
    <OfferPreview {...props} />
  </PreviewFrame>
);

/** The offer as people will see it. */
export const OfferPreview = (props: OfferPreviewProps) => (
  <InMarketLanguage>
    <PreviewOf {...props} />
  </InMarketLanguage>
);

function PreviewOf({ form, pictures }: OfferPreviewProps) {
  const text = (field: string) => form.text(field).trim();
  const picture =
    pictures?.proposed.find(({ declinedReason }) => declinedReason === null) ?? pictures?.shown.offer;
  const kind = KINDS.find((each) => each === text('kind'));
  const host = URL.parse(text('redemption_link'))?.host ?? null;
  const hasCode = text('code') !== '' || text('code_list') !== '';
  return (
    <Ticket
      picture={picture && <Picture files={picture.files} alt="" width={320} shape="cover" />}
      heading="h3"
      kind={kind && kindName(kind)}
      title={text('offer') || <span class="quiet-text">{t('20% off the first year')}</span>}
      meta={
        <>
          {(host !== null || hasCode) && <p>{howItWorks(host, hasCode)}</p>}
          {text('conditions') !== '' && (
            <p class="plain-text" dir="auto">
              {text('conditions')}
            </p>
          )}
        </>
      }
      stub={<span class="button primary">{t('Claim offer')}</span>}
      upright
    />
  );
}
