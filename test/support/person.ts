/** Simulated users of the service: HTTP clients with cookies, and accounts that are signed in. */

import { randomBytes } from 'node:crypto';
import type { Service } from '../../src/app/service.ts';
import type { Plan } from '../../src/people/accounts/account.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import type { Mailer } from '../../src/people/mail/mail.ts';
import { hashPassword } from '../../src/people/sign-in/credentials/password.ts';
import { putPassword } from '../../src/people/sign-in/credentials/queries.ts';
import { createMailGate } from '../../src/people/sign-in/limits/mail-gate.ts';
import type { SignInServices } from '../../src/people/sign-in/services.ts';
import { signInProven } from '../../src/people/sign-in/sign-in.ts';
import { createBackground } from '../../src/platform/process/background.ts';
import { joinTransactions } from '../../src/platform/store/database.ts';
import { createGroupedTransaction } from '../../src/platform/store/grouped-transaction.ts';

export const PASSWORD = 'four random words do well';
export const OTHER_PASSWORD = 'another four random words';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Target of a redirect; otherwise `null`. */
  readonly location: string | null;
}

export const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  text: await response.text(),
  headers: response.headers,
  location: response.headers.get('location'),
});

/** The cookie that the sign-in page sets to check whether the browser keeps cookies. */
const CHECK_COOKIE = 'claimcheck.check=1';

type Texts = Readonly<Record<string, string>>;

/** A browser without scripts: keeps cookies, and sends forms and the `Origin` header. */
export class Person {
  readonly cookies = new Map<string, string>();
  /** True if the browser has not yet opened a page that sets the check cookie. */
  isNew = false;
  /** All `Set-Cookie` headers received so far. */
  readonly received: string[] = [];
  readonly #url: string;
  readonly headers: Texts;

  constructor(url: string, headers: Texts = {}) {
    this.#url = url;
    this.headers = headers;
  }

  get = (path: string, headers: Texts = {}): Promise<Answer> => this.#ask(path, { headers });

  post = (path: string, form: Texts | FormData = {}, headers: Texts = {}): Promise<Answer> => {
    const body = form instanceof FormData ? form : new URLSearchParams(form);
    return this.#ask(path, { method: 'POST', body, headers });
  };

  isSignedIn = async (): Promise<boolean> => (await this.get('/account')).status === 200;

  /** Sends the sign-up form. Tests that are not about signing up use `signedInAs`. */
  signUp = (email: string, form: Texts = {}): Promise<Answer> =>
    this.post('/sign-up', { email, password: PASSWORD, ...form });

  signIn = (email: string, password = PASSWORD, next = '/'): Promise<Answer> =>
    this.post('/sign-in', { email, password, next });

  /** Returns a person with a copy of the cookies. */
  thief(): Person {
    const thief = new Person(this.#url, this.headers);
    for (const [name, value] of this.cookies) thief.cookies.set(name, value);
    return thief;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The cookies in Playwright's format. */
  profileCookies = (url: string): { name: string; value: string; url: string }[] =>
    [...this.cookies].map(([name, value]) => ({ name, value, url }));

  receive(header: string): void {
    this.received.push(header);
    const [pair = ''] = header.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '' || /max-age=0(;|$)/i.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  async #ask(path: string, init: RequestInit & { readonly headers: Texts }): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        Origin: this.#url,
        // The default of `fetch` makes the service compress every page, which takes longer than building some of them.
        'Accept-Encoding': 'identity',
        Cookie: this.cookie || (this.isNew ? '' : CHECK_COOKIE),
        ...this.headers,
        ...init.headers,
      },
    });
    for (const header of response.headers.getSetCookie()) this.receive(header);
    return answerOf(response);
  }
}

type Site = Pick<Service, 'baseUrl' | 'context'>;

/** Discards all mail. */
export const noMailer: Mailer = {
  isReal: false,
  keep: async () => {},
  start: () => {},
  send: () => {},
  isDue: async () => false,
  run: async () => {},
  close: async () => {},
};

/** Services for signing in. Mail is discarded, and an error in background work fails the test. */
export const signInServices = (
  { context, baseUrl }: Site,
  securityLog: SignInServices['securityLog'] = () => {},
): SignInServices => ({
  context,
  baseUrl,
  groupedTransaction: createGroupedTransaction(context.db),
  securityLog,
  diskIsFull: () => false,
  hasProvider: false,
  isOidcOnly: false,
  operatorIssuers: [],
  findIntended: async () => null,
  mailer: noMailer,
  mailGate: createMailGate(context, (error) => {
    throw error;
  }),
  background: createBackground((error) => {
    throw error;
  }),
});

export interface SignedIn {
  readonly accountId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly person: Person;
}

export interface NewAccount {
  readonly email: string;
  readonly name?: string;
  readonly plan?: Plan;
  readonly operator?: boolean;
}

/** Cheap Argon2id parameters, because tests sign in often. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };
let passwordHash: Promise<string> | undefined;

/**
 * Creates an account with `PASSWORD` and signs the person in with one factor, without HTTP requests or rate limits. The
 * password is hashed once for all accounts.
 */
export async function signedInAs(
  site: Site,
  { email, name = 'Ada', plan, operator }: NewAccount,
  person = new Person(site.baseUrl),
): Promise<SignedIn> {
  passwordHash ??= hashPassword(PASSWORD, randomBytes, CHEAP);
  const hash = await passwordHash;
  const caller = {
    cookie: person.cookie,
    userAgent: person.headers['User-Agent'] ?? '',
    address: person.headers['X-Forwarded-For'] ?? null,
  };
  const { accountId, cookies } = await joinTransactions(site.context.db, async (db) => {
    const context = { ...site.context, db };
    const { id } = await createAccount(context, { email, name, plan, operator, actor: 'operator' });
    await db.transaction((tx) => putPassword(tx, id, hash, context.at()));
    const services = signInServices({ ...site, context });
    return { accountId: id, ...(await signInProven(services, { accountId: id, factors: 1, caller })) };
  });
  for (const header of cookies) person.receive(header);
  const { id: sessionId } = await site.context.db.read
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { accountId, sessionId, email, name, person };
}
