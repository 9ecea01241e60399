/** Commands run in terminals without the settings of the service. */
import { expect, test } from 'vitest';
import { servicesOf } from '../../../src/app/cli/operator.ts';
import { parseConfig } from '../../../src/app/config/config.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { inviteToAccount } from '../../../src/people/invitations/invite.ts';
import { openSite } from '../../support/site.ts';

const BASE_URL = 'https://claims.example.com';

test('a command prints links to the service and leaves mail to it', async () => {
  const site = await openSite('sqlite', { BASE_URL });
  try {
    const terminal = (env = {}) => ({ ...site.context, config: parseConfig(env) });
    const { baseUrl, mailer } = await servicesOf(terminal());
    expect([baseUrl, mailer.isReal]).toEqual([BASE_URL, false]);
    const other = await servicesOf(terminal({ BASE_URL: 'https://other.example' }));
    expect(other.baseUrl).toBe('https://other.example');

    const { context } = site;
    const account = await createAccount(context, {
      email: 'ines@a.example',
      name: 'Ines',
      actor: 'operator',
    });
    const link = await inviteToAccount({ context, baseUrl, mailer }, account, 'operator');
    expect(link).toMatch(/^https:\/\/claims\.example\.com\/invitation#[0-9A-Z]{10}$/);
    const withMail = await servicesOf(
      terminal({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'claims@claims.example' }),
    );
    expect(
      await inviteToAccount({ context, baseUrl, mailer: withMail.mailer }, account, 'operator'),
    ).toBeNull();
    const [mail] = await context.db.read.selectFrom('mails').selectAll().execute();
    expect(mail).toMatchObject({ recipient: 'ines@a.example', next_at: expect.any(String), attempts: 0 });
  } finally {
    await site.close();
  }
});
