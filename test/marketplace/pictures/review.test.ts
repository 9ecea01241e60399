/** Pictures that an owner adds to an approved listing are hidden until an operator approves them. */

import { describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approvePictures, declinePictures } from '../../../src/marketplace/listings/decide-proposal.ts';
import {
  approveListing,
  submitListing,
  withdrawListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import {
  addPicture,
  dropPicture,
  type OfPicture,
  takeBackPicture,
} from '../../../src/marketplace/listings/pictures.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { countWaiting } from '../../../src/marketplace/listings/queue-queries.ts';
import type { EncodedFile } from '../../../src/marketplace/pictures/encode.ts';
import { findPictures, findProposedPictures } from '../../../src/marketplace/pictures/queries.ts';
import { findDeskListing, listQueue } from '../../../src/pages/desk/review/queries.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { createOwner, findLive, type Owner } from '../../support/marketplace.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';
import { fakeFiles } from './support.ts';

const desk = 'operator' as const;

describe.each(ENGINES)('picture review on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const owner = shareOwner(context);

  const by = ({ accountId }: Owner) => ({ actor: `account:${accountId}` as const });
  const icon = (of = owner) =>
    ({ listing: of.listingId, kind: 'icon', ...by(of) }) as const satisfies OfPicture;
  const add = async (target: OfPicture) => {
    const files = fakeFiles();
    await addPicture(context, { ...target, files });
    return files;
  };
  const namesOf = (files: readonly { readonly name: string }[] = []) => files.map(({ name }) => name);
  const shownIcon = async ({ listingId }: Owner) =>
    namesOf((await findPictures(database.db.read, [listingId])).get(listingId)?.icon?.files);
  const waitingOf = async ({ listingId }: Owner) =>
    (await findProposedPictures(database.db.read, [listingId])).map(({ kind, files, declinedReason }) => ({
      kind,
      names: namesOf(files),
      declinedReason,
    }));
  const queued = async ({ listingId }: Owner) =>
    (await listQueue(database.db.read)).items
      .filter((item) => 'listing' in item && item.listing.id === listingId)
      .map(({ kind }) => kind);
  const versionOf = async ({ listingId }: Owner) => (await findListing(database.db.read, listingId)).version;
  const decision = (of: Owner, version?: number) => ({ listing: of.listingId, actor: desk, version });

  test('a draft’s pictures are reviewed together with the listing', async () => {
    const actor = `account:${owner.accountId}` as const;
    const draft = await createListing(context, {
      account: owner.accountId,
      slug: `draft-${process.pid}-${engine}`,
      name: 'Draft',
      url: 'https://draft.example',
      actor,
    });
    const files = await add({ listing: draft.id, kind: 'cover', actor });
    const found = await findDeskListing(database.db.read, draft.id);
    expect(namesOf(found?.pictures.shown.get(draft.id)?.cover?.files)).toEqual(namesOf(files));
    expect(found?.pictures.waiting).toEqual([]);
  });

  test('new pictures of a live listing are hidden until one approval publishes all of them', async () => {
    const live = await createOwner(context);
    const first = await add({ ...icon(live), actor: desk });
    expect(await shownIcon(live)).toEqual(namesOf(first));
    const before = await countWaiting(database.db.read);
    const next = await add(icon(live));
    const ofOffer = await add({ offerId: live.offerId, kind: 'offer', ...by(live) });
    expect(await countWaiting(database.db.read)).toBe(before + 1);
    expect(await queued(live)).toEqual(['pictures']);
    expect(await shownIcon(live)).toEqual(namesOf(first));
    const page = await findLive(database.db.read, live.slug, context.now());
    expect([page?.pictures.icon?.files.map(({ name }) => name), page?.offerPictures.size]).toEqual([
      namesOf(first),
      1,
    ]);

    const seen = await versionOf(live);
    const newest = await add(icon(live));
    expect(await refusalOf(approvePictures(context, decision(live, seen)))).toContain('has changed since');
    const decided = await approvePictures(context, decision(live, await versionOf(live)));
    expect(await shownIcon(live)).toEqual(namesOf(newest));
    expect(await waitingOf(live)).toEqual([]);
    const shown = await findLive(database.db.read, live.slug, context.now());
    expect(namesOf(shown?.offerPictures.get(live.offerId)?.offer?.files)).toEqual(namesOf(ofOffer));
    expect(await queued(live)).toEqual([]);
    expect(await refusalOf(approvePictures(context, decision(live)))).toContain('already been decided');
    expect(next).not.toEqual(newest);

    await undoDecision(context, { listing: live.listingId, version: decided.version, actor: desk });
    expect(await shownIcon(live)).toEqual(namesOf(first));
    expect(await waitingOf(live)).toEqual([
      { kind: 'offer', names: namesOf(ofOffer), declinedReason: null },
      { kind: 'icon', names: namesOf(newest), declinedReason: null },
    ]);
    expect(await queued(live)).toEqual(['pictures']);
  });

  test('a declined picture is kept with the reason until the owner replaces it or takes it back', async () => {
    const live = await createOwner(context);
    await add(icon(live));
    expect(await refusalOf(declinePictures(context, decision(live)))).toBe('The reason is empty.');
    await declinePictures(context, { ...decision(live), reason: 'Not yours.' });
    expect(await waitingOf(live)).toMatchObject([{ kind: 'icon', declinedReason: 'Not yours.' }]);
    expect(await queued(live)).toEqual([]);
    expect(await shownIcon(live)).toEqual([]);
    const other = await add(icon(live));
    expect(await waitingOf(live)).toEqual([{ kind: 'icon', names: namesOf(other), declinedReason: null }]);
    await takeBackPicture(context, icon(live));
    expect(await waitingOf(live)).toEqual([]);
    const changes = (await eventsOf(database.db, live.listingId)).map(
      ({ data }) => (data as { change?: string }).change,
    );
    expect(changes.slice(-4)).toEqual([
      'picture_added',
      'pictures_declined',
      'picture_added',
      'picture_taken_back',
    ]);
  });

  test('a waiting picture is discarded if the owner removes or re-uploads the published picture', async () => {
    const live = await createOwner(context);
    const files: readonly EncodedFile[] = await add({ ...icon(live), actor: desk });
    await add(icon(live));
    await addPicture(context, { ...icon(live), files });
    expect(await waitingOf(live)).toEqual([]);
    const version = await versionOf(live);
    await addPicture(context, { ...icon(live), files });
    expect(await versionOf(live)).toBe(version);
    await add(icon(live));
    await dropPicture(context, icon(live));
    expect([await shownIcon(live), await waitingOf(live)]).toEqual([[], []]);
  });

  test('pictures added to a withdrawn listing are published when it is approved again', async () => {
    const live = await createOwner(context);
    await withdrawListing(context, { listing: live.listingId, ...by(live) });
    const files = await add(icon(live));
    expect(await shownIcon(live)).toEqual([]);
    await submitListing(context, { listing: live.listingId, ...by(live) });
    expect(await queued(live)).toEqual(['listing']);
    await approveListing(context, decision(live));
    expect(await shownIcon(live)).toEqual(namesOf(files));
  });

  test('an owner cannot add, remove or withdraw pictures of another owner’s listing or offer', async () => {
    const stranger = await createOwner(context);
    const targets = [
      { ...icon(owner), ...by(stranger) },
      { offerId: owner.offerId, kind: 'offer', ...by(stranger) },
    ] as const;
    for (const target of targets) {
      expect(await refusalOf(add(target))).toContain('nothing at this address');
      expect(await refusalOf(dropPicture(context, target))).toContain('nothing at this address');
      expect(await refusalOf(takeBackPicture(context, target))).toContain('nothing at this address');
    }
  });
});
