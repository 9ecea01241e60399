import type { Context } from '../../../base/context.ts';
import { claimLookPath, claimOpenPath, claimPath, MY_CLAIMS_PATH } from '../../../base/paths.ts';
import { openClaim } from '../../../claims/claimants/open.ts';
import { findPictures } from '../../../marketplace/pictures/queries.ts';
import { Refusal } from '../../../platform/errors.ts';
import { sealedCursors } from '../../../platform/http/operations/query-parameters.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { joinTitle } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  fragment,
  type PageContext,
  page,
  redirect,
  redirectToOwner,
  requireFound,
} from '../../frame/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import type { MarketGate } from '../members-only.tsx';
import type { ReadOpenApps } from '../more-apps.tsx';
import { ClaimPage } from './claim-page.tsx';
import { MyClaimsPage } from './list-page.tsx';
import { findMyClaim, listMyClaims, type MyClaim, type MyClaimDetail } from './my-claims.ts';

interface ClaimantServices {
  readonly context: Context;
  readonly readOpenApps: ReadOpenApps;
  readonly gate: MarketGate;
}

/** The pages never contain a token. Only the redirect's `Location` header does. */
export function claimantPages(app: PageRouter, { context, readOpenApps, gate }: ClaimantServices): void {
  app.get(MY_CLAIMS_PATH, { for: 'signed-in' }, async (c, { accountId }) => {
    const cursors = sealedCursors(context.secretBox, 'own claims', accountId);
    const after = cursors.open(c.req.query('after'));
    const { claims, next } = await listMyClaims(context, { claimantAccountId: accountId, after });
    const listings = new Set(claims.map((claim) => claim.listing_id));
    const pictures = await findPictures(context.db.read, [...listings]);
    const pageProps = { claims, pictures, next: next && cursors.seal(next), isFirst: after === undefined };
    return page(c, <MyClaimsPage {...pageProps} />, {
      title: t('My claims'),
      formAction: originsOf(claims),
      holdsSecret: claims.some(({ hasOwnCode }) => hasOwnCode),
    });
  });

  app.get(claimPath(':id'), { for: 'signed-in' }, (c, viewer) => showClaim(c, viewer, c.req.param('id')));

  app.get(claimLookPath(':id'), { for: 'anyone' }, async (c, viewer) => {
    const claimId = c.req.param('id');
    // The person has signed out since the page was loaded. Signing in must lead back to the page, not to this path.
    if (viewer === null) return redirect(c, claimPath(claimId));
    const claim = await findShown(viewer.accountId, claimId);
    if (claim.state === 'not_redeemed') return c.body(null, 204);
    return fragment(c, await contentOf(c, claim, null));
  });

  // POST, because link scanners send only GET requests.
  app.post(claimOpenPath(':id'), { for: 'signed-in' }, async (c, viewer) => {
    const input = { claimantAccountId: viewer.accountId, claimId: c.req.param('id') };
    await findShown(input.claimantAccountId, input.claimId);
    try {
      const { link } = await openClaim(context, input);
      return redirectToOwner(c, link);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
      return showClaim(c, viewer, input.claimId, wordsOf(error.sentence));
    }
  });

  async function showClaim(
    c: PageContext,
    { accountId }: Viewer,
    claimId: string,
    refusal: string | null = null,
  ): Promise<Response> {
    const claim = await findShown(accountId, claimId);
    return page(c, await contentOf(c, claim, refusal), {
      // The offer’s own page is named after the offer and its listing.
      title: joinTitle([claim.offer, t('My claims')]),
      status: refusal === null ? 200 : 409,
      formAction: originsOf([claim]),
      holdsSecret: claim.hasOwnCode,
    });
  }

  async function contentOf(c: PageContext, claim: MyClaimDetail, refusal: string | null) {
    const [pictures, openApps] = await Promise.all([
      findPictures(context.db.read, [claim.listing_id]),
      readOpenApps(await gate.readRights(c)),
    ]);
    const icon = pictures.get(claim.listing_id)?.icon?.files ?? null;
    return <ClaimPage {...{ claim, icon, refusal, openApps }} baseUrl={c.get('site').baseUrl} />;
  }

  const findShown = async (claimantAccountId: string, claimId: string) =>
    requireFound(await findMyClaim(context, { claimantAccountId, claimId }));
}

/** Origins that the page's forms redirect to. Browsers apply `form-action` to redirects, too. */
const originsOf = (claims: readonly MyClaim[]): readonly string[] => [
  ...new Set(claims.flatMap(({ origin }) => origin ?? [])),
];
