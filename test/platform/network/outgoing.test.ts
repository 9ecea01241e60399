/** SSRF protection: an owner's URL is checked for internal addresses when it is saved and at each connection. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { networkList } from '../../../src/platform/network/network.ts';
import {
  callableOf,
  notCallable,
  parseOutgoingAddress,
} from '../../../src/platform/network/outgoing-address.ts';
import { OutgoingFailure } from '../../../src/platform/network/outgoing-failure.ts';
import {
  createOutgoing,
  type Outgoing,
  type Resolve,
} from '../../../src/platform/network/outgoing-request.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../support/certificate.ts';

const NOTHING = networkList([]);
const LOOPBACK = networkList(['127.0.0.0/8', '::1/128']);

const listed = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Non-public addresses, which must be unreachable both directly and through a host name. */
const INSIDE = listed(`
  0.0.0.0 0.1.2.3
  10.0.0.1 10.255.255.255
  100.64.0.1 100.100.100.200 100.127.255.255
  127.0.0.1 127.255.255.254
  168.63.129.16
  169.254.0.1 169.254.169.254 169.254.170.2
  172.16.0.1 172.31.255.255
  192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::10.0.0.1
  100::1
  2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:db8::1
  2002:7f00:1:: 2002:a9fe:a9fe::
  3fff::1 5f00::1
  fc00::1 fd00:ec2::254 fd20:ce::254
  fe80::1 fec0::1 ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`);

const PUBLIC = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'];

/** Alternative spellings of this machine's address, and disguised or malformed hosts. */
const SPELLINGS = [
  ...listed(`
    127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7F.1 0177.0.0.1 017700000001 127.0.0.1. 0 0x0
    00000000000000000000177.0.0.1 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 localhost. LOCALHOST a.localhost.
    %31%32%37.0.0.1 %6c%6f%63%61%6c%68%6f%73%74 [::1%25lo] [::1%lo] [0:0:0:0:0:0:0:1] [0000::1]
    [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::127.0.0.1] user@127.0.0.1 user:password@example.com
    example.com@127.0.0.1 127.0.0.1#@example.com 127.0.0.1?@example.com example..com .example.com
    xn--.example.com
  `),
  '127.0.0.1\\@example.com',
  '127.0.0.1\t',
  '127.0.0.1\u200b',
];

const OTHER_ADDRESSES = [
  ...listed(`
    http://example.com/ http://1.1.1.1/ http://10.0.0.1/ HTTPS://example.com/ ftp://example.com/
    file:///etc/passwd gopher://127.0.0.1/ data:text/plain,x javascript:alert(1)
    unix:/var/run/docker.sock https:///127.0.0.1/ https:/127.0.0.1/ https:127.0.0.1/ //127.0.0.1/
    https://example.com:22/ https://example.com:25/ https://example.com:80/ https://example.com:0/
    https://example.com:65536/ https://example.com:+443/ https://example.com/#fragment
    https://example.com/#
  `),
  ' https://example.com/',
  'https://exa mple.com/',
  'https://example.com/\nHost: 127.0.0.1',
  '',
];

const NO_ADDRESS =
  'No connection: the host name does not resolve to a public address. Check its DNS records.';
const NO_CONNECTION = 'No connection to the port. Check that it is open to the internet and that TLS works.';

/** Mocks the addresses of this machine's network interfaces. */
function ownAddresses(...addresses: string[]): void {
  const family = (address: string) => (address.includes(':') ? 'IPv6' : 'IPv4');
  const interfaces = addresses.map(
    (address) => ({ address, family: family(address) }) as os.NetworkInterfaceInfo,
  );
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: interfaces, none: undefined });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Resolves to the port once the server is listening. */
async function listen(server: net.Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(port, host), 'listening');
  return (server.address() as AddressInfo).port;
}

const isCallable = (address: string, allowed: Parameters<typeof callableOf>[1]): boolean =>
  callableOf([address], allowed).length === 1;

