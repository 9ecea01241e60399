/** The first step of a new listing: its owner. Creates the account of a new owner. */
import type { Context } from '../../../base/context.ts';
import { DESK_LISTINGS_PATH, NEW_DESK_LISTING_PATH, newListingOfPath } from '../../../base/paths.ts';
import { nameOfEmail, parseAccountName, parseEmail } from '../../../people/accounts/account.ts';
import { findOrCreateAccount } from '../../../people/accounts/create.ts';
import { t } from '../../../platform/languages/translate.ts';
import { optional } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';

export function newListingOwnerPages(app: PageRouter, context: Context): void {
  const show = (c: PageContext, form: FormState) =>
    page(c, <OwnerPage form={form} />, { title: t('Owner of the new listing'), status: form.status });

  app.get(NEW_DESK_LISTING_PATH, { for: 'operator' }, (c) => show(c, newForm()));

  app.post(NEW_DESK_LISTING_PATH, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const input = form.read({ email: parseEmail, name: (text) => optional(text, parseAccountName) });
    if (input === null) return show(c, form);
    const { email, name } = input;
    const account = { email, name: name ?? nameOfEmail(email), actor: actorOf(viewer) };
    const owner = await findOrCreateAccount(context, account);
    return redirect(c, newListingOfPath(requireFound(owner).id));
  });
}

const OwnerPage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Listings'), DESK_LISTINGS_PATH]]} />}
      title={t('New listing')}
      lead={t(
        'If the owner has no account yet, one is created. When the listing is ready, invite them from the page of the account to take it over.',
      )}
    />
    <Form form={form} action={NEW_DESK_LISTING_PATH}>
      <EmailField form={form} label={t('The owner’s email address')} autocomplete="off" />
      <TextField
        form={form}
        name="name"
        label={t('Publisher')}
        optional
        hint={t(
          'Shown to people as the publisher. Only for a new account; by default, the part of the address before the @.',
        )}
      />
      <FormActions>
        <Button tone="primary">{t('Continue')}</Button>
      </FormActions>
    </Form>
  </>
);
