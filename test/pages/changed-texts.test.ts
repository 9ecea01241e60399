/**
 * What strangers read after an approval, clicked through: the owner changes it, the operator sees the difference and
 * decides, and the public page follows. Every form is sent as the page shows it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { defaultPolicy, setPolicy } from '../../src/people/accounts/policy.ts';
import { type AccountSite, openAccountSite, unescaped } from '../people/sign-in/support.ts';
import type { Answer, Person } from '../support/person.ts';

const OPERATOR = 'operator' as const;
const LINK = 'https://app.example/welcome?claim={claim}';

const wordsOf = ({ text }: Answer) =>
  unescaped(text)
    .replaceAll(/<[^>]+>/g, ' ')
    // Marks that isolate names in other scripts.
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll(/\s+/g, ' ');

/** Values of a form's inputs and text areas. `action`: of the form to find on the page. */
function formIn({ text }: Answer, action: string): Record<string, string> {
  const form = text.split('<form ').find((part) => part.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`The page has no form for ${action}`);
  const [inside = ''] = form.split('</form>');
  const valueIn = (tag: string) => / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  const inputs = [...inside.matchAll(/<input [^>]*>/g)].flatMap(([tag]) => {
    const [, type] = / type="(\w+)"/.exec(tag) ?? [];
    const isSent = type === 'radio' || type === 'checkbox' ? / checked\b/.test(tag) : type !== 'file';
    const [, name] = / name="([^"]*)"/.exec(tag) ?? [];
    return isSent && name !== undefined ? [[name, valueIn(tag)] as const] : [];
  });
  const areas = [...inside.matchAll(/<textarea [^>]*\bname="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, name = '', value = '']) => [name, value.replace(/^\n/, '')] as const,
  );
  const fields = [...inputs, ...areas];
  return Object.fromEntries(fields.map(([name, value]) => [name, unescaped(value)]));
}

