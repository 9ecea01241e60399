import {
  approved,
  decided,
  linkDecided,
  nameApproved,
  nameDeclined,
  operatorChanged,
  planChanged,
  publishingAllowed,
  requestDeclined,
  submitted,
  textsDecided,
} from '../../../background/notices/decision-letters.ts';
import type { NoticeKind } from '../../../background/notices/kinds.ts';
import {
  almostFull,
  challengeBegan,
  claimed,
  codesLow,
  endpointDisabled,
  endsSoon,
  keyInBrowser,
  type Notice,
  newOwner,
  notUsedYet,
  unhealthy,
  waitsForReview,
  weekOf,
} from '../../../background/notices/letters.ts';
import type { Brand } from '../../../base/brand/brand.ts';
import type { Marketplace } from '../../../base/brand/marketplace.ts';
import { MY_CLAIMS_PATH, STOP_INVITATIONS_PATH, STOP_NOTICES_PATH } from '../../../base/paths.ts';
import { accountEnds } from '../../../people/accounts/letters.ts';
import { type MailWords, verbatim } from '../../../people/mail/letter.ts';
import { invitation } from '../../../people/members/letters.ts';
import {
  addressChanged,
  addressTaken,
  confirmAddress,
  newPassword,
  signInCode,
} from '../../../people/sign-in/email/letters.ts';
import { message } from '../../../platform/languages/translate.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';

export interface Preview extends MailWords {
  /** A heading such as `For owners`. */
  readonly group: string;
  readonly when: string;
  /** The kind of notice; `null` for mail that is always sent. */
  readonly kind: NoticeKind | null;
}

const ID = '018f3c5e-0000-7000-8000-000000000001';
const CODE = 'K7QX3M9TR0';
const SIGN_IN = { code: CODE, digits: '12345678' };
const OFFER = '20% off the first year';

export const testMail = (baseUrl: string): MailWords => ({
  subject: message('Test mail'),
  letter: [
    message('Mail from {baseUrl} works. You sent this test from the Outbox page.', {
      baseUrl: verbatim(baseUrl),
    }),
  ],
});

export const mailPreviews = (
  baseUrl: string,
  { brand, plans }: Pick<Marketplace, 'brand' | 'plans'>,
): readonly Preview[] =>
  Object.entries({
    'For everyone': forEveryone(baseUrl, brand),
    'For claimants': forClaimants(baseUrl),
    'For owners': forOwners(baseUrl, brand, plans),
    'For operators': forOperators(baseUrl),
  }).flatMap(([group, previews]) => previews.map((preview) => ({ ...preview, group })));

type OfGroup = Omit<Preview, 'group'>;

const always = (when: string, content: MailWords): OfGroup => ({ ...content, when, kind: null });

/** Unlike other mail, a notice has a link to unsubscribe from that kind of notice. */
const noticesOf =
  (baseUrl: string) =>
  (kind: NoticeKind, when: string, content: Notice): OfGroup => ({
    ...content,
    when,
    kind,
    stopUrl: `${baseUrl}${STOP_NOTICES_PATH}/example`,
  });

const endsIn = (brand: Brand) => () => timeTextWithZone(brand.timeZone, '2026-12-03T10:00:00.000Z');

const listingOf = (baseUrl: string) => ({ id: ID, name: 'Calm Notes', slug: 'calm-notes', baseUrl });

function forEveryone(baseUrl: string, brand: Brand): readonly OfGroup[] {
  const intended = { offer: OFFER, listing: 'Calm Notes' };
  const ends = endsIn(brand);
  return [
    always('Someone signs in', signInCode(baseUrl, { ...SIGN_IN, next: '/', intended: null })),
    always(
      'Someone asks to see their claims',
      signInCode(baseUrl, { ...SIGN_IN, next: MY_CLAIMS_PATH, intended: null }),
    ),
    always(
      'Someone claims an offer without being signed in',
      signInCode(baseUrl, { ...SIGN_IN, next: '/', intended }),
    ),
    always('Someone asks for a new password', newPassword(baseUrl, CODE)),
    always(
      'Someone is invited to work in an account',
      invitation(baseUrl, {
        code: CODE,
        role: 'member',
        account: 'Calm Apps',
        by: 'Ada Lovelace',
        address: 'ada@example.com',
        stopUrl: `${baseUrl}${STOP_INVITATIONS_PATH}/example`,
      }),
    ),
    always(
      'Someone changes their email address (sent to the new address)',
      confirmAddress(baseUrl, brand, CODE),
    ),
    always(
      'Someone changes their email address to one that already has an account',
      addressTaken(baseUrl, brand),
    ),
    always('An email address is changed (sent to the old address)', addressChanged('ada@new.example', brand)),
    always(
      'An account’s deletion is requested',
      accountEnds(baseUrl, brand, { when: ends, reason: 'asked' }),
    ),
    always(
      'An inactive account is about to be deleted',
      accountEnds(baseUrl, brand, { when: ends, reason: 'unused' }),
    ),
  ];
}

