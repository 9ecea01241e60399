import { wordsOf } from '../../languages/translate.ts';
import { type Category, MAX_CATEGORIES } from '../../listings/category.ts';
import { MAX_FEATURED } from '../../listings/feature.ts';
import type { listFeatured } from '../../listings/featured-queries.ts';
import { publicStateOf } from '../../listings/listing.ts';
import { amountOf, capital, isolated } from '../../text/text.ts';
import { Button, PostButton, type PostButtonProps } from '../../ui/button.tsx';
import { Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { deskListingPath, FRONT_PAGE_PATH } from '../paths.ts';
import { SettingsPage } from './parts.tsx';

type FeaturedListing = Awaited<ReturnType<typeof listFeatured>>[number];

interface FrontPageProps {
  readonly categories: readonly Category[];
  /** Number of apps on the front page, by the id of their category. */
  readonly counts: ReadonlyMap<string, number>;
  readonly featured: readonly FeaturedListing[];
  readonly forms: { readonly categories: FormState; readonly featured: FormState };
  readonly isSaved: boolean;
  /** An app could not be featured, since the row is full. */
  readonly isFull: boolean;
}

type Step = 'up' | 'down';

export const nameField = (id: string): string => `name-${id}`;

export const FrontPageSettings = (props: FrontPageProps) => (
  <SettingsPage
    path={FRONT_PAGE_PATH}
    lead="What people see first: the apps that you feature, and the categories that they browse by."
    saved={
      props.isSaved && (
        <>
          Saved. <a href="/">Look at the front page</a>
        </>
      )
    }
  >
    {props.isFull && (
      <Notice tone="warn">The app wasn’t featured: {MAX_FEATURED} apps already are. Remove one first.</Notice>
    )}
    <div class="form">
      <Featured {...props} />
      <Categories {...props} />
    </div>
  </SettingsPage>
);

const FEATURED_PATH = `${FRONT_PAGE_PATH}/featured`;

function Featured({ featured, forms: { featured: form } }: FrontPageProps) {
  return (
    <section class="card" aria-labelledby="featured">
      <h2 id="featured">Featured apps</h2>
      <div class="stack">
        <p class="soft-text">Shown at the top of the front page, in this order. At most {MAX_FEATURED}.</p>
        {featured.length > 0 && (
          <ol class="ordered">
            {featured.map((listing, index) => (
              <li>
                <FeaturedRow listing={listing} index={index} amount={featured.length} />
              </li>
            ))}
          </ol>
        )}
        {featured.length < MAX_FEATURED ? (
          <Form form={form} action={FEATURED_PATH} idPrefix="feature">
            <TextField
              form={form}
              name="app"
              idPrefix="feature"
              label="Add an app"
              hint="Its name, the end of its public address (such as lumen-notes), or a link to its page here."
            />
            <FormActions>
              <Button>Feature app</Button>
            </FormActions>
          </Form>
        ) : (
          // The form came from a page that was opened before the row was full.
          form.problems.map(({ sentence }) => <Notice tone="warn">{wordsOf(sentence)}</Notice>)
        )}
      </div>
    </section>
  );
}

function FeaturedRow(props: { listing: FeaturedListing; index: number; amount: number }) {
  const { listing, index, amount } = props;
  const { id, name, state, owner_suspended_at } = listing;
  const shownState = publicStateOf(state, owner_suspended_at !== null);
  const to = (place: number) => ({ listing: id, place: String(place) });
  return (
    <>
      <div class="ordered-name">
        <a href={deskListingPath(id)} dir="auto">
          {isolated(name)}
        </a>{' '}
        {shownState !== 'approved' && (
          <>
            <StateBadge state={shownState} /> <span class="quiet-text">not shown</span>
          </>
        )}
      </div>
      <div class="row">
        {amount > 1 && (
          <>
            <Arrow step="up" action={FEATURED_PATH} values={to(index)} name={name} disabled={index === 0} />
            <Arrow
              step="down"
              action={FEATURED_PATH}
              values={to(index + 2)}
              name={name}
              disabled={index === amount - 1}
            />
          </>
        )}
        <PostButton
          action={FEATURED_PATH}
          values={{ listing: id, remove: 'yes' }}
          small
          tone="quiet"
          label={`Remove: ${name}`}
        >
          Remove
        </PostButton>
      </div>
    </>
  );
}

interface ArrowProps extends Pick<PostButtonProps, 'action' | 'values' | 'disabled'> {
  readonly step: Step;
  readonly name: string;
}

const Arrow = ({ step, name, ...button }: ArrowProps) => (
  <PostButton {...button} small label={`${capital(step)}: ${name}`}>
    <Icon name={step} />
  </PostButton>
);

const CATEGORIES_PATH = `${FRONT_PAGE_PATH}/categories`;

/**
 * Each button and each field has its own form, so that Enter in a field does what the button next to that field says.
 */
function Categories({ categories, counts, forms: { categories: form } }: FrontPageProps) {
  const isRefused = form.problemOf('added') !== null;
  const adding = isRefused ? form : newForm();
  return (
    <section class="card" aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <div class="stack">
        <p class="soft-text">
          Owners choose a category for their app, and people filter apps by category. Empty categories are
          hidden. At most {MAX_CATEGORIES}.
        </p>
        {categories.length > 0 && (
          <ol class="ordered">
            {categories.map((category, index) => (
              <li>
                <CategoryRow
                  {...{ category, index, form }}
                  count={counts.get(category.id) ?? 0}
                  amount={categories.length}
                />
              </li>
            ))}
          </ol>
        )}
        {(isRefused || categories.length < MAX_CATEGORIES) && (
          <Form form={adding} action={CATEGORIES_PATH} idPrefix="category">
            <TextField
              form={adding}
              name="added"
              idPrefix="category"
              label="Add a category"
              hint={
                categories.length === 0
                  ? 'Such as Design, Writing or Photography.'
                  : 'If you add a removed category again under its original name, it gets its apps back.'
              }
            />
            <FormActions>
              <Button>Add category</Button>
            </FormActions>
          </Form>
        )}
      </div>
    </section>
  );
}

interface CategoryRowProps {
  readonly category: Category;
  readonly count: number;
  readonly index: number;
  readonly amount: number;
  readonly form: FormState;
}

function CategoryRow({ category: { id, name }, count, index, amount, form }: CategoryRowProps) {
  // A refused new name is shown in the page instead of in its dialog.
  const isRefused = form.problemOf(nameField(id)) !== null;
  const arrow = (step: Step, disabled: boolean) => (
    <Arrow action={CATEGORIES_PATH} values={{ moved: id, step }} {...{ step, name, disabled }} />
  );
  return (
    <>
      <div class="ordered-name">
        {isRefused ? (
          <Rename id={id} form={form} />
        ) : (
          <>
            {isolated(name)}{' '}
            <span class="quiet-text">{count === 0 ? 'no apps' : amountOf(count, 'app')}</span>
          </>
        )}
      </div>
      <div class="row">
        {amount > 1 && (
          <>
            {arrow('up', index === 0)}
            {arrow('down', index === amount - 1)}
          </>
        )}
        {!isRefused && (
          <Dialog
            id={`rename-${id}`}
            opener="Rename…"
            openerLabel={`Rename… ${name}`}
            small
            title={`Rename ${isolated(name)}`}
          >
            <Rename id={id} form={newForm({ [nameField(id)]: name })} hasCancel />
          </Dialog>
        )}
        <PostButton
          action={CATEGORIES_PATH}
          values={{ removed: id }}
          small
          tone="quiet"
          label={`Remove: ${name}`}
        >
          Remove
        </PostButton>
      </div>
    </>
  );
}

const Rename = ({ id, form, hasCancel }: { id: string; form: FormState; hasCancel?: boolean }) => (
  <Form form={form} action={CATEGORIES_PATH} idPrefix="category">
    <HiddenField name="renamed" value={id} />
    <TextField form={form} name={nameField(id)} idPrefix="category" label="Name" autofocus />
    <FormActions>
      {hasCancel && <DialogCancel id={`rename-${id}`} />}
      <Button tone="primary">Save name</Button>
    </FormActions>
  </Form>
);
