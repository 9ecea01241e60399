/**
 * Closed-loop load of form submissions, each from a different person. Environment: URL, FORMS (a file with one JSON
 * `Form` per line), CONNECTIONS. Prints a line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface Form {
  readonly path: string;
  readonly cookie: string;
  readonly body: string;
}

export interface Answers {
  /** Number of responses per kind. A kind is the status, plus the reason for the refusal if the page shows one. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly slowestMs: number;
}

const env = (name: string): string => process.env[name] ?? '';
const url = new URL(env('URL'));
const forms = readFileSync(env('FORMS'), 'utf8').trim().split('\n');

/** Each person has a different address, so that rate limits per network don't apply. */
const addressOf = (person: number): string => `10.${person >> 16}.${(person >> 8) & 255}.${person & 255}`;

const requests = forms.map((line, person) => {
  const { path, cookie, body } = JSON.parse(line) as Form;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nSec-Fetch-Site: same-origin\r\n` +
      `X-Forwarded-For: ${addressOf(person)}\r\nCookie: ${cookie}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
});

const REASON = /All of its [^<]*/;

const kinds: Record<string, number> = {};
let sent = 0;
let slowestMs = 0;

function note(answer: string, ms: number): void {
  const kind = `${answer.slice(9, 12)} ${REASON.exec(answer)?.[0] ?? ''}`.trim();
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  slowestMs = Math.max(slowestMs, ms);
}

/** Whether the response is complete. `end`: offset of the end of the headers. */
function isWhole(answer: string, end: number): boolean {
  const head = answer.slice(0, end);
  if (/transfer-encoding: *chunked/i.test(head)) return answer.endsWith('\r\n0\r\n\r\n');
  // Without Content-Length, the response has no body.
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return answer.length >= end + 4 + length;
}

/** Submits forms on one connection until all are sent. */
const work = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    let answer = '';
    let askedAt = 0;
    const ask = () => {
      const request = requests[sent];
      if (request === undefined) return void socket.destroy();
      sent += 1;
      askedAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('data', (chunk: string) => {
      answer += chunk;
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!isWhole(answer, end)) return;
      note(answer, performance.now() - askedAt);
      answer = '';
      ask();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(env('CONNECTIONS')) }, work));
const seconds = (performance.now() - startedAt) / 1_000;
process.stdout.write(`${JSON.stringify({ kinds, seconds, slowestMs } satisfies Answers)}\n`);
