import { describe, expect, it } from 'vitest';
import { isStale, violatedConstraint } from './errors.ts';

const failure = (message: string, members: object) => Object.assign(new Error(message), members);

describe('violatedConstraint', () => {
  it('is the name that PostgreSQL gives, or none', () => {
    const error = failure('duplicate key', { code: '23505', constraint: 'claims_by_2' });
    expect(violatedConstraint(error)).toBe('claims_by_2');
    expect(violatedConstraint(failure('division by zero', { code: '22012' }))).toBeNull();
  });
});

describe('isStale', () => {
  it('is a plan of before a migration, not a statement that cannot be planned at all', () => {
    const code = '0A000';
    const routine = 'RevalidateCachedQuery';
    expect(isStale(failure('zwischengespeicherter Plan …', { code, routine }))).toBe(true);
    expect(isStale(failure('the statement is not supported', { code }))).toBe(false);
  });
});
