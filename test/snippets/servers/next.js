// Calls the route handler of its argument as Next.js does: a function of a Request for each method.
import { serve } from '@hono/node-server';

const handlers = await import(process.argv[2]);

serve({ fetch: (request) => handlers[request.method](request), port: Number(process.env.PORT) });
