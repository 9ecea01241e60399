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
  const read = (db: Queryable) => readPolicy(db, input.hasProvider);
  await changeSettings(context, input, { key: POLICY, names: NAMES, read, to: input.policy });
}

export interface SettingsChange {
  readonly operatorId: string;
  readonly actor: Actor;
}

interface StoredSettings<S> {
  /** In the table `settings`. */
  readonly key: string;
  readonly names: Readonly<Record<keyof S, string>>;
  readonly read: (db: Queryable) => Promise<S>;
  readonly to: S;
}

/** Stores settings unless nothing differs from what is stored, with an event that names the changes. */
export async function changeSettings<S extends object>(
  context: Context,
  { operatorId, actor }: SettingsChange,
  { key, names, read, to }: StoredSettings<S>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const from = await read(tx);
    const changes = (Object.keys(names) as (keyof S)[]).flatMap((name) => {
      const [before, after] = [wordsOf(from[name]), wordsOf(to[name])];
      return before === after ? [] : [`${names[name]}: ${after} (was ${before})`];
    });
    if (changes.length === 0) return;
    await writeSetting(tx, key, JSON.stringify(to));
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
  domains: 'Mail domains',
  blockedDomains: 'Blocked mail domains',
  mustConfirm: 'Confirmation before the first claim',
  claimsByAccount: 'Claims of an account in 24 hours',
  claimsByNetwork: 'Claims of a network in 24 hours',
  mailsCodes: 'Codes in mail',
  remindAfterDays: 'Days until a reminder of a claim',
};

/** Domains named in an event. */
const NAMED_DOMAINS = 5;

function wordsOf(value: unknown): string {
  if (value === null) return 'off';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!Array.isArray(value)) return String(value);
  const rest = value.length - NAMED_DOMAINS;
  if (value.length === 0) return 'none';
  return `${value.slice(0, NAMED_DOMAINS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
