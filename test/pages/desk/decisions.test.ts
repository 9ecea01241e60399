/** Review decisions at the desk: the queue, reasons, proposals, concurrent decisions, undo and transfers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveListing, submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { reportListing } from '../../../src/marketplace/listings/reports.ts';
import { listOffers } from '../../../src/marketplace/offers/queries.ts';
import { setPlan } from '../../../src/people/accounts/edit.ts';
import { askForPlan } from '../../../src/people/accounts/requests.ts';
import { writeCursor } from '../../../src/platform/store/scan.ts';
import { newViewer } from '../viewers.ts';
import { type Desk, listingWithProposals, openDesk, pendingListing, wordsOf } from './support.ts';

describe('the desk', () => {
  let desk: Desk;
  let listings = 0;
  beforeAll(async () => {
    desk = await openDesk('sqlite');
    // An owner without an approved listing may submit only a few.
    await pendingListing(desk, 'first');
    await approveListing(desk.context, { listing: 'first', actor: 'operator' });
  });
  afterAll(() => desk.close());
  beforeEach(() => {
    desk.pages.viewer = desk.operator;
    desk.clock.ms = null;
  });

  const fresh = async () => {
    listings += 1;
    const listing = await pendingListing(desk, `notes-${listings}`);
    return { ...listing, path: `/desk/listings/${listing.id}` };
  };
  const read = (id: string) => findListing(desk.db.read, id);
  const versionOf = async (id: string) => ({ version: String((await read(id)).version) });

  test('lists the oldest submission first, and links each listing to its neighbours in the queue', async () => {
    const [first, second] = [await fresh(), await fresh()];
    const queue = await desk.html('/desk/queue');
    expect(queue.indexOf(first.path)).toBeGreaterThan(0);
    expect(queue.indexOf(second.path)).toBeGreaterThan(queue.indexOf(first.path));
    const page = await desk.html(first.path);
    expect(page).toMatch(new RegExp(`href="${second.path}"[^>]*data-key="j"`));
    expect(await desk.html(second.path)).toMatch(new RegExp(`href="${first.path}"[^>]*data-key="k"`));
  });

  test('warns if a redemption link contains the token but the owner’s plan has no API keys', async () => {
    const { id, path } = await fresh();
    const hint = `${desk.owner.name} is on the Starter plan`;
    expect(await desk.text(path)).not.toContain(hint);
    const plan = (name: string) =>
      setPlan(desk.context, { account: desk.owner.accountId, plan: name, actor: 'operator' });
    await plan('starter');
    try {
      expect(await desk.text(path)).toContain(hint);
      await desk.db.transaction((tx) =>
        tx.updateTable('offers').set({ redemption_link: null }).where('listing_id', '=', id).execute(),
      );
      expect(await desk.text(path)).not.toContain(hint);
    } finally {
      await plan('studio');
    }
  });

  test('mentions the code in the preview of a claim, even if the code comes from a list', async () => {
    const { id, path } = await fresh();
    await desk.db.transaction((tx) =>
      tx.updateTable('offers').set({ code: null, code_list: 'close' }).where('listing_id', '=', id).execute(),
    );
    expect(await desk.text(path)).toMatch(/Redeem at \S+ with a code\./);
  });

  test('transfers a listing and its history to another account, but only after re-authentication', async () => {
    const { id, path, name } = await fresh();
    const to = await newViewer(desk.context, { email: `buyer-${listings}@shop.example`, name: 'Bea Buyer' });
    const page = await desk.html(path);
    expect(page).toContain(`action="${path}/transfer"`);
    const unknown = await desk.post(`${path}/transfer`, {
      ...(await versionOf(id)),
      to: 'nobody@shop.example',
    });
    expect(unknown.status).toBe(422);
    expect(await wordsOf(unknown)).toContain('There is no account with the id or email address');
    const outdated = await desk.post(`${path}/transfer`, { version: '1', to: to.email });
    expect(await wordsOf(outdated)).toContain('Someone else has just changed the listing');
    expect((await read(id)).account_id).toBe(desk.owner.accountId);

    const done = await desk.post(`${path}/transfer`, { ...(await versionOf(id)), to: to.email });
    expect(done.headers.get('location')).toBe(path);
    expect((await read(id)).account_id).toBe(to.accountId);
    const words = await desk.text(path);
    expect(words).toContain('By Bea Buyer');
    expect(words).toContain(`transferred the listing ${name} to this account`);
    // This entry was written while the listing belonged to the former account.
    expect(words).toContain(`created the listing ${name}`);

    desk.pages.viewer = { ...desk.operator, isRecentlyProven: false };
    const stale = await desk.post(`${path}/transfer`, { ...(await versionOf(id)), to: desk.owner.email });
    expect(stale.status).toBe(403);
    expect(await wordsOf(stale)).toContain('Confirm it’s you');
  });

  const boxOf = async ({ id }: { id: string }) => ({
    [`entry:listing:${id}`]: String((await read(id)).version),
  });
  const decide = (fields: Readonly<Record<string, string>>) => desk.post('/desk/queue/decide', fields);

  test('decides several entries with one form, and says which ones were refused and why', async () => {
    const [approved, changed, other] = [await fresh(), await fresh(), await fresh()];
    expect(await desk.html('/desk/queue')).toContain(`name="entry:listing:${other.id}"`);
    const boxes = { ...(await boxOf(approved)), ...(await boxOf(changed)) };
    await editListing(desk.context, { listing: changed.slug, summary: 'New.', actor: 'operator' });
    const answer = await decide({ ...boxes, ruling: 'approve', reason: '' });
    expect(answer.status).toBe(409);
    const words = await wordsOf(answer);
    expect(words).toContain('1 item was decided');
    // The number in the menu is the one after the decision.
    const [, waiting] = /Queue \D*(\d+)\D* Listings/.exec(words)!;
    expect(words).toContain(`${waiting} items are waiting`);
    expect(words).toMatch(new RegExp(`1 item was not decided.*${changed.name} *: The listing has changed`));
    const listings = await Promise.all([approved, changed, other].map(({ id }) => read(id)));
    expect(listings.map(({ state }) => state)).toEqual(['approved', 'pending', 'pending']);
    const undone = await desk.post(`${approved.path}/undo`, await versionOf(approved.id));
    expect(undone.status).toBe(303);
    expect((await read(approved.id)).state).toBe('pending');
  });

  test('decides requests and reports with the same form, and says what each decision means for them', async () => {
    const { id, name } = await fresh();
    await approveListing(desk.context, { listing: id, actor: 'operator' });
    const report = { cause: 'scam', words: null, reporterId: null, address: null };
    await reportListing(desk.context, { listing: id, ...report });
    const { accountId } = await newViewer(desk.context, { email: 'bo@ask.example', name: 'Bo Asker' });
    await askForPlan(desk.context, { accountId, actor: `account:${accountId}`, plan: 'everything' });
    const page = await desk.html('/desk/queue');
    expect(page).toContain('Reported listings are suspended.');
    const boxes = [`entry:report:${id}`, `entry:plan:${accountId}`].map((box) => [
      box,
      new RegExp(`name="${box}" value="([^"]+)"`).exec(page)![1]!,
    ]);
    const fields = { ...Object.fromEntries(boxes), ruling: 'approve', reason: '' };
    const answer = await decide(fields);
    expect(answer.status).toBe(200);
    expect(await wordsOf(answer)).toMatch(
      new RegExp(`2 items were decided.*Bo Asker *: Request granted.*${name} *: Reports dismissed`),
    );
    const again = await decide(fields);
    expect(again.status).toBe(409);
    expect(await wordsOf(again)).toMatch(/2 items were not decided.*already been/);
    // Values that no page has shown decide nothing.
    const forged = await decide({ ...fields, [boxes[0]![0]!]: '<b>', [boxes[1]![0]!]: 'x'.repeat(300) });
    expect(forged.status).toBe(409);
    expect((await read(id)).state).toBe('approved');
  });

  test('shows the page of the queue from which the form was sent', async () => {
    const [first, second] = [await fresh(), await fresh()];
    const after = writeCursor({ at: (await read(first.id)).submitted_at!, id: first.id });
    const page = await desk.html(`/desk/queue?after=${encodeURIComponent(after)}`);
    const action = /action="(\/desk\/queue\/decide[^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&');
    const html = await (await desk.post(action, { ...(await boxOf(second)), reason: '' })).text();
    expect(html).toMatch(new RegExp(`name="entry:listing:${second.id}" value="\\d+" checked`));
    expect(html).not.toContain(`name="entry:listing:${first.id}"`);
  });

  test('keeps the chosen entries and the reason if the form is incomplete, and decides nothing', async () => {
    const { id } = await fresh();
    const box = await boxOf({ id });
    for (const [fields, sentence] of [
      [{ ...box, ruling: 'reject', reason: '' }, 'The reason is empty.'],
      [{ ...box, reason: 'Spam.' }, 'Choose a decision.'],
      [{ ruling: 'approve', reason: '' }, 'Select at least one item.'],
      // Only the boxes of the queue count.
      [{ [`entry:link:${id}`]: '1', ruling: 'approve', reason: '' }, 'Select at least one item.'],
    ] as const) {
      const answer = await decide(fields);
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toContain(sentence);
      if ('reason' in fields && fields.reason !== '') expect(html).toContain(fields.reason);
      const isChosen = new RegExp(`name="entry:listing:${id}" value="\\d+" checked`).test(html);
      expect(isChosen).toBe(`entry:listing:${id}` in fields);
    }
    expect((await read(id)).state).toBe('pending');
  });

  test('redirects to the queue after an approval, which can be undone for 30 seconds', async () => {
    const { id, path, name } = await fresh();
    const answer = await desk.post(`${path}/approve`, await versionOf(id));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/desk/queue?decided=${id}`]);
    expect((await read(id)).state).toBe('approved');
    const page = await desk.text(`/desk/queue?decided=${id}`);
    expect(page).toContain(`${name} is approved and live`);
    const undone = await desk.post(`${path}/undo`, await versionOf(id));
    expect([undone.status, undone.headers.get('location')]).toEqual([303, path]);
    expect((await read(id)).state).toBe('pending');
    expect(await desk.text(path)).toContain('Olga Operator undid the decision to approve');
    const at = Date.now();
    desk.clock.ms = at;
    await desk.post(`${path}/approve`, await versionOf(id));
    desk.clock.ms = at + 30_001;
    expect(await desk.html(path)).not.toContain(`${path}/undo`);
    const late = await desk.post(`${path}/undo`, await versionOf(id));
    expect(late.status).toBe(409);
    expect(await wordsOf(late)).toContain('The 30 seconds to undo this decision have passed.');
    expect((await read(id)).state).toBe('approved');
  });

  test('accepts only one of two concurrent decisions, and shows that decision to the other operator', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, path } = await fresh();
      const version = await versionOf(id);
      const approval = desk.post(`${path}/approve`, version);
      const rejection = desk.post(
        `${path}/reject`,
        { ...version, reason: 'It <b>spams</b>.' },
        desk.otherPages,
      );
      const answers = await Promise.all([approval, rejection]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      const loser = answers.find(({ status }) => status === 409)!;
      expect(await wordsOf(loser)).toMatch(
        /No decision was made .*(changed since you looked at it|Someone else has just changed).* Last change: (Olga Operator approved|Otto Operator rejected) the listing/,
      );
      expect((await read(id)).version).toBe(Number(version.version) + 1);
    }
  });

  test('rejects an empty or overlong reason with a field error, and preserves the input', async () => {
    const { id, path } = await fresh();
    for (const [action, reason, sentence] of [
      ['reject', ' ', 'The reason is empty.'],
      ['request-changes', 'x'.repeat(1_001), 'The reason has 1,001 characters; at most 1,000 are allowed.'],
    ] as const) {
      const answer = await desk.post(`${path}/${action}`, { ...(await versionOf(id)), reason });
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toMatch(new RegExp(`id="decide-${action}-reason-problem"[^>]*><span>${sentence}`));
      expect(html).toContain(reason);
    }
    expect((await read(id)).state).toBe('pending');
    const outdated = await versionOf(id);
    await desk.post(`${path}/approve`, outdated, desk.otherPages);
    const late = await desk.post(`${path}/reject`, { ...outdated, reason: 'It <b>spams</b>.' });
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining('It &lt;b&gt;spams&lt;/b&gt;.'),
    ]);
  });

  test('shows a resubmitted listing with the operator’s reason, the owner’s reply and the changes', async () => {
    const { id, path, slug } = await fresh();
    await desk.post(`${path}/request-changes`, { ...(await versionOf(id)), reason: 'Say who it is for.' });
    expect(await read(id)).toMatchObject({ state: 'changes_requested', reason: 'Say who it is for.' });
    const owner = `account:${desk.owner.accountId}` as const;
    await editListing(desk.context, { listing: slug, summary: 'Notes for <teams>.', actor: owner });
    await submitListing(desk.context, { listing: slug, actor: owner, reply: 'It says so & more.' });
    const resubmitted = await desk.html(path);
    expect(resubmitted).toContain('Say who it is for.');
    expect(resubmitted).toContain('It says so &amp; more.');
    expect(resubmitted).toMatch(/Changes since then<.*Summary.*&lt;.*teams/s);
    const queue = await desk.html('/desk/queue');
    expect(queue).toContain('Submitted again');
    expect(queue).toContain('Changed since you asked: summary');
    expect((await desk.post(`${path}/approve`, await versionOf(id))).status).toBe(303);
    const suspended = await desk.post(`${path}/suspend`, { ...(await versionOf(id)), reason: '' });
    expect(suspended.headers.get('location')).toBe(path);
    expect((await read(id)).state).toBe('suspended');
    expect((await desk.post(`${path}/lift`, await versionOf(id))).status).toBe(303);
    expect((await read(id)).state).toBe('approved');
  });

  test('shows each proposed URL next to the live URL, and lets operators decide on each proposal separately', async () => {
    const listing = await listingWithProposals(desk, 'moved');
    const path = `/desk/listings/${listing.id}`;
    const [offer] = await listOffers(desk.db.read, listing);
    const page = await desk.text(path);
    expect(page).toContain('New website');
    expect(page).toContain('New link for “20% off the first year”');
    expect(page).toContain('Not the approved site');
    const declined = await desk.post(`${path}/url/decline`, {
      ...(await versionOf(listing.id)),
      reason: 'That site is not yours.',
    });
    // The operator stays on the listing because the redemption link is still pending.
    expect(declined.headers.get('location')).toBe(path);
    const approved = await desk.post(`${path}/offers/${offer!.id}/approve`, await versionOf(listing.id));
    expect(approved.headers.get('location')).toBe(`/desk/queue?decided=${listing.id}`);
    expect(await read(listing.id)).toMatchObject({
      url: listing.url,
      declined_reason: 'That site is not yours.',
    });
    const again = await desk.post(`${path}/offers/${offer!.id}/approve`, await versionOf(listing.id));
    expect(again.status).toBe(409);
    expect(await wordsOf(again)).toContain('Everything here has already been decided');
  });

  test('rejects a decision on another listing’s offer', async () => {
    const listing = await listingWithProposals(desk, 'other');
    const { id, path } = await fresh();
    const [offer] = await listOffers(desk.db.read, listing);
    const answer = await desk.post(`${path}/offers/${offer!.id}/approve`, await versionOf(id));
    expect(answer.status).toBe(409);
    expect(await desk.text(`/desk/listings/${listing.id}`)).toContain('New link for');
  });

  test('returns 404 for a listing with an unknown or malformed id', async () => {
    for (const id of ['nothing', '018f3c5e-0000-7000-8000-00000000dead', '%00', "'--"]) {
      expect((await desk.get(`/desk/listings/${id}`)).status).toBe(404);
      expect((await desk.get(`/desk/queue?decided=${id}`)).status).toBe(id === '%00' ? 400 : 200);
    }
  });
});
