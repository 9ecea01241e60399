import type { Child } from 'hono/jsx';
import type { Context } from '../../../base/context.ts';
import { BRAND_PATH, deskListingPath, FRONT_PAGE_PATH } from '../../../base/paths.ts';
import { changeCategories, readCategories } from '../../../marketplace/listings/categories.ts';
import {
  addCategory,
  type Category,
  MAX_CATEGORIES,
  moveItem,
  renameCategory,
} from '../../../marketplace/listings/category.ts';
import { featureListing, findToFeature, MAX_FEATURED } from '../../../marketplace/listings/feature.ts';
import { countByCategory, listFeatured } from '../../../marketplace/listings/featured-queries.ts';
import { publicStateOf } from '../../../marketplace/listings/listing.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, readForm, redirect } from '../../frame/pages.ts';
import { Button, PostButton, type PostButtonProps } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { linkTo } from '../../ui/site.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { changeOf, showSettings } from './parts.tsx';

const FEATURED_PATH = `${FRONT_PAGE_PATH}/featured`;
const CATEGORIES_PATH = `${FRONT_PAGE_PATH}/categories`;

export function frontPageDeskPages(app: PageRouter, context: Context): void {
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
        isFull={c.req.query('full') !== undefined}
      />
    );
    const frame = {
      path: FRONT_PAGE_PATH,
      lead: t(
        'What people see first: the featured apps and the categories. The headline above them is under <a>Brand</a>.',
        { a: linkTo(BRAND_PATH) },
      ),
      saved: t('Saved. <a>Look at the front page</a>', { a: linkTo('/') }),
    } as const;
    return showSettings(c, frame, forms.categories ?? forms.featured ?? newForm(), content);
  }

  app.get(FRONT_PAGE_PATH, { for: 'operator' }, (c) => show(c));

  app.post(CATEGORIES_PATH, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const { field, change: categories } = changeIn(form);
    if (field !== null) form.hasOnly(field);
    await form.attempt(field, () => changeCategories(context, { categories, ...changeOf(viewer) }));
    return form.isFine ? redirect(c, `${FRONT_PAGE_PATH}?done`) : show(c, { categories: form });
  });

  app.post(FEATURED_PATH, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    form.hasOnly('app');
    const actor = actorOf(viewer);
    const done = await form.attempt('app', async () => {
      const listing = form.text('listing') || (await findToFeature(db.read, form.text('app')));
      return await featureListing(context, { listing, rank: rankIn(form), actor });
    });
    return done === null ? show(c, { featured: form }) : redirect(c, `${FRONT_PAGE_PATH}?done`);
  });
}

/**
 * Returns the requested position in the featured row; `null` if the form removes the listing; `undefined` if the form
 * adds the listing at the end.
 */
function rankIn(form: FormInput): number | null | undefined {
  if (form.has('remove')) return null;
  const typed = /^\d{1,2}$/.exec(form.text('rank'));
  return typed === null ? undefined : Math.max(Number(typed[0]), 1);
}

interface CategoryChange {
  /** The form's only visible field; `null` if it has none. */
  readonly field: string | null;
  /** Throws a refusal if the name is invalid. */
  readonly change: (categories: readonly Category[]) => readonly Category[];
}

/** The change that the form makes to the list, as it is stored when the change is saved. */
function changeIn(form: FormInput): CategoryChange {
  if (form.has('removed')) {
    const removed = form.text('removed');
    return { field: null, change: (categories) => categories.filter(({ id }) => id !== removed) };
  }
  if (form.has('moved')) {
    const by = form.text('step') === 'up' ? -1 : 1;
    const indexIn = (categories: readonly Category[]) =>
      categories.findIndex(({ id }) => id === form.text('moved'));
    return { field: null, change: (categories) => moveItem(categories, indexIn(categories), by) };
  }
  if (form.has('renamed')) {
    const id = form.text('renamed');
    const field = nameField(id);
    return { field, change: (categories) => renameCategory(categories, id, form.text(field)) };
  }
  return { field: 'added', change: (categories) => addCategory(categories, form.text('added')) };
}

type FeaturedListing = Awaited<ReturnType<typeof listFeatured>>[number];

interface FrontPageProps {
  readonly categories: readonly Category[];
  /** Number of apps on the front page, keyed by category id. */
  readonly counts: ReadonlyMap<string, number>;
  readonly featured: readonly FeaturedListing[];
  readonly forms: { readonly categories: FormState; readonly featured: FormState };
  /** Whether an app could not be featured because the featured row is full. */
  readonly isFull: boolean;
}

const nameField = (id: string): string => `name-${id}`;

const FrontPageSettings = (props: FrontPageProps) => (
  <>
    {props.isFull && (
      <Notice tone="warn">
        {t('The app wasn’t featured, because {count} apps are already featured. Remove one first.', {
          count: MAX_FEATURED,
        })}
      </Notice>
    )}
    <div class="form">
      <Featured {...props} />
      <Categories {...props} />
    </div>
  </>
);

