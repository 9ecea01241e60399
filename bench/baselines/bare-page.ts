/**
 * The bare server for pages: responds to every request with a recorded response. Environment: PORT, ANSWER (a JSON file
 * with a `RecordedAnswer`).
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** A recorded response, without the headers that Node adds. */
interface RecordedAnswer {
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
}

const { headers, body } = JSON.parse(readFileSync(process.env['ANSWER']!, 'utf8')) as RecordedAnswer;
const bytes = Buffer.from(body, 'base64');

const server = createServer((_request, response) => {
  response.writeHead(200, [...headers]);
  response.end(bytes);
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
