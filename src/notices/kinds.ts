/** The kinds of mail that people can turn off. Mail that somebody waits for, such as a sign-in code, is none of them. */

export type Audience = 'claimant' | 'owner' | 'operator';

interface Kind {
  readonly audience: Audience;
  /** Names it in the list of what a person wants. */
  readonly label: string;
  /** Whether it is mailed until the person chooses. */
  readonly isOn: boolean;
}

export const NOTICES = {
  claims: { audience: 'claimant', label: 'Each claim I make, with a link to it', isOn: true },
  reminders: { audience: 'claimant', label: 'A claim that I haven’t used yet', isOn: true },
  decisions: { audience: 'owner', label: 'Decisions about my listings and links', isOn: true },
  problems: {
    audience: 'owner',
    label: 'Problems: an API key sent by a browser, a webhook endpoint that was disabled',
    isOn: true,
  },
  supply: {
    audience: 'owner',
    label: 'An offer that runs low on codes, ends soon or is almost full',
    isOn: true,
  },
  week: { audience: 'owner', label: 'My numbers of the week, on Mondays', isOn: false },
  review: { audience: 'operator', label: 'Something waits for review, at once', isOn: true },
  daily_review: { audience: 'operator', label: 'What waits for review, once a day', isOn: false },
  owners: { audience: 'operator', label: 'A new owner', isOn: true },
  health: { audience: 'operator', label: 'Problems with backups, disk, mail or jobs', isOn: true },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof NOTICES;

export const NOTICE_KINDS = Object.keys(NOTICES) as readonly NoticeKind[];

/** What a person has chosen; a kind that is left out has its default. */
export type Choices = { readonly [kind in NoticeKind]?: boolean };

export const isWanted = (choices: Choices, kind: NoticeKind): boolean => choices[kind] ?? NOTICES[kind].isOn;

/** The kinds that somebody with these roles can choose. */
export const kindsFor = (audiences: readonly Audience[]): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => audiences.includes(NOTICES[kind].audience));