const Featured = ({ featured, forms: { featured: form } }: FrontPageProps) => (
  <Card title={t('Featured apps')} id="featured" isStack>
    <p class="soft-text">
      {t('Shown at the top of the front page, in this order. At most {count}.', { count: MAX_FEATURED })}
    </p>
    <Ordered action={FEATURED_PATH} rows={featured.map(featuredRow)} />
    {featured.length < MAX_FEATURED ? (
      <Form form={form} action={FEATURED_PATH} idPrefix="feature">
        <TextField
          form={form}
          name="app"
          idPrefix="feature"
          label={t('Add an app')}
          hint={t(
            'Enter the app’s name, the end of its public address (such as lumen-notes), or a link to its page in the marketplace.',
          )}
        />
        <FormActions>
          <Button>{t('Feature app')}</Button>
        </FormActions>
      </Form>
    ) : (
      // A page that was loaded before the row was full can still submit the form.
      form.problems.map(({ sentence }) => <Notice tone="warn">{wordsOf(sentence)}</Notice>)
    )}
  </Card>
);

function featuredRow({ id, name, state, owner_suspended_at }: FeaturedListing, index: number): OrderedRow {
  const shownState = publicStateOf(state, owner_suspended_at !== null);
  const to = (rank: number) => ({ listing: id, rank: String(rank) });
  return {
    name,
    content: (
      <>
        <a href={deskListingPath(id)} dir="auto">
          {isolated(name)}
        </a>{' '}
        {shownState !== 'approved' && (
          <>
            <StateBadge state={shownState} /> <span class="quiet-text">{t('not shown')}</span>
          </>
        )}
      </>
    ),
    up: to(index),
    down: to(index + 2),
    remove: { listing: id, remove: 'yes' },
  };
}

/** Each button and each field has a separate form, so that Enter in a field triggers the button next to the field. */
function Categories({ categories, counts, forms: { categories: form } }: FrontPageProps) {
  const isRefused = form.problemOf('added') !== null;
  const adding = isRefused ? form : newForm();
  const hasField = isRefused || categories.some(({ id }) => form.problemOf(nameField(id)) !== null);
  return (
    <Card title={t('Categories')} id="categories" isStack>
      <p class="soft-text">
        {t(
          'Owners choose a category for their app, and people filter apps by category. Empty categories are hidden. At most {count}.',
          { count: MAX_CATEGORIES },
        )}
      </p>
      <Ordered
        action={CATEGORIES_PATH}
        rows={categories.map((category) => categoryRow(category, counts.get(category.id) ?? 0, form))}
      />
      {form.refusal !== null && !hasField && <Notice tone="warn">{form.refusal}</Notice>}
      {(isRefused || categories.length < MAX_CATEGORIES) && (
        <Form form={adding} action={CATEGORIES_PATH} idPrefix="category">
          <TextField
            form={adding}
            name="added"
            idPrefix="category"
            label={t('Add a category')}
            hint={
              categories.length === 0
                ? t('For example, Design, Writing or Photography.')
                : t('To bring back a removed category with its apps, add it under its original name.')
            }
          />
          <FormActions>
            <Button>{t('Add category')}</Button>
          </FormActions>
        </Form>
      )}
    </Card>
  );
}

function categoryRow({ id, name }: Category, count: number, form: FormState): OrderedRow {
  const field = nameField(id);
  const isRefused = form.problemOf(field) !== null;
  const rename = (
    <DialogForm
      id={`rename-${id}`}
      form={isRefused ? form : newForm({ [field]: name })}
      action={CATEGORIES_PATH}
      opener={t('Rename…')}
      openerLabel={t('Rename… {name}', { name })}
      small
      title={t('Rename {name}', { name: isolated(name) })}
      confirm={t('Save name')}
      isHarmless
      fields={(props) => (
        <>
          <HiddenField name="renamed" value={id} />
          <TextField {...props} name={field} label={t('Name')} autofocus />
        </>
      )}
    />
  );
  return {
    name,
    content: isRefused ? (
      rename
    ) : (
      <>
        {isolated(name)}{' '}
        <span class="quiet-text">
          {t('{count, plural, =0 {no apps} one {# app} other {# apps}}', { count })}
        </span>
      </>
    ),
    up: { moved: id, step: 'up' },
    down: { moved: id, step: 'down' },
    remove: { removed: id },
    button: !isRefused && rename,
  };
}

type Values = NonNullable<PostButtonProps['values']>;

interface OrderedRow {
  readonly name: string;
  readonly content: Child;
  readonly up: Values;
  readonly down: Values;
  readonly remove: Values;
  readonly button?: Child;
}

/** A list with buttons that move or remove an entry. A button posts the entry's values to `action`. */
function Ordered({ action, rows }: { action: string; rows: readonly OrderedRow[] }) {
  const arrow = (step: 'up' | 'down', row: OrderedRow, disabled: boolean) => (
    <PostButton
      {...{ action, disabled }}
      values={row[step]}
      small
      label={step === 'up' ? t('Up: {name}', { name: row.name }) : t('Down: {name}', { name: row.name })}
    >
      <Icon name={step} />
    </PostButton>
  );
  return rows.length === 0 ? null : (
    <ol class="ordered">
      {rows.map((row, index) => (
        <li>
          <div class="ordered-name">{row.content}</div>
          <div class="row">
            {rows.length > 1 && (
              <>
                {arrow('up', row, index === 0)}
                {arrow('down', row, index === rows.length - 1)}
              </>
            )}
            {row.button}
            <PostButton
              action={action}
              values={row.remove}
              small
              tone="quiet"
              label={t('Remove: {name}', { name: row.name })}
            >
              {t('Remove')}
            </PostButton>
          </div>
        </li>
      ))}
    </ol>
  );
}
