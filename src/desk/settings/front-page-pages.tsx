import type { Context } from '../../context.ts';
import { actorOf, type DeskApp, type PageContext, readForm, redirect } from '../../http/pages/pages.ts';
import { changeCategories, readCategories } from '../../listings/categories.ts';
import { addCategory, type Category, moved, renameCategory } from '../../listings/category.ts';
import { featureListing, findToFeature } from '../../listings/feature.ts';
import { countByCategory, listFeatured } from '../../listings/featured-queries.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { FRONT_PAGE_PATH } from '../paths.ts';
import { FrontPageSettings, nameField } from './front-page-page.tsx';
import { changeOf, showSettings } from './parts.tsx';

export function frontPageDeskPages(app: DeskApp, context: Context): void {
  const { db } = context;

  async function show(c: PageContext, forms: { categories?: FormState; featured?: FormState } = {}) {
    const [categories, featured, counts] = await Promise.all([
      readCategories(db.read),
      listFeatured(db.read),
      countByCategory(db.read),
    ]);
    const content = (
      <FrontPageSettings
        {...{ categories, featured, counts }}
        forms={{ categories: newForm(), featured: newForm(), ...forms }}
        isSaved={c.req.query('done') !== undefined}
        isFull={c.req.query('full') !== undefined}
      />
    );
    return showSettings(c, FRONT_PAGE_PATH, forms.categories ?? forms.featured ?? newForm(), content);
  }

  app.get(FRONT_PAGE_PATH, (c) => show(c));

  app.post(`${FRONT_PAGE_PATH}/categories`, async (c, viewer) => {
    const form = await readForm(c);
    const categories = await changedCategories(form, await readCategories(db.read));
    if (categories === null) return show(c, { categories: form });
    await changeCategories(context, { categories, ...changeOf(viewer) });
    return redirect(c, `${FRONT_PAGE_PATH}?done`);
  });

  app.post(`${FRONT_PAGE_PATH}/featured`, async (c, viewer) => {
    const form = await readForm(c);
    form.hasOnly('app');
    const actor = actorOf(viewer);
    const done = await form.attempt('app', async () => {
      const listing = form.text('listing') || (await findToFeature(db.read, form.text('app')));
      return await featureListing(context, { listing, place: placeIn(form), actor });
    });
    return done === null ? show(c, { featured: form }) : redirect(c, `${FRONT_PAGE_PATH}?done`);
  });
}

/** The position in the featured row that the form asks for; `null`: remove the listing; `undefined`: put it last. */
function placeIn(form: FormInput): number | null | undefined {
  if (form.has('remove')) return null;
  const typed = /^\d{1,2}$/.exec(form.text('place'));
  return typed === null ? undefined : Math.max(Number(typed[0]), 1);
}

/** The categories after the change in the form; `null` if it was refused. */
async function changedCategories(
  form: FormInput,
  categories: readonly Category[],
): Promise<readonly Category[] | null> {
  if (form.has('removed')) return categories.filter(({ id }) => id !== form.text('removed'));
  if (form.has('moved')) {
    const from = categories.findIndex(({ id }) => id === form.text('moved'));
    return moved(categories, from, form.text('step') === 'up' ? -1 : 1);
  }
  if (form.has('renamed')) {
    const id = form.text('renamed');
    const field = nameField(id);
    form.hasOnly(field);
    return await form.attempt(field, async () => renameCategory(categories, id, form.text(field)));
  }
  form.hasOnly('added');
  return await form.attempt('added', async () => addCategory(categories, form.text('added')));
}
