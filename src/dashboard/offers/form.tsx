/** The form of an offer: its fields and their parsing. */

import { OFFER_FIELDS, type OfferTexts } from '../../offers/fields.ts';
import { KINDS, type Kind, kindName, refusePastEnd, requireLinkOrCode } from '../../offers/offer.ts';
import type { Offer } from '../../offers/queries.ts';
import { namesOf, parsersOf } from '../../text/fields.ts';
import { dayIn, isEndOfDay } from '../../text/time-zone.ts';
import {
  type Choice,
  DateField,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/field.tsx';
import { FormPart } from '../../ui/form-part.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { LINK_TESTER_ID, LinkTester, type LinkTesterProps } from './link-tester.tsx';

export const OFFER_FORM_ID = 'offer-form';

/**
 * Parses every field; `null` when one was refused, with the sentence at it. The verbs parse the texts again. `endsAt`:
 * the offer's present end, which may be in the past; a new one must be after `now` (milliseconds since the epoch).
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
    ends_at: () => values.ends_at === endsAt || refusePastEnd(values.ends_at, { now, timeZone }),
  });
  if (isFine === null) return null;
  const texts = Object.fromEntries(namesOf(OFFER_FIELDS).map((name) => [name, form.text(name)]));
  return { ...texts, redemption_link: values.redemption_link, test_link: values.test_link };
}

/** The initial values of an offer's form. A waiting link replaces the live one. */
export const offerValues = (offer: Offer, zone: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(namesOf(OFFER_FIELDS).map((name) => [name, String(offer[name] ?? '')])),
  redemption_link: offer.proposed_link ?? offer.redemption_link ?? '',
  ...(offer.ends_at !== null && isEndOfDay(zone, offer.ends_at) && { ends_at: dayIn(zone, offer.ends_at) }),
});

const CODE_LIST_CHOICES: readonly Choice[] = [
  { value: '', label: 'No list' },
  { value: 'close', label: 'A list; the offer closes when it is empty' },
  { value: 'shared_code', label: 'A list; when it is empty, claims get the shared code' },
];

const KIND_HINTS: Readonly<Record<Kind, string>> = {
  discount: 'A lower price, for a while or for good.',
  trial: 'Longer or larger than the usual one.',
  credit: 'Something to spend in the app.',
  bonus: 'Something on top of what people buy.',
  access: 'What others cannot get, or not yet.',
  gift: 'Free, without buying anything.',
};

export interface OfferFieldsProps extends Omit<LinkTesterProps, 'link'> {
  readonly form: FormState;
  /** Path of the link tester; see `FormPart`. */
  readonly checkPath: string;
  readonly hasApiKeys: boolean;
}

export const OfferFields = (props: OfferFieldsProps): Markup => {
  const { form } = props;
  return (
    <>
      <TextField
        form={form}
        name="offer"
        label={OFFER_FIELDS.offer.label}
        hint="As people will read it, such as “20% off the first year”."
      />
      <RadioField
        form={form}
        name="kind"
        label={OFFER_FIELDS.kind.label}
        choices={KINDS.map((kind) => ({ value: kind, label: kindName(kind), hint: KIND_HINTS[kind] }))}
        boxed
      />
      <TextField
        form={form}
        name="redemption_link"
        label={OFFER_FIELDS.redemption_link.label}
        optional
        mono
        hint={
          <>
            A page of yours with <code>{'{claim}'}</code> where the claim token goes:{' '}
            <code>{`${props.website}/welcome?claim={claim}`}</code>.
            {!props.hasApiKeys &&
              ' Your plan has no API keys to verify tokens with, so a shared code is enough.'}
          </>
        }
      />
      <FormPart id={LINK_TESTER_ID} form={OFFER_FORM_ID} path={props.checkPath}>
        <LinkTester
          link={form.text('redemption_link').trim()}
          current={props.current}
          pinned={props.pinned}
          website={props.website}
        />
      </FormPart>
      <TextField
        form={form}
        name="test_link"
        label={OFFER_FIELDS.test_link.label}
        optional
        mono
        hint={
          <>
            For development: only you can open it, with test claims, and it is not reviewed. It may be on your
            computer: <code>{'http://localhost:8080/welcome?claim={claim}'}</code>.
          </>
        }
      />
      <TextField
        form={form}
        name="code"
        label={OFFER_FIELDS.code.label}
        optional
        mono
        short
        hint="The same for everyone. People enter it at your checkout. An offer has a link, a code, or both."
      />
      <SelectField
        form={form}
        name="code_list"
        label={OFFER_FIELDS.code_list.label}
        optional
        choices={CODE_LIST_CHOICES}
        hint="A code of its own for each claim, from a list that you add after saving. The claimant sees it; only they do."
      />
      <TextField
        form={form}
        name="shop_url"
        label={OFFER_FIELDS.shop_url.label}
        optional
        mono
        hint="Where people enter a code; their page leads there. Your website, unless you name another page of it."
      />
      <TextAreaField
        form={form}
        name="conditions"
        label={OFFER_FIELDS.conditions.label}
        optional
        hint="Who may claim the offer, and how it works. People read this before they claim."
      />
      <EndField form={form} />
      <NumberField
        form={form}
        name="claim_limit"
        label={OFFER_FIELDS.claim_limit.label}
        optional
        hint="The offer ends after this many claims. Claims already made stay redeemable."
      />
    </>
  );
};

/** A date field; a text field where the value is no day, since a date control would drop it. */
function EndField({ form }: { form: FormState }): Markup {
  const field = {
    form,
    name: 'ends_at',
    label: OFFER_FIELDS.ends_at.label,
    optional: true,
    hint: 'The offer is open until the end of this day.',
  };
  return /^(\d{4}-\d\d-\d\d)?$/.test(form.text('ends_at')) ? (
    <DateField {...field} />
  ) : (
    <TextField {...field} mono hint="A day such as 2026-11-20, or a time such as 2026-11-20T10:00." />
  );
}
