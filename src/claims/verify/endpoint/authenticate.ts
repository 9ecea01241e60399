/** Checks the API keys of the other operations by the rules of verifications, in the same batches. */
import type { Admission } from '../../../http/operations/operation-routes.ts';
import type { ApiCaller, Verifier } from '../decision/verification.ts';
import { REFUSALS } from './answers.ts';

/** Rejects with `DatabaseUnavailable` where the database is away or too many verifications wait. */
export const createAuthenticator =
  (verifier: Verifier) =>
  (keyHash: Uint8Array): Promise<Admission<ApiCaller>> =>
    new Promise((resolve, reject) => {
      const check = { keyHash, tokenHash: null, redeem: false, idempotencyHash: null };
      verifier.submit(check, (error, answer) => {
        if (answer?.kind === 'admitted') resolve(answer);
        else if (answer?.kind === 'refused') resolve({ ...answer, detail: REFUSALS[answer.code] });
        else reject(error ?? new Error('a key was checked, and a claim was answered'));
      });
    });
