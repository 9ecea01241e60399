import { BRAND_PARSERS, type Brand } from '../../brand/brand.ts';
import { changeBrand } from '../../brand/change.ts';
import type { Context } from '../../context.ts';
import { actorOf, type DeskApp, type PageContext, page, readForm, redirect } from '../../http/pages/pages.ts';
import type { Uploads } from '../../http/pages/uploads.ts';
import { changeBrandPicture } from '../../pictures/brand-picture.ts';
import type { PictureEncoder } from '../../pictures/encoder.ts';
import { uploadField } from '../../pictures/picture.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { PICTURE_FIELD } from '../../ui/picture-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { BRAND_PATH, GENERAL_PATH, SETTINGS_PATH } from '../paths.ts';
import { BRAND_PICTURES, BRAND_PREVIEW_PATH, BrandPage, type BrandPageProps } from './brand-page.tsx';
import { GeneralPage } from './general-page.tsx';

export interface PictureServices {
  readonly pictureEncoder: PictureEncoder;
  readonly uploads: Uploads;
}

export function brandDeskPages(app: DeskApp, context: Context, services: PictureServices): void {
  const { marketplace } = context;
  const show = (c: PageContext, form: FormState, shown: Partial<BrandPageProps> = {}) => {
    const { brand, look, first } = marketplace;
    return page(c, <BrandPage {...{ form, brand, first }} pictures={look} {...shown} />, {
      title: 'Brand · Settings',
      status: (shown.sent?.form ?? form).status,
      scripts: ['picture'],
    });
  };
  generalRoutes(app, context);
  pictureRoutes(app, context, services, (c, sent) => show(c, newForm(textsOf(marketplace.brand)), { sent }));

  app.get(SETTINGS_PATH, (c) => redirect(c, BRAND_PATH));

  app.get(BRAND_PATH, (c) =>
    show(c, newForm(textsOf(marketplace.brand)), { isSaved: c.req.query('done') !== undefined }),
  );

  app.post(BRAND_PATH, async (c, viewer) => {
    const form = await readForm(c);
    const brand = brandIn(form, marketplace.brand, OF_BRAND);
    if (brand === null) return show(c, form);
    await changeBrand(context, { brand, operatorId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${BRAND_PATH}?done`);
  });

  app.post(BRAND_PREVIEW_PATH, async (c) => {
    const form = await readForm(c);
    const brand = brandIn(form, marketplace.brand, OF_BRAND);
    if (brand === null) return show(c, form);
    // The whole page is the preview, including its title, colours and footer.
    c.set('site', { ...c.get('site'), brand: { ...marketplace.look, ...brand } });
    return show(c, form, { brand, isPreview: true });
  });
}

function generalRoutes(app: DeskApp, context: Context): void {
  const { marketplace } = context;
  const show = (c: PageContext, form: FormState, isSaved: boolean) => {
    const { brand, first } = marketplace;
    return page(c, <GeneralPage {...{ form, brand, first, isSaved }} />, {
      title: 'Legal and language · Settings',
      status: form.status,
    });
  };

  app.get(GENERAL_PATH, (c) =>
    show(c, newForm(textsOf(marketplace.brand)), c.req.query('done') !== undefined),
  );

  app.post(GENERAL_PATH, async (c, viewer) => {
    const form = await readForm(c);
    const brand = brandIn(form, marketplace.brand, GENERAL);
    if (brand === null) return show(c, form, false);
    await changeBrand(context, { brand, operatorId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${GENERAL_PATH}?done`);
  });
}

function pictureRoutes(
  app: DeskApp,
  context: Context,
  { pictureEncoder, uploads }: PictureServices,
  show: (c: PageContext, sent: NonNullable<BrandPageProps['sent']>) => Promise<Response>,
): void {
  for (const [name, picture] of Object.entries(BRAND_PICTURES)) {
    const path = `${BRAND_PATH}/pictures/${name}`;
    const changeBy = (viewer: Viewer) => ({
      ...picture,
      operatorId: viewer.accountId,
      actor: actorOf(viewer),
    });

    app.post(path, (c, viewer) =>
      uploads(c, { field: PICTURE_FIELD, ...uploadField(picture.kind) }, async ({ form, file }) => {
        if (file === null) form.refuse(PICTURE_FIELD, 'Choose a picture first.');
        else {
          await form.attempt(PICTURE_FIELD, async () => {
            const files = await pictureEncoder.encode(picture.kind, file);
            await changeBrandPicture(context, { ...changeBy(viewer), files });
          });
        }
        return form.isFine ? redirect(c, `${BRAND_PATH}?done#pictures`) : show(c, { name, form });
      }),
    );

    app.post(`${path}/remove`, async (c, viewer) => {
      await readForm(c);
      await changeBrandPicture(context, { ...changeBy(viewer), files: null });
      return redirect(c, `${BRAND_PATH}?done#pictures`);
    });
  }
}

interface Part {
  readonly fields: readonly (keyof typeof BRAND_PARSERS)[];
  readonly boxes: readonly ('showsSoftware' | 'asksConsent')[];
}

const OF_BRAND: Part = { fields: ['name', 'accent', 'headline', 'lead'], boxes: [] };
const GENERAL: Part = {
  fields: ['contact', 'imprint', 'privacy', 'terms', 'termsChangedOn', 'timeZone', 'language', 'footer'],
  boxes: ['asksConsent', 'showsSoftware'],
};

/** `saved` with the values that were typed on one page; `null` if one of these is invalid. */
function brandIn(form: FormInput, saved: Brand, { fields, boxes }: Part): Brand | null {
  const typed = form.read(Object.fromEntries(fields.map((field) => [field, BRAND_PARSERS[field]])));
  return typed && { ...saved, ...typed, ...Object.fromEntries(boxes.map((box) => [box, form.has(box)])) };
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
