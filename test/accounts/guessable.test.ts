/** Passwords that are easy to guess are refused wherever one is set, with a sentence beside the field. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNamedOperator } from '../../src/accounts/set-up.ts';
import { ENGINES } from '../support/engines.ts';
import { OTHER_PASSWORD, PASSWORD, Person } from '../support/person.ts';
import { type OwnSite, openSite } from '../support/site.ts';
import { codeInOutbox, problemIn } from './support.ts';

const REFUSAL = 'The password is easy to guess';
const COMMON = '123456789012345';

describe.each(ENGINES)('a password that is easy to guess, on %s', (engine) => {
  let site: OwnSite;
  beforeAll(async () => {
    site = await openSite(engine);
  });
  afterAll(() => site?.close());

  const ada = { name: 'Ada Lovelace', email: 'ada@analytical.example' };

  it('is refused in ADMIN_PASSWORD_FILE, which is named and not repeated', async () => {
    const passwordFile = join(site.place.dataDir, 'password');
    for (const password of [COMMON, 'ada@analytical.example']) {
      writeFileSync(passwordFile, `${password}\n`);
      await expect(
        makeNamedOperator(site.context, { email: ada.email, passwordFile }, site.baseUrl),
      ).rejects.toThrow(/^ADMIN_PASSWORD_FILE: The password is easy to guess(?!.*(1234|analytical))/);
    }
  });

  it('is refused at sign-up, in a change and by a reset link, and the account stays as it was', async () => {
    const person = new Person(site.baseUrl);
    for (const password of [COMMON, 'passwordpassword', 'claimcheckclaimcheck', 'Ada LovelaceAda Lovelace']) {
      const refused = await person.signUp(ada.email, { ...ada, password });
      expect([refused.status, problemIn(refused.text)]).toEqual([422, expect.stringContaining(REFUSAL)]);
    }
    expect((await person.signUp(ada.email, ada)).status).toBe(303);

    const change = { current: PASSWORD, password: 'lovelace-analytical' };
    expect((await person.post('/account/password', change)).text).toContain(REFUSAL);

    await person.post('/forgot-password', { email: ada.email });
    const code = await codeInOutbox(site.context, ada.email);
    const reset = await person.post('/reset-password', { code, password: COMMON });
    expect([reset.status, problemIn(reset.text)]).toEqual([422, expect.stringContaining(REFUSAL)]);
    expect((await new Person(site.baseUrl).signIn(ada.email)).status).toBe(303);
    // A refusal does not use the link up.
    expect((await person.post('/reset-password', { code, password: OTHER_PASSWORD })).status).toBe(303);
  });
});
