/** Admits the callers of the operator's operations. */
import type { Context } from '../context.ts';
import type { Operation } from '../http/operation.ts';
import type { Admission } from '../http/operation-routes.ts';
import { INVALID_API_KEY } from '../http/request-checks.ts';
import { admitOperatorKey, type KeyCaller } from '../operator-keys/admit.ts';

/** Rejects with `DatabaseUnavailable` where the database is away. */
export const createOperatorAuthenticator =
  (context: Pick<Context, 'db' | 'now'>) =>
  async (keyHash: Uint8Array, { scope }: Operation): Promise<Admission<KeyCaller>> => {
    const admission = await admitOperatorKey(context, keyHash, scope!);
    return admission.kind === 'admitted'
      ? admission
      : { ...admission, detail: DETAILS[admission.code](scope!) };
  };

const DETAILS = {
  invalid_api_key: () => INVALID_API_KEY,
  account_suspended: () => 'The operator of this key is suspended.',
  missing_scope: (scope: string) => `This operator key has no scope ${scope}.`,
} as const;
