/**
 * Cross-site scripting tests. They store 200 payloads in every text field, then use Chromium to open every page that
 * shows payloads.
 */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_RESPONSE_LENGTH } from '../../src/background/webhooks/send.ts';
import { toRow } from '../../src/claims/attempts/attempt.ts';
import { insertAttempts } from '../../src/claims/attempts/queries.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { issueClaimFor } from '../../src/claims/creation/issue.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { requestChanges } from '../../src/marketplace/listings/decisions.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import type { PageGroup } from '../../src/pages/frame/page-router.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { createKey } from '../../src/people/keys/create.ts';
import { insertMails, sealLetter } from '../../src/people/mail/queries.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { attemptOf } from '../support/attempts.ts';
import { CHROMIUM, openBrowser, openProfile } from '../support/browser.ts';
import type { Person } from '../support/person.ts';
import { MARKUP_ELEMENTS, MARKUP_PAYLOADS, SCRIPT_PAYLOADS } from '../support/script-payloads.ts';
import { pagesOf, type Visit } from './every-page.ts';
import { addPasskey, type PersonName } from './sample-data.ts';
import { startPages } from './support.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const LAST = SCRIPT_PAYLOADS.length - 1;
const OFFERS_OF_LISTING = 50;
/** How many claims the claimant has. The claims fill several pages of the list. */
const CLAIMS = 60;
/** Maximum number of additional pages requested per list. */
const MAX_FOLLOWED = 25;
/** Maximum number of payloads in a query string. URLs are limited in length. */
const PAYLOADS_OF_QUERY = 110;

/** Returns a payload after a mark with the field and the index. The mark identifies the payload on a page. */
const marked = (field: string, index: number): string => `~${field}.${index}~${SCRIPT_PAYLOADS[index]}`;
const ALL = SCRIPT_PAYLOADS.join(' ');
/**
 * Joins payloads from the index `first` on, as many as fit into `maxLength` characters. Returns in `next` the index
 * after the last joined payload.
 */
function joined(field: string, first: number, maxLength: number): { text: string; next: number } {
  let text = '';
  let next = first;
  for (; next <= LAST; next++) {
    const more = `${text}${text === '' ? '' : ' '}${marked(field, next)}`;
    if ([...more].length > maxLength) break;
    text = more;
  }
  return { text, next };
}

// Code that runs in the page is written as strings, because the tests are compiled without the DOM types.
const WATCH =
  "addEventListener('securitypolicyviolation', (event) => violated(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample), true)";
const ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'xlink\\\\:href', 'data'];
const ADDED = [
  '[pwn]',
  ...ATTRIBUTES.flatMap((name) =>
    ['javascript:', 'data:text', 'vbscript:', '//evil'].map((scheme) => `[${name}^="${scheme}" i]`),
  ),
].join();
/** A script that extracts a `Look` from a document. */
const LOOK = `((page) => ({
  added: [...page.querySelectorAll('${ADDED}')].map((element) => element.outerHTML.slice(0, 150)),
  marks: [...new Set([page.title, page.body?.textContent, ...[...page.querySelectorAll('input, textarea, option')].map((field) => field.value)].join('\\n').match(/~\\w+\\.\\d+~/g))],
  next: [...page.querySelectorAll('a')].find((link) => /^(Next|Look further back)$/.test(link.textContent.trim()))?.getAttribute('href') ?? null,
}))`;

const printed = (text: string): string => `<!doctype html><title>x</title><p>${text}</p>`;

/** Returns a script that parses each text as unescaped HTML and returns the texts that add no dangerous element. */
const unseenOf = (
  texts: readonly string[],
): string => `${JSON.stringify(texts.map((text) => [text, printed(text)]))}
  .filter(([, page]) => new DOMParser().parseFromString(page, 'text/html').querySelector('${ADDED}') === null)
  .map(([text]) => text)`;

interface Look {
  readonly added: readonly string[];
  /** The marks of the payloads that the document shows. */
  readonly marks: readonly string[];
  readonly next: string | null;
}

/** A script that returns each form with the values that it would submit and the names of all its fields. */
const FORMS = `[...document.forms].map((form) => ({
  method: form.method,
  action: new URL(form.getAttribute('action') ?? '', location).href,
  values: [...new FormData(form)],
  names: [...new Set([...form.elements].map(({ name }) => name).filter(Boolean))],
}))`;

interface Form {
  readonly method: string;
  readonly action: string;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly names: readonly string[];
}

/**
 * Returns a script that submits a form and returns a `Look` at the response, or `null` if there is no response. The
 * response is parsed, but not opened.
 */
