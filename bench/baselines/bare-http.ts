/**
 * The floor: a bare `node:http` server that reads and parses the body a verification has and answers a
 * constant of the size and type of a found claim. Listens on PORT, answers every POST alike; a GET answers once it is up.
 */
import { createServer } from 'node:http';

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
    response.writeHead(200, HEADERS);
    response.end(BODY);
  });
});

server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
