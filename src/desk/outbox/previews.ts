/** Examples of all mails, as the preview shows them. */
import {
  accountEnds,
  addressChanged,
  addressTaken,
  confirmAddress,
  newPassword,
  signInCode,
} from '../../accounts/letters.ts';
import type { LetterContent } from '../../mail/letter.ts';
import { STOP_PATH } from '../../notices/kinds.ts';
import {
  almostFull,
  approved,
  claimed,
  codesLow,
  decided,
  endpointDisabled,
  endsSoon,
  keyInBrowser,
  linkDecided,
  newOwner,
  notUsedYet,
  submitted,
  undone,
  unhealthy,
  waitsForReview,
  weekOf,
} from '../../notices/letters.ts';

export interface Preview extends LetterContent {
  readonly subject: string;
}

const ID = '018f3c5e-0000-7000-8000-000000000001';
const CODE = 'K7QX3M9TR0';
const SIGN_IN = { code: CODE, digits: '12345678' };
const OFFER = '20% off the first year';

/** In groups by reader. Those who get a notice can stop it; the others are answers to what somebody did. */
export function mailPreviews(baseUrl: string): readonly (readonly [group: string, readonly Preview[]])[] {
  const listing = { id: ID, name: 'Calm Notes', slug: 'calm-notes', baseUrl };
  const offer = { id: ID, offer: OFFER, listing: 'Calm Notes', baseUrl };
  const claim = { id: ID, offer: OFFER, listing: 'Calm Notes', shop: 'calm-notes.example' };
  const reason = 'The price on the page differs from the offer.';
  const stopUrl = `${baseUrl}${STOP_PATH}/example`;
  const stoppable = (previews: readonly Preview[]) => previews.map((preview) => ({ ...preview, stopUrl }));
  return [
    [
      'For everybody',
      [
        signInCode(baseUrl, { ...SIGN_IN, next: '/', intended: null }),
        signInCode(baseUrl, { ...SIGN_IN, next: '/claims', intended: null }),
        signInCode(baseUrl, { ...SIGN_IN, next: '/', intended: { offer: OFFER, listing: 'Calm Notes' } }),
        newPassword(baseUrl, CODE),
        confirmAddress(baseUrl, CODE),
        addressTaken(baseUrl),
        addressChanged('ada@new.example', null),
        accountEnds(baseUrl, { when: '3 Dec 2026, 10:00 UTC', reason: 'asked' }),
        accountEnds(baseUrl, { when: '3 Dec 2026, 10:00 UTC', reason: 'unused' }),
      ],
    ],
    [
      'For claimants',
      stoppable([
        claimed(baseUrl, { ...claim, code: null }),
        claimed(baseUrl, { ...claim, code: 'SPRING-7Q2K' }),
        notUsedYet(baseUrl, claim),
      ]),
    ],
    [
      'For owners',
      stoppable([
        submitted(listing),
        approved(listing, false),
        approved(listing, true),
        decided(listing, 'changes_requested', reason),
        decided(listing, 'rejected', reason),
        decided(listing, 'suspended', reason),
        undone(listing, 'pending'),
        linkDecided(listing, OFFER, null),
        linkDecided(listing, null, { reason }),
        keyInBrowser(baseUrl, 'https://calm-notes.example'),
        endpointDisabled(baseUrl, { id: ID, site: 'https://hooks.example', reason: 'failing' }),
        codesLow(offer, 12),
        codesLow(offer, 0),
        endsSoon(offer, '30 November 2026, 23:59 UTC'),
        almostFull(offer, 92, 100),
        almostFull(offer, 100, 100),
        weekOf(baseUrl, 128, 97),
      ]),
    ],
    [
      'For operators',
      stoppable([
        waitsForReview(baseUrl, 7, ['Calm Notes', 'Loud Notes']),
        newOwner(listing, ID, 'Ada Lovelace'),
        unhealthy(baseUrl, 'disk', '310 MB free of 40 GB; free at least 512 MB.'),
      ]),
    ],
  ];
}