const ask = ({ method, action, values }: Omit<Form, 'names'>): string => `(async () => {
  const fields = new URLSearchParams(${JSON.stringify(values)});
  const isGet = ${method === 'get'};
  const address = new URL(${JSON.stringify(action)}, location);
  if (isGet) for (const [name, value] of fields) address.searchParams.append(name, value);
  const answer = await fetch(address, { headers: { accept: 'text/html' }, ...(isGet ? {} : { method: 'POST', body: fields }) }).catch(() => null);
  return answer && ${LOOK}(new DOMParser().parseFromString(await answer.text(), 'text/html'));
})()`;

interface Watched {
  readonly page: Page;
  /** Executed scripts, dialogs, CSP violations, and requests to other origins since the last check. */
  faults: string[];
}

async function watch(
  browser: Browser,
  baseUrl: string,
  cookies: ReturnType<Person['profileCookies']>,
): Promise<Watched> {
  const profile = await openProfile(browser, { baseUrl });
  await profile.addCookies(cookies);
  const page = await profile.newPage();
  page.setDefaultTimeout(20_000);
  const watched: Watched = { page, faults: [] };
  const say = (fault: string) => void watched.faults.push(fault);
  await profile.exposeFunction('pwned', () => say('a script ran'));
  await profile.exposeFunction('violated', (report: string) => say(`policy report: ${report}`));
  await profile.addInitScript(WATCH);
  page.on('dialog', (dialog) => {
    say(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) say(`request: ${request.url()}`);
  });
  return watched;
}

describe.skipIf(CHROMIUM === null)('script injection', () => {
  let browser: Browser;
  beforeAll(async () => {
    // Only clicks need drawn frames, and these tests never click.
    browser = await openBrowser({ drawsFrames: false });
  });

  test('is tested with at least 200 distinct payloads that fit every text field', () => {
    expect(new Set(SCRIPT_PAYLOADS).size).toBeGreaterThanOrEqual(200);
    expect(SCRIPT_PAYLOADS.filter((text) => text.length > 64 || /\s/.test(text))).toEqual([]);
  });

  // Control: the checks must detect every payload that a page prints unescaped.
  test('is detected if a page prints a payload unescaped', async () => {
    const raw: PageGroup = (app) => {
      app.get('/raw/:index', { for: 'anyone' }, (c) =>
        c.html(printed(MARKUP_ELEMENTS[Number(c.req.param('index'))]!)),
      );
    };
    const pages = await startPages([raw]);
    try {
      const watched = await watch(browser, pages.url, []);
      const { page } = watched;
      const unseen: string[] = [];
      for (const [index, element] of MARKUP_ELEMENTS.entries()) {
        watched.faults = [];
        await page.goto(`/raw/${index}`, { waitUntil: 'commit' });
        await page.waitForLoadState('domcontentloaded');
        const { added } = await page.evaluate<Look>(`${LOOK}(document)`);
        if (added.length === 0 && watched.faults.length === 0) unseen.push(element);
      }
      // For payloads that break out of the surrounding markup, parsing is enough, because they use the elements above.
      unseen.push(...(await page.evaluate<string[]>(unseenOf(MARKUP_PAYLOADS))));
      expect(unseen).toEqual([]);
    } finally {
      await pages.close();
    }
  }, 240_000);

  test('is prevented on every page that shows user input', async () => {
    const site = await openWholeSite('sqlite');
    try {
      const { rich, accepted } = await fill(site);
      const faults: string[] = [];
      const seen = new Map<string, Set<number>>();
      const visits = [...pagesOf(site, true), ...rich];
      const people = [...new Set(visits.map(({ person }) => person))];
      await Promise.all(
        people.map(async (person) => {
          const own = visits.filter((visit) => visit.person === person);
          faults.push(...(await lookAround(site, person, own, seen)));
        }),
      );
      expect(faults).toEqual([]);
      const shown = Object.fromEntries([...seen].map(([field, indexes]) => [field, indexes.size]));
      expect(shown).toMatchObject(accepted);
    } finally {
      await site.close();
    }
  }, 600_000);

  /**
   * Opens pages, requests the next pages of their lists, and submits payloads in every form field. Returns one line per
   * fault. Responses are only parsed; the control test above shows that parsing detects unescaped payloads.
   */
  async function lookAround(
    site: WholeSite,
    person: PersonName | null,
    visits: readonly Visit[],
    seen: Map<string, Set<number>>,
  ): Promise<readonly string[]> {
    const { baseUrl } = site.service;
    const cookies = person === null ? [] : site.people[person].person.profileCookies(baseUrl);
    const watched = await watch(browser, baseUrl, cookies);
    const { page } = watched;
    const faults: string[] = [];
    const sent = new Set<string>();

    /** Runs scripts that return a `Look`, each with its name. Returns the next page that the last one shows. */
    const check = async (...scripts: readonly (readonly [where: string, script: string])[]) => {
      if (scripts.length === 0) return null;
      const looks = await page.evaluate<(Look | null)[]>(
        `(async () => { const looks = []; ${scripts.map(([, script]) => `looks.push(await ${script});`).join('')} return looks; })()`,
      );
      for (const [index, [where]] of scripts.entries()) {
        const added = looks[index]?.added.map((element) => `added ${element}`) ?? ['no response'];
        faults.push(...added.map((fault) => `${where}: ${fault}`));
      }
      faults.push(...watched.faults.splice(0).map((fault) => `${scripts[0]![0]} and later: ${fault}`));
      for (const mark of looks.flatMap((look) => look?.marks ?? [])) {
        const [field = '', index = ''] = mark.slice(1, -1).split('.');
        seen.set(field, (seen.get(field) ?? new Set()).add(Number(index)));
      }
      return looks.at(-1)?.next ?? null;
    };

    for (const { name, path } of visits) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      const forms = await page.evaluate<Form[]>(FORMS);
      let next = await check([name, `${LOOK}(document)`]);
      for (let followed = 0; next !== null && followed < MAX_FOLLOWED; followed++) {
        next = await check([`${name} next page`, ask({ method: 'get', action: next, values: [] })]);
      }
      // Signing out would end the session that the next requests need.
      for (const form of forms.filter(({ action }) => !action.endsWith('/sign-out'))) {
        const asks: (readonly [string, string])[] = [];
        for (const field of form.names) {
          const { pathname } = new URL(form.action);
          const key = `${form.method} ${pathname.replaceAll(/[0-9a-f-]{36}|\d+/g, 'ID')} ${field}`;
          if (sent.has(key)) continue;
          sent.add(key);
          const texts = form.method === 'get' ? chunks(SCRIPT_PAYLOADS, PAYLOADS_OF_QUERY) : [ALL];
          for (const text of texts) {
            const values = [...form.values.filter(([other]) => other !== field), [field, text] as const];
            asks.push([key, ask({ ...form, values })]);
          }
        }
        await check(...asks);
      }
    }
    await page.context().close();
    return faults;
  }
});

