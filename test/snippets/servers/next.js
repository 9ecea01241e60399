// Serves the Next.js route handlers in a module: one exported function per HTTP method.
// The first argument is the module's path.
import { serve } from '@hono/node-server';

const handlers = await import(process.argv[2]);

serve({ fetch: (request) => handlers[request.method](request), port: Number(process.env.PORT) });
