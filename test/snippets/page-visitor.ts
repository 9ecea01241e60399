/** Visits a recommended page like a browser, and adapts the page to `Program` for the outcome tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueTokens } from '../support/marketplace.ts';
import { CALL_WITHIN_MS, type End, type Program } from './conversation.ts';
import type { Command } from './runtimes.ts';
import type { Trial } from './trial.ts';

const POLL_MS = 100;
const LISTENS_WITHIN_MS = 30_000;
/** Maximum time from a page's response to the `apply` line in the server's output. */
const LINE_WITHIN_MS = 5_000;

export interface PageServer {
  readonly url: string;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  close(): Promise<void>;
}

/** Starts the server of a page and waits until it listens on the PORT in `env`. */
export async function startPageServer({ command: [command, ...args], env }: Command): Promise<PageServer> {
  const child = spawn(command!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const late = setTimeout(kill, LISTENS_WITHIN_MS);
  const port = Number(env['PORT']);
  while (!(await listensOn(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} exited: ${output}`);
    await sleep(POLL_MS);
  }
  clearTimeout(late);
  return {
    url: `http://127.0.0.1:${port}/welcome`,
    output: () => output,
    close: async () => {
      process.removeListener('exit', kill);
      kill();
      await ended;
    },
  };
}

const listensOn = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket
      .on('error', () => resolve(false))
      .unref()
      .end();
  });

export interface Shown {
  readonly code: number;
  readonly text: string;
  readonly headers: Headers;
}

const FIELD = /<input type="hidden" name="([^"]+)"(?: id="[^"]*")? value="([^"]*)"/g;

/** The hidden fields of a page's form. */
export const fieldsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(FIELD)].map(([, name, value]) => [name, value]));

/** A browser that keeps cookies and sends forms with the page's own origin. */
export function createPageVisitor({ url }: PageServer) {
  const cookies = new Map<string, string>();

  /** The Origin header of forms. As in a browser, `Referrer-Policy: no-referrer` changes the header to `null`. */
  let origin = new URL(url).origin;

  async function shown(address: string, form?: Readonly<Record<string, string>>): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_WITHIN_MS),
      headers: { cookie, ...(form !== undefined && { origin }) },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    if (response.headers.get('referrer-policy') === 'no-referrer') origin = 'null';
    return { code: response.status, text: await response.text(), headers: response.headers };
  }

  return {
    open: (token: string) => shown(`${url}?${new URLSearchParams({ claim: token })}`),
    openWithoutToken: () => shown(url),
    send: (form: Readonly<Record<string, string>>) => shown(url, form),
  };
}

const MEANINGS = [
  [200, '<button>Get ', 'valid'],
  [200, 'The offer is yours.', 'redeemed'],
  [200, 'This offer has already been redeemed.', 'already_redeemed'],
  [404, 'This link is not valid.', 'not_found'],
  [503, 'Please try again in a moment.', 'failure'],
] as const;

/** The attempt IDs for which a page has applied an offer, read from the output of its server. */
export const appliedIn = (output: string): readonly string[] =>
  [...output.matchAll(/apply (\S+) for (\S+)/g)].map(([, , attempt]) => attempt!);

/** Adapts a page to `Program`: a call without a key opens the page, and a call with a key submits the form. */
export async function createPageProgram(server: PageServer, { setting, owner }: Trial): Promise<Program> {
  const [token] = await issueTokens(setting.service.context, owner, 1);
  const visitor = createPageVisitor(server);
  // The remaining fields hold the framework's CSRF token.
  const { token: _, attempt: __, ...ofFramework } = fieldsOf((await visitor.open(token!)).text);
  const appliedFor = (key: string | undefined) =>
    appliedIn(server.output()).filter((attempt) => attempt === key);
  return {
    async call({ token, key }): Promise<End> {
      const before = appliedFor(key).length;
      const { code, text } =
        key === undefined
          ? await visitor.open(token)
          : await visitor.send({ ...ofFramework, token, attempt: key });
      const [, , status] = MEANINGS.find(([of, said]) => code === of && text.includes(said)) ?? [];
      if (status === undefined) throw new Error(`Unexpected page: ${code} ${text}`);
      // The `apply` line may be printed after the response arrives.
      const latest = performance.now() + LINE_WITHIN_MS;
      const isMissing = () => status === 'redeemed' && appliedFor(key).length === before;
      while (isMissing() && performance.now() < latest) await sleep(POLL_MS);
      const applied = appliedFor(key).slice(before);
      return status === 'failure' ? { error: text, applied } : { status, applied };
    },
    close: async () => {},
  };
}