describe('what an owner changes after an approval', () => {
  let site: AccountSite;
  let operator: Person;
  let operatorId: string;
  let owners = 0;

  beforeAll(async () => {
    site = await openAccountSite('sqlite');
    ({ person: operator, accountId: operatorId } = await site.signedIn({ operator: true, name: 'Olga' }));
  });
  afterAll(() => site.close());

  /** An owner with an approved listing and an offer, and the paths of their pages. */
  const newOwner = async () => {
    owners += 1;
    const { person: owner, accountId } = await site.signedIn({ name: `Ada ${owners}` });
    const slug = `calm-${owners}`;
    const app = {
      account: accountId,
      slug,
      name: `Calm ${owners}`,
      summary: 'Notes',
      url: 'https://app.example',
    };
    const { id } = await createListing(site.context, { ...app, upTo: 'approved', actor: OPERATOR });
    const offer = { listing: slug, offer: 'Half off', kind: 'discount', redemption_link: LINK };
    const { id: offerId } = await createOffer(site.context, { ...offer, actor: OPERATOR });
    return {
      owner,
      name: `Ada ${owners}`,
      app: app.name,
      pages: {
        listing: `/dashboard/listings/${id}`,
        offer: `/dashboard/offers/${offerId}`,
        desk: `/desk/listings/${id}`,
        account: `/desk/accounts/${accountId}`,
        market: `/l/${slug}`,
      },
    };
  };
  /** Opens the page, changes fields of a form on it, and sends the form. Returns the page after the redirect. */
  const send = async (
    person: Person,
    page: string,
    action: string,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const form = formIn(await person.get(page), action);
    for (const field of Object.keys(changed)) expect(Object.keys(form)).toContain(field);
    const answer = await person.post(action, { ...form, ...changed });
    expect([action, answer.status, answer.location === null ? wordsOf(answer) : '']).toEqual([
      action,
      303,
      '',
    ]);
    return wordsOf(await person.get(answer.location!));
  };
  const strangersSee = async (path: string) => {
    const words = wordsOf(await site.browser().get(path));
    return (text: string) => words.includes(text);
  };
  const queue = async () => wordsOf(await operator.get('/desk/queue'));
  const setTexts = (texts: 'wait' | 'list') =>
    setPolicy(site.context, {
      policy: { ...defaultPolicy(false), texts },
      hasProvider: false,
      operatorId,
      actor: OPERATOR,
    });

  test('waits, appears once in the queue with the difference, and is public after the approval', async () => {
    await setTexts('wait');
    const { owner, app, pages } = await newOwner();
    await send(owner, pages.listing, pages.listing, { name: 'PayPal', summary: 'Pay safely' });
    const saved = await send(owner, pages.offer, pages.offer, { offer: 'Free money' });
    expect(saved).toContain('Your changes are waiting for review');
    let sees = await strangersSee(pages.market);
    expect([sees('PayPal'), sees('Free money'), sees(app), sees('Half off')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(await queue()).toMatch(
      new RegExp(`${app} New texts .* Changed: name, summary, text of “Half off”`),
    );
    expect(wordsOf(await operator.get('/desk'))).toContain('changed texts of 1 listing');
    const review = wordsOf(await operator.get(pages.desk));
    expect(review).toContain(`Name ${app} PayPal`);
    expect(review).toContain('People see the approved texts until you decide.');
    const approved = await send(operator, pages.desk, `${pages.desk}/texts/approve`);
    expect(approved).toMatch(/has new texts You can undo this until [^.]*:\d\d\sUTC/);
    sees = await strangersSee(pages.market);
    expect([sees('PayPal'), sees('Pay safely'), sees('Free money'), sees(app)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(await queue()).not.toContain('PayPal New texts');
  });

  test('goes live under the other setting, and one click restores what was approved', async () => {
    await setTexts('list');
    const { owner, app, pages } = await newOwner();
    await send(owner, pages.listing, pages.listing, { summary: 'Win a prize' });
    expect((await strangersSee(pages.market))('Win a prize')).toBe(true);
    expect(await queue()).toMatch(new RegExp(`${app} Changed since you approved .* Changed: summary`));
    expect(wordsOf(await operator.get(pages.desk))).toContain('Summary Notes Win a prize');
    await send(operator, pages.desk, `${pages.desk}/texts/decline`, { reason: 'There is no prize.' });
    const sees = await strangersSee(pages.market);
    expect([sees('Win a prize'), sees('Notes')]).toEqual([false, true]);
    const ownersPage = wordsOf(await owner.get(pages.listing));
    expect(ownersPage).toContain('The operator declined your changed texts');
    expect(ownersPage).toContain('There is no prize.');
    const form = formIn(await owner.get(pages.listing), pages.listing);
    expect(form['summary']).toBe('Win a prize');
    await send(operator, pages.desk, `${pages.desk}/undo`);
    expect((await strangersSee(pages.market))('Win a prize')).toBe(true);
  });

  test('waits if it is the name of the account, which every page of the listing shows', async () => {
    const { owner, name, pages } = await newOwner();
    const proposed = await send(owner, '/account', '/account/name', { name: 'PayPal Inc' });
    expect(proposed).toContain('“PayPal Inc” is waiting for review');
    expect(proposed).toContain(`Your listings show “${name}” until the operator decides.`);
    const showName = [pages.market, '/feed.xml', '/api/v1/catalogue'];
    for (const path of showName) {
      const sees = await strangersSee(path);
      expect([path, sees(name), sees('PayPal Inc')]).toEqual([path, true, false]);
    }
    expect(wordsOf(await operator.get('/desk'))).toContain('1 new name');
    expect(await queue()).toMatch(new RegExp(`${name} New name .* Proposes “PayPal Inc”`));
    expect(wordsOf(await operator.get(pages.account))).toContain(`Name ${name} PayPal Inc`);
    const declining = `${pages.account}/decline-name`;
    await send(operator, pages.account, declining, { reason: 'You are not PayPal.' });
    const declined = wordsOf(await owner.get('/account'));
    expect(declined).toContain('The operator declined the name “PayPal Inc” You are not PayPal.');
    const refused = await owner.post('/account/name', { name: 'PayPal Inc' });
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining('Propose another one')]);

    await send(owner, '/account', '/account/name', { name: 'Ada & Co' });
    const stale = formIn(await operator.get(pages.account), `${pages.account}/approve-name`);
    await send(owner, '/account', '/account/name', { name: 'PayPal' });
    const unseen = await operator.post(`${pages.account}/approve-name`, stale);
    expect([unseen.status, wordsOf(unseen)]).toEqual([422, expect.stringContaining('different name since')]);
    await send(owner, '/account', '/account/name', { name: 'Ada & Co' });
    const approved = await send(operator, pages.account, `${pages.account}/approve-name`);
    expect(approved).toMatch(/The account’s name is now “Ada & Co” You can undo this until [^.]*:\d\d\sUTC/);
    for (const path of showName) expect([path, (await strangersSee(path))('Ada & Co')]).toEqual([path, true]);
    await send(operator, pages.account, `${pages.account}/undo-name`);
    expect((await strangersSee(pages.market))(`By ${name}`)).toBe(true);
    const kept = await send(owner, '/account', '/account/name/withdraw');
    expect(kept).toContain('The proposed name was withdrawn.');
    expect(await queue()).not.toContain('Ada & Co');
  });
});
