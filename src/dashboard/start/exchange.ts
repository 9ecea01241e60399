/** The request and answer of a verification that the start page shows. */
import type { Context } from '../../context.ts';
import { type Exchange, exchangeOf } from '../requests/exchange.ts';
import { findCall } from '../requests/queries.ts';
import type { Verification } from './set-up.ts';

/** `null` once the request log has deleted it. */
export async function readExchange(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  shown: Verification,
  baseUrl: string,
): Promise<Exchange | null> {
  const call = await findCall(db.read, accountId, shown.requestId);
  return call === undefined ? null : exchangeOf(call, baseUrl);
}
