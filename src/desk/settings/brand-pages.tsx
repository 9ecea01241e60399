/** Settings of the brand, with a preview in its colours. */
import { BRAND_PARSERS, type Brand } from '../../brand/brand.ts';
import { changeBrand } from '../../brand/change.ts';
import type { Context } from '../../context.ts';
import { actorOf, type DeskApp, type PageContext, page, readForm, redirect } from '../../http/pages/pages.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { BRAND_PATH, SETTINGS_PATH } from '../paths.ts';
import { BRAND_PREVIEW_PATH, BrandPage, type BrandPageProps } from './brand-page.tsx';

export function brandDeskPages(app: DeskApp, context: Context): void {
  const { marketplace } = context;
  const show = (c: PageContext, form: FormState, shown: Partial<BrandPageProps> = {}) => {
    const { brand, first } = marketplace;
    return page(c, <BrandPage {...{ form, brand, first }} {...shown} />, {
      title: 'Brand · Settings',
      status: form.status,
    });
  };

  app.get(SETTINGS_PATH, (c) => redirect(c, BRAND_PATH));

  app.get(BRAND_PATH, (c) =>
    show(c, newForm(textsOf(marketplace.brand)), { isSaved: c.req.query('done') !== undefined }),
  );

  app.post(BRAND_PATH, async (c, viewer) => {
    const form = await readForm(c);
    const brand = brandIn(form);
    if (brand === null) return show(c, form);
    await changeBrand(context, { brand, operatorId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${BRAND_PATH}?done`);
  });

  app.post(BRAND_PREVIEW_PATH, async (c) => {
    const form = await readForm(c);
    const brand = brandIn(form);
    if (brand === null) return show(c, form);
    // The whole page is the preview, with its title, its colours and its footer.
    c.set('site', { ...c.get('site'), brand });
    return show(c, form, { brand, isPreview: true });
  });
}

function brandIn(form: FormInput): Brand | null {
  const typed = form.read(BRAND_PARSERS);
  return (
    typed && {
      ...typed,
      showsSoftware: form.has('showsSoftware'),
      asksConsent: form.has('asksConsent'),
    }
  );
}

const textsOf = ({
  contact,
  showsSoftware,
  asksConsent,
  ...brand
}: Brand): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(brand).map(([name, value]) => [name, value ?? ''])),
  contact: contact?.replace(/^mailto:/, '') ?? '',
  ...(showsSoftware && { showsSoftware: 'yes' }),
  ...(asksConsent && { asksConsent: 'yes' }),
});
