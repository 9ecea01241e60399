// Serves the Next.js route handlers of the module given as argument: one exported function per HTTP method.
import { serve } from '@hono/node-server';

const handlers = await import(process.argv[2]);

serve({ fetch: (request) => handlers[request.method](request), port: Number(process.env.PORT) });
