/** Security checks for a recommended page: hostile input, forged forms and token leaks. */
import { randomUUID } from 'node:crypto';
import { issueTokens } from '../support/marketplace.ts';
import type { Recorded, Seen } from './faulty-proxy.ts';
import { createPageVisitor, fieldsOf, type PageServer } from './page-visitor.ts';
import type { Recipe } from './recipes.ts';
import type { Trial } from './trial.ts';

const SCRIPT = `"><script>alert(1)</script>`;
const HOSTILE_CLAIM: Recorded = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status: 'valid', offer_id: randomUUID(), offer: SCRIPT }),
};

/** Returns a message for each failed check. */
export async function weaknessesOf(
  { guardsForms }: Recipe,
  server: PageServer,
  { setting, owner }: Trial,
): Promise<readonly string[]> {
  const visitor = createPageVisitor(server);
  const { proxy } = setting;
  const isTheirs = ({ headers }: Seen) => headers.authorization === `Bearer ${owner.liveKey}`;
  const asked = () => [...proxy.seen.values()].flat().filter(isTheirs).length;
  const mistakes: string[] = [];
  const check = (name: string, isRight: boolean) => {
    if (!isRight) mistakes.push(name);
  };

  const [token] = await issueTokens(setting.service.context, owner, 1);
  const { headers, text } = await visitor.open(token!);
  check('the token leaks in the Referer header', headers.get('referrer-policy') === 'strict-origin');
  check('the page may be cached', headers.get('cache-control')?.includes('no-store') === true);
  const form = fieldsOf(text);
  check('the form does not contain the token', form['token'] === token);
  const target = /<form[^>]* action="([^"]*)"/.exec(text)?.[1];
  check('the form is sent to a URL that contains the token', target === '?' || target === '/welcome');
  const again = fieldsOf((await visitor.open(token!)).text);
  check('two visits get the same attempt ID', again['attempt'] !== form['attempt']);

  const before = asked();
  check('a link without a token does not return 404', (await visitor.openWithoutToken()).code === 404);
  const ofFramework = { ...form };
  delete ofFramework['token'];
  delete ofFramework['attempt'];
  check('an empty form does not return 404', (await visitor.send(ofFramework)).code === 404);
  check('the service is called without a token', asked() === before);
  if (guardsForms) {
    const forged = { token: token!, attempt: form['attempt']! };
    check('a forged form is accepted', (await visitor.send(forged)).code >= 400);
    check('the service is called for a forged form', asked() === before);
  }

  const hostileToken = `${randomUUID()}${SCRIPT}`;
  proxy.faults.set(hostileToken, [HOSTILE_CLAIM]);
  const hostile = await visitor.open(hostileToken);
  check('the page for an offer with markup does not return 200', hostile.code === 200);
  check('a token or an offer is not escaped', !hostile.text.includes('<script'));

  const attempt = `a\r\nX-Injected: 1`;
  await visitor.send({ ...form, attempt });
  const injected = proxy.seen.get(token!)!.some(({ headers }) => 'x-injected' in headers);
  check('an attempt ID injects a header', !injected);
  return mistakes;
}
