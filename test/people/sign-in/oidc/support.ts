/** A test service and its identity provider, which runs the real `oidc-provider` library. */

import { expect } from 'vitest';
import type { Account } from '../../../../src/people/accounts/queries.ts';
import { writeSetting } from '../../../../src/platform/store/settings.ts';
import type { TestEngine } from '../../../support/engines.ts';
import {
  type IdentityProvider,
  type ProviderPerson,
  passThrough,
  startIdentityProvider,
} from '../../../support/identity-provider.ts';
import type { Answer, Person } from '../../../support/person.ts';
import { type AccountSite, openAccountSite } from '../support.ts';

export const CALLBACK = '/sign-in/oidc/callback';
export const NAME = 'Acme & Sons';

export interface OidcSite {
  readonly site: AccountSite;
  readonly idp: IdentityProvider;
  /** How far the service's clock is ahead of the provider's. */
  shiftMs: number;
  /** Adds a person to the provider. All sign-ins at the provider are by the person added last. */
  employee(person?: ProviderPerson): { readonly sub: string; readonly email: string };
  /** Starts a sign-in. Returns the provider URL that the service redirects to. */
  leave(person: Person, next?: string, provider?: number): Promise<string>;
  pathOf(address: string): string;
  /** Signs in at the provider. Returns the response of the callback. */
  signIn(person: Person, next?: string, provider?: number): Promise<Answer>;
  accountOf(email: string): Promise<Account | undefined>;
  /** Returns the `sub` of each provider identity connected to the account with this email address. */
  identitiesOf(email: string): Promise<readonly string[]>;
  /** Resets the clock and the provider's `amr` to their defaults. */
  reset(): void;
  close(): Promise<void>;
}

export async function openOidcSite(
  engine: TestEngine,
  more: Readonly<Record<string, string>> = {},
): Promise<OidcSite> {
  const idp = await startIdentityProvider();
  const now = () => Date.now() + oidc.shiftMs;
  const env = { ...idp.env, OIDC_NAME: NAME, OPERATOR_SECOND_FACTOR: 'required', ...more };
  let employees = 0;
  const oidc: Omit<OidcSite, 'site'> = {
    idp,
    shiftMs: 0,
    employee: (person = {}) => {
      employees += 1;
      const email = `employee-${employees}@example.com`;
      const sub = `employee-${employees}`;
      idp.people.set(sub, { email, email_verified: true, name: 'Ada Lovelace', ...person });
      idp.person = sub;
      return { sub, email };
    },
    leave: async (person, next = '/dashboard', provider = 1) => {
      const answer = await person.post('/sign-in/oidc', { next, provider: String(provider) });
      expect(answer.status).toBe(200);
      return answer.headers.get('refresh')!.replace('0;url=', '');
    },
    pathOf: (address) => address.slice(site.baseUrl.length),
    signIn: async (person, next, provider) =>
      person.get(oidc.pathOf(await passThrough(await oidc.leave(person, next, provider)))),
    accountOf: (email) =>
      site.context.db.read.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst(),
    identitiesOf: async (email) => {
      const rows = await site.context.db.read
        .selectFrom('oidc_identities')
        .innerJoin('accounts', 'accounts.id', 'oidc_identities.account_id')
        .select('oidc_identities.subject')
        .where('accounts.email', '=', email)
        .execute();
      return rows.map(({ subject }) => subject);
    },
    reset: () => {
      oidc.shiftMs = 0;
      idp.amr = ['pwd'];
    },
    close: async () => {
      await site.close();
      await idp.close();
    },
  };
  const site = await openAccountSite(engine, env, now);
  // By default, a service with an identity provider does not allow self-service sign-up.
  await site.context.db.transaction((tx) => writeSetting(tx, 'policy', '{"signUp":"open"}'));
  await idp.serve(site.baseUrl + CALLBACK);
  return Object.assign(oidc, { site });
}

export function expectRefused(answer: Answer, sentence: RegExp, status = 422): void {
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(sentence);
  expect(answer.text).toContain('href="/sign-in"');
}
