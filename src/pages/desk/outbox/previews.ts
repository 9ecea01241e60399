import { DECISION_LETTERS } from '../../../background/notices/decision-letters.ts';
import { type Audience, NOTICE_KINDS, NOTICES, type NoticeKind } from '../../../background/notices/kinds.ts';
import { NOTICE_LETTERS } from '../../../background/notices/letters.ts';
import { OPERATOR_LETTERS } from '../../../background/notices/operator-letters.ts';
import type { Marketplace } from '../../../base/brand/marketplace.ts';
import { STOP_NOTICES_PATH } from '../../../base/paths.ts';
import { confirmWaiting, offerIsOpen } from '../../../marketplace/waiting-list/letters.ts';
import { accountEnds } from '../../../people/accounts/letters.ts';
import { marketInvitation } from '../../../people/invitations/letters.ts';
import { type MailWords, verbatim } from '../../../people/mail/letter.ts';
import { sampleValues } from '../../../people/mail/samples.ts';
import { invitation } from '../../../people/members/letters.ts';
import {
  accountHandedOver,
  addressChanged,
  addressTaken,
  confirmAddress,
  newPassword,
  proofCode,
  signInCode,
} from '../../../people/sign-in/email/letters.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';

export interface Preview extends MailWords {
  /** A heading such as `For owners`. */
  readonly group: Message;
  readonly when: Message;
  /** The kind of notice; `null` for mail that is always sent. */
  readonly kind: NoticeKind | null;
}

export const testMail = (baseUrl: string): MailWords => ({
  subject: message('Test mail'),
  letter: [
    message('Mail from {baseUrl} works. You sent this test from the Outbox page.', {
      baseUrl: verbatim(baseUrl),
    }),
  ],
});

const ESSENTIAL_LETTERS = [
  signInCode,
  proofCode,
  newPassword,
  invitation,
  marketInvitation,
  confirmAddress,
  addressTaken,
  addressChanged,
  accountHandedOver,
  accountEnds,
  confirmWaiting,
  offerIsOpen,
];

const GROUPS: Readonly<Record<Audience, Message>> = {
  claimant: message('For claimants'),
  owner: message('email|For owners'),
  operator: message('For operators'),
};

export function mailPreviews(
  baseUrl: string,
  marketplace: Pick<Marketplace, 'brand' | 'plans'>,
): readonly Preview[] {
  const values = sampleValues(baseUrl, marketplace);
  const letters = [...NOTICE_LETTERS, ...OPERATOR_LETTERS, ...DECISION_LETTERS];
  const notices = letters.flatMap(({ samples }) => samples(values));
  return [
    ...ESSENTIAL_LETTERS.flatMap(({ samples }) => samples(values)).map((sample) => ({
      ...sample,
      group: message('For everyone'),
      kind: null,
    })),
    ...NOTICE_KINDS.flatMap((kind) => notices.filter((sample) => sample.kind === kind)).map((sample) => ({
      ...sample,
      group: GROUPS[NOTICES[sample.kind].audience],
      // Unlike other mail, a notice has a link to unsubscribe from its kind.
      stopUrl: `${baseUrl}${STOP_NOTICES_PATH}/example`,
    })),
    {
      ...testMail(baseUrl),
      group: GROUPS.operator,
      when: message('An operator sends a test from the Outbox'),
      kind: null,
    },
  ];
}
