/** Concurrent sign-ins through the identity provider in two windows of one browser. */
import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { beginOidc, completeOidc, type OpenSession } from '../../../../src/people/sign-in/oidc/sign-in.ts';
import { ENGINES } from '../../../support/engines.ts';
import { passThrough } from '../../../support/identity-provider.ts';
import { signInServices } from '../../../support/person.ts';
import { eventsOf } from '../support.ts';
import { expectRefused, NAME, type OidcSite, openOidcSite } from './support.ts';

const CALLER = { cookie: 'claimcheck.oidc=of-both-windows', userAgent: '', address: '198.51.100.0' };
const SIGNED_IN = [
  ['/one', 'signed-in'],
  ['/two', 'signed-in'],
];
/** Maximum time that the first window waits for the second. A sign-in that is not blocked takes less time. */
const LONG_MS = 500;

describe.each(ENGINES)('sign-in in two windows on %s', (engine) => {
  let oidc: OidcSite;
  beforeAll(async () => {
    oidc = await openOidcSite(engine);
  });
  afterAll(() => oidc?.close());

  /** Starts a sign-in in each of two windows, completes both with `together`, and checks the results. */
  async function inTwoWindows(
    { sub, email, session = null }: { sub: string; email: string; session?: OpenSession | null },
    together: (
      complete: (window: number, context: Context) => ReturnType<typeof completeOidc>,
    ) => Promise<readonly Awaited<ReturnType<typeof completeOidc>>[]>,
  ): Promise<void> {
    const services = signInServices(oidc.site);
    const states: string[] = [];
    const provider: Parameters<typeof completeOidc>[1] = {
      number: 1,
      name: NAME,
      issuer: oidc.idp.issuer,
      authorizationUrl: async ({ state }) => {
        states.push(state);
        return new URL(oidc.idp.issuer);
      },
      logoutOf: async () => null,
      claimsOf: async () => ({
        issuer: oidc.idp.issuer,
        subject: sub,
        email,
        isEmailVerified: true,
        name: 'Ada',
        isOperator: null,
        isMultiFactor: false,
        authenticatedAtMs: null,
        providerSession: null,
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
    const { accountId, sessionId } = await oidc.site.signedIn({ email });
    return { sub, email, session: { accountId, sessionId, isFreshlyProven: true, deskLock: null } };
  }

  test('each window can complete its sign-in, and a callback URL works only once', async () => {
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

  test('concurrent callbacks create one account for a new person', () =>
    inTwoWindows(oidc.employee(), bothAtOnce));

  test('concurrent callbacks connect an existing account once', async () =>
    inTwoWindows(await existingAccount(), bothAtOnce));

  // SQLite runs write transactions one at a time, so its transactions cannot interleave.
  describe.runIf(engine === 'postgres')('interleaved transactions', () => {
    /** Pauses the first window's sign-in after `looks` identity queries, during which the second window signs in. */
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

    test('create one account for a new person', () => inTwoWindows(oidc.employee(), afterLooks(1)));

    test.each([1, 2])(
      'connect an existing account once if interrupted after identity query %i',
      async (looks) => inTwoWindows(await existingAccount(), afterLooks(looks)),
    );
  });
});

/** Returns a plugin that runs `work` once, after `looks` identity queries. */
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
