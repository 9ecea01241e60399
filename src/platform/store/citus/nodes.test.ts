import { expect, test } from 'vitest';
import { urlOfNode, violatedConstraint } from './nodes.ts';

test("the URL of a node keeps the user, password, database and TLS mode of the coordinator's URL", () => {
  const node = { group: 1, host: 'worker1', port: 5433 };
  expect(urlOfNode('postgres://u:secret@db/claims?sslmode=require', node)).toBe(
    'postgres://u:secret@worker1:5433/claims?sslmode=require',
  );
  expect(urlOfNode('postgres://u:secret@db/claims?host=/run/postgresql&port=5432', node)).toBe(
    'postgres://u:secret@worker1:5433/claims',
  );
});

test.each([
  ['claims_by_idempotency_key_102016', 'claims_by_idempotency_key'],
  ['accounts_email_key', 'accounts_email_key'],
])('the violated constraint %s is returned without its shard number', (name, constraint) => {
  const error = new Error(`duplicate key value violates unique constraint "${name}"`);
  expect(violatedConstraint(Object.assign(error, { code: '23505' }))).toBe(constraint);
});

test('violatedConstraint returns null for other errors', () => {
  expect(violatedConstraint(Object.assign(new Error('division by zero'), { code: '22012' }))).toBeNull();
});
