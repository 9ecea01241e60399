/** Cross-site request forgery: every route that can change data rejects requests from other sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ONE_CLICK_PATHS } from '../../../src/base/paths.ts';
import type { PersonName } from '../sample-data.ts';
import { everyField, pathWith, type Route, routesOf, ruleOf } from '../site-routes.ts';
import { dumpRows, openWholeSite, type WholeSite } from '../whole-site.ts';

const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another origin': { origin: 'https://evil.example' },
  'a sandboxed page': { origin: 'null' },
  'another port': { origin: 'http://127.0.0.1:1' },
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another subdomain of the site': { 'sec-fetch-site': 'same-site' },
  'another site and another origin': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a host that begins like ours': { origin: 'http://127.0.0.1.evil.example' },
};

/** Routes that accept a form even if it was shown to another account. */
const FOR_EVERYONE = ['/sign-out', '/dashboard/switch', '/theme', '/language'];

/** Mail clients may call these from their own origin, but without the cookies of the service. */
const isOneClick = ({ path }: Route): boolean => ONE_CLICK_PATHS.some((one) => path === `${one}/:code`);

describe('routes that can change data', () => {
  let site: WholeSite;
  let changing: readonly Route[];

  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    changing = routesOf(site.service).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  });
  afterAll(() => site?.close());

  /** Returns a person who is allowed to request the route. */
  const personFor = (route: Route): PersonName => {
    if (route.path.startsWith('/desk')) return 'operator';
    if (route.path.startsWith('/invitation')) return 'claimant';
    const whose = route.parameters.length === 0 ? 'owner' : ruleOf(route).whose;
    return whose === null || whose === 'everyone' ? 'claimant' : whose;
  };

  test('return 403 for requests from other sites, and change nothing', async () => {
    expect(changing.length).toBeGreaterThan(40);
    const before = await dumpRows(site);
    const form = everyField(site.ids);
    const faults: string[] = [];
    const origins = Object.keys(FOREIGN);
    for (const [index, route] of changing.entries()) {
      const path = pathWith(route, site.ids);
      const ask = async (person: PersonName | null, from: string) => {
        const { status } = await site.request(person, route.method, path, { form, headers: FOREIGN[from]! });
        if (status !== 403) faults.push(`${route.method} ${route.path} from ${from}: ${status}`);
      };
      // Each route gets two of the headers, and its neighbours the others.
      for (const turn of [index, index + 3]) await ask(personFor(route), origins[turn % origins.length]!);
      if (!isOneClick(route)) await ask(null, 'another origin');
    }
    expect(faults).toEqual([]);
    expect(await dumpRows(site)).toEqual(before);
  });

  test('return 409 for a form that was shown to another account, and change nothing', async () => {
    const before = await dumpRows(site);
    const faults: string[] = [];
    for (const route of changing.filter(({ path }) => !FOR_EVERYONE.includes(path))) {
      const person = personFor(route);
      const { status, text } = await site.request(person, route.method, pathWith(route, site.ids), {
        form: { ...everyField(site.ids), shown_to: site.people.stranger.accountId },
      });
      if (status !== 409 || !text.includes('Nothing has been changed')) {
        faults.push(`${route.method} ${route.path} (${person}): ${status}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await dumpRows(site)).toEqual(before);
  });

  test('every form contains the ID of the account that the form is shown to', async () => {
    const faults: string[] = [];
    let forms = 0;
    for (const route of routesOf(site.service).filter(({ method }) => method === 'GET')) {
      const person = personFor(route);
      const { text, headers } = await site.request(person, 'GET', pathWith(route, site.ids));
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      const field = `name="shown_to" value="${site.people[person].accountId}`;
      for (const [form] of text.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gis)) {
        forms += 1;
        if (!form.includes(field)) faults.push(`${route.path}: ${form.slice(0, 100)}`);
      }
    }
    expect(forms).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  // The control for the tests above: if a form comes from a page of the service and was shown to the same account, the
  // request is accepted.
  test('accept requests from pages of the service', async () => {
    const before = await dumpRows(site);
    for (const route of changing) {
      const person = personFor(route);
      // These routes may sign the person out, and the remaining requests need the session.
      if (route.path === '/sign-out' || route.path.startsWith('/account')) continue;
      const { status } = await site.request(person, route.method, pathWith(route, site.ids), {
        form: { ...everyField(site.ids), shown_to: site.people[person].accountId },
      });
      expect(status, `${route.method} ${route.path}`).not.toBe(403);
    }
    expect(await dumpRows(site)).not.toEqual(before);
  });
});
