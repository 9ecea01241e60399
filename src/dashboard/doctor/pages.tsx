/** Developers → Doctor: walks an offer's real link with a test claim, and says what the owner's page does with it. */
import { createHash } from 'node:crypto';
import { planHasApiKeys } from '../../accounts/account.ts';
import type { Background } from '../../background.ts';
import type { CheckedLink, CheckUp } from '../../checkups/check-up.ts';
import { openInBrowser } from '../../checkups/open-in-browser.ts';
import { findCheckUp } from '../../checkups/queries.ts';
import { startCheckUp } from '../../checkups/start-check-up.ts';
import { walk } from '../../checkups/walk.ts';
import type { Context } from '../../context.ts';
import {
  fragment,
  missing,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
  wantsFragment,
} from '../../http/pages.ts';
import { type CountedOffer, findOwnOffer } from '../../offers/queries.ts';
import { originsOf } from '../../offers/redemption-link.ts';
import type { Outgoing } from '../../outgoing-request.ts';
import { isolated } from '../../text.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { CheckUpPage, CheckUpResult, type Examined } from './check-up-page.tsx';
import { readExamination } from './examination.ts';
import { findingsOf } from './findings.ts';
import { DoctorPage } from './list-page.tsx';
import { checkUpPath, DOCTOR_PATH } from './paths.ts';
import { listWalkableOffers } from './queries.ts';

/** The link that the pressed button names. */
const linkIn = (form: FormState): CheckedLink | undefined =>
  (['live', 'test'] as const).find((link) => link === form.text('link'));

/** Offers listed: the newest. */
const OFFERS_LISTED = 200;

export function doctorPages(
  app: PageApp,
  context: Context,
  outgoing: Pick<Outgoing, 'request'>,
  background: Background,
): void {
  const offerOf = async (c: PageContext, { accountId }: Viewer): Promise<CountedOffer> => {
    const offer = await findOwnOffer(context.db.read, accountId, c.req.param('id') ?? '');
    if (offer === null) throw missing();
    return offer;
  };
  const examine = async (c: PageContext, checkUp: CheckUp): Promise<Examined> => {
    const findings = findingsOf(await readExamination(context, checkUp, c.get('site').baseUrl));
    const fingerprint = createHash('sha256')
      .update(JSON.stringify(findings))
      .digest('base64url')
      .slice(0, 16);
    return { checkUp, findings, fingerprint };
  };
  const checkUpPage = async (c: PageContext, viewer: Viewer, offer: CountedOffer, form = newForm()) => {
    const checkUp = await findCheckUp(context.db.read, viewer.accountId, offer.id);
    const examined = checkUp === null ? null : await examine(c, checkUp);
    const refused = form.problems[0]?.sentence ?? null;
    return page(c, <CheckUpPage offer={offer} examined={examined} refused={refused} />, {
      title: `${isolated(offer.offer)} · Doctor`,
      status: form.status,
      // The walk in the browser redirects to the owner's page.
      formAction: originsOf(checkUp?.template ?? null),
    });
  };

  app.get(DOCTOR_PATH, async (c) => {
    const { accountId, plan } = requireViewer(c);
    const offers = await listWalkableOffers(context.db.read, accountId, OFFERS_LISTED);
    return page(c, <DoctorPage offers={offers} hasApiKeys={planHasApiKeys(plan)} />, { title: 'Doctor' });
  });

  app.get(checkUpPath(':id'), async (c) => {
    const viewer = requireViewer(c);
    return checkUpPage(c, viewer, await offerOf(c, viewer));
  });

  app.post(`${checkUpPath(':id')}/start`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const offer = await offerOf(c, viewer);
    const started = await form.attempt(null, () =>
      startCheckUp(context, { accountId: viewer.accountId, offerId: offer.id, link: linkIn(form) }),
    );
    if (started === null) return checkUpPage(c, viewer, offer, form);
    background.start((signal) => walk(context, outgoing, started, signal));
    return redirect(c, checkUpPath(offer.id));
  });

  // Only the result, polled by its page.
  app.get(`${checkUpPath(':id')}/look`, async (c) => {
    const viewer = requireViewer(c);
    const offer = await offerOf(c, viewer);
    if (!wantsFragment(c)) return redirect(c, checkUpPath(offer.id));
    const checkUp = await findCheckUp(context.db.read, viewer.accountId, offer.id);
    if (checkUp === null) throw missing();
    const examined = await examine(c, checkUp);
    if (examined.fingerprint === c.req.query('seen')) return c.body(null, 204);
    return fragment(c, <CheckUpResult {...examined} />);
  });

  app.post(`${checkUpPath(':id')}/open`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const offer = await offerOf(c, viewer);
    const opened = await form.attempt(null, () =>
      openInBrowser(context, { accountId: viewer.accountId, offerId: offer.id }),
    );
    if (opened === null) return checkUpPage(c, viewer, offer, form);
    // Like a claimant's redirect: only the owner's page gets the token.
    c.header('Referrer-Policy', 'no-referrer');
    return redirect(c, opened.link);
  });
}
