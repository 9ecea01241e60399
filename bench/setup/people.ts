/** Signs people in over HTTP, as a browser does. */
const PASSWORD = 'a password only for the bench';

export interface SignedIn {
  /** The same session at another URL of the service. */
  at(url: string): SignedIn;
  /** Returns the time until the response was complete, in milliseconds. Throws unless the status is 200. */
  get(path: string): Promise<{ readonly ms: number }>;
  /** Waits for the first bytes of the response, then cancels it. Throws unless the status is 200. */
  peek(path: string): Promise<void>;
  /** Submits a form and returns the body of the response. Throws unless the status is 200 or 303. */
  post(path: string, fields: Record<string, string>): Promise<string>;
}

/** Accepts an invitation with a new password. Throws if a step is refused. */
export async function signIn(url: string, invitationPath: string): Promise<SignedIn> {
  const [path = '', code = ''] = invitationPath.split('#');
  const send = async (to: string, fields: Record<string, string>, cookie = ''): Promise<string> => {
    const response = await fetch(url + to, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie, origin: url },
      redirect: 'manual',
    });
    if (response.status !== 303) throw new Error(`POST ${to} was answered with ${response.status}`);
    return response.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
  };
  const opened = await send(path, { code });
  return withCookie(url, await send(`${path}/accept`, { password: PASSWORD }, opened));
}

/** A person with the session cookie, such as one of `addSessions`. */
export const withCookie = (url: string, cookie: string): SignedIn => ({
  at: (other) => withCookie(other, cookie),
  get: async (path) => {
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers: { cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`);
    return { ms: performance.now() - startedAt };
  },
  peek: async (path) => {
    const response = await fetch(url + path, { headers: { cookie } });
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
  },
  post: async (path, fields) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(url + path, {
      method: 'POST',
      body,
      headers: { cookie, origin: url },
      redirect: 'manual',
    });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 303) {
      throw new Error(`POST ${path} was answered with ${response.status}`);
    }
    return text;
  },
});

/** Number of timed requests per page and round. */
export const LOOKS = 20;

/**
 * Returns the time of the second slowest request, in milliseconds. Ignores the slowest request, because other load on
 * the machine may have delayed it.
 */
export async function slowest(look: () => Promise<unknown>): Promise<number> {
  await look();
  const times: number[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    const startedMs = performance.now();
    await look();
    times.push(performance.now() - startedMs);
  }
  return times.toSorted((a, b) => b - a)[1]!;
}
