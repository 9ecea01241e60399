/** Real proxies in front of a server, as plain processes with a configuration of one site: HAProxy, nginx, Apache, Caddy. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Where Debian has servers; the path of a user may lack it. */
const PATH = [process.env['PATH'], '/usr/sbin'].join(delimiter);

export interface Site {
  /** Folder for everything that the proxy writes. */
  readonly folder: string;
  readonly port: number;
  /** Of the server behind it. */
  readonly backend: number;
  /** For statistics or the administration of the proxy. */
  readonly adminPort: number;
}

export interface RealProxy {
  readonly command: string;
  /** The version, or `null` where the program is missing. */
  readonly version: string | null;
  readonly configuration: (site: Site) => string;
  readonly arguments: (file: string, site: Site) => readonly string[];
}

/** How long the proxies below keep an idle connection to the server, in place of a minute or two. */
export const PROXY_IDLE_MS = 1_000;

const program = (command: string, flag: string): Pick<RealProxy, 'command' | 'version'> => {
  const { stdout, stderr, error } = spawnSync(command, [flag], {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  return { command, version: error ? null : (/\d+\.\d+[.\d]*/.exec(stdout + stderr)?.[0] ?? 'unknown') };
};

export const REAL_PROXIES = {
  HAProxy: {
    ...program('haproxy', '-v'),
    configuration: ({ port, backend, adminPort }: Site) => `
global
  tune.idle-pool.shared on
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend site
  bind 127.0.0.1:${port}
  default_backend claimcheck
backend claimcheck
  option httpchk
  option forwardfor
  http-reuse always
  server s1 127.0.0.1:${backend} check inter 100 pool-purge-delay ${PROXY_IDLE_MS}ms
backend claimcheck-readyz
  option httpchk GET /readyz
  server s2 127.0.0.1:${backend} check inter 100
listen statistics
  bind 127.0.0.1:${adminPort}
  stats enable
  stats uri /
`,
    arguments: (file: string) => ['-db', '-f', file],
  },
  nginx: {
    ...program('nginx', '-v'),
    configuration: ({ folder, port, backend }: Site) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream claimcheck {
    server 127.0.0.1:${backend};
    keepalive 8;
    keepalive_timeout ${PROXY_IDLE_MS}ms;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://claimcheck;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
    # HTTP/1.0 and nothing but the defaults.
    location = /readyz {
      proxy_pass http://127.0.0.1:${backend};
    }
  }
}
`,
    arguments: (file: string, { folder }: Site) => ['-p', folder, '-c', file],
  },
  Apache: {
    ...program('apache2', '-v'),
    configuration: ({ folder, port, backend }: Site) => `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
${[
  'mpm_event',
  'authz_core',
  'slotmem_shm',
  'proxy',
  'proxy_http',
  'proxy_balancer',
  'lbmethod_byrequests',
  'proxy_hcheck',
]
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
<Proxy balancer://claimcheck>
  BalancerMember http://127.0.0.1:${backend} ttl=${PROXY_IDLE_MS / 1_000} hcmethod=OPTIONS hcinterval=100ms
</Proxy>
ProxyPass / balancer://claimcheck/
`,
    arguments: (file: string) => ['-X', '-f', file],
  },
  Caddy: {
    ...program('caddy', 'version'),
    configuration: ({ folder, port, backend, adminPort }: Site) => `
{
  admin 127.0.0.1:${adminPort}
  auto_https off
  storage file_system ${folder}
}
http://127.0.0.1:${port} {
  reverse_proxy 127.0.0.1:${backend} {
    health_uri /readyz
    health_interval 100ms
    transport http {
      keepalive ${PROXY_IDLE_MS}ms
    }
  }
}
`,
    arguments: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
} satisfies Record<string, RealProxy>;

export interface RunningProxy {
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Starts a proxy in front of a port of this machine; resolves once it takes connections. */
export async function startProxy(proxy: RealProxy, backend: number): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-proxy-'));
  mkdirSync(join(folder, 'home'));
  const site: Site = { folder, port: await freePort(), backend, adminPort: await freePort() };
  const file = join(folder, 'site.conf');
  writeFileSync(file, proxy.configuration(site));
  const child = spawn(proxy.command, proxy.arguments(file, site), {
    env: { PATH, HOME: join(folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  alive.add(child);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  const ended = once(child, 'exit').then(() => alive.delete(child));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await isOpen(site.port))) {
    if (child.exitCode !== null) throw new Error(`${proxy.command} ended: ${words}`);
    await sleep(20);
  }
  return { url: `http://127.0.0.1:${site.port}`, adminUrl: `http://127.0.0.1:${site.adminPort}`, stop };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
