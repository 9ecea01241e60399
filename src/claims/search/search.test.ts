import { describe, expect, test } from 'vitest';
import { hashToken } from '../token.ts';
import { claimKeysOf } from './search.ts';

const ID = '01a20341-9be0-7254-bcd0-0123456789ab';
const token = (text: string) => ({ tokenHash: hashToken(text) });

describe('claimKeysOf', () => {
  test.each([
    ['a token', ' clm_abc ', [token('clm_abc')]],
    ['a number', '1042', [token('1042')]],
    ['an uppercase id', ID.toUpperCase(), [token(ID.toUpperCase()), { id: ID }]],
    ['a redemption link', 'https://a.example/?ref=a&claim=clm_abc#x', [token('a'), token('clm_abc')]],
    ['the URL of a claimant’s claim page', `https://claims.example/claims/${ID}`, [{ id: ID }]],
    ['the URL of a claim in the dashboard', `https://a.example/dashboard/claims/${ID}`, [{ id: ID }]],
    ['blank text', '  ', []],
    ['text longer than any token', 'x'.repeat(201), []],
    ['a link without a token or an id', 'https://claims.example/', []],
  ])('returns the keys to look up for %s', (_what, text, keys) => {
    expect(claimKeysOf(text)).toEqual(keys);
  });

  test('reads at most ten query values of a link', () => {
    const link = `https://a.example/?${Array.from({ length: 1_000 }, (_, at) => `p${at}=${at}`).join('&')}`;
    expect(claimKeysOf(link)).toHaveLength(10);
  });
});