function forClaimants(baseUrl: string): readonly OfGroup[] {
  const notice = noticesOf(baseUrl);
  const claim = { id: ID, offer: OFFER, listing: 'Calm Notes', shop: 'calm-notes.example' };
  return [
    notice('claims', 'An offer is claimed', claimed(baseUrl, { ...claim, code: null })),
    notice(
      'claims',
      'An offer is claimed (if the settings allow codes in emails)',
      claimed(baseUrl, { ...claim, code: 'SPRING-7Q2K' }),
    ),
    notice('reminders', 'A claim is still unused', notUsedYet(baseUrl, claim)),
  ];
}

function forOwners(baseUrl: string, brand: Brand, plans: Marketplace['plans']): readonly OfGroup[] {
  const notice = noticesOf(baseUrl);
  const listing = listingOf(baseUrl);
  const offer = { id: ID, offer: OFFER, listing: 'Calm Notes', baseUrl };
  const reason = 'The price on the page differs from the offer.';
  const ends = endsIn(brand);
  return [
    notice('decisions', 'A listing is submitted', submitted(listing)),
    notice('decisions', 'A listing is approved', approved(listing, false)),
    notice('decisions', 'A suspension is lifted', approved(listing, true)),
    notice('decisions', 'An operator asks for changes', decided(listing, 'changes_requested', reason)),
    notice('decisions', 'A listing is rejected', decided(listing, 'rejected', reason)),
    notice('decisions', 'A listing is suspended', decided(listing, 'suspended', reason)),
    notice('decisions', 'A new link is approved', linkDecided(listing, OFFER, null)),
    notice('decisions', 'A new link is declined', linkDecided(listing, null, { reason })),
    notice('decisions', 'Changed texts are approved', textsDecided(listing, null)),
    notice('decisions', 'Changed texts are declined', textsDecided(listing, { reason })),
    notice('decisions', 'A new name of the account is approved', nameApproved(baseUrl, 'Calm Apps')),
    notice('decisions', 'A new name of the account is declined', nameDeclined(baseUrl, 'Calm Apps', reason)),
    notice('decisions', 'An operator changes the plan', planChanged(baseUrl, plans.studio.name, true)),
    notice('decisions', 'An operator allows the account to publish', publishingAllowed(baseUrl)),
    notice(
      'decisions',
      'An operator declines a request',
      requestDeclined(baseUrl, plans.studio.name, 'Publish your listing first, then ask again.'),
    ),
    notice('decisions', 'An operator changes a listing or an offer', operatorChanged(listing, OFFER, false)),
    notice('problems', 'A browser sends an API key', keyInBrowser(baseUrl, 'https://calm-notes.example')),
    notice(
      'problems',
      'A webhook endpoint is disabled',
      endpointDisabled(baseUrl, { id: ID, site: 'https://hooks.example', reason: 'failing' }),
    ),
    notice('supply', 'An offer has few codes left', codesLow(offer, 12)),
    notice('supply', 'An offer has no codes left', codesLow(offer, 0)),
    notice('supply', 'An offer ends within three days', endsSoon(offer, ends)),
    notice('supply', '90% of the claim limit is used', almostFull(offer, 92, 100)),
    notice('supply', 'The claim limit is reached', almostFull(offer, 100, 100)),
    notice('week', 'Every Monday, for the past week', weekOf(baseUrl, 128, 97)),
  ];
}

function forOperators(baseUrl: string): readonly OfGroup[] {
  const notice = noticesOf(baseUrl);
  return [
    notice(
      'review',
      'Something is waiting for a decision (at most one email every 10 minutes)',
      waitsForReview(baseUrl, 7, ['Calm Notes', 'Loud Notes']),
    ),
    notice(
      'daily_review',
      'Something is waiting for a decision (at most one email a day)',
      waitsForReview(baseUrl, 2, ['Calm Notes', 'Loud Notes']),
    ),
    notice('owners', 'Someone creates their first listing', newOwner(listingOf(baseUrl), ID, 'Ada Lovelace')),
    notice(
      'health',
      'A check on the system page fails (at most one email a week)',
      unhealthy(baseUrl, 'disk', '310 MB free of 40 GB. At least 512 MB should be free.'),
    ),
    notice(
      'health',
      'Many sign-in emails are not used (at most one email a day)',
      challengeBegan(baseUrl, { unused: 63, sent: 80 }),
    ),
    always('An operator sends a test from the Outbox', testMail(baseUrl)),
  ];
}
