/** The request and answer of an account's first verification. */
import type { Context } from '../../context.ts';
import { type Exchange, exchangeOf } from '../requests/exchange.ts';
import { findCall } from '../requests/queries.ts';
import type { FirstVerification } from './set-up.ts';

/** `null` once the request log has deleted it. */
export async function readExchange(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  first: FirstVerification,
  baseUrl: string,
): Promise<Exchange | null> {
  const call = await findCall(db.read, accountId, first.requestId);
  return call === undefined ? null : exchangeOf(call, baseUrl);
}
