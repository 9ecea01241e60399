import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { mintSecret, signedHeaders } from './signing.ts';

test('a signature is verified by the public library, and one of other content is not', () => {
  const message = { id: 'evt_1', atMs: Date.now(), payload: '{"type":"x","data":"grün"}' };
  const secret = mintSecret(randomBytes);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = signedHeaders([secret], message);
  expect(new Webhook(secret).verify(message.payload, headers)).toEqual({ type: 'x', data: 'grün' });
  expect(() => new Webhook(secret).verify(`${message.payload} `, headers)).toThrow('No matching signature');
  const other = mintSecret(randomBytes);
  expect(() => new Webhook(other).verify(message.payload, headers)).toThrow('No matching signature');
});
