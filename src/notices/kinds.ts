/** The kinds of mail that people can turn off. Mail that they asked for, such as a sign-in code, is always sent. */
import type { SecretBox } from '../secrets/secret-keys.ts';

export type Audience = 'claimant' | 'owner' | 'operator';

interface Kind {
  readonly audience: Audience;
  /** Ends the words “mail about”. */
  readonly about: string;
  /** Whether it is mailed until the person chooses. */
  readonly isOn: boolean;
}

export const NOTICES = {
  claims: { audience: 'claimant', about: 'each claim you make, with a link to it', isOn: true },
  reminders: { audience: 'claimant', about: 'claims that you haven’t used yet', isOn: true },
  decisions: { audience: 'owner', about: 'decisions on your listings and links', isOn: true },
  problems: {
    audience: 'owner',
    about: 'problems: an API key that a browser sent, or a disabled webhook endpoint',
    isOn: true,
  },
  supply: {
    audience: 'owner',
    about: 'offers that run low on codes, end soon or are almost full',
    isOn: true,
  },
  week: { audience: 'owner', about: 'your numbers of the week, on Mondays', isOn: false },
  review: { audience: 'operator', about: 'what waits for review, immediately', isOn: true },
  daily_review: { audience: 'operator', about: 'what waits for review, once a day', isOn: false },
  owners: { audience: 'operator', about: 'new owners', isOn: true },
  health: { audience: 'operator', about: 'problems with backups, disk, mail or jobs', isOn: true },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof NOTICES;

const NOTICE_KINDS = Object.keys(NOTICES) as readonly NoticeKind[];

/** What a person has chosen; a kind that is left out has its default. */
export type Choices = { readonly [kind in NoticeKind]?: boolean };

export const isWanted = (choices: Choices, kind: NoticeKind): boolean => choices[kind] ?? NOTICES[kind].isOn;

/** The kinds that somebody with these roles can choose. */
export const kindsFor = (audiences: readonly Audience[]): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => audiences.includes(NOTICES[kind].audience));

/** Address in each notice that unsubscribes from its kind, without signing in. */
export const STOP_PATH = '/mail/stop';

const STOP_PURPOSE = 'stop notices';

export const stopUrl = (box: SecretBox, baseUrl: string, accountId: string, kind: NoticeKind): string =>
  `${baseUrl}${STOP_PATH}/${box.seal(`${accountId} ${kind}`, STOP_PURPOSE)}`;

/** `null`: the address was changed, or made by another service. */
export function parseStopCode(
  box: SecretBox,
  code: string,
): { readonly accountId: string; readonly kind: NoticeKind } | null {
  const [accountId = '', name] = box.unseal(code, STOP_PURPOSE)?.split(' ') ?? [];
  const kind = NOTICE_KINDS.find((known) => known === name);
  return kind === undefined ? null : { accountId, kind };
}
