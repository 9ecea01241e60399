import { describe, expect, it } from 'vitest';
import { isStale, violatedConstraint } from './errors.ts';

const failure = (message: string, members: object) => Object.assign(new Error(message), members);

describe('violatedConstraint', () => {
  const message = (name: string) => `duplicate key value violates unique constraint "${name}"`;

  it('is the name that PostgreSQL gives, or none', () => {
    const error = failure(message('claims_by_2'), { code: '23505', constraint: 'claims_by_2' });
    expect(violatedConstraint(error)).toBe('claims_by_2');
    expect(violatedConstraint(failure('division by zero', { code: '22012' }))).toBeNull();
  });

  it('of Citus is the name in the message without the number of the shard', () => {
    const error = failure(message('claims_by_idempotency_key_102016'), { code: '23505' });
    expect(violatedConstraint(error)).toBe('claims_by_idempotency_key');
  });
});

describe('isStale', () => {
  it('is a plan of before a migration, not a statement that cannot be planned at all', () => {
    const code = '0A000';
    const routine = 'RevalidateCachedQuery';
    expect(isStale(failure('zwischengespeicherter Plan …', { code, routine }))).toBe(true);
    expect(isStale(failure('could not run distributed query with FOR UPDATE', { code }))).toBe(false);
  });
});
