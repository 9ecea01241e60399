/** What a recommended page must do besides redeeming: resist hostile input and forged forms, and leak nothing. */
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

/** What the page does wrong. */
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
  check('the token is sent on as Referer', headers.get('referrer-policy') === 'strict-origin');
  check('the page is stored', headers.get('cache-control')?.includes('no-store') === true);
  const form = fieldsOf(text);
  check('the form has no token', form['token'] === token);
  const target = /<form[^>]* action="([^"]*)"/.exec(text)?.[1];
  check('the form is sent to the address with the token', target === '?' || target === '/welcome');
  const again = fieldsOf((await visitor.open(token!)).text);
  check('two visits get the same attempt', again['attempt'] !== form['attempt']);

  const before = asked();
  check('a link without a token is not called invalid', (await visitor.openWithoutToken()).code === 404);
  const ofFramework = { ...form };
  delete ofFramework['token'];
  delete ofFramework['attempt'];
  check('an empty form is not called invalid', (await visitor.send(ofFramework)).code === 404);
  check('the service is asked although there is no token', asked() === before);
  if (guardsForms) {
    const forged = { token: token!, attempt: form['attempt']! };
    check('a forged form is taken', (await visitor.send(forged)).code >= 400);
    check('the service is asked for a forged form', asked() === before);
  }

  const hostileToken = `${randomUUID()}${SCRIPT}`;
  proxy.faults.set(hostileToken, [HOSTILE_CLAIM]);
  const hostile = await visitor.open(hostileToken);
  check('no page for a strange claim', hostile.code === 200);
  check('a token or an offer becomes markup', !hostile.text.includes('<script'));

  const attempt = `a\r\nX-Injected: 1`;
  await visitor.send({ ...form, attempt });
  const injected = proxy.seen.get(token!)!.some(({ headers }) => 'x-injected' in headers);
  check('an attempt becomes a header', !injected);
  return mistakes;
}
