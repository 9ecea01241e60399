import { ENDED_ACCESS_PATH } from '../../../base/paths.ts';
import {
  EARLIER_PARTS,
  type EarlierAccess,
  type EarlierPart,
} from '../../../people/sign-in/email/confirm.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { endedAccessOf } from '../../../people/sign-in/sessions/sealed-cookies.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { nextPath, page, redirect } from '../../frame/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { callerOf } from './responses.ts';

/** Tells a person who confirmed an address for the first time what that ended. */
export function endedAccessPage(app: PageRouter, services: SignInServices): void {
  app.get(ENDED_ACCESS_PATH, { for: 'anyone' }, (c) => {
    const next = nextPath(c.req.query('next'));
    const ended = endedAccessOf(services, callerOf(c));
    if (ended === null) return redirect(c, next);
    const title = t('Earlier access has ended');
    return page(c, <EndedAccessPage title={title} ended={ended} next={next} />, { title, audience: 'bare' });
  });
}

const PART_TEXTS: Readonly<Record<EarlierPart, (count: number) => Message>> = {
  passwords: () => message('the password'),
  passkeys: (count) => message('{count, plural, one {# passkey} other {# passkeys}}', { count }),
  second_factors: () => message('the second factor and its backup codes'),
  identities: (count) =>
    message('{count, plural, one {# connected identity} other {# connected identities}}', { count }),
  sessions: (count) => message('{count, plural, one {# session} other {# sessions}}', { count }),
  members: (count) => message('{count, plural, one {# member} other {# members}}', { count }),
  invitations: (count) =>
    message('{count, plural, one {# open invitation} other {# open invitations}}', { count }),
  roles: (count) =>
    message('{count, plural, one {the role in # other account} other {the roles in # other accounts}}', {
      count,
    }),
  keys: (count) => message('{count, plural, one {# API key} other {# API keys}}', { count }),
  endpoints: (count) =>
    message('{count, plural, one {# webhook endpoint (paused)} other {# webhook endpoints (paused)}}', {
      count,
    }),
};

const EndedAccessPage = ({ title, ended, next }: { title: string; ended: EarlierAccess; next: string }) => (
  <>
    <PageHeader
      title={title}
      lead={t(
        'You are the first person to confirm this account’s email address. Somebody else may have used the account before, so the following access has ended:',
      )}
    />
    <div class="prose">
      <ul>
        {EARLIER_PARTS.map((part) => {
          const count = ended[part] ?? 0;
          return count > 0 && <li>{t(PART_TEXTS[part](count))}</li>;
        })}
      </ul>
      <p>
        {t(
          'Listings, offers and claims are kept. If you set up any of this access yourself, set it up again.',
        )}
      </p>
    </div>
    <FormActions>
      <ButtonLink href={next} tone="primary">
        {t('Continue')}
      </ButtonLink>
    </FormActions>
  </>
);
