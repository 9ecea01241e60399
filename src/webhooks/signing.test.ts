import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { mintSecret, type SignedMessage, signatureOf, signedHeaders } from './signing.ts';

const message: SignedMessage = { id: 'evt_1', atMs: Date.now(), payload: '{"type":"x","data":"grün"}' };

/** As a receiver verifies `v1a`, by the specification. */
function verifyEd25519(
  publicKey: string,
  { id, payload }: SignedMessage,
  headers: Record<string, string>,
): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${id}.${headers['webhook-timestamp']}.${payload}`);
  return headers['webhook-signature']!.split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    return version === 'v1a' && verify(null, signed, key, Buffer.from(signature, 'base64'));
  });
}

describe('an HMAC signature', () => {
  it('is verified by the public library, and one of other content is not', () => {
    const { secret, publicKey } = mintSecret(randomBytes, 'hmac');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(publicKey).toBeNull();
    const headers = signedHeaders([secret], message);
    expect(new Webhook(secret).verify(message.payload, headers)).toEqual({ type: 'x', data: 'grün' });
    expect(() => new Webhook(secret).verify(`${message.payload} `, headers)).toThrow('No matching signature');
    const other = mintSecret(randomBytes, 'hmac').secret;
    expect(() => new Webhook(other).verify(message.payload, headers)).toThrow('No matching signature');
  });

  it('is there for the old secret and the new one', () => {
    const secrets = [mintSecret(randomBytes, 'hmac').secret, mintSecret(randomBytes, 'hmac').secret];
    const headers = signedHeaders(secrets, message);
    for (const secret of secrets) {
      expect(() => new Webhook(secret).verify(message.payload, headers)).not.toThrow();
    }
  });
});

describe('an Ed25519 signature', () => {
  it('is verified with the public key, and one of other content is not', () => {
    const { secret, publicKey } = mintSecret(randomBytes, 'ed25519');
    expect(secret).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const headers = signedHeaders([secret], message);
    expect(verifyEd25519(publicKey!, message, headers)).toBe(true);
    expect(verifyEd25519(publicKey!, { ...message, id: 'evt_2' }, headers)).toBe(false);
    expect(verifyEd25519(mintSecret(randomBytes, 'ed25519').publicKey!, message, headers)).toBe(false);
  });

  it('is that of RFC 8032, section 7.1, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    expect(mintSecret(() => seed, 'ed25519').publicKey).toBe(
      `whpk_${Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64')}`,
    );
  });

  it('uses whole seconds', () => {
    const { secret } = mintSecret(randomBytes, 'ed25519');
    expect(signatureOf(secret, { ...message, atMs: 1_999 })).toBe(
      signatureOf(secret, { ...message, atMs: 1_000 }),
    );
  });
});
