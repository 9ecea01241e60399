import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { mintSecret, signedHeaders } from './signing.ts';

const message = { id: 'evt_1', atMs: Date.now(), payload: '{"type":"x","data":"grün"}' };

describe('a signature', () => {
  it('is verified by the public library, and one of other content is not', () => {
    const secret = mintSecret(randomBytes);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const headers = signedHeaders([secret], message);
    expect(new Webhook(secret).verify(message.payload, headers)).toEqual({ type: 'x', data: 'grün' });
    expect(() => new Webhook(secret).verify(`${message.payload} `, headers)).toThrow('No matching signature');
    const other = mintSecret(randomBytes);
    expect(() => new Webhook(other).verify(message.payload, headers)).toThrow('No matching signature');
  });

  it('is there for the old secret and the new one', () => {
    const secrets = [mintSecret(randomBytes), mintSecret(randomBytes)];
    const headers = signedHeaders(secrets, message);
    for (const secret of secrets) {
      expect(() => new Webhook(secret).verify(message.payload, headers)).not.toThrow();
    }
  });
});
