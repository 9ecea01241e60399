/** The form of an offer: its fields, their parsing, and the check of the link as it is typed. */

import { leavesPinnedOrigin } from '../../listings/listing.ts';
import { OFFER_FIELDS, type OfferTexts } from '../../offers/fields.ts';
import {
  KINDS,
  type Kind,
  kindName,
  type OfferLinks,
  refusePastEnd,
  requireLinkOrCode,
} from '../../offers/offer.ts';
import type { Offer } from '../../offers/queries.ts';
import { describeRedemptionLink, linkWarnings, websiteWarnings } from '../../offers/redemption-link.ts';
import { namesOf, parsersOf } from '../../text/fields.ts';
import { dayIn, isEndOfDay } from '../../text/time-zone.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import {
  type Choice,
  DateField,
  NumberField,
  RadioField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/field.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { FormPart } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';

export const OFFER_FORM_ID = 'offer-form';

/**
 * Parses every field; `null` if one was refused, with the sentence next to it. The verbs parse the texts again. `endsAt`:
 * the offer's current end, which may be in the past; a new one must be after `now` (milliseconds since the epoch).
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
  { value: 'close', label: 'A list, then the offer closes' },
  { value: 'shared_code', label: 'A list, then the shared code' },
];

const KIND_HINTS: Readonly<Record<Kind, string>> = {
  discount: 'A lower price, for a limited time or permanently.',
  trial: 'A longer or larger trial than usual.',
  credit: 'Something to spend in the app.',
  bonus: 'Something on top of what people buy.',
  access: 'Access that others don’t have, or don’t have yet.',
  gift: 'Free, without buying anything.',
};

interface OfferFieldsProps extends Omit<LinkTesterProps, 'link'> {
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
            A page on your site, with <code>{'{claim}'}</code> where the claim token goes:{' '}
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
        hint="The same for everyone. People enter it at your checkout. An offer needs a link, a shared code or a code list."
      />
      <SelectField
        form={form}
        name="code_list"
        label={OFFER_FIELDS.code_list.label}
        optional
        choices={CODE_LIST_CHOICES}
        hint="Each claim gets its own code, from a list that you add after saving. Only the claimant sees it."
      />
      <TextField
        form={form}
        name="shop_url"
        label={OFFER_FIELDS.shop_url.label}
        optional
        mono
        hint="The page on your site where people enter the code. Default: your website."
      />
      <TextAreaField
        form={form}
        name="conditions"
        label={OFFER_FIELDS.conditions.label}
        optional
        hint="Who can claim the offer, and how to use it. Shown before people claim."
      />
      <EndField form={form} />
      <NumberField
        form={form}
        name="claim_limit"
        label={OFFER_FIELDS.claim_limit.label}
        optional
        hint="The offer ends after this many claims. Existing claims stay redeemable."
      />
    </>
  );
};

/** A date field; a text field if the value is not a day, since a date control would drop it. */
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

const LINK_TESTER_ID = 'link-tester';

/** Example token in the final link; no claim has it. */
const EXAMPLE_TOKEN = 'clm_EXAMPLE';

interface LinkTesterProps {
  readonly link: string;
  readonly current: OfferLinks;
  readonly pinned: string | null;
  readonly website: string;
}

export const websiteOf = ({ origin, url }: { origin: string | null; url: string }): string =>
  origin ?? new URL(url).origin;

export function LinkTester({ link, current, pinned, website }: LinkTesterProps): Markup {
  if (link === '') return <p class="hint">Enter a link to see where it leads.</p>;
  const { parameter, finalLink, origin, problems } = describeRedemptionLink(link, EXAMPLE_TOKEN);
  if (problems.length > 0) {
    return (
      <Notice tone="bad" title="This link won’t work">
        <ul>
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  const warnings = [...linkWarnings(link), ...websiteWarnings(link, website)];
  return (
    <Notice
      tone={warnings.length === 0 ? 'good' : 'warn'}
      title={warnings.length === 0 ? 'The link is well-formed' : 'The link is well-formed, but check this'}
    >
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li>{warning}</li>
          ))}
        </ul>
      )}
      <DefinitionList
        facts={[
          ['Parameter', <code>{parameter}</code>],
          [
            'Final link',
            <code>
              <Breakable text={finalLink ?? ''} />
            </code>,
          ],
          ['Then', then({ link, current, pinned, website }, origin ?? '')],
        ]}
      />
    </Notice>
  );
}

/** What happens with the link once it is saved. */
function then({ link, current, pinned }: LinkTesterProps, origin: string): string {
  if (link === current.redemption_link) return 'This is the offer’s current link.';
  if (link === current.proposed_link) {
    return current.declined_reason === null
      ? 'It already waits for review.'
      : 'The operator declined this link.';
  }
  if (pinned === null) return 'It will be reviewed with the listing.';
  if (!leavesPinnedOrigin(pinned, origin)) return 'It goes live as soon as you save.';
  return current.redemption_link === null
    ? `It waits for review first, because its host is not the approved ${pinned}.`
    : `It waits for review, because its host is not the approved ${pinned}. Until then the current link stays live.`;
}
