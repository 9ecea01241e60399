/** Reads and changes what the operator decides about people. */
import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import type { Queryable } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { defaultPolicy, type Policy } from './policy.ts';

const POLICY = 'policy';

/** It applies to the next request on every process. */
export async function readPolicy(db: Queryable, hasProvider: boolean): Promise<Policy> {
  const stored = await readSetting(db, POLICY);
  return { ...defaultPolicy(hasProvider), ...(stored !== null && (JSON.parse(stored) as Partial<Policy>)) };
}

/** Stores the policy, with an event that names what changed. */
export async function setPolicy(
  context: Context,
  input: SettingsChange & { readonly policy: Policy; readonly hasProvider: boolean },
): Promise<void> {
  const { policy, hasProvider } = input;
  await changeSettings(context, input, POLICY, policy, async (tx) => {
    const before = await readPolicy(tx, hasProvider);
    return (Object.keys(policy) as (keyof Policy)[]).flatMap((name) => {
      const [from, to] = [wordsOf(before[name]), wordsOf(policy[name])];
      return from === to ? [] : [`${NAMES[name]}: ${to} (was ${from})`];
    });
  });
}

export interface SettingsChange {
  readonly operatorId: string;
  readonly actor: Actor;
}

/** Stores `value` unless nothing differs from what is stored, with an event that names the changes. */
export async function changeSettings(
  context: Context,
  { operatorId, actor }: SettingsChange,
  name: string,
  value: object,
  changesOf: (tx: Queryable) => Promise<readonly string[]>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const changes = await changesOf(tx);
    if (changes.length === 0) return;
    await writeSetting(tx, name, JSON.stringify(value));
    await appendEvent(tx, {
      accountId: operatorId,
      type: 'settings.changed',
      at: context.at(),
      actor,
      subjectId: operatorId,
      data: { changes: `${changes.join('; ')}.` },
    });
  });
}

const NAMES: Readonly<Record<keyof Policy, string>> = {
  signUp: 'Sign-up',
  domains: 'Allowed email domains',
  blockedDomains: 'Blocked email domains',
  mustConfirm: 'Confirmation before the first claim',
  claimsByAccount: 'Claims per account in 24 hours',
  claimsByNetwork: 'Claims per network in 24 hours',
  mailsCodes: 'Codes in mail',
  remindAfterDays: 'Days until a reminder of a claim',
};

/** Domains named in an event. */
const NAMED_DOMAINS = 5;

function wordsOf(value: Policy[keyof Policy]): string {
  if (value === null) return 'off';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value !== 'object') return String(value);
  const rest = value.length - NAMED_DOMAINS;
  if (value.length === 0) return 'none';
  return `${value.slice(0, NAMED_DOMAINS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
