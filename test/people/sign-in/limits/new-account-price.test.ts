/** The price of new accounts is decided in transactions that many people share and redemptions wait for. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../../../src/people/accounts/policy.ts';
import { ChallengeNeeded } from '../../../../src/people/sign-in/limits/challenge.ts';
import {
  chargeNewAccount,
  chargingNewAccounts,
  PACES_BY_DOMAIN,
} from '../../../../src/people/sign-in/limits/new-account-price.ts';
import { countIn } from '../../../../src/people/sign-in/limits/throttle.ts';
import type { SignInServices } from '../../../../src/people/sign-in/services.ts';
import { Refusal } from '../../../../src/platform/errors.ts';
import type { SecurityLog } from '../../../../src/platform/network/security-log.ts';
import type { Transaction } from '../../../../src/platform/store/database.ts';
import { createGroupedTransaction } from '../../../../src/platform/store/grouped-transaction.ts';
import { ENGINES } from '../../../support/engines.ts';
import { shareDatabase } from '../../../support/shared.ts';

const FREE = 5;
const NEWCOMERS = 12;

describe.each(ENGINES)('new accounts of a mail domain on %s', (engine) => {
  const { context } = shareDatabase(engine);

  /** Returns a function that charges for an account in a shared transaction, and resolves to the outcome. */
  async function openSignUp(services: SignInServices, domain: string) {
    const { db } = services.context;
    const policy = await readPolicy(db.read, false);
    const grouped = createGroupedTransaction(db);
    const charge = (n: number) => {
      const caller = { address: `203.0.113.${n}`, cookie: '', userAgent: '' };
      const newcomer = { email: `person-${n}@${domain}`, caller, policy };
      const work = (tx: Transaction) => chargeNewAccount(services, tx, newcomer);
      return chargingNewAccounts(services, caller, () => grouped(`browser-${n}`, work));
    };
    return (n: number) =>
      charge(n).then(
        () => 'free',
        (error) => {
          if (error instanceof ChallengeNeeded) return 'challenge';
          return error instanceof Refusal ? error.code : error;
        },
      );
  }

  test('cause one count of the accounts, outside of their transactions', async () => {
    const { db } = context;
    const transactions = new AsyncLocalStorage<'inside'>();
    const reads: string[] = [];
    const read = db.read.withPlugin({
      transformQuery: ({ node }) => {
        reads.push(transactions.getStore() ?? 'outside');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const noticed =
      ({ transaction }: Pick<typeof db, 'transaction'>): typeof db.transaction =>
      (work) =>
        transaction((tx) => transactions.run('inside', () => work(tx)));
    const byKey = { ...db.byKey, transaction: noticed(db.byKey) };
    const services = {
      context: { ...context, db: { ...db, read, transaction: noticed(db), byKey } },
    } as SignInServices;
    const signUp = await openSignUp(services, 'company.example');
    reads.splice(0);
    const outcomes: unknown[] = [];
    for (let n = 0; n < FREE; n += 1) outcomes.push(await signUp(n));
    const others = Array.from({ length: NEWCOMERS - FREE }, (_, n) => signUp(FREE + n));
    outcomes.push(...(await Promise.all(others)));
    expect(outcomes).toEqual(Array.from({ length: NEWCOMERS }, (_, n) => (n < FREE ? 'free' : 'challenge')));
    expect(reads).toEqual(['outside']);
  });

  test('that are refused in a shared transaction are logged once each', async () => {
    const { db } = context;
    const domain = 'crowded.example';
    const log: string[] = [];
    const securityLog: SecurityLog = (event) => void log.push(event);
    const services = { context, securityLog } as Partial<SignInServices> as SignInServices;
    const signUp = await openSignUp(services, domain);
    for (let n = 0; n < FREE; n += 1) await signUp(n);
    const [pace] = PACES_BY_DOMAIN;
    for (let n = 0; n < pace!.attempts; n += 1) {
      await db.transaction((tx) => countIn(context, tx, [[pace!, domain]]));
    }
    expect(await Promise.all([10, 11, 12].map(signUp))).toEqual(Array(3).fill('rate_limited'));
    expect(log).toEqual(Array(3).fill('throttled'));
  });
});
