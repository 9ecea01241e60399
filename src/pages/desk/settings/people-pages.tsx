import type { Context } from '../../../base/context.ts';
import { MARKET_LINKS_PATH, PEOPLE_PATH } from '../../../base/paths.ts';
import {
  type Policy,
  type PolicyServices,
  policySettings,
  readPolicy,
  setPolicy,
} from '../../../people/accounts/policy.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { addLinkPages } from '../../editor/access-links.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { addSettings, type Sections, SettingsForm, settingsIn } from './parts.tsx';

const SECTIONS: Sections<Policy> = [
  [message('Sign-up'), ['signUp', 'domains', 'blockedDomains']],
  [message('Who may see it'), ['visibility', 'memberDomains', 'memberIdentities']],
  [message('Publishing'), ['publishing', 'texts']],
  [message('Claims'), ['mustConfirm', 'claimsByAccount', 'claimsByNetwork', 'shareByNetwork']],
  [message('Mail'), ['mailsCodes', 'unusedMails', 'remindAfterDays']],
];

export function peopleDeskPages(app: PageRouter, context: Context, services: PolicyServices): void {
  const { hasProvider } = services;
  const settings = policySettings(services);
  addSettings(app, {
    path: PEOPLE_PATH,
    lead: message('Changes apply immediately. Existing accounts, listings and claims are kept.'),
    saved: message('The settings are saved.'),
    needsProof: true,
    read: () => readPolicy(context.db.read, hasProvider),
    parse: (form, stored) => settingsIn(form, settings, stored),
    save: (policy, change) => setPolicy(context, { policy, hasProvider, ...change }),
    content: (form) => (
      <div class="columns">
        <SettingsForm path={PEOPLE_PATH} {...{ form, settings }} sections={SECTIONS}>
          <ButtonLink href={MARKET_LINKS_PATH}>{t('Invitation links for members')}</ButtonLink>
        </SettingsForm>
      </div>
    ),
  });
}

export function marketLinkPages(
  app: PageRouter,
  services: { readonly context: Context; readonly baseUrl: string },
): void {
  addLinkPages(app, services, {
    actor: 'operator',
    route: MARKET_LINKS_PATH,
    subject: async (_, { accountId }) => ({
      listingId: null,
      accountId,
      path: MARKET_LINKS_PATH,
      lead: t(
        'People who sign in through one of these links become members: they see the whole marketplace and every listing that is for members only. The links don’t change who may sign up.',
      ),
      trail: [[t('People and claims'), PEOPLE_PATH]],
    }),
  });
}
