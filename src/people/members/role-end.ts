/** What ends in an account when a person loses a role there, and what the person who ends it may choose. */
import { type Message, message } from '../../platform/languages/translate.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseOneOf } from '../../platform/text/text.ts';

/** `demoted`: from owner to member. `deleted`: the person's own account was deleted. */
export type RoleEnd = 'demoted' | 'left' | 'removed' | 'suspended' | 'deleted';

interface Part {
  /** `null`: of every role. */
  readonly only: readonly RoleEnd[] | null;
  readonly sentence: Message;
}

/**
 * What a person can still use after a role has ended. `endRole` ends each part in the same transaction, except that a
 * download stops at its next check. Open forms are checked when they are sent.
 */
export const ROLE_PARTS = {
  access: {
    only: ['left', 'removed', 'suspended', 'deleted'],
    sentence: message('Access to the account, on every device, including downloads in progress.'),
  },
  settings: {
    only: ['demoted'],
    sentence: message('Access to the settings: API keys, plan and members.'),
  },
  invitations: { only: null, sentence: message('Invitations that were sent with this role.') },
  accessLinks: {
    only: ['left', 'removed', 'suspended', 'deleted'],
    sentence: message(
      'Invitation links to listings that were created with this role: nobody else can use them.',
    ),
  },
  keys: {
    only: null,
    sentence: message('API keys that were created or rolled with this role.'),
  },
  endpoints: {
    only: ['left', 'removed', 'suspended', 'deleted'],
    sentence: message(
      'Webhook endpoints whose URL or secret was set with this role: they are paused, unless an owner takes them over.',
    ),
  },
  proofs: {
    only: null,
    sentence: message('Recent identity confirmations: the next sensitive change requires a new one.'),
  },
  links: {
    only: null,
    sentence: message('Unused links for a new password or a new address of the person.'),
  },
} as const satisfies Readonly<Record<string, Part>>;

export type RolePart = keyof typeof ROLE_PARTS;

/** Whether a part ends with a role that ends in this way. */
export function isEndedBy(part: RolePart, end: RoleEnd): boolean {
  const { only }: Part = ROLE_PARTS[part];
  return only === null || only.includes(end);
}

export const partsOf = (end: RoleEnd): readonly Message[] =>
  (Object.keys(ROLE_PARTS) as RolePart[])
    .filter((part) => isEndedBy(part, end))
    .map((part) => ROLE_PARTS[part].sentence);

/** How long API keys keep working after the role of the person who created them has ended. */
export const KEY_ENDS = ['now', '24h', '7d'] as const;
export type KeyEndTime = (typeof KEY_ENDS)[number] | 'never';

export const KEY_END_MS: Readonly<Record<Exclude<KeyEndTime, 'never'>, number>> = {
  now: 0,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
};

/** Without a choice, keys end now. Only the keys of a person who stays a member may keep working (`never`). */
export const parseKeyEnd = (text: string, end: RoleEnd): KeyEndTime =>
  parseOneOf(
    end === 'demoted' ? ([...KEY_ENDS, 'never'] as const) : KEY_ENDS,
    text === '' ? 'now' : text,
    (values) =>
      message('The time until the keys stop working must be one of {choices}; found {text}.', values),
  );
