import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectionOptions, databaseLink, withoutPassword } from './connection-options.ts';

const URL_BASE = 'postgres://u:secret@db.example:5432/claims';
const folder = mkdtempSync(join(tmpdir(), 'claimcheck-tls-'));
const authority = join(folder, 'ca.pem');
writeFileSync(authority, 'an authority');
afterAll(() => rmSync(folder, { recursive: true }));

describe('connectionOptions', () => {
  test('leaves a URL without TLS parameters unchanged', () => {
    const url = `${URL_BASE}?options=-c%20work_mem%3D8MB`;
    expect(connectionOptions(url)).toEqual({ connectionString: url });
  });

  test.each([
    ['sslmode=disable', false],
    ['sslmode=require', { rejectUnauthorized: false }],
    ['sslmode=require&uselibpqcompat=true', { rejectUnauthorized: false }],
    ['sslmode=verify-ca', { checkServerIdentity: expect.any(Function) }],
    ['sslmode=verify-full', { host: 'db.example' }],
    ['sslmode=verify-full&sslrootcert=system', { host: 'db.example' }],
    [`sslrootcert=${authority}`, { host: 'db.example', ca: 'an authority' }],
    [
      `sslmode=require&sslrootcert=${authority}`,
      { ca: 'an authority', checkServerIdentity: expect.any(Function) },
    ],
  ])('interprets %s like libpq and removes it from the URL', (query, ssl) => {
    expect(connectionOptions(`${URL_BASE}?${query}&application_name=x`)).toEqual({
      connectionString: `${URL_BASE}?application_name=x`,
      ssl,
    });
  });

  test('passes sslnegotiation=direct to the driver', () => {
    expect(connectionOptions(`${URL_BASE}?sslmode=require&sslnegotiation=direct`)).toEqual({
      connectionString: URL_BASE,
      ssl: { rejectUnauthorized: false },
      sslnegotiation: 'direct',
    });
  });

  test.each(['prefer', 'allow', 'no-verify', ''])('rejects sslmode=%s', (mode) => {
    expect(() => connectionOptions(`${URL_BASE}?sslmode=${mode}`)).toThrow(
      /^DATABASE_URL: sslmode must be one of disable, require, verify-ca, verify-full/,
    );
  });

  test('names the parameter if its file cannot be read', () => {
    expect(() => connectionOptions(`${URL_BASE}?sslrootcert=${folder}/gone`)).toThrow(
      /^DATABASE_URL: the sslrootcert file cannot be read/,
    );
  });
});

test('withoutPassword hides the password in the user info and in the query', () => {
  expect(withoutPassword(`${URL_BASE}?password=secret`)).toBe('postgres://u:***@db.example:5432/claims');
});

describe('databaseLink', () => {
  test.each([
    ['postgres://u:p@db.example/claims', 'unstated'],
    ['postgres://u:p@10.0.0.7/claims?application_name=x', 'unstated'],
    ['postgres://u:p@db.example/claims?ssl=false', 'unstated'],
    ['postgres://u:p@127.0.0.1/claims?host=db.example', 'unstated'],
    ['postgres://u:p@db.example/claims?sslmode=disable', 'disabled'],
    ['postgres://u:p@db.example/claims?sslmode=require', 'encrypted'],
    ['postgres://u:p@db.example/claims?sslrootcert=system', 'encrypted'],
    ['postgres://u:p@db.example/claims?ssl=true', 'encrypted'],
    ['postgres://u:p@127.0.0.1:5432/claims', 'local'],
    ['postgres://u:p@[::1]/claims', 'local'],
    ['postgres://localhost/claims', 'local'],
    ['postgres:///claims?host=/var/run/postgresql', 'local'],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/claims', 'local'],
  ])('classifies %s as %s', (url, link) => {
    expect(databaseLink(url)).toBe(link);
  });
});
