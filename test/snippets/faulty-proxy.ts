/** A proxy between a program and a real service. The proxy injects faults into requests for chosen tokens. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response from the service, or from a different server that runs at the service's address. */
export interface Recorded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Fault =
  /** Closes the connection without forwarding the request. */
  | 'cut'
  /** Forwards the request, and closes the connection before the caller receives any of the response. */
  | 'lost answer'
  /** Forwards the request, and closes the connection in the middle of the response body. */
  | 'half an answer'
  /** Never responds. */
  | 'silence'
  /** Forwards the request to a path that the service does not have. */
  | 'mistyped path'
  /** Sends this response without forwarding the request. */
  | Recorded;

/** A request that the proxy received. Times are from `performance.now()`. */
export interface Seen {
  readonly atMs: number;
  readonly headers: IncomingMessage['headers'];
  /** When the proxy began to send the response. `null` if it sent none. */
  answeredAtMs: number | null;
  /** Status of the response that the proxy sent. `null` if it sent none. */
  status: number | null;
  /** When the caller closed the connection before the proxy responded. `null` if it did not. */
  abandonedAtMs: number | null;
}

export interface FaultyProxy {
  readonly url: string;
  /** Faults for the next requests with each token, in order. Other requests are forwarded unchanged. */
  readonly faults: Map<string, Fault[]>;
  /** Requests received so far, by token. */
  readonly seen: Map<string, Seen[]>;
  close(): Promise<void>;
}

export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const faults: FaultyProxy['faults'] = new Map();
  const seen: FaultyProxy['seen'] = new Map();
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const { token } = JSON.parse(body) as { token: string };
    const arrival: Seen = {
      atMs: performance.now(),
      headers: incoming.headers,
      answeredAtMs: null,
      status: null,
      abandonedAtMs: null,
    };
    seen.set(token, [...(seen.get(token) ?? []), arrival]);
    let isFaulty = false;
    outgoing.on('close', () => {
      if (arrival.answeredAtMs === null && !isFaulty) arrival.abandonedAtMs = performance.now();
    });
    const respond = (recorded: Recorded, send = answer): void => {
      if (arrival.abandonedAtMs !== null) return;
      arrival.answeredAtMs = performance.now();
      arrival.status = recorded.status;
      send(outgoing, recorded);
    };
    const fault = faults.get(token)?.shift() ?? null;
    isFaulty = fault === 'silence' || fault === 'cut' || fault === 'lost answer';
    // Prevents reuse of the connection. Some HTTP clients resend a request if a reused connection breaks.
    outgoing.setHeader('Connection', 'close');
    if (fault === 'silence') return;
    if (fault === 'cut') {
      incoming.socket.destroy();
    } else if (typeof fault === 'object' && fault !== null) {
      respond(fault);
    } else {
      const path = fault === 'mistyped path' ? incoming.url!.replace('marketplace', 'market') : incoming.url!;
      let answered = await ask(serviceUrl + path, incoming, body);
      // On a busy machine, the service may exceed its deadline. That is not a fault that this test asks for.
      while (answered.status === 503 && 'idempotency-key' in incoming.headers) {
        answered = await ask(serviceUrl + path, incoming, body);
      }
      if (fault === 'lost answer') incoming.socket.destroy();
      else if (fault === 'half an answer') respond(answered, answerHalf);
      else respond(answered);
    }
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error) => outgoing.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    seen,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Headers that are not forwarded: hop-by-hop headers and Host. */
const OF_CONNECTION = ['connection', 'keep-alive', 'upgrade', 'http2-settings', 'transfer-encoding', 'host'];

function passedOn(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  return Object.fromEntries(kept) as Record<string, string>;
}

function ask(url: string, incoming: IncomingMessage, body: string): Promise<Recorded> {
  const options = { method: incoming.method!, headers: passedOn(incoming.headers) };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, headers: passedOn(response.headers), body: text });
    });
    sent.on('error', reject).end(body);
  });
}

const answer = (outgoing: ServerResponse, { status, headers, body }: Recorded): void => {
  outgoing.writeHead(status, headers).end(body);
};

function answerHalf(outgoing: ServerResponse, { status, headers, body }: Recorded): void {
  outgoing.writeHead(status, headers);
  outgoing.write(body.slice(0, body.length / 2), () => outgoing.socket?.destroy());
}
