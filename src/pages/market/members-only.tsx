/** What public pages show to people who may not see a listing or the marketplace. Nothing that is hidden is named. */

import type { Context } from '../../base/context.ts';
import { INVITATION_PATH, MY_CLAIMS_PATH, SIGN_IN_PATH } from '../../base/paths.ts';
import { type Policy, readPolicy } from '../../people/accounts/policy.ts';
import type { ProviderChoice } from '../../people/sign-in/oidc/provider.ts';
import { createReadRights } from '../../people/visibility/read-rights.ts';
import type { ViewRights } from '../../people/visibility/visibility.ts';
import type { Shared } from '../../platform/http/server/page-cache.ts';
import { listText, t, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import {
  EarlyResponse,
  fragment,
  isSentInPlace,
  type PageContext,
  page,
  requireFound,
  returnPath,
  wantsFragment,
  withNext,
} from '../frame/pages.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { toOperator } from '../ui/site.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { findPublicListing, type PublicListing } from './queries.ts';

/** What every public route about listings goes through. */
export interface MarketGate {
  /** Which listings the viewer may see. Read once per request. */
  readonly readRights: (c: PageContext) => Promise<ViewRights>;
  /** Throws a 404, or an `EarlyResponse` that says who may see the listing. */
  readonly findListing: (c: PageContext, slug: string) => Promise<PublicListing>;
  /** The response to the path of the front page, if the marketplace is for members only. */
  readonly showInsteadOfMarket: (c: PageContext, shared: Shared) => Promise<Response>;
}

export function createMarketGate(
  context: Pick<Context, 'db' | 'now' | 'marketplace'>,
  providers: readonly ProviderChoice[],
): MarketGate {
  const { db, now, marketplace } = context;
  const readRightsOf = createReadRights(context, providers.length > 0);
  const rightsOfRequests = new WeakMap<object, Promise<ViewRights>>();

  const readRights = (c: PageContext): Promise<ViewRights> =>
    rightsOfRequests.getOrInsertComputed(c.env.incoming, () => readRightsOf(c.get('viewer')));

  async function show(c: PageContext, shared?: Shared): Promise<Response> {
    const { name } = marketplace.brand;
    const isMarket = shared !== undefined;
    const lead = isMarket
      ? t('{name} is for members only.', { name: isolated(name) })
      : t('This page of {name} is for members only.', { name: isolated(name) });
    if (isSentInPlace(c) || wantsFragment(c)) return fragment(c, <Notice tone="bad">{lead}</Notice>, 403);
    const policy = await readPolicy(db.read);
    const viewer = c.get('viewer');
    const next = returnPath(c) ?? '/';
    const content = <MembersOnlyPage {...{ lead, policy, providers, viewer, next }} />;
    const title = t('For members only');
    c.header('X-Robots-Tag', 'noindex');
    return page(c, content, {
      title,
      head: { path: null, title, description: lead, picture: null },
      status: isMarket ? 200 : 403,
      audience: 'public',
      ...(isMarket && { shared }),
    });
  }

  return {
    readRights,
    findListing: async (c, slug) => {
      const rights = await readRights(c);
      const listing = requireFound(await findPublicListing(db.read, rights, slug, now()));
      if (listing.state === 'hidden') throw new EarlyResponse(await show(c));
      return listing;
    },
    showInsteadOfMarket: show,
  };
}

interface MembersOnlyProps {
  readonly lead: string;
  readonly policy: Pick<Policy, 'memberDomains' | 'memberIdentities'>;
  readonly providers: readonly ProviderChoice[];
  readonly viewer: Viewer | null;
  readonly next: string;
}

/** More domains would be a list of the operator's customers rather than a help. */
const NAMED_DOMAINS = 3;

function MembersOnlyPage({ lead, policy, providers, viewer, next }: MembersOnlyProps) {
  const { memberDomains, memberIdentities } = policy;
  return (
    <>
      <PageHeader title={t('For members only')} lead={lead} />
      <div class="stack narrow">
        <Notice title={t('Who is a member')}>
          <ul>
            {memberDomains.length > 0 && (
              <li>
                {memberDomains.length > NAMED_DOMAINS
                  ? t('People with a confirmed email address at certain domains')
                  : t('People with a confirmed email address at {domains}', {
                      domains: listText(memberDomains, 'disjunction'),
                    })}
              </li>
            )}
            {memberIdentities && providers.length > 0 && (
              <li>
                {t('People who sign in with {providerName}', {
                  providerName: listText(
                    providers.map(({ name }) => wordsOf(name)),
                    'disjunction',
                  ),
                })}
              </li>
            )}
            <li>{t('People with an invitation link')}</li>
          </ul>
        </Notice>
        {viewer === null ? (
          <p>{t('If you are a member, sign in. If you have an invitation, open its link.')}</p>
        ) : (
          <p>
            {t(
              'You are signed in as {email}, and this account isn’t a member. Confirm your email address, open an invitation link, or ask <operator>the operator of this marketplace</operator>.',
              { email: viewer.email, operator: toOperator },
            )}
          </p>
        )}
        <FormActions>
          {viewer === null && (
            <ButtonLink href={withNext(SIGN_IN_PATH, next)} tone="primary">
              {t('Sign in')}
            </ButtonLink>
          )}
          <ButtonLink href={INVITATION_PATH}>{t('Enter an invitation code')}</ButtonLink>
          {viewer !== null && <ButtonLink href={MY_CLAIMS_PATH}>{t('My claims')}</ButtonLink>}
        </FormActions>
      </div>
    </>
  );
}
