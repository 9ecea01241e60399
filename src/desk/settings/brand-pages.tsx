import { changeBrand } from '../../brand/change.ts';
import type { Context } from '../../context.ts';
import { type DeskApp, type PageContext, readForm, redirect } from '../../http/pages/pages.ts';
import type { Uploads } from '../../http/pages/uploads.ts';
import { changeBrandPicture } from '../../pictures/brand-picture.ts';
import type { PictureEncoder } from '../../pictures/encoder.ts';
import { uploadField } from '../../pictures/picture.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { PICTURE_FIELD } from '../../ui/picture-form.tsx';
import { BRAND_PATH, SETTINGS_PATH } from '../paths.ts';
import {
  BRAND_PAGE_FIELDS,
  BRAND_PICTURES,
  BRAND_PREVIEW_PATH,
  BrandPage,
  type BrandPageProps,
} from './brand-page.tsx';
import { addSettings, brandIn, changeOf, showSettings, textsOf } from './parts.tsx';

export interface PictureServices {
  readonly pictureEncoder: PictureEncoder;
  readonly uploads: Uploads;
}

export function brandDeskPages(app: DeskApp, context: Context, services: PictureServices): void {
  const { marketplace } = context;
  const show = (c: PageContext, form: FormState, shown: Partial<BrandPageProps> = {}) => {
    const { brand, look, first } = marketplace;
    const content = <BrandPage {...{ form, brand, first }} pictures={look} {...shown} />;
    return showSettings(c, BRAND_PATH, shown.sent?.form ?? form, content, ['picture']);
  };

  app.get(SETTINGS_PATH, (c) => redirect(c, BRAND_PATH));

  addSettings(app, {
    path: BRAND_PATH,
    read: () => marketplace.brand,
    parse: (form, saved) => brandIn(form, saved, BRAND_PAGE_FIELDS),
    save: (brand, change) => changeBrand(context, { brand, ...change }),
    show: (c, form, isSaved) => show(c, form, { isSaved }),
  });

  app.post(BRAND_PREVIEW_PATH, async (c) => {
    const form = await readForm(c);
    const brand = brandIn(form, marketplace.brand, BRAND_PAGE_FIELDS);
    if (brand === null) return show(c, form);
    // The whole page is the preview, including its title, colours and footer.
    c.set('site', { ...c.get('site'), brand: { ...marketplace.look, ...brand } });
    return show(c, form, { brand, isPreview: true });
  });

  pictureRoutes(app, context, services, (c, sent) => show(c, newForm(textsOf(marketplace.brand)), { sent }));
}

function pictureRoutes(
  app: DeskApp,
  context: Context,
  { pictureEncoder, uploads }: PictureServices,
  show: (c: PageContext, sent: NonNullable<BrandPageProps['sent']>) => Promise<Response>,
): void {
  for (const [name, picture] of Object.entries(BRAND_PICTURES)) {
    const path = `${BRAND_PATH}/pictures/${name}`;
    app.post(path, (c, viewer) =>
      uploads(c, { field: PICTURE_FIELD, ...uploadField(picture.kind) }, async ({ form, file }) => {
        if (file === null) form.refuse(PICTURE_FIELD, 'Choose a picture first.');
        else {
          await form.attempt(PICTURE_FIELD, async () => {
            const files = await pictureEncoder.encode(picture.kind, file);
            await changeBrandPicture(context, { ...picture, ...changeOf(viewer), files });
          });
        }
        return form.isFine ? redirect(c, `${BRAND_PATH}?done#pictures`) : show(c, { name, form });
      }),
    );

    app.post(`${path}/remove`, async (c, viewer) => {
      await readForm(c);
      await changeBrandPicture(context, { ...picture, ...changeOf(viewer), files: null });
      return redirect(c, `${BRAND_PATH}?done#pictures`);
    });
  }
}
