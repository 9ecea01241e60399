/** One person who comes back from the identity provider in two windows at the same moment. */
import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginOidc, completeOidc, type OpenSession } from '../../src/accounts/oidc-sign-in.ts';
import type { Context } from '../../src/context.ts';
import { ENGINES } from '../support/engines.ts';
import { passThrough } from '../support/identity-provider.ts';
import { signInServices } from '../support/person.ts';
import { expectRefused, NAME, type OidcSite, openOidcSite } from './oidc-support.ts';
import { eventsOf } from './support.ts';

const CALLER = { cookie: 'claimcheck.oidc=of-both-windows', userAgent: '', address: '198.51.100.0' };
const SIGNED_IN = [
  ['/one', 'signed-in'],
  ['/two', 'signed-in'],
];
/** Longer than a sign-in that doesn’t have to wait. */
const LONG_MS = 500;

describe.each(ENGINES)('two windows of one person, on %s', (engine) => {
  let oidc: OidcSite;
  beforeAll(async () => {
    oidc = await openOidcSite(engine);
  });
  afterAll(() => oidc?.close());

  /** Completes the sign-ins of two windows. `together` says when each window completes its own. */
  async function inTwoWindows(
    { sub, email, session = null }: { sub: string; email: string; session?: OpenSession | null },
    together: (
      complete: (window: number, context: Context) => ReturnType<typeof completeOidc>,
    ) => Promise<readonly Awaited<ReturnType<typeof completeOidc>>[]>,
  ): Promise<void> {
    const services = signInServices(oidc.site);
    const states: string[] = [];
    const provider: Parameters<typeof completeOidc>[1] = {
      name: NAME,
      authorizationUrl: async ({ state }) => {
        states.push(state);
        return new URL(oidc.idp.issuer);
      },
      claimsOf: async () => ({
        issuer: oidc.idp.issuer,
        subject: sub,
        email,
        isEmailVerified: true,
        name: 'Ada',
        isMultiFactor: false,
        authenticatedAtMs: null,
      }),
    };
    const isSignedIn = session !== null;
    for (const next of ['/one', '/two'])
      await beginOidc(services, provider, { caller: CALLER, next, isSignedIn });
    const results = await together((window, context) =>
      completeOidc({ ...services, context }, provider, {
        caller: CALLER,
        search: `?state=${states[window]}`,
        session,
      }),
    );
    expect(results.map(({ path, next }) => [path, next])).toEqual(SIGNED_IN);
    expect(await oidc.identitiesOf(email)).toEqual([sub]);
    const linked = (await eventsOf(oidc.site.context, email)).filter(
      (type) => type === 'account.identity_linked',
    );
    expect(linked).toHaveLength(1);
  }

  async function existingAccount(): Promise<{ sub: string; email: string; session: OpenSession }> {
    const { sub, email } = oidc.employee();
    const { accountId } = await oidc.site.signedIn({ email });
    return { sub, email, session: { accountId, isProven: true, deskLock: null } };
  }

  it('sign in one after the other; the return link of each works once, even if it is opened twice at the same moment', async () => {
    oidc.employee();
    const ada = oidc.site.browser();
    const [first, second] = [await oidc.leave(ada), await oidc.leave(ada)];
    const back = oidc.pathOf(await passThrough(first));
    const answers = await Promise.all([ada.get(back), ada.thief().get(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    for (const refused of [answers.find(({ status }) => status === 422)!, await ada.get(back)]) {
      expectRefused(refused, /was started in another browser, was already used/);
    }
    expect((await ada.get(oidc.pathOf(await passThrough(second)))).location).toBe('/dashboard');
  });

  const bothAtOnce: Parameters<typeof inTwoWindows>[1] = (complete) =>
    Promise.all([0, 1].map((window) => complete(window, oidc.site.context)));

  it('make one account for a new person', () => inTwoWindows(oidc.employee(), bothAtOnce));

  it('connect an account once', async () => inTwoWindows(await existingAccount(), bothAtOnce));

  // Transactions on SQLite run one after the other.
  describe.runIf(engine === 'postgres')('of which one completes while the other is under way', () => {
    /** The other window completes once this one has looked for the identity `looks` times. */
    const afterLooks =
      (looks: number): Parameters<typeof inTwoWindows>[1] =>
      async (complete) => {
        const { context } = oidc.site;
        let other: ReturnType<typeof completeOidc> | null = null;
        const pausing = onceLooked(looks, async () => {
          other = complete(1, context);
          await Promise.race([other, delay(LONG_MS)]);
        });
        const { transaction } = context.db;
        const db: Context['db'] = {
          ...context.db,
          transaction: (work) => transaction((tx) => work(tx.withPlugin(pausing))),
        };
        const first = await complete(0, { ...context, db });
        return [first, await other!];
      };

    it('make one account for a new person', () => inTwoWindows(oidc.employee(), afterLooks(1)));

    it.each([1, 2])('connect an account once, after look %i', async (looks) =>
      inTwoWindows(await existingAccount(), afterLooks(looks)),
    );
  });
});

/** Runs `work` once, after `looks` queries for an identity. */
function onceLooked(looks: number, work: () => Promise<void>): KyselyPlugin {
  const found = new WeakSet();
  let count = 0;
  return {
    transformQuery: ({ node, queryId }) => {
      if (JSON.stringify(node).includes('oidc_identities')) found.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (found.has(queryId)) {
        count += 1;
        if (count === looks) await work();
      }
      return result;
    },
  };
}
