/** Claims at the operator's desk, found by what people have: a token, a link, a code, an email address. */

import { replaceClaim } from '../../claims/issue.ts';
import { findClaim } from '../../claims/queries.ts';
import { findClaimNamed } from '../../claims/search.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import {
  actorOf,
  missing,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireOperator,
} from '../../http/pages/pages.ts';
import { isUuid, shortId } from '../../store/uuid.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { findAccountNamed } from '../accounts/queries.ts';
import { accountPath, DESK_CLAIMS_PATH, deskClaimPath } from '../paths.ts';
import { DeskClaimPage, FindClaimPage } from './claim-page.tsx';
import { findOffersByCode, type OfferWithCode } from './queries.ts';

export function claimDeskPages(app: PageApp, context: Context): void {
  const { db } = context;
  const show = (c: PageContext, form: FormState, offers: readonly OfferWithCode[] = []) =>
    page(c, <FindClaimPage {...{ form, offers }} />, { title: 'Find a claim', status: form.status });

  /** The path of what the text names, or the offers with this code. */
  const find = async (text: string): Promise<string | readonly OfferWithCode[]> => {
    if (text.includes('@')) {
      const account = await findAccountNamed(db.read, text);
      if (account === undefined) throw invalid('No account has this email address.');
      return `${accountPath(account.id)}#claims`;
    }
    const claim = await findClaimNamed(context, { accountId: null, text });
    if (claim !== null) return deskClaimPath(claim.id);
    const offers = await findOffersByCode(db.read, text);
    if (offers.length === 0)
      throw invalid('No claim has this token, id or link, and no offer has this code.');
    return offers;
  };

  app.get(DESK_CLAIMS_PATH, (c) => {
    requireOperator(c);
    return show(c, newForm());
  });

  // A POST, since a token is a secret and must not be in a URL.
  app.post(DESK_CLAIMS_PATH, async (c) => {
    requireOperator(c);
    const form = await readForm(c);
    const found = await form.attempt('q', () => find(form.text('q').trim()));
    return typeof found === 'string' ? redirect(c, found) : show(c, form, found ?? []);
  });

  const showClaim = async (c: PageContext, form: FormState) => {
    const claim = await requireClaim(c);
    const [owner, claimant] = await Promise.all([
      findAccountNamed(db.read, claim.account_id),
      claim.claimant_id === null ? undefined : findAccountNamed(db.read, claim.claimant_id),
    ]);
    const refused = form.problems[0]?.sentence ?? null;
    return page(c, <DeskClaimPage {...{ claim, owner, claimant, refused }} />, {
      title: `Claim …${shortId(claim.id)}`,
      status: form.status,
    });
  };
  const requireClaim = async (c: PageContext) => {
    const id = c.req.param('id') ?? '';
    const claim = isUuid(id) ? await findClaim(db, null, { id: id.toLowerCase() }) : undefined;
    if (claim === undefined) throw missing();
    return claim;
  };

  app.get(deskClaimPath(':id'), (c) => {
    requireOperator(c);
    return showClaim(c, newForm());
  });

  app.post(`${deskClaimPath(':id')}/replace`, async (c) => {
    const actor = actorOf(requireOperator(c));
    const form = await readForm(c);
    const { id: claimId, account_id: accountId } = await requireClaim(c);
    const made = await form.attempt(null, () => replaceClaim(context, { accountId, claimId, actor }));
    return made === null ? showClaim(c, form) : redirect(c, deskClaimPath(made.claimId));
  });
}
