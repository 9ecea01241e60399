import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type Server } from 'node:net';

/** Maximum number of connections that the kernel queues while the process is busy. */
const BACKLOG = 1_024;

interface ListenAddress {
  readonly host: string;
  /** 0: the system chooses a free port. */
  readonly port: number;
}

/** Resolves to the port number. For common errors, rejects with a message that names the setting to change. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  const listening = once(server, 'listening');
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await listening;
  } catch (error) {
    throw explained(error, { host, port });
  }
  return (server.address() as AddressInfo).port;
}

/** Checks that the address can be bound, before several processes bind it. Rejects like `listen`. */
export async function checkAddress(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}

function explained(error: unknown, { host, port }: ListenAddress): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const address = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const unknownHost = `HOST ${host} does not resolve; set it to an address or a name of this machine.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `${address} is already in use; choose another port with PORT, such as PORT=3001.`,
    EACCES: `This user may not listen on ${address}; choose another port with PORT, such as PORT=3001.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences[String(error.code)];
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}
