import { describe, expect, it } from 'vitest';
import { claimKeysOf } from './search.ts';
import { hashToken } from './token.ts';

const ID = '01a20341-9be0-7254-bcd0-0123456789ab';
const token = (text: string) => ({ tokenHash: hashToken(text) });

describe('what a pasted text may name', () => {
  it.each([
    ['a token', ' clm_abc ', [token('clm_abc')]],
    ['a number', '1042', [token('1042')]],
    ['an id in capitals', ID.toUpperCase(), [token(ID.toUpperCase()), { id: ID }]],
    ['a redemption link', 'https://a.example/?ref=a&claim=clm_abc#x', [token('a'), token('clm_abc')]],
    [
      'the address of a claim on the claimant’s own pages',
      `https://claims.example/claims/${ID}`,
      [{ id: ID }],
    ],
    ['the address of a claim in the dashboard', `https://a.example/dashboard/claims/${ID}`, [{ id: ID }]],
    ['nothing', '  ', []],
    ['a text longer than any token', 'x'.repeat(201), []],
    ['a link that carries nothing', 'https://claims.example/', []],
  ])('%s', (_what, text, keys) => {
    expect(claimKeysOf(text)).toEqual(keys);
  });

  it('only a limited number of values of a link is read', () => {
    const link = `https://a.example/?${Array.from({ length: 1_000 }, (_, at) => `p${at}=${at}`).join('&')}`;
    expect(claimKeysOf(link)).toHaveLength(10);
  });
});
