/** Secrets of endpoints, encrypted for the database. */
import type { Context } from '../context.ts';
import { uuidv7 } from '../store/uuid.ts';
import type { Scheme } from './endpoint.ts';
import type { SecretRow } from './endpoint-queries.ts';
import { mintSecret, SECRET_PREFIX, type SigningSecret } from './signing.ts';

/** What the encryption of a secret is bound to. */
export const purposeOfWebhookSecret = (endpointId: string): string => `webhook:${endpointId}`;

/** A new secret, and its row. */
export function sealedSecret(
  context: Context,
  input: {
    readonly accountId: string;
    readonly endpointId: string;
    readonly scheme: Scheme;
    readonly at: string;
  },
): { readonly signing: SigningSecret; readonly row: SecretRow } {
  const signing = mintSecret(context.random, input.scheme);
  const row = {
    id: uuidv7(context),
    account_id: input.accountId,
    endpoint_id: input.endpointId,
    sealed: context.secretBox.encrypt(signing.secret, purposeOfWebhookSecret(input.endpointId)),
    public_key: signing.publicKey,
    created_at: input.at,
    expires_at: null,
  };
  return { signing, row };
}

/** Characters of a shared secret by which people recognise it, beside its prefix: 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;

/** The first characters of a shared secret; `null` for a key pair, and where no configured secret key opens it. */
export const startOfSecret = (context: Pick<Context, 'secretBox'>, row: SecretRow): string | null =>
  row.public_key === null
    ? (openSecret(context, row)?.slice(0, SECRET_PREFIX.length + SHOWN_CHARACTERS) ?? null)
    : null;

/** `null` where no configured secret key opens it. */
export const openSecret = ({ secretBox }: Pick<Context, 'secretBox'>, row: SecretRow): string | null =>
  secretBox.decrypt(row.sealed, purposeOfWebhookSecret(row.endpoint_id));
