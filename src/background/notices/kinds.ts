/** Kinds of mail that people can turn off. Other mail, such as sign-in codes, is always sent. */
import { STOP_NOTICES_PATH } from '../../base/paths.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';

export type Audience = 'claimant' | 'owner' | 'operator';

interface Kind {
  readonly audience: Audience;
  readonly label: Message;
  /** Completes the sentence “You’ll no longer get …”. */
  readonly inSentence: Message;
  readonly isOn: boolean;
}

export const NOTICES = {
  claims: {
    audience: 'claimant',
    label: message('Each claim you make, with a link to it'),
    inSentence: message('mail about each claim you make'),
    isOn: true,
  },
  reminders: {
    audience: 'claimant',
    label: message('Claims that you haven’t used yet'),
    inSentence: message('reminders of unused claims'),
    isOn: true,
  },
  reports: {
    audience: 'claimant',
    label: message('The operator’s decisions on your reports about listings'),
    inSentence: message('mail about decisions on your reports'),
    isOn: true,
  },
  decisions: {
    audience: 'owner',
    label: message(
      'The operator’s decisions about your listings, links and requests, and changes that the operator makes to your listings',
    ),
    inSentence: message('mail about the operator’s decisions and changes'),
    isOn: true,
  },
  problems: {
    audience: 'owner',
    label: message('Problems: an API key that a browser sent, or a disabled webhook endpoint'),
    inSentence: message('mail about problems with your API keys and webhook endpoints'),
    isOn: true,
  },
  supply: {
    audience: 'owner',
    label: message('Offers that run low on codes, end soon or are near their claim limit'),
    inSentence: message('mail about offers that are about to end or run out'),
    isOn: true,
  },
  week: {
    audience: 'owner',
    label: message('Your weekly numbers, on Mondays'),
    inSentence: message('your weekly numbers'),
    isOn: false,
  },
  review: {
    audience: 'operator',
    label: message('New items that need your decision, as soon as they arrive'),
    inSentence: message('the immediate mail about new items that need your decision'),
    isOn: true,
  },
  daily_review: {
    audience: 'operator',
    label: message('All items that need your decision, once a day'),
    inSentence: message('the daily mail about items that need your decision'),
    isOn: false,
  },
  owners: {
    audience: 'operator',
    label: message('New owners'),
    inSentence: message('mail about new owners'),
    isOn: true,
  },
  health: {
    audience: 'operator',
    label: message('Problems with backups, disk, mail, jobs or the marketplace’s webhooks'),
    inSentence: message('mail about problems with backups, disk, mail, jobs or the marketplace’s webhooks'),
    isOn: true,
  },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof NOTICES;

export const NOTICE_KINDS = Object.keys(NOTICES) as readonly NoticeKind[];

/** The settings of a person. A kind that is missing has its default setting. */
export type Choices = { readonly [kind in NoticeKind]?: boolean };

export const isWanted = (choices: Choices, kind: NoticeKind): boolean => choices[kind] ?? NOTICES[kind].isOn;

export const kindsFor = (audiences: readonly Audience[]): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => audiences.includes(NOTICES[kind].audience));

const STOP_PURPOSE = 'stop notices';

export const stopUrl = (box: SecretBox, baseUrl: string, accountId: string, kind: NoticeKind): string =>
  `${baseUrl}${STOP_NOTICES_PATH}/${box.seal(`${accountId} ${kind}`, STOP_PURPOSE)}`;

/** Returns `null` if the code was altered or comes from another installation. */
export function parseStopCode(
  box: SecretBox,
  code: string,
): { readonly accountId: string; readonly kind: NoticeKind } | null {
  const [accountId = '', name] = box.unseal(code, STOP_PURPOSE)?.split(' ') ?? [];
  const kind = NOTICE_KINDS.find((each) => each === name);
  return kind === undefined ? null : { accountId, kind };
}
