/** Codes of an owner's offer: pasting, uploading, withdrawing, and finding a claim by its code. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { createExporter } from '../../../src/claims/export/exporter.ts';
import { MAX_CODES_OF_CALL } from '../../../src/marketplace/offers/code.ts';
import { findOwnOffer } from '../../../src/marketplace/offers/queries.ts';
import { ownerClaimPages } from '../../../src/pages/dashboard/claims/pages.tsx';
import { startPages } from '../../../src/pages/dashboard/start/pages.tsx';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { CHROMIUM, pageFindings, press } from '../../support/browser.ts';
import { createMarketListing } from '../market/support.ts';
import { newClaimant } from '../viewers.ts';
import { type Dashboard, decode, openDashboard } from './support.ts';

describe('offer codes', () => {
  const exporter = createExporter();
  let dashboard: Dashboard;
  let slugs = 0;

  beforeAll(async () => {
    dashboard = await openDashboard('sqlite', (context) => [
      (app) => ownerClaimPages(app, context, exporter),
      (app) => startPages(app, context, { findLinkPreview: async () => null }),
    ]);
  });
  afterAll(async () => {
    await exporter.close();
    await dashboard.close();
  });

  async function offerOf(
    fields: { link?: null; code_list?: string } = { link: null, code_list: 'close' },
    { draft = false } = {},
  ) {
    const owner = await dashboard.signIn();
    slugs += 1;
    const slug = `codes-${slugs}`;
    const listing = { slug, name: 'Fieldnotes', draft, offers: [{ offer: 'A month free', ...fields }] };
    const { offerIds } = await createMarketListing(dashboard.context, owner, listing);
    const id = offerIds[0]!;
    return { owner, slug, id, path: `/dashboard/offers/${id}`, codesPath: `/dashboard/offers/${id}/codes` };
  }
  const claimFor = async (person: Viewer, { slug, id }: { slug: string; id: string }) =>
    (
      await claimOffer(dashboard.context, {
        claimantAccountId: person.accountId,
        listing: slug,
        offerId: id,
      })
    ).claimId;
  const countsOf = async ({ owner, id }: { owner: Viewer; id: string }) => {
    const offer = (await findOwnOffer(dashboard.db.read, owner.accountId, id))!;
    return { left: offer.codes_left, given: offer.codes_given };
  };

  test('of a draft lead on to the review', async () => {
    const { codesPath } = await offerOf(undefined, { draft: true });
    expect((await dashboard.get(codesPath)).text).not.toContain('Submit for review');
    const { text } = await dashboard.post(codesPath, { codes: 'NOTES-1' });
    expect(decode(text)).toMatch(/action="\/dashboard\/listings\/[^"]+\/submit"[\s\S]*Submit for review/);
    const live = await offerOf();
    expect((await dashboard.post(live.codesPath, { codes: 'NOTES-1' })).text).not.toContain(
      'Submit for review',
    );
  });

  test('can be pasted without JavaScript, and rejected lines are reported by number', async () => {
    const made = await offerOf();
    expect((await dashboard.get(made.path)).text).toMatch(/Needs codes.*The code list is empty/s);
    const codes = 'code\r\nNOTES-0000-0001\r\n\r\nNOTES-0000-0001\r\ntwo words\r\n"=HYPERLINK(""x"")"\r\n';
    const { status, text } = await dashboard.post(made.codesPath, { codes });
    expect(status).toBe(200);
    const words = decode(text);
    expect(words).toContain('1 code added');
    expect(words).toContain('Line 6: A spreadsheet has changed this code.');
    expect(words).toContain('Line 4: An earlier line has the same code.');
    expect(words).toContain('Line 5: The code contains a space or an invisible character.');
    expect(words).not.toContain('NOTES-0000-0001');
    expect(await countsOf(made)).toEqual({ left: 1, given: 0 });
    const refused = await dashboard.post(made.codesPath, { codes: 'x\n'.repeat(1_001) });
    expect(refused.status).toBe(422);
    expect(decode(refused.text)).toContain('At most 1000 codes can be sent at a time; found 1001.');
    expect((await dashboard.post(made.codesPath, { codes: ' \n' })).status).toBe(422);
  });

  test('can be downloaded by members who confirmed their identity, in each format', async () => {
    const made = await offerOf();
    const file = (name: string) => `${made.codesPath}/export.${name}`;
    expect((await dashboard.get(made.codesPath)).text).not.toContain('/export.');
    await dashboard.post(made.codesPath, { codes: '00123\nNOTES-2' });
    expect((await dashboard.get(made.codesPath)).text).toMatch(
      new RegExp(`<a(?=[^>]*href="${file('csv')}\\?for=excel")[^>]* download`),
    );
    const csv = await dashboard.get(file('csv'));
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="codes-codes-\d+-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(csv.text).toMatch(/\r\n00123,[^,]+,\r\nNOTES-2,/);
    expect((await dashboard.get(`${file('csv')}?for=excel`)).text).toContain('"=""00123"""');
    expect((await dashboard.get(file('ndjson'))).text).toMatch(/^\{"code":"00123",/);

    dashboard.pages.viewer = { ...made.owner, isRecentlyProven: false };
    expect((await dashboard.get(made.codesPath)).text).not.toMatch(/<a[^>]* download/);
    const { status, headers } = await dashboard.get(file('csv'));
    expect([status, headers.get('location')]).toEqual([
      303,
      `/account/prove?next=${encodeURIComponent(made.codesPath)}`,
    ]);
    await dashboard.signIn();
    expect((await dashboard.get(file('csv'))).status).toBe(404);
  });

  test('are asked about before they are added, if the text had to be interpreted', async () => {
    const made = await offerOf();
    const codes = 'sep=;\r\nAditreo;Nota\r\nAAA-111;x\r\nAAA-112;y\r\n';
    const { text } = await dashboard.post(made.codesPath, { codes });
    expect(decode(text)).toContain('The lines have 2 columns. The codes are read from “Aditreo”.');
    expect(decode(text)).toContain('The first line, “Aditreo”, looks like a heading and is skipped.');
    expect(decode(text)).toContain('Aditreo: AAA-111, AAA-112');
    expect(decode(text)).toContain('Nota: x, y');
    expect(await countsOf(made)).toEqual({ left: 0, given: 0 });
    const layout = /<option value="([^"]+)" selected/.exec(text)![1]!;
    const start = /name="start" value="(\d+)"/.exec(text)![1]!;
    await dashboard.post(made.codesPath, { codes, layout, start });
    expect(await countsOf(made)).toEqual({ left: 2, given: 0 });
  });

  test('are refused once for each reason, with the number of lines', async () => {
    const made = await offerOf();
    const { text } = await dashboard.post(made.codesPath, { codes: `${'#N/A\n'.repeat(31)}A-1` });
    expect(decode(text).match(/A spreadsheet has changed this code/g)).toHaveLength(1);
    expect(decode(text)).toContain('31 lines (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …): A spreadsheet');
  });

  test('are masked for the owner, who can find the claim by the full code', async () => {
    const made = await offerOf();
    await dashboard.post(made.codesPath, { codes: 'SHORT-4711\nLONG-CODE-4712' });
    const [first, second] = [
      await claimFor(await newClaimant(dashboard.context), made),
      await claimFor(await newClaimant(dashboard.context), made),
    ];
    const short = (await dashboard.get(`/dashboard/claims/${first}`)).text;
    expect(short).toContain('given');
    expect(short).not.toContain('4711');
    const long = (await dashboard.get(`/dashboard/claims/${second}`)).text;
    expect(long).toContain('…4712');
    expect(long).not.toContain('LONG-CODE');
    const find = (q: string) => dashboard.post('/dashboard/claims/find', { q });
    expect((await find(' LONG-CODE-4712 ')).location).toBe(`/dashboard/claims/${second}`);
    expect((await find('LONG-CODE-4713')).status).toBe(422);
    await dashboard.signIn();
    expect((await find('LONG-CODE-4712')).status).toBe(422);
  });

  test('trigger a warning when 20 are left, and can be withdrawn until they are given out', async () => {
    const made = await offerOf();
    await dashboard.post(made.codesPath, { codes: Array.from({ length: 21 }, (_, n) => `L${n}`).join('\n') });
    expect((await dashboard.get(made.path)).text).not.toContain('The offer closes after');
    expect((await dashboard.get('/dashboard')).text).not.toContain('codes left');
    await claimFor(await newClaimant(dashboard.context), made);
    const low = decode((await dashboard.get(made.path)).text);
    expect(low).toContain('20 codes left');
    expect(low).toContain('The offer closes after the last code.');
    const start = async () => decode((await dashboard.get('/dashboard')).text);
    expect(await start()).toContain('</a>: 20 codes left.');
    const { text } = await dashboard.post(`${made.codesPath}/withdraw`, {});
    expect(decode(text)).toContain('20 codes withdrawn');
    expect(await countsOf(made)).toEqual({ left: 0, given: 1 });
    expect((await dashboard.get(made.path)).text).toContain('All codes have been given out.');
    expect(await start()).toContain('0 codes left. The offer is closed until you add codes.');
    await dashboard.post(`${made.path}/pause`, {});
    expect(await start()).not.toContain('codes left');
  });

  test('cannot be withdrawn by a time that PostgreSQL rejects', async () => {
    const { codesPath } = await offerOf();
    for (const time of ['2026-02-30T10:00:00.000Z', '0000-01-01T00:00:00.000Z']) {
      const { status, text } = await dashboard.post(`${codesPath}/withdraw`, { import: time });
      expect({ status, isLookedUp: text.includes('no codes left to withdraw') }, time).toEqual({
        status: 200,
        isLookedUp: false,
      });
    }
  });

  test('cannot be seen, added or withdrawn by another account', async () => {
    const made = await offerOf();
    await dashboard.post(made.codesPath, { codes: 'MINE' });
    await dashboard.signIn();
    expect((await dashboard.get(made.codesPath)).status).toBe(404);
    expect((await dashboard.post(made.codesPath, { codes: 'THEIRS' })).status).toBe(404);
    expect((await dashboard.post(`${made.codesPath}/withdraw`, {})).status).toBe(404);
    expect(await countsOf(made)).toEqual({ left: 1, given: 0 });
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    test('are uploaded from a file in batches, and rejected lines are reported by number', async () => {
      const made = await offerOf();
      const lines = Array.from({ length: 2 * MAX_CODES_OF_CALL + 1 }, (_, n) => `UPLOAD-${n}-ÄÖ`);
      lines.splice(1_500, 0, 'two words');
      await dashboard.visit(made.codesPath, async (page, faults) => {
        const file = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
        await page.getByLabel('Or choose a file').setInputFiles(file);
        await page.getByText('2,002 codes, for example UPLOAD-0-ÄÖ, UPLOAD-1-ÄÖ, UPLOAD-2-ÄÖ.').waitFor();
        await page.getByRole('button', { name: 'Add codes' }).click();
        await page.getByText('Codes added: 2,001. Lines left out: 1').waitFor();
        await page.getByText('Line 1501: The code contains a space').waitFor();
        await page.getByText('2,001', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Take this import back' }).click();
        await page.getByRole('button', { name: 'Take back…' }).click();
        await page.getByRole('button', { name: 'Withdraw 2,001 codes' }).click();
        await page.getByText('2,001 codes withdrawn').waitFor();
        expect(await countsOf(made)).toEqual({ left: 0, given: 0 });
        await page.getByLabel('Or choose a file').setInputFiles(file);
        await page.getByRole('button', { name: 'Add these codes' }).click();
        await page.getByText('Codes added: 2,001. Lines left out: 1').waitFor();
        await page.getByText('The code list is empty').waitFor({ state: 'detached' });
        expect(faults).toEqual([]);
      });
      expect(await countsOf(made)).toEqual({ left: 2_001, given: 0 });
    });

    test('of a file with several columns are added after the owner has seen the first ones', async () => {
      const made = await offerOf();
      // The notes have line breaks, also where the script divides the file.
      const rows = Array.from({ length: 800 }, (_, n) => `Nr. ${n};FELD-${n};"first\r\nsaid ""second"""`);
      const text = `Los;Bezeichnung;Notiz\r\n${rows.join('\r\n')}`;
      await dashboard.visit(made.codesPath, async (page, faults) => {
        const file = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
        await page.getByLabel('Or choose a file').setInputFiles(file);
        const column = page.getByLabel('Column with the codes');
        await column.selectOption('Los');
        await page.getByText('800 codes, for example Nr. 0, Nr. 1, Nr. 2. Add them?').waitFor();
        await column.selectOption('Bezeichnung');
        await page.getByText('800 codes, for example FELD-0, FELD-1, FELD-2. Add them?').waitFor();
        expect(await pageFindings(page, 'the first codes of a file')).toEqual([]);
        expect(await countsOf(made)).toEqual({ left: 0, given: 0 });
        await page.getByRole('button', { name: 'Add these codes' }).click();
        await page.getByText('Codes added: 800.').waitFor();
        expect(faults).toEqual([]);
      });
    });

    test('an empty file adds no codes, and the page reports 0 added', async () => {
      const made = await offerOf();
      await dashboard.visit(made.codesPath, async (page) => {
        const file = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('\r\n') };
        await page.getByLabel('Or choose a file').setInputFiles(file);
        await page.getByText('Codes added: 0.').waitFor();
      });
    });

    test('the page reads files that Excel saves, and rejects a file that is not text', async () => {
      const made = await offerOf();
      await dashboard.visit(made.codesPath, async (page) => {
        const choose = async (buffer: Buffer) => {
          const file = { name: 'a.csv', mimeType: 'text/csv', buffer };
          await page.getByLabel('Or choose a file').setInputFiles(file);
        };
        const add = () => page.getByRole('button', { name: 'Add these codes' }).click();
        // The next file is chosen while the counts of the previous one are still loading.
        await page.route(`**${made.codesPath}`, async (route) => {
          if (route.request().method() === 'GET') await sleep(500);
          await route.continue();
        });
        await choose(Buffer.from('PK\x03\x04\x14\0\x06\0'));
        await page.getByText('The file is not a text file.').waitFor();
        await choose(Buffer.from('Gutschein für;\r\nGRÜN-1;\r\nGRÜN-2;\r\n', 'latin1'));
        await page.getByText('check the letters of codes such as “GRÜN-1”').waitFor();
        await page.getByText('2 codes, for example GRÜN-1, GRÜN-2. Add them?').waitFor();
        expect(await countsOf(made)).toEqual({ left: 0, given: 0 });
        await add();
        await page.getByText('Codes added: 2.').waitFor();
        await choose(Buffer.from('\ufeffcode\r\nBLÅ-1\r\nBLÅ-2\r\nBLÅ-3\r\n', 'utf16le'));
        await add();
        await page.getByText('Codes added: 3.').waitFor();
        // The same file again, because the response was lost.
        await choose(Buffer.from('\ufeffcode\r\nBLÅ-1\r\nBLÅ-2\r\nBLÅ-3\r\n', 'utf16le'));
        await add();
        await page.getByText('The list already has all of these codes: 3.').waitFor();
      });
      expect(await countsOf(made)).toEqual({ left: 5, given: 0 });
    });

    test('that were sent before are named instead of a number of added codes', async () => {
      const made = await offerOf();
      const post = async (codes: string) => decode((await dashboard.post(made.codesPath, { codes })).text);
      expect(await post('AGAIN-1\nAGAIN-2')).toContain('2 codes added');
      expect(await post('AGAIN-1\nAGAIN-2')).toContain('The list already has all of these 2 codes');
      expect(await post('AGAIN-1')).toContain('The list already has this code');
      expect(await post('AGAIN-1\nAGAIN-3')).toContain('1 code added');
    });

    test('the pages with codes pass the page checks', async () => {
      const made = await offerOf();
      await dashboard.post(made.codesPath, { codes: 'LOOK-1\nLOOK-2' });
      await claimFor(await newClaimant(dashboard.context), made);
      expect(await dashboard.look(made.codesPath, 'codes')).toEqual([]);
      expect(await dashboard.look(made.path, 'offer with codes')).toEqual([]);
      await dashboard.visit(made.codesPath, async (page) => {
        await page.getByLabel('Add codes').fill('bad code\n'.repeat(3));
        await press(page, page.getByRole('button', { name: 'Add codes' }));
        await page.getByText('3 lines left out:').waitFor();
        expect(await pageFindings(page, 'codes left out')).toEqual([]);
      });
    });
  });
});
