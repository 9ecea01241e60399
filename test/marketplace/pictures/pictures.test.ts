/** Picture storage, its limits per account, and the public route that serves pictures. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DataRecord, readAllPersonData } from '../../../src/background/personal-data/data.ts';
import { eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import type { Context } from '../../../src/base/context.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { deleteListing } from '../../../src/marketplace/listings/edit.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { deleteOffer } from '../../../src/marketplace/offers/edit.ts';
import { changeBrandPicture } from '../../../src/marketplace/pictures/brand-picture.ts';
import type { EncodedFile } from '../../../src/marketplace/pictures/encode.ts';
import {
  MAX_BYTES_OF_ACCOUNT,
  MAX_PICTURES_OF_ACCOUNT,
  marketplaceIn,
  type PictureKind,
  type PictureSubject,
  REPLACED_KEPT_MS,
} from '../../../src/marketplace/pictures/picture.ts';
import {
  deletePicturesOf,
  findPictureFile,
  findPictures,
  insertPicture,
} from '../../../src/marketplace/pictures/queries.ts';
import { picturesNeedSweep, sweepPictures } from '../../../src/marketplace/pictures/store.ts';
import type { PageApp } from '../../../src/pages/frame/pages.ts';
import { PICTURE_KEPT_MS, pictureRoutes } from '../../../src/pages/frame/pictures.ts';
import { planDeletion } from '../../../src/people/accounts/edit.ts';
import { NIL_UUID, uuidv7 } from '../../../src/platform/store/uuid.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { record } from '../../app/cli/support.ts';
import { Away, startPages } from '../../pages/support.ts';
import { ENGINES, openDatabaseAt } from '../../support/engines.ts';
import { refusalOf } from '../../support/events.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { shareProcesses } from '../../support/server-process.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { fakeFiles, put } from './support.ts';

const MARKETPLACE = marketplaceIn('light');
const { newDbLocation } = shareProcesses();

const later = (context: Context, ms: number): Context => ({ ...context, now: () => context.now() + ms });

const shownOf = async ({ db }: Context, { id }: PictureSubject, kind: PictureKind = 'icon') =>
  (await findPictures(db.read, [id])).get(id)?.[kind]?.files.map(({ name }) => name);

const namesOf = (files: readonly EncodedFile[]) => files.map(({ name }) => name);

const isStored = async ({ db }: Context, [file]: readonly EncodedFile[]): Promise<boolean> =>
  (await findPictureFile(db.read, file!.name)) !== null;

describe.each(ENGINES)('pictures on %s', (engine) => {
  const { context } = shareDatabase(engine);
  const owner = shareOwner(context);

  const listingOf = ({ listingId, accountId }: Owner): PictureSubject => ({
    id: listingId,
    listingId,
    accountId,
  });
  /** A row of the table `pictures`, for a published picture. */
  const rowOf = (accountId: string, bytes: number) =>
    ({
      id: uuidv7(context),
      account_id: accountId,
      listing_id: null,
      subject_id: uuidv7(context),
      kind: 'icon',
      files: '[]',
      bytes,
      created_at: context.at(),
      proposed_at: null,
      declined_reason: null,
      replaced_at: null,
    }) as const;
  /** The listing of a new owner. */
  const newSubject = async (): Promise<PictureSubject> => listingOf(await createOwner(context));

  test('are found by subject and kind, with their files', async () => {
    const icon = fakeFiles();
    const cover = fakeFiles();
    const logo = fakeFiles();
    await put(context, listingOf(owner), icon);
    await put(context, listingOf(owner), cover, 'cover');
    await put(context, MARKETPLACE, logo, 'logo');
    const found = await findPictures(context.db.read, [owner.listingId, MARKETPLACE.id, owner.offerId]);
    expect([...found.keys()].sort()).toEqual([MARKETPLACE.id, owner.listingId].sort());
    expect(found.get(owner.listingId)).toEqual({
      icon: { kind: 'icon', files: icon.map(({ data: _, ...file }) => file) },
      cover: { kind: 'cover', files: cover.map(({ data: _, ...file }) => file) },
    });
    expect(namesOf(found.get(MARKETPLACE.id)!.logo!.files as never)).toEqual(namesOf(logo));
    for (const { name, data } of icon) {
      expect(Buffer.from((await findPictureFile(context.db.read, name))!)).toEqual(Buffer.from(data));
    }
    expect(await findPictures(context.db.read, [])).toEqual(new Map());
  });

  test('are stored once per subject, even if uploaded repeatedly', async () => {
    const subject = await newSubject();
    const files = fakeFiles();
    expect(await put(context, subject, files)).toBe(true);
    expect(await put(context, subject, files)).toBe(false);
    // Another listing has its own copy of the same picture.
    const other = await newSubject();
    expect(await put(context, other, files)).toBe(true);
    await context.db.transaction((tx) => deletePicturesOf(tx, [subject.id], 'icon'));
    expect(await shownOf(context, subject)).toBeUndefined();
    expect(await shownOf(context, other)).toEqual(namesOf(files));
    expect(await isStored(context, files)).toBe(true);
  });

  test('are kept for a day after they are replaced, then deleted', async () => {
    const subject = await newSubject();
    const [first, second] = [fakeFiles(), fakeFiles()];
    await put(context, subject, first);
    await put(context, subject, second);
    expect(await shownOf(context, subject)).toEqual(namesOf(second));
    const soon = later(context, REPLACED_KEPT_MS - 60_000);
    expect(await picturesNeedSweep(soon)).toBe(false);
    await sweepPictures(soon);
    expect(await isStored(context, first)).toBe(true);
    const tomorrow = later(context, REPLACED_KEPT_MS + 60_000);
    expect(await picturesNeedSweep(tomorrow)).toBe(true);
    await sweepPictures(tomorrow);
    expect(await picturesNeedSweep(tomorrow)).toBe(false);
    expect(await isStored(context, first)).toBe(false);
    expect(await shownOf(context, subject)).toEqual(namesOf(second));
    expect(await isStored(context, second)).toBe(true);
  });

  test('are deleted immediately when removed, together with earlier versions', async () => {
    const subject = await newSubject();
    const [first, second, cover] = [fakeFiles(), fakeFiles(), fakeFiles()];
    await put(context, subject, first);
    await put(context, subject, second);
    await put(context, subject, cover, 'cover');
    const remove = () => context.db.transaction((tx) => deletePicturesOf(tx, [subject.id], 'icon'));
    expect(await remove()).toBe(true);
    expect(await remove()).toBe(false);
    expect(await isStored(context, first)).toBe(false);
    expect(await isStored(context, second)).toBe(false);
    expect(await isStored(context, cover)).toBe(true);
  });

  test('are limited in number per account; replaced pictures are deleted to make room', async () => {
    const { accountId } = await createOwner(context);
    const rows = Array.from({ length: MAX_PICTURES_OF_ACCOUNT - 1 }, () => rowOf(accountId, 1));
    await context.db.transaction((tx) => tx.insertInto('pictures').values(rows).execute());
    const first = { id: uuidv7(context), listingId: null, accountId };
    expect(await put(context, first)).toBe(true);
    const another = { id: uuidv7(context), listingId: null, accountId };
    expect(await refusalOf(put(context, another))).toBe(
      "An account can have at most 500 pictures, with a total size of at most 100 MiB. Remove one that you don't need.",
    );
    const before = await shownOf(context, first);
    // At the limit, a replacement is accepted and the replaced picture is deleted immediately.
    await put(context, first);
    expect(await findPictureFile(context.db.read, before![0]!)).toBeNull();
    await context.db.transaction((tx) => deletePicturesOf(tx, [first.id], 'icon'));
    expect(await put(context, another)).toBe(true);
    // The marketplace has no limit, and other accounts are not affected.
    expect(await put(context, MARKETPLACE)).toBe(true);
    expect(await put(context, await newSubject())).toBe(true);
  });

  test('are deleted only as far as needed if many were replaced, so that redemptions hardly wait', async () => {
    const { accountId } = await createOwner(context);
    const replacedOf = async () => {
      const rows = context.db.read.selectFrom('pictures').where('account_id', '=', accountId);
      return (await rows.select('replaced_at').execute()).flatMap(({ replaced_at }) => replaced_at ?? []);
    };
    const rows = Array.from({ length: MAX_PICTURES_OF_ACCOUNT }, (_, at) => ({
      ...rowOf(accountId, 1),
      replaced_at: toIso(context.now() - at * 1_000),
    }));
    await context.db.transaction((tx) => tx.insertInto('pictures').values(rows).execute());
    await put(context, { id: uuidv7(context), listingId: null, accountId });
    const rest = await replacedOf();
    expect(rest).toHaveLength(MAX_PICTURES_OF_ACCOUNT - 10);
    expect(rest.toSorted()[0]).toBe(rows.at(-11)!.replaced_at);
  });

  test('are limited in total size per account, and a refused upload changes nothing', async () => {
    const subject = await newSubject();
    const [file] = fakeFiles();
    const row = rowOf(subject.accountId!, MAX_BYTES_OF_ACCOUNT - 300);
    await context.db.transaction((tx) => insertPicture(tx, row, [{ name: file!.name, data: file!.data }]));
    const files = fakeFiles();
    expect(await put(context, subject, files)).toBe(true);
    // A replacement of the same size fits, because the replaced picture is deleted.
    expect(await put(context, subject)).toBe(true);
    const shown = await shownOf(context, subject);
    expect(await refusalOf(put(context, subject, fakeFiles(randomBytes(101))))).toContain('at most 100 MiB');
    expect(await shownOf(context, subject)).toEqual(shown);
    expect(await isStored(context, files)).toBe(false);
  });

  test('stay within the limit if several are uploaded concurrently', async () => {
    const { accountId } = await createOwner(context);
    const rows = Array.from({ length: MAX_PICTURES_OF_ACCOUNT - 1 }, () => rowOf(accountId, 1));
    await context.db.transaction((tx) => tx.insertInto('pictures').values(rows).execute());
    const many = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: 8 }, work));
    // Open all pooled connections first, so that the uploads really run concurrently.
    await many(() => context.db.transaction((tx) => tx.selectFrom('jobs').select('name').execute()));
    const sent = await many(() => put(context, { id: uuidv7(context), listingId: null, accountId }));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('never have two published versions after concurrent uploads', async () => {
    const subject = await newSubject();
    const both = [fakeFiles(), fakeFiles()];
    await Promise.all(both.map((files) => put(context, subject, files)));
    const shown = await shownOf(context, subject);
    expect(both.map(namesOf)).toContainEqual(shown);
    const rows = context.db.read.selectFrom('pictures').selectAll().where('subject_id', '=', subject.id);
    expect((await rows.execute()).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1);
  });

  test('can be uploaded concurrently as the brand’s logo', async () => {
    const picture = { kind: 'logo', theme: 'light', operatorId: NIL_UUID, actor: 'operator' } as const;
    const uploads = Array.from({ length: 8 }, () =>
      changeBrandPicture(context, { ...picture, files: fakeFiles() }),
    );
    const sent = await Promise.allSettled(uploads);
    expect(sent.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('are deleted with their offer or listing', async () => {
    const { accountId } = await createOwner(context);
    const actor = `account:${accountId}` as const;
    const listing = await createListing(context, {
      account: accountId,
      slug: `draft-${randomBytes(4).toString('hex')}`,
      name: 'Draft',
      url: 'https://draft.example',
      actor,
    });
    const offers = [1, 2].map(() =>
      createOffer(context, { listing: listing.slug, offer: 'Half', kind: 'discount', code: 'HALF', actor }),
    );
    const [first, second] = await Promise.all(offers);
    const files = [fakeFiles(), fakeFiles(), fakeFiles()] as const;
    await put(context, { id: listing.id, listingId: listing.id, accountId }, files[0]);
    await put(context, { id: first!.id, listingId: listing.id, accountId }, files[1], 'offer');
    await put(context, { id: second!.id, listingId: listing.id, accountId }, files[2], 'offer');
    const stored = () => Promise.all(files.map((each) => isStored(context, each)));
    expect(await stored()).toEqual([true, true, true]);
    await deleteOffer(context, { offerId: first!.id, actor });
    expect(await stored()).toEqual([true, false, true]);
    await deleteListing(context, { listing: listing.slug, actor });
    expect(await stored()).toEqual([false, false, false]);
  });

  test('are included in the data export and deleted with the account', async () => {
    const leaving = await createOwner(context);
    const [old, files] = [fakeFiles(), fakeFiles()];
    await put(context, listingOf(leaving), old);
    await put(context, listingOf(leaving), files);
    const records: DataRecord[] = [];
    for await (const page of readAllPersonData(context, leaving.accountId)) records.push(...page);
    const names = records.filter(({ part }) => part === 'pictures').map(({ data }) => JSON.stringify(data));
    expect(names).toHaveLength(2);
    expect(names.join()).toContain(files[0]!.name);
    const { accountId } = leaving;
    await planDeletion(context, { account: accountId, actor: `account:${accountId}`, notice: null });
    await eraseDueAccounts(later(context, 8 * 24 * 60 * 60_000));
    expect(await isStored(context, old)).toBe(false);
    expect(await isStored(context, files)).toBe(false);
    expect(await shownOf(context, listingOf(owner))).toBeDefined();
  });
});

test('restoring a backup brings back a picture that was deleted after the backup', async () => {
  const dbLocation = await newDbLocation('sqlite');
  const before = await openDatabaseAt(dbLocation);
  const { listingId, accountId } = await createOwner(before.context);
  const subject = { id: listingId, listingId, accountId };
  const files = fakeFiles();
  await put(before.context, subject, files);
  const file = join(dbLocation.dataDir, 'backup.db');
  await record(['backup', file], dbLocation.env);
  await before.db.transaction((tx) => deletePicturesOf(tx, [subject.id], 'icon'));
  expect(await isStored(before.context, files)).toBe(false);
  await before.db.close();
  await record(['restore', file], dbLocation.env);
  const after = await openDatabaseAt(dbLocation);
  expect(await shownOf(after.context, subject)).toEqual(namesOf(files));
  for (const { name, data } of files) {
    expect(Buffer.from((await findPictureFile(after.db.read, name))!)).toEqual(Buffer.from(data));
  }
  await after.db.close();
});

describe('GET /pictures/:file', () => {
  let site: OwnSite;
  let files: readonly EncodedFile[];
  beforeAll(async () => {
    site = await openSite('sqlite');
    files = fakeFiles(randomBytes(1_000), ['avif', 'webp', 'png', 'jpg']);
    await put(site.context, MARKETPLACE, files);
  });
  afterAll(() => site.close());

  const ask = (name: string, init: RequestInit = {}) => fetch(`${site.baseUrl}/pictures/${name}`, init);
  const named = (ending: string) => files.find(({ name }) => name.endsWith(ending))!;

  test.each([
    ['avif', 'image/avif'],
    ['webp', 'image/webp'],
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
  ])(
    'serves .%s as %s, cacheable forever and with headers that keep browsers from running scripts',
    async (ending, type) => {
      const { name, data } = named(ending);
      const answer = await ask(name, {
        headers: { Cookie: 'claimcheck.session=abc', 'Accept-Encoding': 'br, gzip' },
      });
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(data));
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(data.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        etag: `"${name.slice(0, 32)}"`,
      });
      for (const header of ['set-cookie', 'content-encoding', 'vary', 'access-control-allow-origin']) {
        expect(answer.headers.get(header), header).toBeNull();
      }
    },
  );

  test('answers HEAD without a body, and returns 304 if the ETag matches', async () => {
    const { name, data } = named('webp');
    const head = await ask(name, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(data.length),
      '',
    ]);
    const tag = head.headers.get('etag')!;
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await ask(name, { headers: { 'If-None-Match': known } });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('etag')).toBe(tag);
    }
    expect((await ask(name, { headers: { 'If-None-Match': `"${'0'.repeat(32)}"` } })).status).toBe(200);
  });

  test('returns an uncacheable 404 for unknown file names', async () => {
    const { name } = named('webp');
    const names = [
      `${'0'.repeat(32)}.webp`,
      name.replace('webp', 'svg'),
      name.toUpperCase(),
      `${name}x`,
      'x',
      '%00',
      "'",
    ];
    for (const other of names) {
      const answer = await ask(other);
      expect(answer.status, other).toBe(404);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    // The format is part of the name, and there is no PNG with this hash.
    expect((await ask(name.replace('webp', 'png'))).status).toBe(404);
    const posted = await ask(name, { method: 'POST', headers: { Origin: site.baseUrl } });
    expect(posted.status).toBe(404);
  });
});

