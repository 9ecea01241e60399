/** Hosts and password of DATABASE_URL, which may name several hosts (postgresql.org/docs/current/libpq-connect.html). */

/** Groups: scheme, credentials with the `@`, hosts, rest. */
const PARTS = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is;

function partsOf(url: string) {
  const [, scheme = '', login = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return { scheme, login, hosts, rest, parameters: new URLSearchParams(/\?([^#]*)/.exec(rest)?.[1] ?? '') };
}

const WANTED_SERVER = 'target_session_attrs';

/** Values of `target_session_attrs` that select a server that accepts writes. */
const OF_PRIMARIES: ReadonlySet<string> = new Set(['read-write', 'primary']);
const ANY = 'any';

/** Returns one URL per host, without `target_session_attrs`. */
export function hostUrls(url: string): readonly string[] {
  const { scheme, login, hosts, rest } = partsOf(url);
  if (!hosts.includes(',') && !rest.includes(WANTED_SERVER)) return [url];
  return hosts.split(',').map((host) => {
    const single = URL.parse(scheme + login + host + rest);
    if (single === null) return scheme + login + host + rest;
    single.searchParams.delete(WANTED_SERVER);
    return single.href;
  });
}

/** Adds a password to the URL. Returns `null` if the URL names no user or already has a password. */
export function withPassword(url: string, password: string): string | null {
  const { scheme, login, hosts, rest, parameters } = partsOf(url);
  return /^[^:]+@$/.test(login) && !parameters.has('password')
    ? `${scheme}${login.slice(0, -1)}:${encodeURIComponent(password)}@${hosts}${rest}`
    : null;
}

/** Returns a sentence about a problem with the hosts or `target_session_attrs`, or `null` if they are valid. */
export function hostSelectionProblem(url: string): string | null {
  const { hosts: list, parameters } = partsOf(url);
  const hosts = list.split(',');
  const target = parameters.get(WANTED_SERVER);
  const named = parameters.get('host');
  if (named?.includes(',') || (named !== null && hosts.length > 1)) {
    return 'DATABASE_URL names hosts in its host parameter; put all hosts after the @, separated by commas.';
  }
  if (hosts.length > 1 && (hosts.includes('') || new Set(hosts).size < hosts.length)) {
    return 'DATABASE_URL has an empty host, or the same host twice; name each server once.';
  }
  if (target !== null && target !== ANY && !OF_PRIMARIES.has(target)) {
    return `DATABASE_URL has ${WANTED_SERVER}=${target}; set it to read-write, since redemptions need the server that accepts writes.`;
  }
  if (hosts.length > 1 && (target === null || target === ANY)) {
    return `DATABASE_URL names several hosts; add ${WANTED_SERVER}=read-write, so that the host that accepts writes is used.`;
  }
  return null;
}

const PASSWORD_PARAMETERS = /(?<=[?&])password=[^&#]*&?/g;

/** For a command line, which other users of the machine can see. As in `pg`, the password of the query wins. */
export function splitPassword(url: string): { readonly url: string; readonly password: string | null } {
  const { scheme, login, hosts, rest, parameters } = partsOf(url);
  const [, user, inLogin = ''] = /^([^:]*):(.*)@$/s.exec(login) ?? [];
  const password = parameters.getAll('password').at(-1) || decodeURIComponent(inLogin);
  const withoutPassword = `${scheme}${user === undefined ? login : `${user}@`}${hosts}${rest.replaceAll(PASSWORD_PARAMETERS, '')}`;
  return { url: withoutPassword, password: password || null };
}
