/** Sends requests that could occupy the thread of the service, and measures the processor time that each takes. */
import { connect } from 'node:net';
import { cpuMsOf } from '../../support/cpu-time.ts';

/** Limit for the processor time of the thread. */
export const MAX_CPU_MS = 50;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the request over a plain socket, because an HTTP client would use the same thread. */
function exchange(baseUrl: string, { method, path, headers, body = '' }: Request): Promise<number> {
  const { host, port } = new URL(baseUrl);
  const sent = { host, connection: 'close', 'content-length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let status = 0;
    socket.on('data', (chunk: Buffer) => {
      status ||= Number(chunk.subarray(9, 12).toString());
    });
    socket.on('close', () => resolve(status));
    socket.on('error', reject);
    socket.write(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`));
  });
}

export const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Returns the requests that took too long, and how many responses had each status. */
export async function slowRequests(
  baseUrl: string,
  requests: Iterable<readonly [name: string, request: Request]>,
) {
  const slow: string[] = [];
  const statuses = new Map<number, number>();
  for (const [name, request] of requests) {
    const cpuMs = await cpuMsOf(async () => {
      const status = await exchange(baseUrl, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }, MAX_CPU_MS);
    if (cpuMs > MAX_CPU_MS) slow.push(`${name}: ${Math.round(cpuMs)} ms`);
  }
  return { slow, statuses };
}
