/** Imports skip bad rows and can be repeated; exports contain neither tokens nor formulas. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { exportClaims } from '../../src/claims/export/export.ts';
import { hashToken } from '../../src/claims/token.ts';
import { countLabels } from '../../src/marketplace/campaigns/count.ts';
import type { ExportFormat } from '../../src/platform/text/record-writer.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES } from '../support/engines.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { shareDatabase } from '../support/shared.ts';
import { creationsOf, importFile, issueFor, piecesOf } from './support.ts';

const HEADER = 'token,offer,via,claimant,claimed_at,redeemed_at\n';

describe.each(ENGINES)('import and export of claims on %s', (engine) => {
  const { context } = shareDatabase(engine);

  const load = (text: string) => importFile(context, text);

  async function save(listing: string | null, format: ExportFormat): Promise<string> {
    let text = '';
    for await (const page of exportClaims(context, { listing, format })) text += page.text;
    return text;
  }

  const manyRows = (owner: Owner, count: number) =>
    Array.from({ length: count }, (_, at) => `${owner.slug}-token-${at},${owner.offerId},l${at % 3},,,\n`);

  test('an import stores every column, appends an event per claim and updates the counts', async () => {
    const owner = await createOwner(context);
    const times = '2026-01-02T03:04:05.678+01:00,2026-01-03T00:00:00Z';
    const file = `${HEADER}outside-token-1,${owner.offerId},__proto__,bob,${times}\noutside-token-2,${owner.offerId},,,,2026-01-03T00:00:00Z\n`;
    expect(await load(file)).toEqual({ imported: 2, unchanged: 0, bad: 0, faults: [] });
    const [first, second] = await claimsOf(context, owner);
    expect(first).toMatchObject({
      listing_id: owner.listingId,
      offer_id: owner.offerId,
      mode: 'live',
      token_origin: 'imported',
      via: '__proto__',
      claimant_ref: 'bob',
      claimed_at: '2026-01-02T02:04:05.678Z',
      redeemed_at: '2026-01-03T00:00:00.000Z',
    });
    expect(Buffer.from(first!.token_hash)).toEqual(Buffer.from(hashToken('outside-token-1')));
    expect(second).toMatchObject({ via: null, claimed_at: '2026-01-03T00:00:00.000Z' });
    const events = await creationsOf(context, owner);
    expect(events).toMatchObject(
      [first, second].map((claim) => ({ subject_id: claim!.id, actor: 'operator' })),
    );
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject([
      { via: null, claims: 1, redeemed: 1, rate: 1 },
      { via: '__proto__', claims: 1, redeemed: 1, rate: 1 },
    ]);
  });

  test('a later redemption does not change the times in the event of an imported claim', async () => {
    const owner = await createOwner(context);
    const of = (token: string, times: string) => `${owner.slug}-${token},${owner.offerId},,,${times}\n`;
    const rows = [
      of('spent', '2026-01-02T00:00:00.007Z,2026-01-03T00:00:00Z'),
      of('open', '2026-01-02T00:00:00Z,'),
    ];
    await load(HEADER + rows.join(''));
    const data = async () =>
      (await creationsOf(context, owner)).map((event) => JSON.parse(event.data) as unknown);
    const written = [
      { claimed_at: '2026-01-02T00:00:00.007Z', redeemed_at: '2026-01-03T00:00:00.000Z' },
      { claimed_at: '2026-01-02T00:00:00.000Z', redeemed_at: null },
    ].map((times) => ({ offer_id: owner.offerId, via: null, ...times }));
    expect(await data()).toEqual(written);
    await changeClaims(
      context.db,
      { token_hash: hashToken(`${owner.slug}-open`) },
      { redeemed_at: '2026-11-20T10:00:00.000Z', redeemed_by_key_id: owner.liveKeyId },
    );
    expect(await data()).toEqual(written);
  });

  test('bad rows are reported in file order, and all other rows are imported', async () => {
    const owner = await createOwner(context);
    const [known, first, ...others] = manyRows(owner, 501);
    await load(HEADER + known);
    const changed = known!.replace('l0', 'l1');
    const unknown = 'unknown-offer,01934e2d-5678-7abc-8def-0123456789ab,,,,\n';
    const open = `"left open,${owner.offerId},,,,\n`;
    const result = await load(
      [HEADER, changed, first, first, unknown, open, ...others, unknown, first].join(''),
    );
    expect(result.faults).toEqual([
      expect.stringMatching(/^2: The token already exists, with a different via/),
      expect.stringMatching(/^4: The token is also on line 3/),
      expect.stringMatching(/^5: There is no offer/),
      expect.stringMatching(/^6: The row has an unmatched quote/),
      expect.stringMatching(/^506: There is no offer/),
      expect.stringMatching(/^507: The token is also on an earlier line/),
    ]);
    expect(result).toMatchObject({ imported: 500, unchanged: 0, bad: 6 });
    expect(await claimsOf(context, owner)).toHaveLength(501);
  });

  test('an interrupted import is completed by importing the same file again', async () => {
    const owner = await createOwner(context);
    const rows = manyRows(owner, 2_000);
    const broken = importFile(context, failingAfter(HEADER + rows.slice(0, 1_200).join('')));
    await expect(broken).rejects.toThrow('the disk is gone');
    const before = (await claimsOf(context, owner)).length;
    expect(before).toBeGreaterThan(0);
    const again = await load(HEADER + rows.join(''));
    expect(again).toEqual({ imported: 2_000 - before, unchanged: before, bad: 0, faults: [] });
    expect(await claimsOf(context, owner)).toHaveLength(2_000);
    const labels = await countLabels(context, { listing: owner.slug });
    expect(labels.reduce((sum, label) => sum + label.claims, 0)).toBe(2_000);
  });

  test('an import of a slow file does not hold a transaction open', async () => {
    const owner = await createOwner(context);
    const rows = manyRows(owner, 400);
    const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
    const slow = async function* () {
      yield Buffer.from(HEADER + rows.slice(0, 300).join(''));
      await more;
      yield Buffer.from(rows.slice(300).join(''));
    };
    const importing = importFile(context, slow());
    try {
      await expect.poll(async () => (await claimsOf(context, owner)).length).toBeGreaterThan(0);
    } finally {
      goOn();
    }
    expect(await importing).toMatchObject({ imported: 400, bad: 0 });
  });

  test('a known token with different data is reported; a claim redeemed since the import counts as unchanged', async () => {
    const owner = await createOwner(context);
    const row = (token: string, rest: string) => `${token},${owner.offerId},${rest}\n`;
    await load(`${HEADER}${row('outside-token-1', 'a,bob,,')}${row('outside-token-2', 'a,ann,,')}`);
    await changeClaims(
      context.db,
      { account_id: owner.accountId },
      { redeemed_at: '2026-11-20T10:00:00.000Z' },
    );
    const result = await load(
      `${HEADER}${row('outside-token-1', 'a,bob,,')}${row('outside-token-2', 'b,ann,,')}${row('outside-token-3', ',bob,,')}`,
    );
    expect(result).toEqual({
      imported: 0,
      unchanged: 1,
      bad: 2,
      faults: [
        '3: The token already exists, with a different via.',
        '4: This claimant already has a claim on the offer.',
      ],
    });
  });

  test('two owners can import the same token', async () => {
    const [one, two] = [await createOwner(context), await createOwner(context)];
    const result = await load(`token,offer\nsame-token,${one.offerId}\nsame-token,${two.offerId}\n`);
    expect(result).toMatchObject({ imported: 2, bad: 0 });
  });

  test('an empty file is rejected', async () => {
    await expect(load('')).rejects.toThrow(/file is empty/);
  });

  test('an export contains all live claims of a listing, without tokens or formulas', async () => {
    const owner = await createOwner(context);
    await issueTokens(context, owner, 2_100, { via: 'spring' });
    await issueTokens(context, owner, 3, { mode: 'test' });
    const formulas = ['=1+1', '+491701234567', '-promo', '@x'];
    const cells = ["'=1+1", '+491701234567', '-promo', '@x'];
    const tokens = [];
    for (const claimantRef of formulas) {
      tokens.push((await issueFor(context, owner, claimantRef)).token);
    }
    const claims = (await claimsOf(context, owner)).filter((claim) => claim.mode === 'live');
    const csv = await save(owner.slug, 'csv');
    const records = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
    expect(records.map((record) => record['claim_id'])).toEqual(claims.map((claim) => claim.id));
    expect(records.slice(-4).map((record) => record['claimant'])).toEqual(cells);
    const first = { listing: owner.slug, offer_id: owner.offerId, via: 'spring', redeemed_at: '' };
    expect(records[0]).toMatchObject(first);
    const lines = await save(owner.slug, 'ndjson');
    const ndjson = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(ndjson.map((record) => record.claim_id)).toEqual(claims.map((claim) => claim.id));
    expect(ndjson.at(-1)).toMatchObject({ claimant: '@x', via: null, claimed_at: claims.at(-1)!.claimed_at });
    for (const token of tokens) expect(csv + lines).not.toContain(token);
  });

  test('an export of all listings includes every owner; an unknown listing is rejected', async () => {
    const owner = await createOwner(context);
    const other = await createOwner(context);
    const all = [];
    for (const one of [owner, other]) {
      await issueTokens(context, one, 1);
      all.push((await claimsOf(context, one))[0]!.id);
    }
    const exported = await save(null, 'ndjson');
    for (const id of all) expect(exported).toContain(id);
    expect(await save((await createOwner(context)).slug, 'csv')).toMatch(/^\ufeffclaim_id,.*\r\n$/);
    await expect(save('nowhere', 'csv')).rejects.toThrow(/no listing/);
  });
});

async function* failingAfter(text: string): AsyncGenerator<Uint8Array> {
  yield* piecesOf(text);
  throw new Error('the disk is gone');
}
