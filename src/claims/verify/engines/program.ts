/** Verification as a batch program of the store: one transaction for many requests. */
import { type BatchProgram, siblingModule } from '../../../store/batch.ts';
import { verifyOnCitus } from '../citus/verify-citus.ts';
import {
  type BatchAnswers,
  decodeAnswers,
  encodeBatch,
  type FlatAnswers,
  type VerificationBatch,
} from '../decision/batch.ts';
import { verifyOnPostgres } from './verify-postgres.ts';

export const verifyProgram: BatchProgram<VerificationBatch, BatchAnswers> = {
  name: 'verify',
  sqlite: {
    module: siblingModule(import.meta.url, 'verify-sqlite'),
    encode: encodeBatch,
    decode: (answers) => decodeAnswers(answers as FlatAnswers),
  },
  postgres: verifyOnPostgres,
  citus: verifyOnCitus,
};
