/** The list of first steps at the desk, shown until all steps are done or an operator hides the list. */
import { afterEach, expect, test } from 'vitest';
import { markAsDemo } from '../../../src/platform/store/settings.ts';
import { addPasskey } from '../../people/sign-in/support.ts';
import { createOwner, saveBrand } from '../../support/marketplace.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite, startSite } from '../../support/site.ts';

const STEPS = [
  'Name and style your marketplace',
  'Set up mail',
  'Link your legal notice and privacy policy',
  'Publish an app',
  'Make a backup',
  'Add a second factor',
];

const opened: OwnSite[] = [];
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close();
});

async function open(env: Readonly<Record<string, string>> = {}) {
  const site = await openSite('sqlite', env);
  opened.push(site);
  const operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
  return { site, operator };
}

/** Titles of the steps that are done; `null` if the list is not shown. */
async function doneAt({ person }: SignedIn): Promise<readonly string[] | null> {
  const { text } = await person.get('/desk');
  if (!text.includes('First steps')) return null;
  for (const step of STEPS) expect(text).toContain(step);
  return STEPS.filter((step) => text.includes(`Done: </span>${step}`));
}

const nameIt = ({ context }: OwnSite, { accountId }: SignedIn, changed: object) =>
  saveBrand(context, accountId, { ...context.marketplace.brand, ...changed });

test('the list of first steps ticks each step that is done, and disappears when all steps are done', async () => {
  const { site, operator } = await open();
  expect(await doneAt(operator)).toEqual([]);
  await nameIt(site, operator, { name: 'Wolkenmarkt' });
  expect(await doneAt(operator)).toEqual([STEPS[0]]);
  const document = 'https://wolken.example/';
  await nameIt(site, operator, { imprint: document });
  expect(await doneAt(operator)).toEqual([STEPS[0]]);
  await nameIt(site, operator, { privacy: document });
  expect(await doneAt(operator)).toEqual([STEPS[0], STEPS[2]]);
  await createOwner(site.context);
  expect(await doneAt(operator)).toEqual([STEPS[0], STEPS[2], STEPS[3]]);
  await addPasskey(site.context, operator.accountId);
  expect(await doneAt(operator)).toEqual([STEPS[0], STEPS[2], STEPS[3], STEPS[5]]);
  await site.stop();
  const later = await startSite(site.dbLocation, {
    PORT: new URL(site.baseUrl).port,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'claims@example.com',
    BACKUP_DIR: `${site.dbLocation.env['DATA_DIR']}/backups`,
  });
  try {
    expect(await doneAt(operator)).toBeNull();
  } finally {
    await later.stop();
  }
});

test('only operators can hide the first steps, and hiding them is recorded as an event', async () => {
  const { site, operator } = await open();
  const { person } = await signedInAs(site, { email: 'bo@example.com' });
  expect((await person.post('/desk/first-steps/hide')).status).toBe(404);
  expect(await doneAt(operator)).toEqual([]);
  expect((await operator.person.post('/desk/first-steps/hide')).location).toBe('/desk');
  expect(await doneAt(operator)).toBeNull();
  expect((await operator.person.get('/desk/events?type=all')).text).toContain(
    'First steps at the desk: off (was on)',
  );
});

test('the demo does not show the first steps', async () => {
  const { site, operator } = await open();
  await markAsDemo(site.context.db, site.context.at());
  await site.stop();
  const demo = await startSite(site.dbLocation, { PORT: new URL(site.baseUrl).port });
  try {
    expect(await doneAt(operator)).toBeNull();
  } finally {
    await demo.stop();
  }
});
