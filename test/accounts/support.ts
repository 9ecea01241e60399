/** Accounts on the service as it runs: their people, mails, events and second factors. */
import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { insertPasskey } from '../../src/accounts/credential-queries.ts';
import type { Context } from '../../src/context.ts';
import { unsignedText } from '../../src/mail/letter.ts';
import { insertMails, openLetter, sealLetter } from '../../src/mail/queries.ts';
import { uuidv7 } from '../../src/store/uuid.ts';
import type { TestEngine } from '../support/engines.ts';
import { type NewAccount, Person, type SignedIn, signedInAs } from '../support/person.ts';
import { type OwnSite, openSite } from '../support/site.ts';
import { allTexts } from '../support/tables.ts';

/**
 * A service for tests of accounts. Each person has a network of their own, so that the limits of the service count them
 * separately.
 */
export interface AccountSite extends OwnSite {
  /** A browser that nobody has signed in with. */
  browser(headers?: Readonly<Record<string, string>>): Person;
  /** An address of a network that no other person has. */
  network(): string;
  newEmail(): string;
  /** A new account whose person is signed in, without a request to any page. */
  signedIn(account?: Partial<NewAccount>, person?: Person): Promise<SignedIn>;
  /** The same with a second factor on. */
  withSecondFactor(account?: Partial<NewAccount>): Promise<SignedIn & Secrets>;
}

export async function openAccountSite(
  engine: TestEngine,
  env: Readonly<Record<string, string>> = {},
  now?: () => number,
): Promise<AccountSite> {
  const service = await openSite(engine, { TRUSTED_PROXIES: '127.0.0.1', ...env }, now);
  let networks = 0;
  let emails = 0;
  const site: AccountSite = {
    ...service,
    network: () => {
      networks += 1;
      return `198.51.${networks >> 8}.${networks & 255}`;
    },
    browser: (headers = {}) => new Person(service.baseUrl, { 'X-Forwarded-For': site.network(), ...headers }),
    newEmail: () => {
      emails += 1;
      return `ada-${emails}@example.com`;
    },
    signedIn: (account = {}, person = site.browser()) =>
      signedInAs(service, { email: site.newEmail(), ...account }, person),
    withSecondFactor: async (account) => {
      const signedIn = await site.signedIn(account);
      return { ...signedIn, ...(await turnOnSecondFactor(signedIn.person, service.context.now())) };
    },
  };
  return site;
}

/** Confirms with the code from 30 seconds ago, so that a test can still use the current one. */
export async function turnOnSecondFactor(person: Person, now: number): Promise<Secrets> {
  const made = secretsIn((await person.post('/account/two-factor')).text);
  const answer = await person.post('/account/two-factor/confirm', { code: appCode(made.secret, -1, now) });
  if (answer.location !== '/account?done=factor-on') throw new Error(`not turned on: ${answer.status}`);
  return made;
}

/** The sentence of a refusal as the page shows it: in the summary of problems, or next to the form’s only field. */
export const problemIn = (text: string): string =>
  unescaped(/role="alert".*?<(?:li|span)>(?:<a[^>]*>)?(.*?)<\//s.exec(text)?.[1] ?? '');

export const unescaped = (html: string): string =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The code after the # in the newest mail to `email` in the Outbox. */
export const codeInOutbox = (context: Context, email: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const mail = await context.db.read
        .selectFrom('mails')
        .select(['id', 'body'])
        .where('recipient', '=', email)
        .orderBy('id', 'desc')
        .executeTakeFirst();
      const letter = mail && openLetter(context.secretBox, mail);
      const code = /#(\w+)/.exec(letter ? unsignedText(letter) : '')?.[1];
      if (code === undefined) throw new Error(`no mail with a code came to ${email}`);
      return code;
    },
    { timeout: 5_000, interval: 10 },
  );

/** The code of the link in a mail, and the digits to type. */
export const codeIn = (mail: string): string => /#(\w{10})/.exec(mail)![1]!;
export const digitsIn = (mail: string): string => /^(\d{4} \d{4})$/m.exec(mail)![1]!;

/** The types of an account's events, in their order. */
export async function eventsOf(context: Context, email: string): Promise<string[]> {
  const rows = await context.db.read
    .selectFrom('events')
    .innerJoin('accounts', 'accounts.id', 'events.account_id')
    .select('events.type')
    .where('accounts.email', '=', email)
    .orderBy('events.seq')
    .execute();
  return rows.map(({ type }) => type);
}

/** What an authenticator app shows for a base32 secret, `steps` of 30 seconds from `now`. */
export const appCode = (secret: string, steps = 0, now = Date.now()): string =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: now + steps * 30_000 });

/** Adds a passkey authenticator to the browser of a page; it always confirms that the user is present and verified. */
export async function addAuthenticator(profile: BrowserContext, page: Page) {
  const cdp = await profile.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

export interface Secrets {
  /** Of the authenticator app, in base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** The key and the backup codes on the page that shows them once. */
export function secretsIn(text: string): Secrets {
  return {
    secret: (/data-copy="((?:[A-Z2-7]{1,4} ?)+)"/.exec(text)?.[1] ?? '').replaceAll(' ', ''),
    backupCodes: (/<code>((?:[0-9A-Za-z]{5}(?:-[0-9A-Za-z]{5})+\s*)+)<\/code>/.exec(text)?.[1] ?? '')
      .split('\n')
      .filter(Boolean),
  };
}

/** Adds a passkey as if the person had, and returns its id; no test signs with it. */
export async function addPasskey(context: Context, accountId: string): Promise<string> {
  const id = uuidv7(context);
  await context.db.transaction((tx) =>
    insertPasskey(tx, {
      id,
      account_id: accountId,
      name: 'Laptop',
      credential_id: uuidv7(context),
      public_key: new Uint8Array([1]),
      counter: 0,
      transports: '[]',
      created_at: context.at(),
      last_used_at: null,
    }),
  );
  return id;
}

/** Nowhere in the database are these in plain text. */
export async function expectNotStored(context: Context, secrets: readonly string[]): Promise<void> {
  const everything = await allTexts(context);
  for (const secret of secrets) expect(everything).not.toContain(secret);
}

/** Puts a mail that is due into the queue; returns its id. */
export async function queueMail(context: Context, to: string, text: string): Promise<string> {
  const id = uuidv7(context);
  const at = context.at();
  const body = sealLetter(context.secretBox, id, { letter: [text] });
  const mail = { id, recipient: to, subject: 'A notice', body, code_hash: null, created_at: at, next_at: at };
  await context.db.transaction((tx) => insertMails(tx, [mail]));
  return id;
}
