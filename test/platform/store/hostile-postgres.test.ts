/** A server that asks for the password in plain text and quotes it in its errors. No error contains the password. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { messageOf } from '../../../src/platform/process/failure.ts';
import { openDatabase } from '../../../src/platform/store/open.ts';
import { createPool, plainSession } from '../../../src/platform/store/postgres/pool.ts';
import { createPrimaryWatch } from '../../../src/platform/store/postgres/primary-watch.ts';
import { connectSeparately } from '../../../src/platform/store/postgres/separate-connection.ts';

const PASSWORD = 'hunter@2';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};
const CLEARTEXT = message('R', Buffer.from([0, 0, 0, 3]));
const quoting = (password: string): Buffer => {
  const fields = [
    'SFATAL',
    'C28P01',
    `Mwrong password: ${password}`,
    `Dnot ${password}`,
    `Htry ${password}1`,
  ];
  return message('E', Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`));
};

let url: string;
const passwords: string[] = [];

beforeAll(async () => {
  const server = createServer((socket) => {
    let hasAsked = false;
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (!hasAsked) socket.write(CLEARTEXT);
      else {
        const password = data.subarray(5, -1).toString();
        passwords.push(password);
        socket.end(quoting(password));
      }
      hasAsked = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `postgres://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${(server.address() as AddressInfo).port}/claims`;
  return () => server.close();
});

test.each([
  [
    'a connection of the running service',
    async () => {
      const pool = createPool({ url, purpose: 'write', size: 1, session: plainSession });
      onTestFinished(() => pool.end());
      await pool.connect();
    },
  ],
  ['a separate connection', () => connectSeparately(url, { name: 'test', timeoutMs: 5_000 })],
  ['the start', () => openDatabase({ dataDir: '/nowhere', databaseUrl: url, now: Date.now })],
  [
    'the watch',
    async () => {
      const watch = createPrimaryWatch([url]);
      onTestFinished(() => watch.close());
      await watch.primary();
    },
  ],
])('in the error of %s', async (_, connect) => {
  passwords.length = 0;
  const error = await Promise.resolve(connect()).then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(passwords).toContain(PASSWORD);
  expect(messageOf(error)).toContain('wrong password: ***');
  expect(inspect(error, { showHidden: true, depth: 8 })).not.toContain(PASSWORD);
});
