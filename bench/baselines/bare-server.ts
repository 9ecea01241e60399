/**
 * Shared by `bare-http.ts` and `durable-floor.ts`: `serveBare` starts a `node:http` server that parses the body of a
 * verification, and `answer` sends a constant response like the service's response for a redeemed claim. Environment:
 * PORT.
 */
import { createServer, type ServerResponse } from 'node:http';

const BODY = JSON.stringify({
  status: 'redeemed',
  offer_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  offer: 'Twenty per cent off the first year for everyone who comes through the marketplace',
  kind: 'discount',
  listing: 'bench',
  via: 'newsletter',
  claimed_at: '2026-11-20T10:00:00.000Z',
  redeemed_at: '2026-11-20T10:00:00.000Z',
});

const HEADERS = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };

export function answer(response: ServerResponse): void {
  response.writeHead(200, HEADERS);
  response.end(BODY);
}

/**
 * Calls `respond` for each POST with a token. `respond` may send the response asynchronously. A GET succeeds once the
 * server is up.
 */
export function serveBare(respond: (response: ServerResponse, token: string) => void): void {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { token?: unknown };
      if (typeof body.token !== 'string') {
        response.writeHead(400).end();
        return;
      }
      respond(response, body.token);
    });
  });
  server.listen(Number(process.env['PORT']), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}
