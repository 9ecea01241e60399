// Serves a module of Next.js route handlers: one exported function per HTTP method. The argument is the path.
import { serve } from '@hono/node-server';

const handlers = await import(process.argv[2]);

serve({ fetch: (request) => handlers[request.method](request), port: Number(process.env.PORT) });
