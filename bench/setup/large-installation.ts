/** An installation with very many claims, a signed-in owner and a signed-in operator. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addSessions } from './crowd.ts';
import {
  type Engine,
  type Installation,
  type InstallationFacts,
  install,
  openInstallation,
  pathOf,
} from './installation.ts';
import { type SignedIn, signIn, withCookie } from './people.ts';
import type { PostgresServer } from './postgres.ts';
import { shuffle } from './tokens.ts';
import { addYears, claimsOfYears, isFreeOnMainListing, tokenOfYears } from './years.ts';

/** Maximum number of claims with the label `podcast`. These claims are the oldest. */
const MOST_OF_PODCAST = 100_000;
const RARE = 50;
const SHAPE = { eventsAClaim: 2, eventsAnAuditEvent: 5_000 };
/** Maximum number of tokens that all calls of `take` together can return. */
const MOST_TOKENS = 700_000;

const DESK_EMAIL = 'desk@bench.example';

export interface LargeInstallation {
  readonly installation: Installation;
  readonly claims: number;
  readonly ofPodcast: number;
  readonly owner: SignedIn;
  readonly desk: SignedIn;
  /** What `take` can return. */
  readonly orders: readonly TakeOrder[];
  /** Returns tokens of unredeemed claims, each token only once. Throws if too few are left. */
  take(count: number, order?: TakeOrder): string[];
  remove(): Promise<void>;
}

/** Claims of all years in random order, the oldest in order of creation, or the newest in random order. */
export type TakeOrder = 'random' | 'oldest' | 'newest';

/** With claims that commands issue to a single owner, with three labels. */
export async function openIssuedInstallation(
  engine: Engine,
  claims: number,
  scratch: string,
  postgres: () => Promise<PostgresServer>,
): Promise<LargeInstallation> {
  const installation = await install(engine, scratch, postgres);
  try {
    const people = await signInBoth(installation);
    const ofPodcast = Math.min(MOST_OF_PODCAST, Math.floor(claims / 2));
    await installation.issue(ofPodcast, 'podcast');
    await installation.issue(RARE, 'rare');
    const issued = await installation.issue(claims - ofPodcast - RARE);
    await installation.settle();
    const tokens = await issued.tokens(MOST_TOKENS);
    shuffle(tokens);
    return {
      installation,
      claims,
      ofPodcast,
      ...people,
      orders: ['random'],
      take: (count) => {
        if (count > tokens.length)
          throw new Error(`${count} tokens are needed, but only ${tokens.length} are left`);
        return tokens.splice(0, count);
      },
      remove: installation.remove,
    };
  } catch (error) {
    await installation.remove();
    throw error;
  }
}

/**
 * With claims of many owners in five years, written by SQL. `keptIn`: a folder that keeps the installation for the next
 * run. On PostgreSQL, the folder has only the description of the installation.
 */
export async function openYearsInstallation(
  engine: Engine,
  claims: number,
  { scratch, keptIn, say }: { scratch: string; keptIn: string | null; say: (text: string) => void },
  postgres: () => Promise<PostgresServer>,
): Promise<LargeInstallation> {
  const description = keptIn && join(keptIn, `${engine}.json`);
  const kept = description !== null && existsSync(description);
  if (keptIn !== null) await mkdir(keptIn, { recursive: true });
  const ofPodcast = Math.min(MOST_OF_PODCAST, Math.floor(claims / 20));
  const facts = kept
    ? (JSON.parse(await readFile(description, 'utf8')) as InstallationFacts)
    : await createYears();
  const server = engine === 'postgresql' ? await postgres() : null;
  const installation = openInstallation(facts, server);
  // Sessions of an earlier run may have expired.
  const [operator] = await installation.query(`select id from accounts where email = '${DESK_EMAIL}'`);
  const people = [facts.accountId, String(operator!['id'])];
  const [owner, desk] = await addSessions(installation, 'http://127.0.0.1', people);
  return {
    installation,
    claims,
    ofPodcast,
    owner: withCookie('', owner!),
    desk: withCookie('', desk!),
    orders: ['random', 'oldest', 'newest'],
    take: takeFrom(claimsOfYears(claims)),
    remove: keptIn === null ? installation.remove : async () => {},
  };

  async function createYears(): Promise<InstallationFacts> {
    const created = await install(engine, keptIn ?? scratch, postgres);
    await signInBoth(created);
    await addYears(created, { claims, ...SHAPE, ofPodcast, rare: RARE }, say);
    const { folder, databaseUrl, secretKey, accountId, offerId, apiKey, invitationPath } = created;
    const facts = { engine, folder, databaseUrl, secretKey, accountId, offerId, apiKey, invitationPath };
    if (description !== null) await writeFile(description, JSON.stringify(facts));
    return facts;
  }
}

/** A later run with the same claims may get tokens that this run has redeemed. */
function takeFrom(claims: number): LargeInstallation['take'] {
  // Each order has its own part of the claims.
  let oldest = 0;
  let newest = claims - 1;
  const [from, until] = [Math.floor(claims * 0.2), Math.floor(claims * 0.8)];
  const random = new Set<number>();
  const next: Record<TakeOrder, () => number> = {
    oldest: () => oldest++,
    newest: () => newest--,
    random: () => from + Math.floor(Math.random() * (until - from)),
  };
  return (count, order = 'random') => {
    const numbers: number[] = [];
    while (numbers.length < count) {
      const n = next[order]();
      if (n < 0 || n >= claims || random.size * 20 > claims)
        throw new Error(`${count} tokens are needed, but too few are left`);
      if (!isFreeOnMainListing(n) || random.has(n)) continue;
      if (order === 'random') random.add(n);
      numbers.push(n);
    }
    if (order === 'newest') shuffle(numbers);
    return numbers.map(tokenOfYears);
  };
}

/**
 * Signs in the owner and a new operator. Call this function within a week of `install`, before the owner's invitation
 * expires.
 */
export async function signInBoth(installation: Installation): Promise<{ owner: SignedIn; desk: SignedIn }> {
  const desk = await installation.ask(`accounts create --operator --email ${DESK_EMAIL} --name Desk`);
  const server = await installation.serve();
  try {
    return {
      owner: await signIn(server.url, installation.invitationPath),
      desk: await signIn(server.url, pathOf(desk['invitation_link']!)),
    };
  } finally {
    await server.stop();
  }
}
