/** Claims at the operator's desk: one is found by its token, its id or a link that carries one of them. */
import { findClaimNamed } from '../../claims/find.ts';
import { findClaim } from '../../claims/search-queries.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import {
  missing,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireOperator,
} from '../../http/pages.ts';
import { isUuid } from '../../store/uuid.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { findAccountById } from '../accounts/queries.ts';
import { DeskClaimPage, FindClaimPage } from './claim-page.tsx';
import { DESK_CLAIMS_PATH, deskClaimPath } from './paths.ts';

export function claimDeskPages(app: PageApp, { db }: Pick<Context, 'db'>): void {
  const show = (c: PageContext, form: FormState) =>
    page(c, <FindClaimPage form={form} />, { title: 'Find a claim', status: form.status });

  app.get(DESK_CLAIMS_PATH, (c) => {
    requireOperator(c);
    return show(c, newForm());
  });

  // A POST, since a token is a secret and must not be in an address.
  app.post(DESK_CLAIMS_PATH, async (c) => {
    requireOperator(c);
    const form = await readForm(c);
    const claim = await form.attempt('q', async () => {
      const found = await findClaimNamed({ db }, { accountId: null, text: form.text('q') });
      if (found === null) throw invalid('No claim has this token, id or link.');
      return found;
    });
    return claim === null ? show(c, form) : redirect(c, deskClaimPath(claim.id));
  });

  app.get(deskClaimPath(':id'), async (c) => {
    requireOperator(c);
    const id = c.req.param('id') ?? '';
    const claim = isUuid(id) ? await findClaim(db, null, { id: id.toLowerCase() }) : undefined;
    if (claim === undefined) throw missing();
    const [owner, claimant] = await Promise.all([
      findAccountById(db.read, claim.account_id),
      claim.claimant_id === null ? null : findAccountById(db.read, claim.claimant_id),
    ]);
    return page(c, <DeskClaimPage {...{ claim, owner, claimant }} />, { title: `Claim ${claim.seq}` });
  });
}
