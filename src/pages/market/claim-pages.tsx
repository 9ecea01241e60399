import type { Context } from '../../base/context.ts';
import {
  claimAction,
  claimPagePath,
  claimPath,
  entryPath,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../base/paths.ts';
import { readClaimsOnListing } from '../../claims/claimants/queries.ts';
import type { ClaimQueue } from '../../claims/creation/claim-offer.ts';
import { arrivedLabel, viaOf } from '../../marketplace/campaigns/label.ts';
import { dropCookie } from '../../people/sign-in/sessions/cookies.ts';
import { intentCookie, isIntended } from '../../people/sign-in/sessions/sealed-cookies.ts';
import { nothingThere, Refusal } from '../../platform/errors.ts';
import { clientAddressOf } from '../../platform/http/server/client-address.ts';
import { releaseSlot } from '../../platform/http/server/slots.ts';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, withNext } from '../frame/pages.ts';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import type { Viewer } from '../ui/viewer.ts';
import { ClaimSignInPage, type ClaimSignInProps } from './claim-sign-in-page.tsx';
import { offerHead } from './discovery/heads.ts';
import type { RefusedClaim } from './listing-page.tsx';
import type { MarketGate } from './members-only.tsx';
import type { PublicListing, PublicOffer } from './queries.ts';

const CLAIM_ACTION = claimAction(':slug', ':offer');

export interface ClaimSignIn {
  readonly baseUrl: string;
  readonly hasProvider: boolean;
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
  /** Resolves to `null` if the form is rejected. `byMail` is `null` if people can't sign in by mail. */
  readonly byMail: ((c: PageContext, form: FormInput, next: string) => Promise<Response | null>) | null;
  /** Returns the challenge that the form must show; `null` if it needs none. */
  readonly challenge: (c: PageContext, form: FormState) => Promise<string | null>;
}

export const arrivedOn = (c: PageContext): string | null =>
  arrivedLabel(viaOf(new URL(c.req.url).searchParams));

type ShowListing = (
  c: PageContext,
  listing: PublicListing,
  via: string | null,
  options: { readonly refused: RefusedClaim },
) => Promise<Response>;

interface ClaimServices {
  readonly context: Context;
  readonly claimQueue: ClaimQueue;
  readonly gate: MarketGate;
}

export function claimPages(
  app: PageRouter,
  { context, claimQueue, gate }: ClaimServices,
  signIn: ClaimSignIn,
  showListing: ShowListing,
): void {
  const services = { context, baseUrl: signIn.baseUrl };

  // Claims the offer if the person has just signed in to claim it. Without a session, asks for an email address.
  app.get(CLAIM_ACTION, { for: 'anyone' }, async (c, viewer) => {
    const offerId = c.req.param('offer');
    const listing = await gate.findListing(c, c.req.param('slug'));
    const via = arrivedOn(c);
    const entry = { slug: listing.slug, via };
    if (viewer === null) {
      const offer = openOffer(listing, offerId);
      if (offer === null || signIn.byMail === null) return redirect(c, entryPath({ ...entry, offerId }));
      return showClaimSignIn(c, { listing, offer, via, form: newForm() });
    }
    const cookie = c.req.header('cookie') ?? '';
    if (isIntended(services, { cookie }, claimPagePath(entry, offerId))) {
      c.header('Set-Cookie', dropCookie(services.baseUrl, 'intent'), { append: true });
      return claim(c, viewer, { slug: listing.slug, offerId, via });
    }
    const claims = await readClaimsOnListing(context.db.read, viewer.accountId, listing.id);
    const newClaim = claims.find(({ offer_id }) => offer_id === offerId);
    return redirect(c, newClaim === undefined ? entryPath({ ...entry, offerId }) : claimPath(newClaim.id));
  });

  // Claims have their own limit; counting them here too would cost another disk flush per claim.
  app.post(CLAIM_ACTION, { for: 'anyone', counts: false }, async (c, viewer) => {
    const offerId = c.req.param('offer');
    const form = await readForm(c);
    const via = arrivedLabel(form.text('via') || form.text('unread_via'));
    if (viewer !== null) return claim(c, viewer, { slug: c.req.param('slug'), offerId, via });
    const listing = await findListingOf(c, offerId, c.req.param('slug'));
    // The cookie remembers the claim until the person has signed in.
    const next = claimPagePath({ slug: listing.slug, via }, offerId);
    c.header('Set-Cookie', intentCookie(services, next), { append: true });
    if (signIn.byMail === null || !form.has('email')) {
      // Only the sign-up form creates accounts then. Most people who aren't signed in have none yet.
      const needsSignUp = signIn.byMail === null && !signIn.hasProvider;
      return redirect(c, withNext(needsSignUp ? SIGN_UP_PATH : SIGN_IN_PATH, next));
    }
    const offer = openOffer(listing, offerId);
    if (offer === null) return redirect(c, entryPath({ slug: listing.slug, via, offerId }));
    return (await signIn.byMail(c, form, next)) ?? (await showClaimSignIn(c, { listing, offer, via, form }));
  });

  const showClaimSignIn = async (c: PageContext, props: ClaimSignInProps & { form: FormState }) => {
    const challenge = await signIn.challenge(c, props.form);
    return page(c, <ClaimSignInPage {...props} challenge={challenge} />, {
      title: t('Claim offer · {name}', { name: props.listing.name }),
      head: offerHead(context.marketplace.look, props.listing, props.offer, signIn.baseUrl),
      audience: 'bare',
      status: props.form.status,
      // A challenge can be solved only once, so visitors must not share it.
      ...(challenge === null
        ? { shared: { reads: ['via'], lifetime: 'briefly' } as const }
        : { scripts: ['challenge'] as const }),
    });
  };

  async function claim(
    c: PageContext,
    { accountId }: Viewer,
    { slug, offerId, via }: { slug: string; offerId: string; via: string | null },
  ): Promise<Response> {
    // Frees this request's slot (`slots.ts`), because waiting claims have a separate limit (`batch-queue.ts`).
    releaseSlot(c.env.outgoing);
    try {
      const { claimId } = await claimQueue({
        claimantAccountId: accountId,
        listing: slug,
        offerId,
        via,
        rules: {
          hasMail: signIn.hasMail,
          address: clientAddressOf(c.env.incoming),
          hasProvider: signIn.hasProvider,
        },
      });
      return redirect(c, claimPath(claimId));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
      // For example, the offer closed after the page was loaded, or the person is not a member. The response explains why.
      const now = await findListingOf(c, offerId, slug);
      return showListing(c, now, via, { refused: { offerId, sentence: wordsOf(error.sentence) } });
    }
  }

  async function findListingOf(c: PageContext, offerId: string, slug: string): Promise<PublicListing> {
    const listing = await gate.findListing(c, slug);
    if (listing.state === 'approved' && !listing.offers.some(({ id }) => id === offerId)) {
      throw nothingThere();
    }
    return listing;
  }
}

const openOffer = ({ offers }: PublicListing, offerId: string): PublicOffer | null =>
  offers.find(({ id, state }) => id === offerId && state === 'open') ?? null;