describe('outgoing addresses', () => {
  test('are rejected if they are internal, disguised or malformed', () => {
    const bracketed = INSIDE.map((address) => (address.includes(':') ? `[${address}]` : address));
    const all = [
      ...[...bracketed, ...SPELLINGS].map((host) => `https://${host}/`),
      ...[...bracketed, ...SPELLINGS].map((host) => `https://${host}:8443/`),
      ...OTHER_ADDRESSES,
    ];
    expect(new Set(all).size).toBeGreaterThan(200);
    const accepted = all.filter((text) => {
      try {
        parseOutgoingAddress(text, 'The address', NOTHING);
        return true;
      } catch (error) {
        expect((error as Error).message, text).toMatch(/^The address .+\.$/s);
        return false;
      }
    });
    expect(accepted).toEqual([]);
  });

  test('are accepted if they are on the public internet', () => {
    for (const address of PUBLIC) {
      expect(isCallable(address, NOTHING), address).toBe(true);
      const host = address.includes(':') ? `[${address}]` : address;
      expect(parseOutgoingAddress(`https://${host}:8443/hook?a=b`, 'The address', NOTHING).host).toBe(
        `${host}:8443`,
      );
    }
    expect(parseOutgoingAddress('https://hooks.example.com', 'The address', NOTHING).href).toBe(
      'https://hooks.example.com/',
    );
  });

  test('are rejected if they belong to this machine, unless the operator allows them', () => {
    const own = ['1.1.1.1', '2606:4700::1111'];
    expect(own.map((address) => isCallable(address, NOTHING))).toEqual([true, true]);
    ownAddresses(...own);
    expect(own.map((address) => isCallable(address, NOTHING))).toEqual([false, false]);
    expect(isCallable('1.1.1.2', NOTHING)).toBe(true);
    expect(isCallable('1.1.1.1', networkList(['1.1.1.0/24']))).toBe(true);
    for (const host of ['1.1.1.1', '[2606:4700::1111]']) {
      expect(() => parseOutgoingAddress(`https://${host}:8443/`, 'It', NOTHING), host).toThrow(
        notCallable('It').message,
      );
    }
  });

  test('are limited to the first 16 that a name resolves to', () => {
    ownAddresses();
    const many = Array.from({ length: 4_000 }, (_, n) => `1.1.${n >> 8}.${n & 255}`);
    expect(callableOf(many, NOTHING)).toHaveLength(16);
    expect(os.networkInterfaces).toHaveBeenCalledTimes(1);
  });

  test('are accepted in a private network only if the operator allows the network', () => {
    const allowed = networkList(['10.1.0.0/16', 'fd12::/16']);
    expect(INSIDE.filter((address) => isCallable(address, allowed))).toEqual([]);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::7'])
      expect(isCallable(address, allowed)).toBe(true);
    expect(() => parseOutgoingAddress('https://10.1.2.3/', 'It', allowed)).not.toThrow();
    expect(() => parseOutgoingAddress('http://10.1.2.3/', 'It', allowed)).toThrow('https://');
    expect(() => parseOutgoingAddress('http://localhost:8080/', 'It', LOOPBACK)).not.toThrow();
    expect(() => parseOutgoingAddress('http://localhost:8080/', 'It', allowed)).toThrow(
      notCallable('It').message,
    );
  });
});

