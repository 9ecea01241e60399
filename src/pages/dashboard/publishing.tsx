import type { TooMany } from '../../base/brand/plans.ts';
import type { Context } from '../../base/context.ts';
import { ACCEPT_TERMS_PATH, ASK_TO_PUBLISH_PATH, DASHBOARD_PATH, PLAN_PATH } from '../../base/paths.ts';
import { countListings } from '../../marketplace/listings/queries.ts';
import { mayPublish } from '../../people/accounts/policy.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { type AccountRequest, findRequest } from '../../people/accounts/request-queries.ts';
import { askToPublish } from '../../people/accounts/requests.ts';
import { acceptTerms, requireConsent, termsToAccept } from '../../people/accounts/terms.ts';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { changeBy, page, readForm, redirect } from '../frame/pages.ts';
import { Lines } from '../ui/breakable.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ACCEPTS_TERMS, CONSENT, Consent } from '../ui/consent.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { toOperator } from '../ui/site.tsx';
import { Time } from '../ui/time.tsx';
import { RequestForm } from './request-form.tsx';

/** What the account still needs before it may publish. `null`: it may publish now. */
export type Unpublishable = {
  readonly needsPermission: boolean;
  /** The open or declined request. `null` if the account has not asked or needs no permission. */
  readonly request: AccountRequest | null;
  /** Terms to accept before publishing; `null` if there are none, or if creating a listing accepts them. */
  readonly terms: { readonly version: string; readonly haveChanged: boolean } | null;
} | null;

export async function readPublishing(
  { db, marketplace }: Pick<Context, 'db' | 'marketplace'>,
  accountId: string,
): Promise<Unpublishable> {
  const account = await findAccount(db.read, accountId);
  const needsPermission = !(await mayPublish(db.read, account));
  const version = termsToAccept(marketplace.brand, account);
  const isAsked =
    version !== null && (marketplace.brand.asksConsent || (await countListings(db.read, accountId)) > 0);
  if (!needsPermission && !isAsked) return null;
  return {
    needsPermission,
    request: needsPermission ? ((await findRequest(db.read, accountId, 'publish')) ?? null) : null,
    terms: isAsked ? { version, haveChanged: account.terms_version !== null } : null,
  };
}

export function publishingPages(app: PageRouter, context: Context): void {
  app.post(ASK_TO_PUBLISH_PATH, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const request = { ...changeBy(viewer), message: form.text('message') };
    await form.attempt('message', () => askToPublish(context, request));
    if (form.isFine) return redirect(c, DASHBOARD_PATH);
    const content = (
      <>
        <PageHeader title={t('Ask to publish')} />
        <AskForm form={form} />
      </>
    );
    return page(c, content, { title: t('Ask to publish'), status: form.status });
  });

  app.post(ACCEPT_TERMS_PATH, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const ticked = form.has(ACCEPTS_TERMS);
    const isFine = form.read({ [CONSENT]: () => requireConsent(context.marketplace.brand, ticked) }) !== null;
    const accepted = { ...changeBy(viewer), version: form.text('version') };
    if (isFine) await form.attempt(null, () => acceptTerms(context, accepted));
    if (form.isFine) return redirect(c, DASHBOARD_PATH);
    const content = (
      <>
        <PageHeader title={t('Accept the terms')} />
        <AcceptForm form={form} version={form.text('version')} />
      </>
    );
    return page(c, content, { title: t('Accept the terms'), status: form.status });
  });
}

const AcceptForm = ({ form, version }: { form: FormState; version: string }) => (
  <Form form={form} action={ACCEPT_TERMS_PATH} idPrefix="accept">
    <HiddenField name="version" value={version} />
    <Consent form={form} idPrefix="accept" />
    <FormActions>
      <Button tone="primary">{t('Accept the terms')}</Button>
    </FormActions>
  </Form>
);

const ID = 'ask-to-publish';

export function PublishingNotice({ unpublishable }: { unpublishable: Unpublishable }) {
  if (unpublishable === null) return null;
  const { needsPermission, request, terms } = unpublishable;
  return (
    <div class="stack">
      {terms !== null && (
        <Notice tone="warn" title={terms.haveChanged ? t('The terms have changed') : t('Accept the terms')}>
          <AcceptForm form={newForm()} version={terms.version} />
        </Notice>
      )}
      {needsPermission && <PermissionNotice request={request} />}
    </div>
  );
}

function PermissionNotice({ request }: { request: AccountRequest | null }) {
  if (request !== null && request.declined_at === null) {
    return (
      <Notice title={t('You asked to publish')}>
        {t(
          'Asked on {time}. The answer from <operator>the operator of this marketplace</operator> will appear here.',
          {
            time: <Time at={request.created_at} />,
            operator: toOperator,
          },
        )}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={
        request === null
          ? t('Publishing needs the operator’s approval')
          : t('Your request to publish was declined')
      }
      actions={
        <Dialog id={ID} opener={t('Ask to publish…')} title={t('Ask to publish')}>
          <AskForm form={newForm()} isInDialog />
        </Dialog>
      }
    >
      {request === null ? (
        t('You can’t create or submit listings yet. Your existing listings stay as they are.')
      ) : (
        <Lines>{request.reason}</Lines>
      )}
    </Notice>
  );
}

/** Shows the limit that prevents another listing, offer or member. Only owners get a link to the plans. */
export const TooManyNotice = ({ tooMany, isOwner }: { tooMany: TooMany | null; isOwner: boolean }) =>
  tooMany && (
    <Notice
      title={wordsOf(tooMany.sentence)}
      actions={
        tooMany.isOfPlan &&
        isOwner && (
          <ButtonLink href={PLAN_PATH} small>
            {t('Compare the plans')}
          </ButtonLink>
        )
      }
    />
  );

const AskForm = ({ form, isInDialog = false }: { form: FormState; isInDialog?: boolean }) => (
  <RequestForm
    {...{ form, isInDialog }}
    action={ASK_TO_PUBLISH_PATH}
    id={ID}
    hint={t('What you want to publish, and anything else the operator should know.')}
    send={t('Ask to publish')}
  />
);
