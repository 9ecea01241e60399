import { findCall } from '../../attempts/queries.ts';
import { findClaim } from '../../claims/queries.ts';
import type { Context } from '../../context.ts';
import { type DeskApp, page, readForm, redirect, requireFound } from '../../http/pages/pages.ts';
import { newForm } from '../../ui/form-state.ts';
import { findAccountNamed } from '../accounts/queries.ts';
import { callPath, SEARCH_PATH } from '../paths.ts';
import { CallPage } from './call-page.tsx';
import { findAnything } from './find.ts';
import { SearchPage } from './search-page.tsx';

const TITLE = 'Find';

export function searchPages(app: DeskApp, context: Context): void {
  const { db } = context;
  app.get(SEARCH_PATH, (c) =>
    page(c, <SearchPage form={newForm()} found={null} text="" />, { title: TITLE }),
  );

  // A POST, since a token is a secret and must not be in a URL.
  app.post(SEARCH_PATH, async (c) => {
    const form = await readForm(c);
    const text = form.text('q').trim();
    const found = await form.attempt(null, () => findAnything(context, text));
    if (typeof found === 'string') return redirect(c, found);
    return page(c, <SearchPage {...{ form, found, text }} />, { title: TITLE, status: form.status });
  });

  app.get(callPath(':id'), async (c) => {
    const call = requireFound(await findCall(db.read, null, c.req.param('id') ?? ''));
    const { token_hash: tokenHash, account_id: accountId } = call;
    const [owner, claim] = await Promise.all([
      findAccountNamed(db.read, accountId),
      tokenHash === null ? undefined : findClaim(db, accountId, { tokenHash }),
    ]);
    return page(c, <CallPage {...{ call, owner, claim }} />, { title: `Call ${call.request_id}` });
  });
}
