/** The codes of an owner's offer: pasted, uploaded in parts by the script of the page, and withdrawn. */
import type { Context } from '../../context.ts';
import {
  actorOf,
  type PageApp,
  type PageContext,
  page,
  readForm,
  requireFound,
  requireViewer,
} from '../../http/pages/pages.ts';
import { findOwnListing } from '../../listings/counted-queries.ts';
import { readCodeLines } from '../../offers/code.ts';
import { countWithheldCodes } from '../../offers/code-queries.ts';
import { addCodes, withdrawCodes } from '../../offers/codes.ts';
import { findOwnOffer } from '../../offers/queries.ts';
import { amountOf } from '../../text/text.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { offerCodesPath } from '../paths.ts';
import { type CodesDone, OfferCodes } from './codes-page.tsx';

export function ownerCodePages(app: PageApp, context: Context): void {
  const show = async (c: PageContext, form: FormState, done: CodesDone | null): Promise<Response> => {
    const { accountId } = requireViewer(c);
    const offer = requireFound(await findOwnOffer(context.db.read, accountId, c.req.param('id') ?? ''));
    const listing = requireFound(await findOwnListing(context.db.read, accountId, offer.listing_id));
    const withheld = await countWithheldCodes(context.db.read, offer);
    return page(c, <OfferCodes {...{ listing, offer, withheld, form, done }} />, {
      title: `Codes of ${offer.offer}`,
      status: form.status,
      scripts: ['codes'],
    });
  };
  const targetOf = (c: PageContext) => ({
    offerId: c.req.param('id') ?? '',
    actor: actorOf(requireViewer(c)),
  });

  app.get(offerCodesPath(':id'), (c) => show(c, newForm(), null));

  app.post(offerCodesPath(':id'), async (c) => {
    const target = targetOf(c);
    const form = await readForm(c);
    const lines = readCodeLines(form.text('codes'));
    const done = await form.attempt('codes', () => addCodes(context, { ...target, lines }));
    // The script sends a file in parts and adds up the responses.
    if (c.req.header('accept') === 'application/json') {
      return done === null
        ? c.json({ problem: form.problems[0]?.sentence }, form.status)
        : c.json({ added: done.added, bad: done.bad });
    }
    if (done === null) return show(c, form, null);
    return show(c, newForm(), { title: `${amountOf(done.added, 'code')} added`, bad: done.bad });
  });

  app.post(`${offerCodesPath(':id')}/withdraw`, async (c) => {
    const target = targetOf(c);
    const form = await readForm(c);
    const done = await form.attempt(null, () => withdrawCodes(context, { ...target, lines: null }));
    if (done === null) return show(c, form, null);
    return show(c, newForm(), { title: `${amountOf(done.withdrawn, 'code')} withdrawn`, bad: done.bad });
  });
}
