/** People of an installation, signed in as in a browser. */
const PASSWORD = 'a password for the bench alone';

export interface SignedIn {
  /** The same person at the service's present address. */
  at(url: string): SignedIn;
  /** GET; returns how long the whole answer took, in milliseconds. Throws unless it is a 200. */
  get(path: string): Promise<{ readonly ms: number }>;
  /** Sends a form; returns the page that answers it. Throws unless it is a 200 or a redirect. */
  post(path: string, fields: Record<string, string>): Promise<string>;
}

/** Sets a password by a link of the command line, then signs in with it. Throws when either is refused. */
export async function signIn(url: string, email: string, setPasswordPath: string): Promise<SignedIn> {
  const [path = '', code = ''] = setPasswordPath.split('#');
  const send = async (to: string, fields: Record<string, string>): Promise<Response> => {
    const response = await fetch(url + to, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    if (response.status !== 303) throw new Error(`POST ${to} was answered with ${response.status}`);
    return response;
  };
  await send(path, { code, password: PASSWORD });
  const answer = await send('/sign-in', { email, password: PASSWORD });
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  return withCookie(url, cookie.join('; '));
}

const withCookie = (url: string, cookie: string): SignedIn => ({
  at: (other) => withCookie(other, cookie),
  get: async (path) => {
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers: { cookie }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`);
    return { ms: performance.now() - startedAt };
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

/** Requests of a page or a reader in a round; the second slowest counts. */
export const LOOKS = 20;

/** The second slowest of many looks, in milliseconds: a single one may meet the machine at a bad moment. */
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
