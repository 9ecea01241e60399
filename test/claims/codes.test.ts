/** Code lists: each claim gets a different code, codes are never lost, and an empty list closes the offer. */
import { describe, expect, test } from 'vitest';
import { needsReencryption, reencrypt } from '../../src/background/system/secret-keys.ts';
import type { Context } from '../../src/base/context.ts';
import { codesOfClaims, giveCodes } from '../../src/claims/codes/codes-of-claims.ts';
import { claimOffer, createClaimQueue } from '../../src/claims/creation/claim-offer.ts';
import { claimForTest, issueClaims, replaceClaim } from '../../src/claims/creation/issue.ts';
import { findClaimableOffer } from '../../src/claims/creation/offer-queries.ts';
import { MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER } from '../../src/marketplace/offers/code.ts';
import { readCodeFile } from '../../src/marketplace/offers/code-file.ts';
import { listImports, withholdCodesLeft } from '../../src/marketplace/offers/code-queries.ts';
import { addCodes, withdrawCodes, withdrawImport } from '../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { deleteOffer, editOffer } from '../../src/marketplace/offers/edit.ts';
import { exportCodes } from '../../src/marketplace/offers/export-codes.ts';
import { findOwnOffer } from '../../src/marketplace/offers/queries.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-keys.ts';
import type { Transaction } from '../../src/platform/store/database.ts';
import { readAccountNumber } from '../../src/platform/store/numbers.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES, openDatabaseAt, TEST_SECRET_KEY } from '../support/engines.ts';
import { inEnglish } from '../support/english.ts';
import { eventsOf, refusalOf } from '../support/events.ts';
import { claimsOf, createOwner, type Owner } from '../support/marketplace.ts';
import { recordStatements } from '../support/plans.ts';
import { shareDatabase } from '../support/shared.ts';
import { changeListing, createPerson, importFile, issueFor, REDEEMED_AT } from './support.ts';

const ALL_GIVEN = 'All codes have been given out.';

