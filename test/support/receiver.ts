/** A real webhook receiver on this machine, and an HTTP client that may call it. */
import http from 'node:http';
import { networkList } from '../../src/platform/network/network.ts';
import { createOutgoing, type Outgoing } from '../../src/platform/network/outgoing-request.ts';
import { serveLocally } from './local-server.ts';

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers a request once it has arrived completely; by default with 200. */
  answer: (request: Received, response: http.ServerResponse) => void;
  /** Number of open requests. */
  open: number;
  /** Maximum of `open` so far. */
  most: number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = http.createServer(async (request, response) => {
    receiver.open += 1;
    receiver.most = Math.max(receiver.most, receiver.open);
    response.on('close', () => {
      receiver.open -= 1;
    });
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const received = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(parts).toString(),
    };
    receiver.received.push(received);
    receiver.answer(received, response);
  });
  const { port, close } = await serveLocally(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (_, response) => response.end('ok'),
    open: 0,
    most: 0,
    close,
  };
  return receiver;
}

/** An HTTP client that may also call this machine. */
export const localOutgoing = (
  times: { readonly connectMs?: number; readonly responseMs?: number } = {},
): Outgoing => createOutgoing({ allowed: networkList(['127.0.0.0/8']), ...times });
