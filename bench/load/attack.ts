/**
 * Sends hostile forms in a closed loop until the time is over, whatever the responses. Environment: URL, FORMS (a file
 * with one JSON `HostileForm` per line, sent in turns), SECONDS, CONNECTIONS. Prints a line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface HostileForm {
  readonly path: string;
  readonly cookie: string;
  /** Client's IP address, for a server that trusts `X-Forwarded-For`. */
  readonly address: string;
  readonly type: string;
  /** `{n}` is replaced by the request number, which has eight digits. */
  readonly body: string;
  /** If set, the body is sent one byte at a time, with this pause between two bytes. */
  readonly dripMs?: number;
  /** If true, only half of the headers is sent, and the connection stays open until the server closes it. */
  readonly isCut?: true;
  /** Local address of the connection. */
  readonly from?: string;
}

export interface Attack {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const DIGITS = 8;
const NUMBER = '{n}';
/** Pause before a refused or closed connection is opened again, so that refusals aren't a flood of connections. */
const RECONNECT_MS = 10;

const env = (name: string): string => process.env[name] ?? '';
const url = new URL(env('URL'));
const endsAtMs = performance.now() + Number(env('SECONDS')) * 1_000;
const forms = readFileSync(env('FORMS'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as HostileForm);

const statuses: Record<string, number> = {};
let sent = 0;

const isOver = (): boolean => performance.now() >= endsAtMs;

interface Request extends Pick<HostileForm, 'dripMs' | 'isCut' | 'from'> {
  readonly head: Buffer;
  readonly body: Buffer;
}

function next(): Request {
  const { path, cookie, address, type, body, ...how } = forms[sent % forms.length]!;
  const filled = Buffer.from(body.replaceAll(NUMBER, String(sent).padStart(DIGITS, '0')));
  sent += 1;
  const head = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nSec-Fetch-Site: same-origin\r\n` +
      `X-Forwarded-For: ${address}\r\nCookie: ${cookie}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${filled.length}\r\n\r\n`,
  );
  return { head, body: filled, ...how };
}

/** A pause for connections that are held, so that the attack is about what they hold. */
const REOPEN_CUT_MS = 1_000;

/** Sends one form on a new connection and resolves some time after the connection was closed. */
const sendOne = (): Promise<void> =>
  new Promise((resolve) => {
    const { head, body, dripMs, isCut, from } = next();
    const local = from === undefined ? {} : { localAddress: from };
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true, ...local });
    let dripping: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      if (isCut === true) return void socket.write(head.subarray(0, head.length / 2));
      if (dripMs === undefined) return void socket.write(Buffer.concat([head, body]));
      socket.write(head);
      let at = 0;
      dripping = setInterval(() => {
        if (isOver()) socket.destroy();
        else if (at < body.length) socket.write(body.subarray(at, ++at));
      }, dripMs);
    });
    let hasStatus = false;
    socket.on('data', (chunk: Buffer) => {
      if (hasStatus) return;
      hasStatus = true;
      const status = chunk.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(dripping);
      setTimeout(resolve, isCut === true ? REOPEN_CUT_MS : RECONNECT_MS);
    });
    setTimeout(() => socket.destroy(), endsAtMs + 1_000 - performance.now()).unref();
  });

async function attack(): Promise<void> {
  while (!isOver()) await sendOne();
}

await Promise.all(Array.from({ length: Number(env('CONNECTIONS')) }, attack));
process.stdout.write(`${JSON.stringify({ statuses } satisfies Attack)}\n`);
