/**
 * Closed-loop load on one page. Environment: URL, PAGE (the path), ENCODING (for `Accept-Encoding`), HEADERS (additional
 * header lines), STATUS (the expected status; a response with another status counts as refused), SECONDS, CONNECTIONS.
 * In PAGE and HEADERS, `{n}` is replaced by the request number. Prints a line of JSON.
 */
import { connect } from 'node:net';

const env = (name: string): string => process.env[name] ?? '';
const url = new URL(env('URL'));
const expected = `HTTP/1.1 ${env('STATUS')} `;
const ends_at = performance.now() + Number(env('SECONDS')) * 1_000;
let asked = 0;
let answered = 0;
let refused = 0;

/** Sends requests on one connection. A response without Content-Length counts as refused. */
const flood = (): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let left = 0;
    let head = '';
    const ask = () => {
      if (performance.now() >= ends_at) return void socket.destroy();
      const number = String(asked++);
      const path = env('PAGE').replace('{n}', number);
      const more = env('HEADERS').replace('{n}', number);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAccept-Encoding: ${env('ENCODING')}\r\n${more}\r\n`,
      );
    };
    const onHead = (chunk: Buffer): number => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return 0;
      const length = /content-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
      if (length === undefined || !head.startsWith(expected)) refused++;
      const body = head.length - end - 4;
      head = '';
      left = Number(length ?? 0);
      return body;
    };
    socket.on('connect', ask);
    socket.on('data', (chunk: Buffer) => {
      const isHead = left === 0;
      const bytes = isHead ? onHead(chunk) : chunk.length;
      if (isHead && head !== '') return;
      left -= bytes;
      if (left > 0) return;
      left = 0;
      answered++;
      ask();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    setTimeout(() => socket.destroy(), ends_at - performance.now() + 1_000).unref();
  });

await Promise.all(Array.from({ length: Number(env('CONNECTIONS')) }, flood));
process.stdout.write(`${JSON.stringify({ answered, refused })}\n`);