test('GET /pictures/:file returns a 503 problem document while the database is unavailable', async () => {
  const pages = await startPages([], {
    findPicture: async () => {
      throw new Away();
    },
  });
  const answer = await fetch(`${pages.url}/pictures/${'0'.repeat(32)}.webp`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  await pages.close();
});

test('the picture cache shares concurrent reads, and drops pictures after a minute or when the cache is full', async () => {
  let reads = 0;
  let now = 1;
  const stored = new Map([[`${'a'.repeat(32)}.webp`, randomBytes(1_000)]]);
  const app = new Hono() as unknown as PageApp;
  pictureRoutes(
    app,
    async (name) => {
      reads += 1;
      return stored.get(name) ?? null;
    },
    () => now,
  );
  const statusOf = async (name: string) => (await app.request(`/pictures/${name}`)).status;
  const [name] = stored.keys();
  expect(await Promise.all([name!, name!, name!].map(statusOf))).toEqual([200, 200, 200]);
  expect(reads).toBe(1);
  stored.delete(name!);
  now += PICTURE_KEPT_MS;
  expect(await statusOf(name!)).toBe(200);
  expect(reads).toBe(1);
  now += 1;
  expect(await statusOf(name!)).toBe(404);
  // Misses are not cached, so the picture is served as soon as it is stored.
  stored.set(name!, randomBytes(10));
  expect(await statusOf(name!)).toBe(200);
  // These pictures exceed the cache's size, so the cache drops the least recently used pictures, including `name`.
  const large = Array.from({ length: 9 }, (_, at) => `${String(at).repeat(32)}.webp`);
  for (const each of large) stored.set(each, randomBytes(2_000_000));
  for (const each of large) await statusOf(each);
  reads = 0;
  await statusOf(large[8]!);
  expect(reads).toBe(0);
  await statusOf(name!);
  expect(reads).toBe(1);
});
