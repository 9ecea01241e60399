/** Every file that opens connections is described in `docs/guide/outgoing.md`. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The files, mapped to the headings that describe their connections. */
const SECTIONS: Readonly<Record<string, string>> = {
  'src/app/cli/call.ts': 'The command line',
  'src/app/cli/listen.ts': 'The command line',
  'src/people/mail/failure.ts': 'Mail',
  'src/people/mail/smtp.ts': 'Mail',
  'src/people/sign-in/oidc/provider.ts': 'Identity provider',
  'src/platform/network/object-store.ts': 'Backups',
  'src/platform/network/outgoing-request.ts': 'URLs that owners choose',
  'src/platform/store/postgres/client.ts': 'Database',
  'src/platform/store/postgres/pool.ts': 'Database',
};

const LIBRARIES = ['aws4fetch', 'nodemailer', 'openid-client', 'pg'];
const CLIENTS = [
  /(?<![\w.])fetch\(/,
  /\bnew (?:WebSocket|EventSource)\(/,
  /^import (?!type\b)[^;]*\b(?:connect|request|Socket|Agent)\b[^;]* from 'node:(?:net|tls|http|https|http2)'/m,
  /^import (?!type\b)\w+ from 'node:(?:net|tls|http|https|http2|dgram)'/m,
  /^import (?!type\b)[^;]* from 'node:(?:dns|dns\/promises|dgram)'/m,
  new RegExp(`^import (?!type\\b)[^;]* from '(?:${LIBRARIES.join('|')})'`, 'm'),
  new RegExp(`\\bimport\\('(?:${LIBRARIES.join('|')})'\\)`),
];

const opensConnections = (source: string): boolean => CLIENTS.some((client) => client.test(source));

test('docs/guide/outgoing.md describes each file that opens connections', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !/\.test\.tsx?$|^src\/pages\/ui\/client\//.test(path),
  );
  const connecting = files.filter((path) => opensConnections(readFileSync(ROOT + path, 'utf8')));
  expect(connecting.sort()).toEqual(Object.keys(SECTIONS));
  const page = readFileSync(`${ROOT}docs/guide/outgoing.md`, 'utf8');
  for (const heading of new Set(Object.values(SECTIONS))) expect(page).toContain(`\n## ${heading}\n`);
});

test.each([
  ["const answer = await fetch('https://example.com');"],
  ["import { connect } from 'node:tls';"],
  ["import https from 'node:https';"],
  ["import { createSocket } from 'node:dgram';"],
  ["const pg = await import('pg');"],
])('%s opens connections', (source) => {
  expect(opensConnections(source)).toBe(true);
});

test.each([
  ["import { createServer, isIP } from 'node:net';"],
  ["import type { Socket } from 'node:net';"],
  ['export const fetchNewest = (): void => {};'],
])('%s opens none', (source) => {
  expect(opensConnections(source)).toBe(false);
});
