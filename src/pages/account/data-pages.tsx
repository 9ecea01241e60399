import type { Child } from 'hono/jsx';
import { DATA_FORMATS, dataFile, readAllPersonData } from '../../background/personal-data/data.ts';
import { COUNTED_CLAIMS, type Holdings, readHoldings } from '../../background/personal-data/erase-queries.ts';
import { ACCOUNT_PATH, DATA_PATH, DELETE_PATH, KEEP_PATH, PRIVACY_PATH } from '../../base/paths.ts';
import { KEYS_KEPT_DAYS, plannedDeletion, UNDO_MS } from '../../people/accounts/account.ts';
import { planDeletion, undoDeletion } from '../../people/accounts/edit.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import type { SignInServices } from '../../people/sign-in/services.ts';
import { t } from '../../platform/languages/translate.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { dayIn } from '../../platform/text/time-zone.ts';
import { csvStyleOf, download } from '../frame/downloads.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect } from '../frame/pages.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { linkTo } from '../ui/site.tsx';
import { TimeWithZone } from '../ui/time.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { DeletionNotice } from './account-page.tsx';
import { requireFreshProof, requireRecentProof } from './proof/fresh-proof.ts';

export function dataPages(app: PageRouter, services: SignInServices): void {
  const { context } = services;
  for (const format of DATA_FORMATS) {
    app.get(`${DATA_PATH}.${format}`, { for: 'signed-in' }, async (c) => {
      const { accountId } = await requireRecentProof(c);
      const name = `my-data-${dayIn(context.marketplace.timeZone, context.at())}`;
      return download(c, { accountId, name, format }, () =>
        dataFile(readAllPersonData(context, accountId), format, csvStyleOf(c)),
      );
    });
  }
  addDeletion(app, services);
}

function addDeletion(app: PageRouter, services: SignInServices): void {
  const { context, mailer, baseUrl } = services;
  const show = async (c: PageContext, { accountId, email }: Viewer, form: FormState) => {
    const title = t('Delete your account');
    const planned = plannedDeletion(await findAccount(context.db.read, accountId));
    const content = (
      <>
        <PageHeader
          above={<Breadcrumb trail={[[t('Account'), ACCOUNT_PATH]]} />}
          title={title}
          lead={email}
        />
        <div class="stack-loose narrow">
          {planned === null ? (
            <ConfirmDeletion
              holdings={await readHoldings(context.db.read, accountId)}
              form={form}
              deleteAt={toIso(context.now() + UNDO_MS)}
            />
          ) : (
            <DeletionNotice deleteAt={planned} />
          )}
        </div>
      </>
    );
    return page(c, content, { title, status: form.status });
  };

  app.get(DELETE_PATH, { for: 'signed-in' }, async (c) =>
    show(c, await requireFreshProof(c, DELETE_PATH), newForm()),
  );

  app.post(DELETE_PATH, { for: 'signed-in' }, async (c) => {
    const viewer = await requireFreshProof(c, DELETE_PATH);
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

  app.post(KEEP_PATH, { for: 'signed-in' }, async (c, viewer) => {
    await undoDeletion(context, { account: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${ACCOUNT_PATH}?done=kept`);
  });
}

interface ConfirmDeletionProps {
  readonly holdings: Holdings;
  readonly form: FormState;
  /** When the account will be deleted if the person confirms now. */
  readonly deleteAt: string;
}

const ConfirmDeletion = ({ holdings, form, deleteAt }: ConfirmDeletionProps) => (
  <>
    <p>
      {t(
        'If you confirm, your account will be deleted on {time}. Until then, nothing changes: you can sign in, use your claims, and undo the deletion on your account page. After that, it can’t be undone.',
        { time: <TimeWithZone at={deleteAt} /> },
      )}
    </p>
    <What title={t('What is deleted')}>
      <li>{t('Your name and email address, your password, passkeys and second factor.')}</li>
      <li>{t('Your sessions, and the IP addresses and networks in the log of your sign-ins.')}</li>
      <li>{t('Mail to you that is still stored here.')}</li>
      {holdings.claims > 0 && (
        <li>
          {t(
            'The link between you and {claims}. You won’t find your claims and codes here any more, so <a>download your data</a> first.',
            { claims: claimsText(holdings), a: linkTo(`${DATA_PATH}.json`) },
          )}
        </li>
      )}
    </What>
    <What title={t('What stays')}>
      {holdings.claims > 0 && (
        <>
          <li>{t('Your claims, without your name. Apps need them to honour links and codes.')}</li>
          <li>
            {t(
              'A fingerprint of your mailbox for each offer you claimed, so that nobody can claim the offer again with the same mailbox. The fingerprint can’t be turned back into your address.',
            )}
          </li>
        </>
      )}
      <li>{t('The activity log, without your name and email.')}</li>
      <li>
        {t(
          'Backups of this service, until its operator deletes them. After a restore, your account is deleted again.',
        )}
      </li>
    </What>
    {(holdings.listings > 0 || holdings.hasKeys) && <Owners holdings={holdings} />}
    <Form form={form} action={DELETE_PATH}>
      <FormActions>
        <Button tone="danger-solid">{t('Delete my account')}</Button>
        <a href={ACCOUNT_PATH}>{t('Keep my account')}</a>
      </FormActions>
    </Form>
    <p class="soft-text">
      {t('More about this: <a>What is stored, why and for how long</a>', { a: linkTo(PRIVACY_PATH) })}
    </p>
  </>
);

const What = ({ title, children }: { title: string; children: Child }) => (
  <Card title={title}>
    <div class="prose">
      <ul class="apart">{children}</ul>
    </div>
  </Card>
);

const Owners = ({ holdings }: { holdings: Holdings }) => (
  <What title={t('Your apps and their claims')}>
    {holdings.listings > 0 && (
      <li>
        {t(
          '{count, plural, one {Your listing leaves the marketplace and takes no new claims.} other {Your # listings leave the marketplace and take no new claims.}} Listings that were never live are deleted. Codes that nobody has received are deleted too.',
          { count: holdings.listings },
        )}
      </li>
    )}
    <li>
      {t(
        'Claims made before the deletion can be redeemed for {days} more days. After that, your API keys stop working and the claims can’t be redeemed any more.',
        { days: KEYS_KEPT_DAYS },
      )}
    </li>
    <li>{t('Webhooks stop when the account is deleted.')}</li>
  </What>
);

const claimsText = ({ claims: count }: Holdings): string =>
  count === COUNTED_CLAIMS
    ? t('your {count, number} or more claims', { count })
    : t('{count, plural, one {your claim} other {your # claims}}', { count });
