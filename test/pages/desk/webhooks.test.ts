/** Webhooks of the marketplace at the desk: the pages of owners' webhooks, with every type of event. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../../src/base/events/catalogue.ts';
import { type Desk, openDesk, wordsOf } from './support.ts';

const PATH = '/desk/webhooks';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;
const FIELDS = {
  url: 'http://127.0.0.1:4001/hook',
  format: '',
  'listing.submitted': 'yes',
  'system.check_failed': 'yes',
};

describe('the marketplace’s webhooks', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk('sqlite');
  });
  afterAll(() => desk.close());
  beforeEach(() => {
    desk.pages.viewer = desk.operator;
  });

  test('offer every event, and propose those that need an operator', async () => {
    const form = await desk.html(`${PATH}/new`);
    for (const type of EVENT_TYPES) expect(form).toContain(`name="${type}"`);
    const chosen = [...form.matchAll(/name="([a-z_]+\.[a-z_]+)" value="yes" checked/g)].map(
      ([, type]) => type,
    );
    expect(chosen).toContain('listing.submitted');
    expect(chosen.length).toBeLessThan(WEBHOOK_EVENT_TYPES.length);
  });

  test('show the secret once, after a confirmation, to every operator', async () => {
    desk.pages.viewer = { ...desk.operator, isRecentlyProven: false };
    expect((await desk.post(PATH, FIELDS)).status).toBe(403);
    expect(await desk.text(PATH)).toContain('No endpoints yet');
    desk.pages.viewer = desk.operator;
    const created = await desk.post(PATH, FIELDS);
    expect(created.headers.get('cache-control')).toContain('no-store');
    const html = (await created.text()).replaceAll('&#x3D;', '=').replaceAll('&#x2F;', '/');
    expect(html).toMatch(SECRET);
    const path = /href="(\/desk\/webhooks\/[0-9a-f-]{36})"/.exec(html)![1]!;
    desk.pages.viewer = desk.otherOperator;
    const page = await desk.html(path);
    expect(page).toContain(`action="${path}/test"`);
    expect(page).not.toMatch(SECRET);
    expect(await desk.text(path)).toContain(`2 of ${EVENT_TYPES.length}`);
    const tested = await desk.post(`${path}/test`);
    expect(tested.headers.get('location')).toMatch(new RegExp(`^${path}/deliveries/`));
    expect(await desk.text(tested.headers.get('location')!)).toContain('endpoint.test');
    // An owner's page doesn't show an endpoint of the marketplace, and the desk no endpoint of an owner.
    const foreign = await desk.post(`${path.replace(/[^/]+$/, desk.owner.accountId)}/disable`);
    expect(foreign.status).toBe(404);
    expect(await wordsOf(foreign)).not.toContain('whsec_');
  });
});
