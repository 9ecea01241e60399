/** What is stored about the viewer: the file with it, and the deletion of the account. */
import { planDeletion, undoDeletion } from '../accounts/delete.ts';
import { plannedDeletion, UNDO_MS } from '../accounts/deletion.ts';
import { findAccount } from '../accounts/queries.ts';
import type { SignInServices } from '../accounts/services.ts';
import {
  actorOf,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
} from '../http/pages/pages.ts';
import { download } from '../http/server/downloads.ts';
import { readAllPersonData } from '../people/data.ts';
import { DATA_FORMATS, dataFile } from '../people/data-file.ts';
import { readHoldings } from '../people/holdings-queries.ts';
import { toIso } from '../text/time-text.ts';
import { dayIn } from '../text/time-zone.ts';
import { type FormState, newForm } from '../ui/form-state.ts';
import type { Viewer } from '../ui/viewer.ts';
import { DeletePage, DeletionPlannedPage } from './delete-page.tsx';
import { ACCOUNT_PATH, DATA_PATH, DELETE_PATH, KEEP_PATH } from './paths.ts';
import { requireFreshProof } from './proof/fresh-proof.ts';

export function dataPages(app: PageApp, services: SignInServices): void {
  addDownloads(app, services);
  addDeletion(app, services);
}

function addDownloads(app: PageApp, { context }: SignInServices): void {
  for (const format of DATA_FORMATS) {
    app.get(`${DATA_PATH}.${format}`, (c) => {
      const { accountId } = requireFreshProof(c, context.now());
      const name = `my-data-${dayIn(context.timeZone, context.at())}`;
      return download(c, { accountId, name, format }, () =>
        dataFile(readAllPersonData(context, accountId), format),
      );
    });
  }
}

function addDeletion(app: PageApp, services: SignInServices): void {
  const { context, mailer, baseUrl } = services;
  const show = async (c: PageContext, { accountId, email }: Viewer, form: FormState) => {
    const title = 'Delete your account';
    const planned = plannedDeletion(await findAccount(context.db.read, accountId));
    if (planned !== null) return page(c, <DeletionPlannedPage email={email} deleteAt={planned} />, { title });
    const holdings = await readHoldings(context.db.read, accountId);
    const deleteAt = toIso(context.now() + UNDO_MS);
    return page(c, <DeletePage {...{ email, holdings, form, deleteAt }} />, { title, status: form.status });
  };

  app.get(DELETE_PATH, (c) => show(c, requireFreshProof(c, context.now(), DELETE_PATH), newForm()));

  app.post(DELETE_PATH, async (c) => {
    const viewer = requireFreshProof(c, context.now(), DELETE_PATH);
    const form = await readForm(c);
    const planned = await form.attempt(null, () =>
      planDeletion(context, {
        account: viewer.accountId,
        actor: actorOf(viewer),
        notice: { mailer, baseUrl },
      }),
    );
    return planned === null ? show(c, viewer, form) : redirect(c, ACCOUNT_PATH);
  });

  app.post(KEEP_PATH, async (c) => {
    const viewer = requireViewer(c);
    await undoDeletion(context, { account: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${ACCOUNT_PATH}?done=kept`);
  });
}
