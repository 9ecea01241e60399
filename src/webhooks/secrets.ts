/** Signing secrets of endpoints, encrypted in the database. */
import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint-queries.ts';
import { purposeOfWebhookSecret, SECRET_PREFIX } from './signing.ts';

/** Characters by which people recognise a secret, after its prefix: 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;

type Secrets = Pick<Context, 'secretBox'>;

export const sealSecret = ({ secretBox }: Secrets, endpointId: string, secret: string): string =>
  secretBox.encrypt(secret, purposeOfWebhookSecret(endpointId));

interface SigningSecret {
  /** `null` if no configured secret key decrypts it. */
  readonly secret: string | null;
  /** When it stops signing; `null` for the current secret. */
  readonly until: string | null;
}

/** The secrets that sign at `at`, the current one first. */
export function signingSecrets(
  { secretBox }: Secrets,
  { id, secret, old_secret, old_secret_until: until }: Endpoint,
  at: string,
): readonly SigningSecret[] {
  const open = (sealed: string) => secretBox.decrypt(sealed, purposeOfWebhookSecret(id));
  const current = { secret: open(secret), until: null };
  const isOver = old_secret === null || until === null || until <= at;
  return isOver ? [current] : [current, { secret: open(old_secret), until }];
}

export interface ShownSecret extends Pick<SigningSecret, 'until'> {
  readonly start: string | null;
}

/** What pages show of them. */
export const shownSecrets = (context: Secrets, endpoint: Endpoint, at: string): readonly ShownSecret[] =>
  signingSecrets(context, endpoint, at).map(({ secret, until }) => ({
    start: secret?.slice(0, SECRET_PREFIX.length + SHOWN_CHARACTERS) ?? null,
    until,
  }));
