/**
 * A challenge makes a browser compute for a few seconds (altcha, PBKDF2). It is signed, expires, and serves one purpose;
 * its solution counts once, across all processes.
 */
import type { Challenge, Solution } from 'altcha-lib';
import type { Context } from '../../../base/context.ts';
import { Refusal } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import type { Charge, Limit } from './limits.ts';
import { countIfWithin, countIn, isReached } from './throttle.ts';

export type ChallengePurpose = 'mail' | 'account';

type Services = Pick<Context, 'db' | 'now' | 'secretBox'>;

const LIFETIME_MS = 30 * MINUTE_MS;
/** Iterations of one attempt. With fewer, the overhead of a call would outweigh the computation. */
const COST = 1_000;
/** Attempts until the solution. A phone makes several hundred attempts a second. */
const ATTEMPTS = { min: 1_000, max: 2_000 };
export const MAX_SOLUTION_LENGTH = 2_000;

const SOLUTIONS: Limit = { name: 'solution', attempts: 1, windowMs: LIFETIME_MS };

/** A page that catches this error shows the form again, with a challenge. */
export class ChallengeNeeded extends Refusal {
  override name = 'ChallengeNeeded';

  constructor() {
    super(
      'invalid_request',
      message('Your browser first has to check that you’re a person. This takes a few seconds.'),
    );
  }
}

/** Loaded when the first challenge is needed, because most services need none. */
async function loadLibrary() {
  const [library, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ]);
  return { ...library, deriveKey };
}

const secretsOf = ({ secretBox }: Pick<Services, 'secretBox'>) => ({
  hmacSignatureSecret: secretBox.hashOfSubject('challenge signature'),
  hmacKeySignatureSecret: secretBox.hashOfSubject('challenge solution'),
});

export async function newChallenge(services: Services, purpose: ChallengePurpose): Promise<string> {
  const { createChallenge, randomInt, deriveKey } = await loadLibrary();
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(ATTEMPTS.max, ATTEMPTS.min),
    deriveKey,
    // Not `expiresAt`, which the library compares with the clock of the machine.
    data: { purpose, until: services.now() + LIFETIME_MS },
    ...secretsOf(services),
  });
  return JSON.stringify(challenge);
}

/** Counts the solution, or returns `null` if the text is not a valid solution for this purpose. */
async function solutionOf(
  services: Services,
  purpose: ChallengePurpose,
  text: string,
): Promise<Charge | null> {
  const parsed = text.length > MAX_SOLUTION_LENGTH ? null : parseSolution(text);
  if (parsed === null) return null;
  const { verifySolution, deriveKey } = await loadLibrary();
  const { verified } = await verifySolution({ ...parsed, deriveKey, ...secretsOf(services) }).catch(() => ({
    verified: false,
  }));
  // Before the signature is verified, the parameters can be anything.
  if (!verified) return null;
  const { signature, parameters } = parsed.challenge;
  const { data } = parameters;
  if (data?.['purpose'] !== purpose || !isLive(Number(data['until']), services.now())) return null;
  return [SOLUTIONS, String(signature)];
}

/** A later end was written by a clock that was ahead. */
const isLive = (untilMs: number, nowMs: number): boolean =>
  untilMs > nowMs && untilMs <= nowMs + 2 * LIFETIME_MS;

function parseSolution(text: string): { readonly challenge: Challenge; readonly solution: Solution } | null {
  try {
    const { challenge, solution } = JSON.parse(text) as { challenge: Challenge; solution: Solution };
    return typeof challenge?.signature === 'string' && typeof challenge.parameters === 'object'
      ? { challenge, solution }
      : null;
  } catch {
    return null;
  }
}

/** Throws `ChallengeNeeded` unless the text is a valid solution that was not used before. */
export async function requireSolution(
  services: Services,
  purpose: ChallengePurpose,
  text: string,
  tx?: Transaction,
): Promise<void> {
  const solution = await solutionOf(services, purpose, text);
  if (solution === null) throw new ChallengeNeeded();
  const isFirst =
    tx === undefined
      ? await countIfWithin(services, [solution])
      : !isReached(await countIn(services, tx, [solution]));
  if (!isFirst) throw new ChallengeNeeded();
}
