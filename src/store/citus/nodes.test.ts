import { expect, test } from 'vitest';
import { urlOfNode } from './nodes.ts';

test('the URL of a node has the name, password, database and TLS of the coordinator', () => {
  const node = { group: 1, host: 'worker1', port: 5433 };
  expect(urlOfNode('postgres://u:secret@db/claims?sslmode=require', node)).toBe(
    'postgres://u:secret@worker1:5433/claims?sslmode=require',
  );
  expect(urlOfNode('postgres://u:secret@db/claims?host=/run/postgresql&port=5432', node)).toBe(
    'postgres://u:secret@worker1:5433/claims',
  );
});
