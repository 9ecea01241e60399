/** Signing secrets of endpoints, encrypted in the database. */
import type { Context } from '../context.ts';
import { type Endpoint, readSecretsOfOtherKeys, replaceSecrets } from './endpoint-queries.ts';
import { SECRET_PREFIX } from './signing.ts';

/** Characters by which people recognise a secret, after its prefix: 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;
const PAGE_SIZE = 100;
/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Secrets = Pick<Context, 'secretBox'>;

/** The encryption is bound to the endpoint. */
const purposeOf = (endpointId: string): string => `webhook:${endpointId}`;

export const sealSecret = ({ secretBox }: Secrets, endpointId: string, secret: string): string =>
  secretBox.encrypt(secret, purposeOf(endpointId));

interface SigningSecret {
  /** `null` if no configured secret key decrypts it. */
  readonly secret: string | null;
  /** When it stops signing; `null` for the current secret. */
  readonly until: string | null;
}

/** The secrets that sign at `at`, the current one first. `at`: ISO 8601 UTC. */
export function signingSecrets(
  { secretBox }: Secrets,
  { id, secret, old_secret, old_secret_until: until }: Endpoint,
  at: string,
): readonly SigningSecret[] {
  const open = (sealed: string) => secretBox.decrypt(sealed, purposeOf(id));
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

export const webhookSecretsNeedReencryption = async (context: Context): Promise<boolean> =>
  (await readPage(context, FIRST_ID, 1)).length > 0;

/** Encrypts all secrets under the first secret key, so that an earlier key can be removed; skips what no key decrypts. */
export async function reencryptWebhookSecrets(context: Context, signal?: AbortSignal): Promise<void> {
  const { db, secretBox } = context;
  for (let after = FIRST_ID, more = true; more && signal?.aborted !== true; ) {
    const page = await readPage(context, after, PAGE_SIZE);
    for (const from of page) {
      const again = (sealed: string): string => {
        const secret = secretBox.decrypt(sealed, purposeOf(from.id));
        return secret === null ? sealed : sealSecret(context, from.id, secret);
      };
      const to = { secret: again(from.secret), old_secret: from.old_secret && again(from.old_secret) };
      await db.transaction((tx) => replaceSecrets(tx, from, to));
    }
    after = page.at(-1)?.id ?? after;
    more = page.length === PAGE_SIZE;
  }
}

const readPage = ({ db, secretBox }: Context, afterId: string, limit: number) =>
  readSecretsOfOtherKeys(db.read, secretBox.fingerprint, { afterId, limit });
