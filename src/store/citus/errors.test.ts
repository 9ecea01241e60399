import { expect, test } from 'vitest';
import { violatedConstraint } from './errors.ts';

test.each([
  ['claims_by_idempotency_key_102016', 'claims_by_idempotency_key'],
  ['accounts_email_key', 'accounts_email_key'],
])('the violated constraint %s has no number of a shard', (name, constraint) => {
  const error = new Error(`duplicate key value violates unique constraint "${name}"`);
  expect(violatedConstraint(Object.assign(error, { code: '23505' }))).toBe(constraint);
});

test('another failure violates none', () => {
  expect(violatedConstraint(Object.assign(new Error('division by zero'), { code: '22012' }))).toBeNull();
});
