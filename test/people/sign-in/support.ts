/** Helpers for tests of accounts: a running service, mails, events and second factors. */
import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { unsignedText } from '../../../src/people/mail/letter.ts';
import { insertMails, openLetter, sealLetter } from '../../../src/people/mail/queries.ts';
import { issueCode } from '../../../src/people/sign-in/codes/queries.ts';
import { insertPasskey } from '../../../src/people/sign-in/credentials/queries.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import type { TestEngine } from '../../support/engines.ts';
import { type NewAccount, Person, type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { allTexts } from '../../support/tables.ts';

/** A service on which each person has a separate network, so that rate limits count each person separately. */
export interface AccountSite extends OwnSite {
  /** A browser without a session. */
  browser(headers?: Readonly<Record<string, string>>): Person;
  /** An IP address that no other person uses. */
  network(): string;
  newEmail(): string;
  /** Creates an account and signs the person in. Sends no HTTP request. */
  signedIn(account?: Partial<NewAccount>, person?: Person): Promise<SignedIn>;
  /** Like `signedIn`, with a second factor turned on. */
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
      return { ...signedIn, ...(await turnOnSecondFactor(signedIn.person, service.context.now)) };
    },
  };
  return site;
}

/** Confirms the second factor with the code from 30 seconds ago, so that a test can still use the current code. */
export async function turnOnSecondFactor(person: Person, now: () => number): Promise<Secrets> {
  const made = secretsIn((await person.post('/account/two-factor')).text);
  const confirm = () => person.post('/account/two-factor/confirm', { code: appCode(made.secret, -1, now()) });
  let answer = await confirm();
  // The code has expired if its period ended while it was sent.
  if (answer.status === 422) answer = await confirm();
  if (answer.location !== '/account?done=factor-on')
    throw new Error(`second factor was not turned on: status ${answer.status}`);
  return made;
}

/** Returns the first error message on a page: in the summary, or next to the form’s only field. */
export const problemIn = (text: string): string =>
  unescaped(/role="alert".*?<(?:li|span)>(?:<a[^>]*>)?(.*?)<\//s.exec(text)?.[1] ?? '');

export const unescaped = (html: string): string =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Waits until the newest mail to `email` in the Outbox has a code after a #, and returns the code. */
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
      if (code === undefined) throw new Error(`found no mail with a code for ${email}`);
      return code;
    },
    { timeout: 5_000, interval: 10 },
  );

/** The code in the link of a mail. */
export const codeIn = (mail: string): string => /#(\w{10})/.exec(mail)![1]!;
/** The eight-digit sign-in code in a mail. */
export const digitsIn = (mail: string): string => /^(\d{4} \d{4})$/m.exec(mail)![1]!;

/** The types of an account's events, oldest first. */
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

/** Returns the authenticator code of a base32 secret for the time `now` plus `steps` periods of 30 seconds. */
export const appCode = (secret: string, steps = 0, now = Date.now()): string =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: now + steps * 30_000 });

/** Adds a virtual authenticator to a page. It always confirms user presence and user verification. */
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
  /** Secret of the authenticator app, in base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** Returns the authenticator secret and the backup codes that a page shows. */
export function secretsIn(text: string): Secrets {
  return {
    secret: (/data-copy="((?:[A-Z2-7]{1,4} ?)+)"/.exec(text)?.[1] ?? '').replaceAll(' ', ''),
    backupCodes: (/<code>((?:[0-9A-Za-z]{5}(?:-[0-9A-Za-z]{5})+\s*)+)<\/code>/.exec(text)?.[1] ?? '')
      .split('\n')
      .filter(Boolean),
  };
}

/** Inserts a passkey with an invalid public key, so nobody can sign in with it. Returns the passkey's id. */
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

/** Expects that no table contains any of the secrets in plain text. */
export async function expectNotStored(context: Context, secrets: readonly string[]): Promise<void> {
  const everything = await allTexts(context);
  for (const secret of secrets) expect(everything).not.toContain(secret);
}

/** Queues a mail that is due. Returns its id. */
export async function queueMail(context: Context, to: string, text: string): Promise<string> {
  const id = uuidv7(context);
  const at = context.at();
  const body = sealLetter(context.secretBox, id, { letter: [text] });
  const mail = { id, recipient: to, subject: 'A notice', body, code_hash: null, created_at: at, next_at: at };
  await context.db.transaction((tx) => insertMails(tx, [mail]));
  return id;
}

/** Issues a link to set a password, without mailing it. */
export async function newPasswordLink({ baseUrl, context }: OwnSite, accountId: string): Promise<string> {
  const subject = { purpose: 'set-password', accountId } as const;
  return `${baseUrl}/reset-password#${await context.db.transaction((tx) => issueCode(tx, context, subject))}`;
}
