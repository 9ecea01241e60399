/** Verification as a batch program of the store: one transaction for many requests. */
import { type BatchProgram, siblingModule } from '../../store/batch.ts';
import { verifyOnCitus } from './citus/verify-citus.ts';
import { verifyOnPostgres } from './verify-postgres.ts';

export const verifyProgram: BatchProgram = {
  name: 'verify',
  sqlite: siblingModule(import.meta.url, 'verify-sqlite'),
  postgres: verifyOnPostgres,
  citus: verifyOnCitus,
};
