/**
 * The endpoint that a user would write by hand: Fastify, a `pg` pool, and one conditional UPDATE per request on the
 * service's claims table. It does less work than the service: the offer and the API key are constants, the plan is not
 * checked, and calls are not logged. Environment: PORT, DATABASE_URL, POOL_SIZE, API_KEY, ACCOUNT_NUMBER, OFFER_ID.
 */
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const accountNumber = Number(env('ACCOUNT_NUMBER'));
const offerId = env('OFFER_ID');
const authorization = `Bearer ${env('API_KEY')}`;
const pool = new pg.Pool({ connectionString: env('DATABASE_URL'), max: Number(env('POOL_SIZE')) });
const app = Fastify();

/** Length of the token hashes in the table, which are truncated SHA-256 hashes. */
const TOKEN_HASH_BYTES = 16;

interface RedeemedRow {
  readonly via: string | null;
  readonly claimed_at: Date;
  readonly redeemed_at: Date;
}

app.post<{ Body: { token: string } }>(
  '/api/v1/marketplace/claims/verify',
  {
    schema: {
      body: {
        type: 'object',
        required: ['token'],
        properties: { token: { type: 'string' }, redeem: { type: 'boolean' } },
      },
    },
  },
  async (request, reply) => {
    if (request.headers.authorization !== authorization)
      return reply.code(401).send({ status: 'unauthorized' });
    const tokenHash = createHash('sha256').update(request.body.token).digest().subarray(0, TOKEN_HASH_BYTES);
    const { rows } = await pool.query<RedeemedRow>({
      name: 'redeem',
      text: `UPDATE claim_rows SET redeemed_at = now()
             WHERE account_number = $1 AND token_hash = $2 AND redeemed_at IS NULL
             RETURNING via, claimed_at, redeemed_at`,
      values: [accountNumber, tokenHash],
    });
    const row = rows[0];
    if (row === undefined) return reply.code(404).send({ status: 'not_found' });
    return {
      status: 'redeemed',
      offer_id: offerId,
      offer: 'Twenty per cent off the first year for everyone who comes through the marketplace',
      kind: 'discount',
      listing: 'bench',
      via: row.via,
      claimed_at: row.claimed_at,
      redeemed_at: row.redeemed_at,
    };
  },
);

app.get('/readyz', async () => ({ status: 'ready' }));

await app.listen({ port: Number(env('PORT')), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
