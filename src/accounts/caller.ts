import type { ClientAddress } from '../http/client-address.ts';
import type { PageContext } from '../http/pages.ts';
import type { Caller } from './services.ts';

/** Who sent a request. */
export const callerOf = (c: PageContext, clientAddress: ClientAddress): Caller => ({
  cookie: c.req.header('cookie') ?? '',
  userAgent: c.req.header('user-agent') ?? '',
  address: clientAddress(c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for')),
});
