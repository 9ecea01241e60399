/** What the tests of upgrades read from a service. */
import type { Service } from '../../src/app/service.ts';
import { picturePath } from '../../src/platform/network/picture-address.ts';
import { NOTES } from '../pages/sample-data.ts';
import type { StoredFacts, StoredRead } from './stored.ts';

interface ReadKeys {
  readonly api: string;
  readonly test: string;
  readonly operator: string;
}

export async function readAll(
  stage: Pick<Service, 'baseUrl'>,
  { api, test, operator }: ReadKeys,
): Promise<readonly StoredRead[]> {
  const own = '/api/v1/marketplace';
  const desk = '/api/v1/operator';
  const paths: readonly (readonly [path: string, key: string | null])[] = [
    [`${own}/claims?limit=100`, api],
    [`${own}/claims`, test],
    [`${own}/redemptions`, api],
    [`${own}/campaigns?listing=${NOTES}`, api],
    [`${own}/events`, api],
    [`${desk}/accounts`, operator],
    [`${desk}/listings`, operator],
    [`${desk}/offers?listing=${NOTES}`, operator],
    [`${desk}/campaigns?listing=${NOTES}`, operator],
    [`${desk}/listings/${NOTES}`, operator],
    ['/.well-known/jwks.json', null],
  ];
  const reads: StoredRead[] = [];
  for (const [path, key] of paths) reads.push({ path, key, body: await readJson(stage, path, key) });
  return reads;
}

/** Members that change with the time or with each response. */
const CHANGING: readonly string[] = ['next', 'complete_until'];

/** The body of a JSON response, without what changes. The service's own URL is replaced with `BASE_URL`. */
export async function readJson(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  path: string,
  key: string | null,
): Promise<unknown> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(baseUrl + path, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}: ${text}`);
  return JSON.parse(text.replaceAll(baseUrl, 'BASE_URL'), (name, value) =>
    CHANGING.includes(name) ? undefined : value,
  );
}

export async function readPicture({ context }: Pick<Service, 'context'>): Promise<StoredFacts['picture']> {
  const { name, data } = await context.db.read
    .selectFrom('picture_files')
    .innerJoin('pictures', 'pictures.id', 'picture_files.picture_id')
    .select(['name', 'data'])
    .where('kind', '=', 'icon')
    .orderBy('name')
    .executeTakeFirstOrThrow();
  return { path: picturePath(name), bytes: Buffer.from(data).toString('base64') };
}
