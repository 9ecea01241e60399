/** HTML mails in narrow and wide windows, in both themes. */

import { expect, test } from 'vitest';
import { NOTICE_KINDS } from '../../src/background/notices/kinds.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { FIRST_PLANS } from '../../src/base/brand/plans.ts';
import { STOP_INVITATIONS_PATH, STOP_WAITING_PATH } from '../../src/base/paths.ts';
import { mailPreviews } from '../../src/pages/desk/outbox/previews.ts';
import { htmlOf, textOf } from '../../src/people/mail/letter.ts';
import { colorFindings } from '../support/axe.ts';
import { CHROMIUM, keepPicture, openLooker, overflows } from '../support/browser.ts';

/** A brand with every footer link, and an accent colour so light that mails must adjust it. */
const BRAND = {
  ...DEFAULT_BRAND,
  name: 'Wolkenmarkt',
  accent: '#ffd400',
  contact: 'mailto:help@wolkenmarkt.example',
  imprint: 'https://wolkenmarkt.example/imprint',
  privacy: 'https://wolkenmarkt.example/privacy',
  terms: 'https://wolkenmarkt.example/terms',
  footer: 'Wolken GmbH\n<Berlin> & Köln',
};
const MAILS = mailPreviews('https://claims.example', { brand: BRAND, plans: FIRST_PLANS });
const WIDTHS = [390, 700];

test('mail previews are unique and have a main landmark, and only notices, invitations and waiting lists have an unsubscribe link', () => {
  const rows = MAILS.map(({ subject, when }) => `${subject}: ${when}`);
  expect(new Set(rows).size).toBe(rows.length);
  for (const mail of MAILS) {
    const stopPaths = [STOP_INVITATIONS_PATH, STOP_WAITING_PATH];
    const isStoppable = mail.kind !== null || stopPaths.some((path) => mail.stopUrl?.includes(path));
    expect(mail.stopUrl !== undefined).toBe(isStoppable);
    expect(htmlOf(BRAND, mail, ['/', 'Back'])).toMatch(/<main>.*<\/main>/s);
    expect(htmlOf(BRAND, mail)).not.toContain('<main>');
  }
  expect(new Set(MAILS.map(({ kind }) => kind))).toEqual(new Set([...NOTICE_KINDS, null]));
});

test.skipIf(CHROMIUM === null)(
  'HTML mails fit the window, have enough contrast and contain the full plain text',
  async () => {
    const page = await (await openLooker()).newPage();
    const faults: string[] = [];
    for (const [index, mail] of MAILS.entries()) {
      await page.setContent(htmlOf(BRAND, mail));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 400 });
        faults.push(...(await overflows(page)));
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          faults.push(...(await colorFindings(page)).map((finding) => `${mail.subject}: ${finding}`));
          await keepPicture(page, `mail ${String(index).padStart(2, '0')} ${width} ${colorScheme}`);
        }
      }
      const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
      const links = await page.locator('a').evaluateAll((all) =>
        // The plain text contains the address only.
        all.map((one) => one.getAttribute('href')?.replace(/^mailto:/, '')),
      );
      const lines = textOf(BRAND, mail)
        .split('\n')
        .map((line) => line.replace(/:$/, ''))
        .filter((line) => line !== '' && line !== '--');
      for (const line of lines) {
        if (!links.includes(line) && !shown.includes(line)) faults.push(`${mail.subject}: no “${line}”`);
      }
    }
    expect(faults).toEqual([]);
    await page.close();
  },
);
