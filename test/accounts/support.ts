/** People who use the real service: each has cookies of their own and fills in its forms. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Engine } from '../../src/store/database.ts';

export const PASSWORD = 'four random words do well';
export const OTHER_PASSWORD = 'another four random words';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Of a redirect. */
  readonly location: string | null;
}

/** A browser without scripts: it keeps cookies, sends forms and says where its requests come from. */
export class Person {
  readonly cookies = new Map<string, string>();
  /** Every `Set-Cookie` header it was ever sent. */
  readonly received: string[] = [];
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  get = (path: string): Promise<Answer> => this.#ask(path, {});

  post = (path: string, form: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    this.#ask(path, { method: 'POST', body: new URLSearchParams(form) });

  /** Whether a page that only people who are signed in see is shown. */
  isSignedIn = async (): Promise<boolean> => (await this.get('/account')).status === 200;

  signIn = (email: string, password = PASSWORD, next = '/'): Promise<Answer> =>
    this.post('/sign-in', { email, password, next });

  /** Another person who has a copy of the cookies. */
  thief(): Person {
    const thief = new Person(this.#url, this.#headers);
    for (const [name, value] of this.cookies) thief.cookies.set(name, value);
    return thief;
  }

  async #ask(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        Origin: this.#url,
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...this.#headers,
      },
    });
    for (const header of response.headers.getSetCookie()) {
      this.received.push(header);
      const [pair = ''] = header.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '' || /max-age=0(;|$)/i.test(header)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.status,
      text: await response.text(),
      headers: response.headers,
      location: response.headers.get('location'),
    };
  }
}

/** The sentence of a refusal as the page shows it. */
export const problemIn = (text: string): string =>
  unescaped(/role="alert".*?<li>(?:<a[^>]*>)?(.*?)<\//s.exec(text)?.[1] ?? '');

const unescaped = (html: string): string =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The code behind the # of the newest mail to an address that waits in the Outbox. */
export async function codeInOutbox(context: Context, email: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const mail = await context.db.read
      .selectFrom('mails')
      .select('body')
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    const code = /#(\w+)/.exec(mail?.body ?? '')?.[1];
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no mail with a code came to ${email}`);
}

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

/** Every text of every table, by the engine's own catalogue. */
export async function allTexts(context: Context, engine: Engine): Promise<string> {
  const { rows: tables } = await (engine === 'postgres'
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(context.db.read);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(context.db.read);
      return JSON.stringify(rows, (_key, value) =>
        value instanceof Uint8Array || value?.type === 'Buffer'
          ? Buffer.from(value.data ?? value).toString('latin1')
          : value,
      );
    }),
  );
  return texts.join('\n');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for a base32 secret (RFC 6238), `steps` of 30 seconds from `now`. */
export function appCode(secret: string, steps = 0, now = Date.now()): string {
  const bits = [...secret.replaceAll(/[\s=]/g, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = mac[19]! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The key and the backup codes on the page that shows them once. */
export function secretsIn(text: string): {
  readonly secret: string;
  readonly backupCodes: readonly string[];
} {
  return {
    secret: (/data-copy="((?:[A-Z2-7]{1,4} ?)+)"/.exec(text)?.[1] ?? '').replaceAll(' ', ''),
    backupCodes: (/<code>((?:[0-9A-Za-z]{5}(?:-[0-9A-Za-z]{5})+\s*)+)<\/code>/.exec(text)?.[1] ?? '')
      .split('\n')
      .filter(Boolean),
  };
}
