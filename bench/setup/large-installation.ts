/** An installation with very many claims, a signed-in owner and a signed-in operator. The claims have three labels. */
import { type Engine, type Installation, install, pathOf } from './installation.ts';
import { type SignedIn, signIn } from './people.ts';
import type { PostgresServer } from './postgres.ts';
import { shuffle } from './tokens.ts';

/** Maximum number of claims with the label `podcast`. These claims are the oldest. */
const MOST_OF_PODCAST = 100_000;
const RARE = 50;
/** Maximum number of tokens that all calls of `take` together can return. */
const MOST_TOKENS = 700_000;

const DESK_EMAIL = 'desk@bench.example';

export interface LargeInstallation {
  readonly installation: Installation;
  readonly claims: number;
  readonly ofPodcast: number;
  readonly owner: SignedIn;
  readonly desk: SignedIn;
  /** Returns tokens of unredeemed claims in random order, each token only once. Throws if too few are left. */
  take(count: number): string[];
}

export async function openLargeInstallation(
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
      take: (count) => {
        if (count > tokens.length)
          throw new Error(`${count} tokens are needed, but only ${tokens.length} are left`);
        return tokens.splice(0, count);
      },
    };
  } catch (error) {
    await installation.remove();
    throw error;
  }
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