describe('outgoing requests', () => {
  let server: http.Server;
  let port: number;
  let connections = 0;
  let answer: http.RequestListener = (_, response) => response.end('here');
  const opened: Outgoing[] = [];

  beforeAll(async () => {
    server = http.createServer((request, response) => answer(request, response));
    server.on('connection', () => {
      connections += 1;
    });
    port = await listen(server);
  });
  afterAll(() => {
    for (const one of opened) one.close();
    server.closeAllConnections();
    server.close();
  });

  const here = () => `http://127.0.0.1:${port}/`;
  const open = (options: Partial<Parameters<typeof createOutgoing>[0]>): Outgoing => {
    const outgoing = createOutgoing({ allowed: NOTHING, ...options });
    opened.push(outgoing);
    return outgoing;
  };
  const get = (outgoing: Outgoing, url: string, signal?: AbortSignal) =>
    outgoing.request({ method: 'GET', url, headers: {}, ...(signal && { signal }) });
  /** Expects the request to fail and returns the error message. */
  const failing = async (request: Promise<unknown>): Promise<string> => {
    const error = await request.then(
      () => new Error('the request succeeded'),
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(OutgoingFailure);
    return (error as Error).message;
  };
  const leadsTo =
    (...addresses: string[]): Resolve =>
    async () =>
      addresses;

  test('fail if the host name resolves to an internal address; such a URL cannot be saved either', async () => {
    const before = connections;
    ownAddresses('1.1.1.1');
    const refused = [...INSIDE, '1.1.1.1'].map(async (address) => {
      const outgoing = open({ resolve: leadsTo(address), connectMs: 20 });
      const url = `https://hooks.example.com:${port}/`;
      await expect(outgoing.check(url, 'It'), address).rejects.toThrow(notCallable('It').message);
      expect(await failing(get(outgoing, url)), address).toBe(NO_ADDRESS);
    });
    await Promise.all(refused);
    expect(connections).toBe(before);
  });

  test('check the resolved address again on connect, to prevent DNS rebinding', async () => {
    const answers = ['1.1.1.1', '127.0.0.1'];
    const rebinding: Resolve = async () => [answers.shift()!];
    const reasons: string[] = [];
    const onNoConnection = (_: string, reason: string) => reasons.push(reason);
    const outgoing = open({ resolve: rebinding, connectMs: 20, onNoConnection });
    await outgoing.check('https://hooks.example.com/', 'It');
    expect(await failing(get(outgoing, 'https://hooks.example.com/'))).toBe(NO_ADDRESS);
    expect(reasons).toEqual(['resolves to 127.0.0.1, which must not be called']);
    expect(answers).toEqual([]);
  });

  test('skip forbidden addresses if the name also resolves to an allowed one', async () => {
    let reached = 0;
    const inside = http.createServer().on('connection', () => {
      reached += 1;
    });
    await listen(inside, port, '127.0.0.2');
    const resolve = leadsTo('127.0.0.2', '127.0.0.1');
    const url = `https://hooks.example.com:${port}/`;
    const outgoing = open({ allowed: networkList(['127.0.0.1/32']), resolve, connectMs: 200 });
    await outgoing.check(url, 'It');
    // The request still fails, because the server at the allowed address does not speak TLS.
    expect(await failing(get(outgoing, url))).toBe(NO_CONNECTION);
    expect(reached).toBe(0);
    inside.close();
  });

  test('check the address on connect even if it was allowed on save', async () => {
    const url = here();
    await open({ allowed: LOOPBACK }).check(url, 'It');
    const before = connections;
    expect(await failing(get(open({}), url))).toBe(notCallable('The address').message);
    expect(connections).toBe(before);
  });

  // Positive control: the same server is reachable if its address is allowed.
  test('send method, headers and body, and return status, headers and body', async () => {
    answer = async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      response.writeHead(418, {
        'set-cookie': 'a=b',
        'x-seen': encodeURIComponent(`${request.method} ${request.headers['x-a']} ${Buffer.concat(parts)}`),
      });
      response.end(JSON.stringify(Object.keys(request.headers).sort()));
    };
    const outgoing = open({ allowed: LOOPBACK });
    const request = {
      method: 'POST' as const,
      url: `http://localhost:${port}/hook`,
      headers: { 'x-a': 'b' },
      body: 'grün',
    };
    const { status, headers, body } = await outgoing.request(request);
    expect({ status, seen: decodeURIComponent(String(headers['x-seen'])) }).toEqual({
      status: 418,
      seen: 'POST b grün',
    });
    const sent = ['connection', 'content-length', 'host', 'x-a'];
    expect(JSON.parse(String(body))).toEqual(sent);
    // The second request reuses the connection and does not send the cookie.
    const before = connections;
    expect(JSON.parse(String((await outgoing.request(request)).body))).toEqual(sent);
    expect(connections).toBe(before);
  });

  test('do not follow redirects', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    const { status } = await get(open({ allowed: LOOPBACK }), here());
    expect(status).toBe(302);
  });

  test('read only the first 16 KiB of an endless response', async () => {
    answer = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write);
      write();
    };
    const { status, body } = await get(open({ allowed: LOOPBACK }), here());
    expect({ status, size: body.length }).toEqual({ status: 200, size: 16_384 });
  });

  /** A server that answers each request with `start`, and then with `unit` as fast as the client reads. */
  async function listenAndFlood(start: string, unit: string): Promise<string> {
    const flooding = net.createServer((socket) => {
      const units = unit.repeat(Math.ceil(65_536 / unit.length));
      const write = () => {
        while (!socket.destroyed && socket.write(units));
      };
      socket.on('error', () => {});
      socket.on('drain', write);
      socket.once('data', () => {
        socket.write(start);
        write();
      });
      socket.once('close', () => flooding.close());
    });
    return `http://127.0.0.1:${await listen(flooding)}/`;
  }
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

  test.each([
    ['informational responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['early hints', '', `HTTP/1.1 103 Early Hints\r\n${'a: b\r\n'.repeat(1_000)}\r\n`],
    ['empty lines', '', '\r\n'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'],
  ])('fail after 16 KiB of endless %s', async (_, start, unit) => {
    const startedMs = performance.now();
    const outgoing = open({ allowed: LOOPBACK, responseMs: 5_000 });
    expect(await failing(get(outgoing, await listenAndFlood(start, unit)))).toBe(
      'The headers of the response are larger than 16 KiB.',
    );
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  test.each([
    ['single bytes', '1\r\nx\r\n', 2_000],
    ['single bytes with long chunk extensions', `1;${'a'.repeat(10_000)}\r\nx\r\n`, 1],
  ])('read about 16 KiB of an endless response of %s, but not 16 KiB of its body', async (_, unit, min) => {
    const { status, body } = await get(open({ allowed: LOOPBACK }), await listenAndFlood(CHUNKED, unit));
    expect(status).toBe(200);
    expect(String(body)).toMatch(/^x+$/);
    expect(body.length).toBeGreaterThanOrEqual(min);
    expect(body.length).toBeLessThan(16_384);
  });

  test('fail on a timeout, an abort, a closed connection or a protocol upgrade', async () => {
    answer = (_, response) => response.write('a part');
    const url = here();
    expect(await failing(get(open({ allowed: LOOPBACK, responseMs: 30 }), url))).toBe(
      'No complete response within 0.03 seconds.',
    );
    const stop = new AbortController();
    const aborted = get(open({ allowed: LOOPBACK }), url, stop.signal);
    stop.abort(new Error('stopping'));
    await expect(aborted).rejects.toThrow('stopping');
    answer = (request) => request.socket.destroy();
    const failure = () => failing(get(open({ allowed: LOOPBACK }), url));
    expect(await failure()).toBe('The connection was closed before the response was complete.');
    answer = (request) =>
      request.socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    expect(await failure()).toBe('The response switches to another protocol.');
  });

  test('are retried once if the server closed the keep-alive connection', async () => {
    let requests = 0;
    answer = (request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('here');
    };
    const outgoing = open({ allowed: LOOPBACK });
    const url = here();
    await get(outgoing, url);
    // Let the agent return the connection to its pool.
    await new Promise((done) => setImmediate(done));
    expect((await get(outgoing, url)).status).toBe(200);
    expect(requests).toBe(3);
  });

  test('fail with the same delay for every connection error, and say only whether the host or its port is the cause', async () => {
    const silent = net.createServer(() => {});
    const closed = net.createServer();
    const [quiet, unused] = [await listen(silent), await listen(closed)];
    await once(closed.close(), 'close');
    const connectMs = 400;
    const reasons: Record<string, string> = {};
    const outgoing = open({
      allowed: LOOPBACK,
      connectMs,
      onNoConnection: (host, reason) => {
        reasons[host] = reason;
      },
      resolve: async (name) => {
        const [kind] = name.split('.');
        if (kind === 'inside') return ['10.0.0.1'];
        if (kind !== 'refused' && kind !== 'plain' && kind !== 'silent')
          throw Object.assign(new Error(), { code: kind!.toUpperCase(), syscall: 'queryA' });
        return ['127.0.0.1'];
      },
    });
    const ports = { refused: unused, plain: port, silent: quiet };
    const names = ['refused', 'plain', 'silent', 'inside', 'enotfound', 'eservfail'];
    const urlOf = (name: string) => `https://${name}.example:${ports[name as keyof typeof ports] ?? 443}/`;
    const startedMs = performance.now();
    /** Returns the error message. Checks that the failure is delayed, even if its cause is known immediately. */
    const late = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => null,
        (error: Error) => error,
      );
      expect(performance.now() - startedMs).toBeGreaterThan(connectMs / 2);
      return error?.message;
    };
    const requested = names.map((name) => late(get(outgoing, urlOf(name))));
    // On save, an unknown name must also be indistinguishable from a name with an internal address.
    const saved = ['inside', 'enotfound'].map((name) => late(outgoing.check(urlOf(name), 'It')));
    expect(await Promise.all(requested)).toEqual(
      names.map((name) => (name in ports ? NO_CONNECTION : NO_ADDRESS)),
    );
    expect(await Promise.all(saved)).toEqual(saved.map(() => notCallable('It').message));
    expect(reasons).toEqual({
      'refused.example': 'ECONNREFUSED',
      'plain.example': expect.stringMatching(/^E/),
      'silent.example': 'no connection within 0.4 seconds',
      'inside.example': 'resolves to 10.0.0.1, which must not be called',
      'enotfound.example': 'ENOTFOUND',
      'eservfail.example': 'ESERVFAIL',
    });
    silent.close();
  });

  test('skip the delay after a failed connection if the request is aborted', async () => {
    const stop = new AbortController();
    const request = get(open({ resolve: leadsTo('10.0.0.1') }), 'https://hooks.example.com/', stop.signal);
    setTimeout(() => stop.abort(new Error('stopping')), 50);
    await expect(request).rejects.toThrow('stopping');
  });

  test('require a valid certificate for the host name', async () => {
    const secure = https.createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_, response) =>
      response.end('safe'),
    );
    const securePort = await listen(secure);
    const resolve = leadsTo('127.0.0.1');
    const url = `https://hooks.example.com:${securePort}/`;
    expect(await failing(get(open({ allowed: LOOPBACK, resolve }), url))).toMatch(
      /^The TLS certificate is self-signed/,
    );
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
    try {
      const outgoing = open({ allowed: LOOPBACK, resolve });
      const first = await get(outgoing, url);
      expect(String(first.body)).toBe('safe');
      expect(first.tls).toEqual({ protocol: 'TLSv1.3', validTo: '2126-10-29T16:47:59.000Z' });
      // The second connection resumes the TLS session, so the server sends no certificate.
      secure.closeAllConnections();
      expect((await get(outgoing, url)).tls).toEqual({ protocol: 'TLSv1.3', validTo: null });
      expect(await failing(get(outgoing, `https://other.example.com:${securePort}/`))).toBe(
        'The TLS certificate is for another host name.',
      );
    } finally {
      tls.setDefaultCACertificates(trusted);
      secure.closeAllConnections();
      secure.close();
    }
  });

  test('fail if the server sends TLS session tickets without end', async () => {
    const secure = https.createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, () => {});
    const resolve = leadsTo('127.0.0.1');
    const url = `https://hooks.example.com:${await listen(secure)}/`;
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
    // A server of Node sends two tickets, so the others are simulated.
    const connect = vi.spyOn(https.Agent.prototype, 'createConnection');
    try {
      const failure = failing(get(open({ allowed: LOOPBACK, resolve, responseMs: 5_000 }), url));
      await once(secure, 'request');
      const socket = connect.mock.results[0]!.value as tls.TLSSocket;
      for (let ticket = 0; ticket < 20; ticket += 1) socket.emit('session', Buffer.from('ticket'));
      expect(socket.destroyed).toBe(false);
      for (let ticket = 0; ticket < 20; ticket += 1) socket.emit('session', Buffer.from('ticket'));
      expect(await failure).toBe('The server sends too many TLS session tickets.');
    } finally {
      tls.setDefaultCACertificates(trusted);
      secure.closeAllConnections();
      secure.close();
    }
  });

  test('name a refused TLS handshake', async () => {
    const secure = https.createServer({
      cert: CERTIFICATE,
      key: CERTIFICATE_KEY,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1.1',
    });
    const url = `https://localhost:${await listen(secure)}/`;
    expect(await failing(get(open({ allowed: LOOPBACK }), url))).toBe(
      'The server refused the TLS handshake. Check that it supports TLS 1.2 or 1.3.',
    );
    secure.close();
  });

  test.each([
    ['TLSv1.2', /refused the TLS handshake.*requires no client certificate/],
    ['TLSv1.3', /^The server requires a client certificate/],
  ] as const)('name a missing client certificate with %s', async (maxVersion, sentence) => {
    const secure = https.createServer({
      ...{ cert: CERTIFICATE, key: CERTIFICATE_KEY, ca: CERTIFICATE },
      ...{ requestCert: true, rejectUnauthorized: true, maxVersion },
    });
    const resolve = leadsTo('127.0.0.1');
    const url = `https://hooks.example.com:${await listen(secure)}/`;
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
    try {
      expect(await failing(get(open({ allowed: LOOPBACK, resolve }), url))).toMatch(sentence);
    } finally {
      tls.setDefaultCACertificates(trusted);
      secure.close();
    }
  });

  test('ignore proxy settings in the environment', async () => {
    answer = (request, response) => response.end(request.url);
    const program = `
      import http from 'node:http';
      import { createOutgoing } from ${JSON.stringify(fileURLToPath(new URL('../../../src/platform/network/outgoing-request.ts', import.meta.url)))};
      import { networkList } from ${JSON.stringify(fileURLToPath(new URL('../../../src/platform/network/network.ts', import.meta.url)))};
      const outgoing = createOutgoing({ allowed: networkList(['127.0.0.0/8']) });
      const { body } = await outgoing.request({ method: 'GET', url: 'http://127.0.0.1:${port}/direct', headers: {} });
      outgoing.close();
      const proxied = await new Promise((done) =>
        http.get('http://127.0.0.2:${port}/proxied', (answer) => answer.on('data', (part) => done(String(part)))));
      console.log(JSON.stringify([String(body), proxied]));
      process.exit();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env: { NODE_USE_ENV_PROXY: '1', http_proxy: `http://127.0.0.1:${port}`, no_proxy: '' } },
    );
    // Positive control: a plain `http.get` uses the proxy. A proxy receives an absolute URL instead of a path.
    expect(JSON.parse(stdout)).toEqual(['/direct', `http://127.0.0.2:${port}/proxied`]);
  });
});
