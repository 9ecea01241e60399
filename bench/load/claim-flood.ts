/**
 * Claims offers through the page as signed-in people. Each line of the file REQUESTS is a cookie, a tab and a path; each
 * is sent once. Environment: URL, REQUESTS, CONNECTIONS, SECONDS (it stops then, or at the end of the file). Prints a
 * line of JSON: answers by status, milliseconds of the whole and of the slowest answer, and the percentiles.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const env = (name: string): string => process.env[name] ?? '';
const url = new URL(env('URL'));
const requests = readFileSync(env('REQUESTS'), 'utf8').trim().split('\n');
const BODY = 'via=newsletter';
const statuses: Record<string, number> = {};
const times: number[] = [];
let next = 0;

/** Each in a network of its own, as a crowd: one network has few places at a time. */
const networkOf = (place: number): string => `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`;

const messages = requests.map((line, place) => {
  const [cookie = '', path = ''] = line.split('\t');
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nCookie: ${cookie}\r\n` +
      `X-Forwarded-For: ${networkOf(place)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  );
});
const startedAt = performance.now();
const endsAt = startedAt + Number(env('SECONDS')) * 1_000;
let endedAt = startedAt;

/** One connection until the end. An answer has a Content-Length, or is a redirect without a body. */
const flood = (): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let answer = '';
    let askedAt = 0;
    const ask = () => {
      const message = messages[next];
      if (message === undefined || performance.now() >= endsAt) return void socket.destroy();
      next += 1;
      askedAt = performance.now();
      socket.write(message);
    };
    socket.on('connect', ask);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(answer.slice(0, end))?.[1] ?? 0);
      if (answer.length < end + 4 + length) return;
      const status = answer.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      endedAt = performance.now();
      times.push(endedAt - askedAt);
      answer = '';
      ask();
    });
    socket.on('error', () => {
      statuses['error'] = (statuses['error'] ?? 0) + 1;
    });
    socket.on('close', () => resolve());
  });

await Promise.all(Array.from({ length: Number(env('CONNECTIONS')) }, flood));
times.sort((a, b) => a - b);
const result = {
  statuses,
  ms: endedAt - startedAt,
  p50: times[Math.floor(times.length * 0.5)] ?? 0,
  p99: times[Math.floor(times.length * 0.99)] ?? 0,
  slowest: times.at(-1) ?? 0,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
