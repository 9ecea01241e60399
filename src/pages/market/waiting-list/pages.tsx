import {
  CONFIRM_WAITING_PATH,
  leaveListPath,
  offerPath,
  STOP_WAITING_PATH,
  waitingListPath,
} from '../../../base/paths.ts';
import {
  confirmAddressOfList,
  joinWithAccount,
  leaveWithAccount,
  requestToJoin,
  stopWaiting,
} from '../../../marketplace/waiting-list/join.ts';
import { findListsOf, findPerson, type WaitingPerson } from '../../../marketplace/waiting-list/queries.ts';
import {
  confirmUrl,
  parseConfirmCode,
  parseStopWaiting,
  stopWaitingUrl,
  type WaitedOffer,
} from '../../../marketplace/waiting-list/waiting-list.ts';
import type { Caller, SignInServices } from '../../../people/sign-in/services.ts';
import { addressesThatMayView } from '../../../people/visibility/read-rights.ts';
import { nothingThere } from '../../../platform/errors.ts';
import { t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { MarketGate } from '../members-only.tsx';
import type { PublicListing, PublicOffer } from '../queries.ts';
import { ConfirmPage, JoinPage, LinkIsDeadPage, StopPage, StoppedPage } from './waiting-list-page.tsx';

interface WaitingListMail {
  /**
   * Runs `work`, which mails `address`, or the address in the form if `address` is `null`. Resolves to `null` if the form
   * is rejected, or must first show a challenge.
   */
  readonly send: (
    c: PageContext,
    form: FormInput,
    address: string | null,
    work: (mail: { readonly email: string; readonly caller: Caller }) => Promise<true>,
  ) => Promise<true | null>;
  /** Returns the challenge that the form must show; `null` if it needs none. */
  readonly challenge: (c: PageContext, form: FormState) => Promise<string | null>;
}

const JOIN_PATH = waitingListPath(':slug', ':offer');
const SENT = 'sent';

interface Closed {
  readonly listing: PublicListing;
  readonly offer: PublicOffer;
}

/** Without a mail server, only the links of earlier emails work. */
export function waitingListPages(
  app: PageRouter,
  services: SignInServices & { readonly gate: MarketGate },
  mail: WaitingListMail,
): void {
  const { context } = services;

  const find = async (c: PageContext): Promise<Closed> => {
    if (!services.mailer.isReal) throw nothingThere();
    const listing = await services.gate.findListing(c, c.req.param('slug') ?? '');
    const offerId = c.req.param('offer');
    const offer = listing.offers.find(({ id }) => id === offerId);
    return { listing, offer: requireFound(listing.state === 'approved' ? offer : null) };
  };
  const show = async (c: PageContext, closed: Closed, form: FormState) => {
    c.header('X-Robots-Tag', 'noindex');
    const viewer = c.get('viewer');
    const waited = { offerIds: [closed.offer.id], at: context.at() };
    const lists =
      viewer === null ? null : await findListsOf(context.db.read, { ...waited, accountId: viewer.personId });
    const challenge = await mail.challenge(c, form);
    const content = (
      <JoinPage
        {...closed}
        {...{ form, challenge }}
        isSent={c.req.query(SENT) !== undefined}
        isSignedIn={viewer !== null}
        isWaiting={lists?.has(closed.offer.id) ?? false}
      />
    );
    return page(c, content, {
      title: t('Waiting list'),
      audience: 'bare',
      status: form.status,
      scripts: challenge === null ? [] : ['challenge'],
    });
  };

  app.get(JOIN_PATH, { for: 'anyone' }, async (c) => {
    const closed = await find(c);
    return closed.offer.state === 'open' ? toOffer(c, closed) : show(c, closed, newForm());
  });

  app.post(JOIN_PATH, { for: 'anyone' }, async (c, viewer) => {
    const form = await readForm(c);
    const closed = await find(c);
    // The offer has opened since the page was loaded.
    if (closed.offer.state === 'open') return toOffer(c, closed);
    const offer = waitedOffer(closed);
    if (viewer !== null) {
      const accountId = viewer.personId;
      const isOnList = await form.attempt(null, () =>
        joinWithAccount(context, { offerId: offer.id, accountId }),
      );
      if (isOnList === null) return show(c, closed, form);
      if (isOnList) return toOffer(c, closed);
    }
    // Nobody is signed in, or the address of the account was never confirmed.
    const isSent = await mail.send(c, form, viewer?.email ?? null, async (sent) => {
      await requestToJoin(services, { offer, ...sent });
      return true;
    });
    if (isSent === null) return show(c, closed, form);
    return redirect(c, `${waitingListPath(closed.listing.slug, offer.id)}?${SENT}`);
  });

  app.post(leaveListPath(':slug', ':offer'), { for: 'anyone' }, async (c, viewer) => {
    await readForm(c);
    const closed = await find(c);
    if (viewer !== null) {
      await leaveWithAccount(context, { offerId: closed.offer.id, accountId: viewer.personId });
    }
    return toOffer(c, closed);
  });

  mailedLinks(app, services);
}

const waitedOffer = ({ listing, offer }: Closed): WaitedOffer => ({
  id: offer.id,
  offer: offer.offer,
  listing: listing.name,
  slug: listing.slug,
});

const toOffer = (c: PageContext, { listing, offer }: Closed): Response =>
  redirect(c, offerPath(listing.slug, offer.id));

/** Only a POST has an effect, because mail scanners open links. Works without scripts and cookies. */
function mailedLinks(app: PageRouter, services: SignInServices): void {
  const { context } = services;
  const { secretBox } = context;
  /** `undefined` also if the person may not see the listing, which may have become one for members only. */
  const findVisible = async (id: string): Promise<WaitingPerson | undefined> => {
    const { read } = context.db;
    const person = await findPerson(read, id, context.at());
    if (person === undefined) return undefined;
    const listing = { ...person, id: person.listing_id };
    const addresses = await addressesThatMayView(read, listing, [person.email], services.hasProvider);
    return addresses.has(person.email) ? person : undefined;
  };
  const showPerson = (c: PageContext, person: WaitingPerson, form: FormState) => {
    const paths = {
      confirmPath: confirmUrl(secretBox, '', person.id),
      stopPath: stopWaitingUrl(secretBox, '', person.id),
    };
    return page(c, <ConfirmPage {...{ person, form }} {...paths} />, {
      title: t('Waiting list'),
      audience: 'bare',
      status: form.status,
    });
  };
  const confirmPath = `${CONFIRM_WAITING_PATH}/:code` as const;
  const stopPath = `${STOP_WAITING_PATH}/:code` as const;
  const showLinkIsDead = (c: PageContext) =>
    page(c, <LinkIsDeadPage />, { title: t('Waiting list'), audience: 'bare' });

  app.get(confirmPath, { for: 'anyone' }, async (c) => {
    const id = requireFound(parseConfirmCode(secretBox, c.req.param('code')));
    const person = await findVisible(id);
    return person === undefined ? showLinkIsDead(c) : showPerson(c, person, newForm());
  });

  app.post(confirmPath, { for: 'anyone' }, async (c) => {
    const code = c.req.param('code');
    const id = requireFound(parseConfirmCode(secretBox, code));
    const form = await readForm(c);
    if ((await findVisible(id)) === undefined) return showLinkIsDead(c);
    const confirmed = await form.attempt(null, () => confirmAddressOfList(services, id));
    const person = confirmed ?? (await findVisible(id));
    if (person === undefined) return showLinkIsDead(c);
    return confirmed === null ? showPerson(c, person, form) : redirect(c, `${CONFIRM_WAITING_PATH}/${code}`);
  });

  app.get(stopPath, { for: 'anyone' }, (c) => {
    const code = c.req.param('code');
    requireFound(parseStopWaiting(secretBox, code));
    return page(c, <StopPage code={code} />, { title: t('Leave the waiting list'), audience: 'bare' });
  });

  app.post(stopPath, { for: 'anyone' }, async (c) => {
    const id = requireFound(parseStopWaiting(secretBox, c.req.param('code')));
    // The body is ignored, because mail programs send different content types (RFC 8058).
    await stopWaiting(context, id);
    return page(c, <StoppedPage />, { title: t('Leave the waiting list'), audience: 'bare' });
  });
}