const chunks = (texts: readonly string[], size: number): readonly string[] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, index) =>
    texts.slice(index * size, (index + 1) * size).join(' '),
  );

/**
 * Stores every payload in every persistent field. A short text has one payload, and a long text has several payloads.
 * Returns in `rich` the pages that show payloads and that `pagesOf` does not return. Returns in `accepted`, for each
 * field, how many payloads the pages must show in total.
 */
async function fill(site: WholeSite): Promise<{ rich: readonly Visit[]; accepted: Record<string, number> }> {
  const { context, people } = site;
  const account = people.owner.accountId;
  const actor = `account:${account}` as const;
  const accepted: Record<string, number> = {};
  /**
   * Runs `verb` and counts the payload of `field`. If the payload is rejected, returns `null` and counts nothing,
   * because `lookAround` tests the forms that show rejected payloads.
   */
  const keep = async <T>(field: string, verb: () => Promise<T>): Promise<T | null> => {
    try {
      const made = await verb();
      accepted[field] = (accepted[field] ?? 0) + 1;
      return made;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  const ids: string[] = [];
  for (const index of SCRIPT_PAYLOADS.keys()) {
    const upTo = index % 2 === 0 ? 'approved' : 'pending';
    const slug = `payload-${index}`;
    const made = await keep('name', () =>
      createListing(context, {
        account,
        slug,
        name: marked('name', index),
        summary: marked('summary', index),
        url: `https://app.example/${encodeURIComponent(SCRIPT_PAYLOADS[index]!)}`,
        upTo,
        actor: 'operator',
      }),
    );
    if (made !== null) ids.push(made.id);
    await keep('account', () =>
      createAccount(context, {
        email: `payload-${index}@example.com`,
        name: marked('account', index),
        actor: 'operator',
      }),
    );
    await addPasskey(context, account, marked('passkey', index));
    await keep('key', () => createKey(context, { account, name: marked('key', index), mode: 'live', actor }));
  }

  const rich: Visit[] = [];
  const look = (slug: string, id: string) =>
    rich.push(
      { name: `/dashboard/listings of ${slug}`, path: `/dashboard/listings/${id}`, person: 'owner' },
      { name: `/desk/listings of ${slug}`, path: `/desk/listings/${id}`, person: 'operator' },
    );
  let described = 0;
  for (let first = 0; first <= LAST; first += OFFERS_OF_LISTING) {
    const slug = `rich-${first}`;
    const description = joined('description', described, 4_000);
    described = description.next;
    const { id } = await createListing(context, {
      account,
      slug,
      name: marked('name', first),
      summary: marked('summary', first),
      description: description.text,
      url: 'https://rich.example/',
      upTo: 'approved',
      actor: 'operator',
    });
    look(slug, id);
    rich.push({ name: `/l/${slug}`, path: `/l/${slug}`, person: 'claimant' });
    for (let index = first; index <= Math.min(first + OFFERS_OF_LISTING - 1, LAST); index++) {
      const offerOf = (code: string) =>
        createOffer(context, {
          listing: slug,
          offer: marked('offer', index),
          kind: 'gift',
          redemption_link: 'https://rich.example/?claim={claim}',
          code,
          actor: 'operator',
        });
      const offer = (await keep('code', () => offerOf(SCRIPT_PAYLOADS[index]!))) ?? (await offerOf('NONE'));
      accepted['offer'] = (accepted['offer'] ?? 0) + 1;
      await keep('claimant', () =>
        issueClaimFor(context, {
          offerId: offer.id,
          claimantRef: marked('claimant', index),
          mode: 'live',
          via: null,
          replace: false,
          actor: 'operator',
        }),
      );
      if (index < CLAIMS) {
        await claimOffer(context, {
          claimantAccountId: people.claimant.accountId,
          listing: slug,
          offerId: offer.id,
        });
      }
      if (index === first) {
        rich.push({ name: `an offer of ${slug}`, path: `/dashboard/offers/${offer.id}`, person: 'owner' });
      }
    }
  }
  // Codes are stored without a mark, so the codes that pages show cannot be counted.
  delete accepted['code'];
  accepted['description'] = described;

  for (let reasoned = 0, turn = 1; reasoned <= LAST; turn += 2) {
    const { text, next } = joined('reason', reasoned, 1_000);
    await requestChanges(context, { listing: `payload-${turn}`, reason: text, actor: 'operator' });
    look(`payload-${turn}`, ids[turn]!);
    reasoned = next;
    accepted['reason'] = next;
  }

  const at = new Date(context.now()).toISOString();
  await context.db.transaction(async (tx) => {
    for (const index of SCRIPT_PAYLOADS.keys()) {
      await tx
        .insertInto('webhook_endpoints')
        .values({
          id: uuidv7(context),
          account_id: account,
          format: 'standard',
          url: 'https://1.1.1.1/',
          description: marked('endpoint', index),
          event_types: '["key.rolled"]',
          secret: '',
          secret_made_at: at,
          old_secret: null,
          old_secret_until: null,
          created_at: at,
          failing_since: null,
          disabled_at: at,
          disabled_reason: 'manual',
          deleted_at: null,
          cursor: 0,
        })
        .execute();
      if (index % 2 === 1) continue;
      const id = uuidv7(context);
      await insertMails(tx, [
        {
          id,
          recipient: `payload-${index}@example.com`,
          subject: marked('mail', index),
          body: sealLetter(context.secretBox, id, {
            letter: [marked('mail', Math.min(index + 1, LAST))],
          }),
          code_hash: null,
          created_at: at,
          next_at: null,
        },
      ]);
    }
    for (const { accountId } of Object.values(people)) {
      await tx
        .updateTable('accounts')
        .set({ name: marked('self', 1) })
        .where('id', '=', accountId)
        .execute();
    }
  });
  // API clients can send any header values.
  for (let sent = 0, call = 0; sent <= LAST; call += 1) {
    const { text, next } = joined('agent', sent, 4_000);
    const requestId = `req_payload_${call}`;
    const atMs = context.now();
    const attempt = attemptOf({ accountId: account, keyId: null, atMs, requestId, cause: 'body_not_json' });
    const row = { ...toRow(attempt), user_agent: text, detail: text, origin: text, request_line: text };
    await context.db.transaction((tx) => insertAttempts(tx, context.db.engine, [row]));
    rich.push({ name: requestId, path: `/dashboard/requests/${requestId}`, person: 'owner' });
    sent = next;
    accepted['agent'] = next;
  }
  // Webhook receivers can send any response.
  await context.db.transaction(async (tx) => {
    for (let answered = 0; answered <= LAST; ) {
      const { text, next } = joined('answer', answered, MAX_RESPONSE_LENGTH);
      const attempt = { account_id: account, delivery_id: site.ids.delivery, at, took_ms: 1, failure: null };
      await tx
        .insertInto('delivery_attempts')
        .values({
          ...attempt,
          id: uuidv7(context),
          url: text,
          status: 200,
          answer_type: ALL.slice(0, 100),
          answer: text,
        })
        .execute();
      answered = next;
    }
  });
  const all = SCRIPT_PAYLOADS.length;
  return { rich, accepted: { ...accepted, passkey: all, endpoint: all, answer: all, self: 1 } };
}