describe.each(ENGINES)('code lists on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const person = () => createPerson(context);
  const linesOf = (codes: readonly string[]) => codes.map((text, index) => ({ line: index + 1, text }));
  const listed = async (codes: readonly string[], fields: object = {}): Promise<Owner> => {
    const owner = await createOwner(context);
    await editOffer(context, { offerId: owner.offerId, actor: 'operator', code_list: 'close', ...fields });
    if (codes.length > 0) await add(owner, codes);
    return owner;
  };
  const add = (owner: Owner, codes: readonly string[], at = context) =>
    addCodes(at, { offerId: owner.offerId, actor: `account:${owner.accountId}`, lines: linesOf(codes) });
  const claim = async (owner: Owner, claimantAccountId: string, at = context) =>
    claimOffer(at, { claimantAccountId, listing: owner.slug, offerId: owner.offerId });
  const codesOf = async (owner: Owner, at = context) =>
    codesOfClaims(at, at.db.read, await claimsOf(at, owner));
  const countsOf = async (owner: Owner) => {
    const { claims, codes_left, codes_given } = (await findOwnOffer(
      context.db.read,
      owner.accountId,
      owner.offerId,
    ))!;
    return { claims, codes_left, codes_given };
  };

  test('claims get codes in list order; an empty list closes the offer until codes are added', async () => {
    const owner = await listed(['FIRST', 'SECOND']);
    const [a, b, c] = [await person(), await person(), await person()];
    const first = await claim(owner, a);
    const second = await claim(owner, b);
    expect(await claim(owner, a)).toEqual({ claimId: first.claimId, created: false });
    expect(await codesOf(owner)).toEqual(
      new Map([
        [first.claimId, 'FIRST'],
        [second.claimId, 'SECOND'],
      ]),
    );
    expect(await countsOf(owner)).toEqual({ claims: 2, codes_left: 0, codes_given: 2 });
    expect(await refusalOf(claim(owner, c))).toContain(ALL_GIVEN);
    await add(owner, ['THIRD']);
    const third = await claim(owner, c);
    expect((await codesOf(owner)).get(third.claimId)).toBe('THIRD');
  });

  test('claims get the shared code once the list is empty', async () => {
    const owner = await listed(['OWN'], { code_list: 'shared_code', code: 'SHARED' });
    const issue = (claimantRef: string) => issueFor(context, owner, claimantRef);
    expect((await issue('ann')).code).toBe('OWN');
    expect((await issue('bob')).code).toBe('SHARED');
    expect((await issue('ann')).code).toBe('OWN');
    expect(await countsOf(owner)).toEqual({ claims: 2, codes_left: 0, codes_given: 1 });
    expect(
      await refusalOf(editOffer(context, { offerId: owner.offerId, actor: 'operator', code: '' })),
    ).toContain('Set a shared code');
  });

  /**
   * Runs `work` with two contexts. On PostgreSQL, each has its own connections, like a separate process. On SQLite,
   * both are the same context.
   */
  const onTwo = async <T>(work: (contexts: readonly [Context, Context]) => Promise<T>): Promise<T> => {
    const other = engine === 'postgres' ? await openDatabaseAt(database) : null;
    try {
      return await work([context, other?.context ?? context]);
    } finally {
      await other?.db.close();
    }
  };

  test('concurrent claimants get distinct codes and never exceed the claim limit', () =>
    onTwo(async (contexts) => {
      const codes = Array.from({ length: 60 }, (_, index) => `RACE-${index}`);
      const owner = await listed(codes, { claim_limit: '40' });
      const ids: string[] = [];
      while (ids.length < 100) ids.push(await person());
      const { slug: listing, offerId } = owner;
      const queues = contexts.map(createClaimQueue);
      const results = await Promise.allSettled(
        ids.map((claimantAccountId, index) => queues[index % 2]!({ claimantAccountId, listing, offerId })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
      const reasons = new Set(
        results.map((result) => (result.status === 'rejected' ? result.reason.message : '')),
      );
      expect([...reasons].sort()).toEqual(['', 'The offer is over: all of its 40 claims have been made.']);
      expect(await claimsOf(context, owner)).toHaveLength(40);
      const given = [...(await codesOf(owner)).values()];
      expect(given.sort()).toEqual(codes.slice(0, 40).sort());
      expect(await countsOf(owner)).toEqual({ claims: 40, codes_left: 20, codes_given: 40 });
    }));

  const TAKERS = 64;
  const raceFor = (owner: Owner, take: (tx: Transaction, claimId: string) => Promise<unknown>) =>
    onTwo(async (contexts) => {
      const claims = Array.from(
        { length: TAKERS },
        (_, index) => [contexts[index % 2]!, uuidv7(context)] as const,
      );
      await Promise.all(claims.map(([at, id]) => at.db.transaction((tx) => take(tx, id))));
      const codes = context.db.read.selectFrom('offer_codes').where('offer_id', '=', owner.offerId);
      return await codes.where('claim_id', 'is not', null).select('claim_id').execute();
    });

  test('each code is given out only once, even if the caller does not lock the offer', async () => {
    const owner = await listed(Array.from({ length: TAKERS }, (_, index) => `LOCK-${index}`));
    const offer = (await findClaimableOffer(context.db.read, owner.offerId))!;
    const given = await raceFor(owner, (tx, id) => giveCodes(tx, engine, offer, [{ id, mode: 'live' }]));
    expect(given).toHaveLength(TAKERS);
  });

  // On SQLite, a write transaction locks the whole database, so the race cannot happen.
  test.runIf(engine === 'postgres')(
    'control: the same race gives out codes twice if neither the offer nor the codes are locked',
    async () => {
      const owner = await listed(Array.from({ length: TAKERS }, (_, index) => `FREE-${index}`));
      const given = await raceFor(owner, async (tx, id) => {
        const free = tx.selectFrom('offer_codes').select('seq').where('offer_id', '=', owner.offerId);
        const code = await free
          .where('claim_id', 'is', null)
          .orderBy('seq')
          .limit(1)
          .executeTakeFirstOrThrow();
        await tx.updateTable('offer_codes').set({ claim_id: id }).where('seq', '=', code.seq).execute();
      });
      expect(given.length).toBeLessThan(TAKERS);
    },
  );

  test('a claim finds its code through an index, even right after many codes have been added', async () => {
    const { plugin, steps, stepsOnPostgres } = recordStatements();
    const owner = await listed([]);
    for (let part = 0; part < 3; part += 1) {
      await add(
        owner,
        Array.from({ length: MAX_CODES_OF_CALL }, (_, index) => `PLAN-${part}-${index}`),
      );
    }
    const offer = (await findClaimableOffer(context.db.read, owner.offerId))!;
    const claims = [{ id: uuidv7(context), mode: 'live' }] as const;
    await context.db.transaction((tx) => giveCodes(tx.withPlugin(plugin), engine, offer, claims));
    const plan = engine === 'sqlite' ? steps(database.dataDir) : await stepsOnPostgres(database.databaseUrl!);
    const ofCodes = plan.filter((step) => step.includes('offer_codes')).join('\n');
    expect(ofCodes).not.toMatch(/SCAN offer_codes|Seq Scan/);
    expect(ofCodes).toMatch(engine === 'sqlite' ? /INTEGER PRIMARY KEY/ : /offer_codes_pkey/);
    expect((await codesOf(owner)).size).toBe(0);
    expect(await countsOf(owner)).toMatchObject({ codes_left: 2_999 });
  });

  test('issuing in bulk gives each claim a code, or issues nothing if too few codes are left', async () => {
    const owner = await listed(Array.from({ length: 700 }, (_, index) => `BULK-${index}`));
    const codes: (string | null)[] = [];
    const issue = async (count: number) => {
      const input = { offerId: owner.offerId, count, mode: 'live', via: null } as const;
      for await (const claims of issueClaims(context, input)) codes.push(...claims.map(({ code }) => code));
    };
    await issue(600);
    expect(codes).toEqual(Array.from({ length: 600 }, (_, index) => `BULK-${index}`));
    expect(await refusalOf(issue(101))).toContain(
      'The offer has only 100 codes left in its list, but 101 were',
    );
    await issue(100);
    expect(await countsOf(owner)).toEqual({ claims: 700, codes_left: 0, codes_given: 700 });
  });

  test('a replacement claim gets a new code, or is rejected if the list is empty', async () => {
    const owner = await listed(['OLD', 'NEW']);
    const { claimId } = await claim(owner, await person());
    await changeClaims(context.db, { id: claimId }, { redeemed_at: REDEEMED_AT });
    const input = { accountId: owner.accountId, claimId, actor: 'operator' } as const;
    const replaced = await replaceClaim(context, input);
    const codes = await codesOf(owner);
    expect([codes.get(claimId), codes.get(replaced.claimId)]).toEqual(['OLD', 'NEW']);
    await changeClaims(context.db, { id: replaced.claimId }, { redeemed_at: REDEEMED_AT });
    expect(await refusalOf(replaceClaim(context, { ...input, claimId: replaced.claimId }))).toContain(
      ALL_GIVEN,
    );
    expect(await claimsOf(context, owner)).toHaveLength(2);
  });

  test('test claims and imported claims do not use up codes', async () => {
    const owner = await listed(['ONLY']);
    await claimForTest(context, { accountId: owner.accountId, offerId: owner.offerId });
    const { imported } = await importFile(context, `token,offer\nimported-code-claim,${owner.offerId}\n`);
    expect(imported).toBe(1);
    expect(await countsOf(owner)).toMatchObject({ codes_left: 1, codes_given: 0 });
  });

  test('duplicate and malformed lines are reported by line number; the other codes are added', async () => {
    const owner = await listed(['KNOWN']);
    const long = 'x'.repeat(201);
    const lines = [
      'KNOWN',
      'A1',
      '"A2"',
      'A1',
      'two words',
      'a,b',
      'zero\u200bwidth',
      '\u0007',
      long,
      '\ud800',
      "=cmd|' /C calc'!A0",
      'caf\u00e9',
      'cafe\u0301',
      '"q""x,y"',
      'B2;;',
    ];
    const paste = (texts: readonly string[]) =>
      addCodes(context, {
        offerId: owner.offerId,
        actor: `account:${owner.accountId}`,
        lines: readCodeFile({ text: texts.join('\r\n'), isGuess: false }).lines,
      });
    const { added, bad, codes_left } = await paste(lines);
    expect({ added, codes_left }).toEqual({ added: 5, codes_left: 6 });
    expect(inEnglish(bad)).toEqual([
      { line: 1, reason: 'The list already has the code.' },
      { line: 4, reason: 'An earlier line has the same code.' },
      { line: 5, reason: 'The code contains a space or an invisible character.' },
      { line: 6, reason: 'The line has a comma, a semicolon or a tab. Put one code on each line.' },
      { line: 7, reason: 'The code contains a space or an invisible character.' },
      { line: 8, reason: 'The code contains the control character U+0007.' },
      { line: 9, reason: 'The code has 201 characters; at most 200 are allowed.' },
      { line: 10, reason: 'The code contains invalid Unicode (a lone surrogate).' },
      { line: 11, reason: 'The code contains a space or an invisible character.' },
      { line: 13, reason: 'An earlier line has the same code.' },
    ]);
    expect(await paste(lines.slice(1, 3))).toMatchObject({ added: 0, codes_left: 6 });
  });

  test('the number of codes per call and per offer is limited', async () => {
    const owner = await listed([]);
    const many = Array.from({ length: MAX_CODES_OF_CALL + 1 }, (_, index) => `M-${index}`);
    expect(await refusalOf(add(owner, many))).toContain(
      'At most 1000 codes can be sent at a time; found 1001.',
    );
    const account_number = await readAccountNumber(context.db.read, owner.accountId);
    const given = { account_number, offer_id: owner.offerId, codes_given: MAX_CODES_OF_OFFER - 1 };
    await context.db.transaction((tx) => tx.insertInto('offer_claims').values(given).execute());
    expect(await refusalOf(add(owner, ['A', 'B']))).toContain(
      'An offer can have at most 100000 codes, including those already given out or withheld after a restore. This offer has 99999; 2 new codes would be too many.',
    );
    expect(await add(owner, ['A'])).toMatchObject({ added: 1, codes_left: 1 });
    // Withheld codes count too: otherwise, their release would exceed the limit.
    await context.db.transaction(async (tx) => {
      const ofOffer = { withheld_at: context.at() };
      await tx.updateTable('offer_codes').set(ofOffer).where('offer_id', '=', owner.offerId).execute();
      await tx
        .updateTable('offer_claims')
        .set({ codes_left: 0 })
        .where('offer_id', '=', owner.offerId)
        .execute();
    });
    expect(await refusalOf(add(owner, ['C']))).toContain(
      'This offer has 100000; 1 new code would be too many.',
    );
    expect(
      await withdrawCodes(context, { offerId: owner.offerId, actor: 'operator', lines: null }),
    ).toMatchObject({
      withdrawn: 1,
    });
    expect(await add(owner, ['C'])).toMatchObject({ added: 1, codes_left: 1 });
  });

  test('unassigned codes can be withdrawn; assigned codes are kept', async () => {
    const owner = await listed(['GIVEN', 'ONE', 'TWO', 'THREE']);
    const { claimId } = await claim(owner, await person());
    const withdraw = (codes: readonly string[] | null) =>
      withdrawCodes(context, {
        offerId: owner.offerId,
        actor: `account:${owner.accountId}`,
        lines: codes && linesOf(codes),
      });
    expect(inEnglish(await withdraw(['GIVEN', 'TWO', 'OTHER']))).toEqual({
      withdrawn: 1,
      bad: [
        { line: 1, reason: 'The code is not in the list or was already given to a claim.' },
        { line: 3, reason: 'The code is not in the list or was already given to a claim.' },
      ],
    });
    expect(await withdraw(null)).toEqual({ withdrawn: 2, bad: [] });
    expect(await countsOf(owner)).toEqual({ claims: 1, codes_left: 0, codes_given: 1 });
    expect(await codesOf(owner)).toEqual(new Map([[claimId, 'GIVEN']]));
    expect(await add(owner, ['GIVEN', 'TWO'])).toMatchObject({ added: 1 });
  });

  test('taking back an import removes only codes that no claim has got', async () => {
    const owner = await listed([]);
    const at = (ms: number) => ({ ...context, at: () => `2026-11-30T10:00:00.00${ms}Z` });
    const target = { offerId: owner.offerId, actor: `account:${owner.accountId}` } as const;
    const wrong = await addCodes(at(1), { ...target, lines: linesOf(['GIVEN', 'WRONG']) });
    // The second part of the same file, and another import.
    const many = Array.from({ length: 600 }, (_, n) => `PART-${n}`);
    await addCodes(at(2), { ...target, lines: linesOf(many), continues: wrong.importedAt });
    await addCodes(at(3), { ...target, lines: linesOf(['RIGHT']) });
    // It no longer continues the newest import.
    await addCodes(at(4), { ...target, lines: linesOf(['LATE']), continues: wrong.importedAt });
    const { claimId } = await claim(owner, await person());
    const offer = (await findOwnOffer(context.db.read, owner.accountId, owner.offerId))!;
    const imports = async () => (await listImports(context.db.read, offer, 5)).map(({ codes }) => codes);
    expect(await imports()).toEqual([1, 1, 601]);
    expect(await withdrawImport(context, { ...target, importedAt: wrong.importedAt })).toBe(601);
    expect(await imports()).toEqual([1, 1]);
    expect(await codesOf(owner)).toEqual(new Map([[claimId, 'GIVEN']]));
    expect(await countsOf(owner)).toEqual({ claims: 1, codes_left: 2, codes_given: 1 });
    expect(await withdrawImport(context, { ...target, importedAt: wrong.importedAt })).toBe(0);
    const stranger = { ...target, actor: `account:${await person()}`, importedAt: wrong.importedAt } as const;
    expect(await refusalOf(withdrawImport(context, stranger))).toBeTruthy();
  });

  /** Calls `work` with a context that records the number of codes of the offer after each transaction. */
  const recordCounts = async (owner: Owner, work: (context: Context) => Promise<unknown>) => {
    const counts: number[] = [];
    const note = async () => {
      const codes = context.db.read.selectFrom('offer_codes').where('offer_id', '=', owner.offerId);
      counts.push((await codes.select('seq').execute()).length);
    };
    await note();
    const transaction: Context['db']['transaction'] = async (run) => {
      const result = await context.db.transaction(run);
      await note();
      return result;
    };
    await work({ ...context, db: { ...context.db, transaction } });
    return counts;
  };

  test('a long list is withdrawn in short transactions, with one event', async () => {
    const owner = await listed(['GIVEN']);
    await claim(owner, await person());
    for (const part of ['A', 'B'])
      await add(
        owner,
        Array.from({ length: 600 }, (_, n) => `${part}-${n}`),
      );
    const input = { offerId: owner.offerId, actor: `account:${owner.accountId}`, lines: null } as const;
    const counts = await recordCounts(owner, async (at) =>
      expect(await withdrawCodes(at, input)).toEqual({ withdrawn: 1_200, bad: [] }),
    );
    expect(counts).toEqual([1_201, 701, 201, 1]);
    expect(await countsOf(owner)).toEqual({ claims: 1, codes_left: 0, codes_given: 1 });
    const withdrawn = expect.objectContaining({ change: 'codes_withdrawn' });
    const events = await eventsOf(context.db, owner.offerId);
    expect(events.at(-1)).toMatchObject({ data: withdrawn });
    expect(events.at(-2)).not.toMatchObject({ data: withdrawn });
  });

  test('the unassigned codes can be exported: in list order, withheld ones last, and with an event', async () => {
    const owner = await listed(['GIVEN', '=A1', '00123', '9-1']);
    await claim(owner, await person());
    const exported = async (of: Owner, format: 'csv' | 'ndjson') => {
      let text = '';
      const by = { accountId: of.accountId, actor: `account:${of.accountId}` } as const;
      for await (const page of exportCodes(context, {
        offerId: owner.offerId,
        ...by,
        format,
        csvStyle: null,
      }))
        text += page;
      return text;
    };
    const codesIn = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { code: string }).code);
    expect(codesIn(await exported(owner, 'ndjson'))).toEqual(['=A1', '00123', '9-1']);
    const csv = await exported(owner, 'csv');
    expect(csv).toMatch(/^\ufeffcode,added_at,withheld_at\r\n'=A1,\d{4}-[^,]+,\r\n00123,/);
    expect(csv).not.toContain('GIVEN');
    const { lines } = readCodeFile({ text: csv.slice(1), isGuess: false });
    expect(lines.map(({ text }) => text)).toEqual(['=A1', '00123', '9-1']);

    const withheld = Array.from({ length: 1_000 }, (_, n) => `MORE-${n}`);
    await add(owner, withheld);
    await context.db.transaction((tx) => withholdCodesLeft(tx, context.at()));
    await add(owner, ['LAST']);
    const all = codesIn(await exported(owner, 'ndjson'));
    expect(all).toEqual(['LAST', '=A1', '00123', '9-1', ...withheld]);
    const change = expect.objectContaining({ change: 'codes_exported' });
    expect((await eventsOf(context.db, owner.offerId)).at(-1)).toMatchObject({ data: change });
    expect(await refusalOf(exported(await createOwner(context), 'csv'))).toBe(
      'There is nothing at this address.',
    );
  });

  test('other accounts cannot add or withdraw codes; an offer without a list rejects codes', async () => {
    const owner = await listed(['MINE']);
    const input = { offerId: owner.offerId, actor: `account:${await person()}` } as const;
    expect(await refusalOf(addCodes(context, { ...input, lines: linesOf(['THEIRS']) }))).toBe(
      'There is nothing at this address.',
    );
    expect(await refusalOf(withdrawCodes(context, { ...input, lines: null }))).toBe(
      'There is nothing at this address.',
    );
    expect(await countsOf(owner)).toMatchObject({ codes_left: 1 });
    const plain = await createOwner(context);
    expect(await refusalOf(add(plain, ['X']))).toContain('The offer has no code list.');
  });

  test('codes are stored encrypted and stay usable after the secret key is rotated', async () => {
    const owner = await listed(['SECRET-CODE-4711']);
    const { claimId } = await claim(owner, await person());
    const rows = await context.db.read.selectFrom('offer_codes').selectAll().execute();
    const stored = JSON.stringify([rows, await eventsOf(context.db, owner.offerId)]);
    expect(stored).not.toContain('SECRET-CODE-4711');
    const secret = 'another secret key for tests that is long enough too';
    const rotated = {
      ...context,
      secretBox: createSecretBox([secret, TEST_SECRET_KEY], context.random),
    };
    expect(await needsReencryption(rotated)).toBe(true);
    await reencrypt(rotated);
    expect(await needsReencryption(rotated)).toBe(false);
    const after = { ...context, secretBox: createSecretBox([secret], context.random) };
    expect(await codesOf(owner, after)).toEqual(new Map([[claimId, 'SECRET-CODE-4711']]));
    expect(await add(owner, ['SECRET-CODE-4711', 'NEXT'], after)).toMatchObject({ added: 1 });
    expect(await codesOf(owner)).toEqual(new Map());
    await reencrypt({ ...context, secretBox: createSecretBox([TEST_SECRET_KEY, secret], context.random) });
  });

  test('deleting an offer deletes its codes in short transactions', async () => {
    const owner = await createOwner(context);
    await changeListing(context, owner, { origin: null, state: 'draft' });
    const offer = await createOffer(context, {
      listing: owner.slug,
      offer: 'Codes',
      kind: 'gift',
      code_list: 'close',
      actor: `account:${owner.accountId}`,
    });
    const coded = { ...owner, offerId: offer.id };
    await add(
      coded,
      Array.from({ length: 600 }, (_, n) => `GONE-${n}`),
    );
    const counts = await recordCounts(coded, (at) =>
      deleteOffer(at, { offerId: offer.id, actor: `account:${owner.accountId}` }),
    );
    expect(counts).toEqual([600, 100, 0, 0]);
  });
});
