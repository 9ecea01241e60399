/** A running service with sample data and signed-in people in every role. */
import type { Service } from '../../src/app/service.ts';
import type { Context } from '../../src/base/context.ts';
import type { DrainTimes } from '../../src/platform/http/server/drain.ts';
import { createDbLocation, type Template, type TestEngine, templateOf } from '../support/engines.ts';
import { type Answer, answerOf, Person, type SignedIn, signedInAs } from '../support/person.ts';
import type { Place } from '../support/program.ts';
import { onceInRun } from '../support/run.ts';
import { openSite, startSite } from '../support/site.ts';
import { readTables } from '../support/tables.ts';
import { addSampleData, type Ids, missingIds, NOTES, type People, type PersonName } from './sample-data.ts';

export interface WholeSite {
  readonly engine: TestEngine;
  readonly dbLocation: Place;
  readonly service: Service;
  readonly context: Context;
  readonly people: People;
  readonly ids: Ids;
  readonly missing: Ids;
  /** Slug of the published listing. */
  readonly slug: string;
  /** The owner's live API key. */
  readonly apiKey: string;
  request(person: PersonName | null, method: string, path: string, sent?: Sent): Promise<WholeAnswer>;
  close(): Promise<void>;
}

export interface Sent {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WholeAnswer extends Answer {
  /** Status, headers and body, without the date and the request ID. */
  readonly bytes: string;
}

export interface SiteOptions {
  /** If false, the site has the same people but no sample data, and `ids` equals `missing`. */
  readonly isFilled?: boolean;
  readonly drainTimes?: DrainTimes;
  readonly env?: Readonly<Record<string, string>>;
}

/** A site that is not running, as JSON. */
interface SavedSite extends Pick<WholeSite, 'ids' | 'missing' | 'apiKey'> {
  readonly template: Template;
  readonly people: Readonly<Record<PersonName, SavedPerson>>;
}

interface SavedPerson extends Omit<SignedIn, 'person'> {
  readonly cookies: readonly (readonly [name: string, value: string])[];
}

/** Starts a service on a copy of a database that is filled once per test run. */
export async function openWholeSite(
  engine: TestEngine,
  { isFilled = true, drainTimes, env = {} }: SiteOptions = {},
): Promise<WholeSite> {
  const { template, people, ...filled } = await onceInRun(
    `site-${isFilled ? 'filled' : 'empty'}-${engine}`,
    () => saveSite(engine, isFilled),
  );
  const dbLocation = await createDbLocation(engine, { template });
  try {
    const service = await startSite(dbLocation, env, undefined, drainTimes);
    const { context, baseUrl } = service;
    const everybody = mapPeople(people, ({ cookies, ...saved }) => {
      const person = new Person(baseUrl);
      for (const [name, value] of cookies) person.cookies.set(name, value);
      return { ...saved, person };
    });
    // The template may be older than the time for which a confirmation of identity is valid, and than the time after
    // which a request updates when its session was last seen.
    const now = context.at();
    await context.db.transaction((tx) =>
      tx.updateTable('sessions').set({ proven_at: now, last_seen_at: now }).execute(),
    );
    return {
      engine,
      dbLocation,
      service,
      context,
      people: everybody,
      ...filled,
      slug: NOTES,
      request: (person, method, path, sent) =>
        send(baseUrl, person === null ? null : everybody[person], method, path, sent),
      close: async () => {
        await service.stop();
        await dbLocation.remove();
      },
    };
  } catch (error) {
    await dbLocation.remove();
    throw error;
  }
}

async function saveSite(engine: TestEngine, isFilled: boolean): Promise<SavedSite> {
  const site = await openSite(engine);
  try {
    const people = await signInPeople(site);
    const missing = missingIds(site.context);
    const filled = isFilled ? await addSampleData(site, people) : { ids: missing, apiKey: '' };
    await site.stop();
    return {
      template: await templateOf(site.dbLocation),
      people: mapPeople(people, ({ person, ...saved }) => ({ ...saved, cookies: [...person.cookies] })),
      missing,
      ...filled,
    };
  } catch (error) {
    await site.close();
    throw error;
  }
}

const mapPeople = <From, To>(
  people: Readonly<Record<PersonName, From>>,
  map: (person: From) => To,
): Record<PersonName, To> =>
  Object.fromEntries(Object.entries(people).map(([name, person]) => [name, map(person)])) as Record<
    PersonName,
    To
  >;

const signInPeople = async (service: Service): Promise<People> => ({
  operator: await signedInAs(service, {
    email: 'olga@claims.example',
    name: 'Olga Operator',
    operator: true,
  }),
  owner: await signedInAs(service, { email: 'adele@acme.example', name: 'Adele Acme', plan: 'studio' }),
  coOwner: await signedInAs(service, { email: 'cora@acme.example', name: 'Cora Owner' }),
  member: await signedInAs(service, { email: 'milo@acme.example', name: 'Milo Member' }),
  removed: await signedInAs(service, { email: 'remo@acme.example', name: 'Remo Removed' }),
  claimant: await signedInAs(service, { email: 'bo@people.example', name: 'Bo Claimant' }),
  stranger: await signedInAs(service, {
    email: 'eve@elsewhere.example',
    name: 'Eve Elsewhere',
    plan: 'studio',
  }),
});

async function send(
  baseUrl: string,
  signedIn: SignedIn | null,
  method: string,
  path: string,
  { form, headers }: Sent = {},
): Promise<WholeAnswer> {
  const response = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      // Without this header, GET responses would be compressed and others would not.
      'accept-encoding': 'identity',
      ...(signedIn !== null && { cookie: signedIn.person.cookie }),
      ...(method === 'POST' && { origin: baseUrl }),
      ...headers,
    },
    ...(method === 'POST' && { body: new URLSearchParams(form) }),
  });
  const answer = await answerOf(response);
  const requestId = response.headers.get('x-request-id') ?? '';
  const kept = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  const named = `${response.status}\n${JSON.stringify(kept)}\n${answer.text}`;
  return { ...answer, bytes: requestId === '' ? named : named.replaceAll(requestId, 'REQUEST') };
}

/** Tables that change without a request: rate limit counters, and rows that are written after a response. */
const RESTLESS = new Set([
  'throttles',
  'attempts',
  'unrecorded_calls',
  'api_key_uses',
  'first_verifications',
]);

/**
 * All rows that change only through requests, one line per row, sorted. Ends the background jobs first, because they
 * would change rows between two calls.
 */
export async function dumpRows({ context, service }: WholeSite): Promise<readonly string[]> {
  await service.jobs.close();
  const tables = [...(await readTables(context))].filter(([name]) => !RESTLESS.has(name));
  return tables.flatMap(([name, rows]) => rows.map((row) => `${name} ${JSON.stringify(row, plain)}`)).sort();
}

const plain = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
