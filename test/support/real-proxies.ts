/** Runs real proxies (HAProxy, nginx, Apache, Caddy) with the recipes of the deployment guide. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';
import { freePort } from './free-port.ts';

/** Debian installs servers in /usr/sbin, which the PATH of an ordinary user may not include. */
const PATH = [process.env['PATH'], '/usr/sbin'].join(delimiter);

export interface Site {
  /** Folder for everything that the proxy writes. */
  readonly folder: string;
  readonly port: number;
  /** Port of the server behind the proxy. */
  readonly backend: number;
  /** Port of HAProxy's statistics page or of Caddy's admin API. */
  readonly adminPort: number;
}

interface RealProxy {
  readonly command: string;
  /** `null` if the program is not installed. */
  readonly version: string | null;
  /** Returns a complete configuration that contains the guide's recipe. */
  readonly configuration: (recipe: string, site: Site) => string;
  readonly arguments: (file: string, site: Site) => readonly string[];
}

/** How long the proxies keep idle connections to the server. Short, so that the tests are fast. */
export const PROXY_IDLE_MS = 1_000;

const program = (command: string, flag: string): Pick<RealProxy, 'command' | 'version'> => {
  const { stdout, stderr, error } = spawnSync(command, [flag], {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  return { command, version: error ? null : (/\d+\.\d+[.\d]*/.exec(stdout + stderr)?.[0] ?? 'unknown') };
};

const GUIDE = readFileSync(new URL('../../docs/guide/deploy.md', import.meta.url), 'utf8');

/** Returns the guide's recipe for a proxy, with the site's backend port and certificate. */
function recipeOf(name: string, { folder, backend }: Site): string {
  const recipe = new RegExp(`^## ${name}\n[^#]*?\`\`\`\\w+\n([\\s\\S]*?)\`\`\``, 'm').exec(GUIDE)?.[1];
  if (recipe === undefined) throw new Error(`The guide has no recipe for ${name}.`);
  return recipe
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${backend}`)
    .replaceAll('/etc/letsencrypt/live/claims.example.com/', `${folder}/`)
    .replaceAll('/etc/haproxy/claims.example.com.pem', `${folder}/both.pem`);
}

/** Replaces `part` in a recipe. Throws if the recipe does not contain `part`. */
function changed(recipe: string, part: string, by: string): string {
  if (!recipe.includes(part)) throw new Error(`The recipe does not contain “${part}”.`);
  return recipe.replace(part, by);
}

export const REAL_PROXIES = {
  HAProxy: {
    ...program('haproxy', '-v'),
    configuration: (recipe: string, { port, adminPort }: Site) => `
global
  tune.idle-pool.shared on
${changed(changed(recipe, 'bind :443', `bind 127.0.0.1:${port}`), 'inter 500ms fall 2', `inter 100 fall 100 pool-purge-delay ${PROXY_IDLE_MS}ms`)}
listen statistics
  bind 127.0.0.1:${adminPort}
  stats enable
  stats uri /
`,
    arguments: (file: string) => ['-db', '-f', file],
  },
  nginx: {
    ...program('nginx', '-v'),
    configuration: (recipe: string, { folder, port, adminPort }: Site) => `
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
${changed(
  changed(
    changed(recipe, 'listen 80;', `listen 127.0.0.1:${adminPort};`),
    'listen 443',
    `listen 127.0.0.1:${port}`,
  ),
  'keepalive 32;',
  `keepalive 32; keepalive_timeout ${PROXY_IDLE_MS}ms;`,
)}
}
`,
    arguments: (file: string, { folder }: Site) => ['-p', folder, '-c', file],
  },
  Apache: {
    ...program('apache2', '-v'),
    configuration: (recipe: string, { folder, port }: Site) => `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
${['mpm_event', 'authz_core', 'socache_shmcb', 'ssl', 'headers', 'proxy', 'proxy_http']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
${changed(changed(recipe, '*:443', `127.0.0.1:${port}`), 'ttl=300', `ttl=${PROXY_IDLE_MS / 1_000}`)}
`,
    arguments: (file: string) => ['-X', '-f', file],
  },
  Caddy: {
    ...program('caddy', 'version'),
    configuration: (recipe: string, { folder, port, backend, adminPort }: Site) => `
{
  admin 127.0.0.1:${adminPort}
  auto_https off
  storage file_system ${folder}
}
${changed(
  changed(recipe, 'claims.example.com', `https://:${port}`),
  `reverse_proxy 127.0.0.1:${backend}`,
  `tls ${folder}/fullchain.pem ${folder}/privkey.pem
  reverse_proxy 127.0.0.1:${backend} {
    transport http {
      keepalive ${PROXY_IDLE_MS}ms
    }
  }`,
)}
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

/** Starts a proxy in front of a local port; resolves once the proxy accepts connections. */
export async function startProxy(name: keyof typeof REAL_PROXIES, backend: number): Promise<RunningProxy> {
  const proxy: RealProxy = REAL_PROXIES[name];
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-proxy-'));
  mkdirSync(join(folder, 'home'));
  const site: Site = { folder, port: await freePort(), backend, adminPort: await freePort() };
  const file = join(folder, 'site.conf');
  writeFileSync(join(folder, 'fullchain.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'privkey.pem'), CERTIFICATE_KEY);
  writeFileSync(join(folder, 'both.pem'), `${CERTIFICATE}\n${CERTIFICATE_KEY}\n`);
  writeFileSync(file, proxy.configuration(recipeOf(name, site), site));
  const child = spawn(proxy.command, proxy.arguments(file, site), {
    env: { PATH, HOME: join(folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  alive.add(child);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'exit').then(() => alive.delete(child));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await isOpen(site.port))) {
    if (child.exitCode !== null) throw new Error(`${proxy.command} ended: ${stderr}`);
    await sleep(20);
  }
  return { url: `https://127.0.0.1:${site.port}`, adminUrl: `http://127.0.0.1:${site.adminPort}`, stop };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
