import { wordsOf } from '../../languages/translate.ts';
import { type Category, MAX_CATEGORIES } from '../../listings/category.ts';
import { MAX_FEATURED } from '../../listings/feature.ts';
import type { listFeatured } from '../../listings/featured-queries.ts';
import { publicStateOf } from '../../listings/listing.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { deskListingPath, FRONT_PAGE_PATH } from '../paths.ts';
import { SettingsHeader } from './settings-header.tsx';

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

/** Field name of a row's buttons; the value is an action and the id of a category. */
export const STEP = 'step';
const STEPS = ['up', 'down', 'remove'] as const;
type Step = (typeof STEPS)[number];

const stepValue = (step: Step, id: string): string => `${step} ${id}`;

export function readStep(value: string): { readonly step: Step | null; readonly id: string } {
  const [word, id = ''] = value.split(' ');
  return { step: STEPS.find((step) => step === word) ?? null, id };
}

export const nameField = (id: string): string => `name-${id}`;

export const FrontPageSettings = (props: FrontPageProps) => (
  <>
    <SettingsHeader
      path={FRONT_PAGE_PATH}
      lead="What people see first: the apps that you feature, and the categories that they browse by."
    />
    <div class="stack-loose">
      {props.isSaved && (
        <Notice tone="good">
          Saved. <a href="/">Look at the front page</a>
        </Notice>
      )}
      {props.isFull && (
        <Notice tone="warn">
          The app wasn’t featured: {MAX_FEATURED} apps already are. Remove one first.
        </Notice>
      )}
      <Featured {...props} />
      <Categories {...props} />
    </div>
  </>
);

const FEATURED_PATH = `${FRONT_PAGE_PATH}/featured`;

function Featured({ featured, forms: { featured: form } }: FrontPageProps) {
  return (
    <section class="card narrow" aria-labelledby="featured">
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
              hint="Its name, its public address or a link to it."
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
        {index > 0 && (
          <PostButton action={FEATURED_PATH} values={to(index)} small label={`Up: ${name}`}>
            Up
          </PostButton>
        )}
        {index < amount - 1 && (
          <PostButton action={FEATURED_PATH} values={to(index + 2)} small label={`Down: ${name}`}>
            Down
          </PostButton>
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

/** All rows are in one form, so a row's buttons keep what was typed. Save is its first button, so Enter saves. */
function Categories({ categories, counts, forms: { categories: form } }: FrontPageProps) {
  return (
    <section class="card narrow" aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <div class="stack">
        <p class="soft-text">
          Owners choose one for their app, and people filter by them. Categories without an app are hidden. At
          most {MAX_CATEGORIES}.
        </p>
        <Form form={form} action={`${FRONT_PAGE_PATH}/categories`} idPrefix="category">
          {categories.length < MAX_CATEGORIES && (
            <TextField
              form={form}
              name="added"
              idPrefix="category"
              label="New category"
              hint={
                categories.length === 0
                  ? 'Such as Design, Writing or Photography. People can then filter the front page by category.'
                  : 'A category that you removed gets its apps back if you add it again.'
              }
              optional="depends"
            />
          )}
          <FormActions>
            <Button tone="primary">{categories.length === 0 ? 'Add category' : 'Save categories'}</Button>
          </FormActions>
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
        </Form>
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
  const step = (value: Step) => ({ name: STEP, value: stepValue(value, id), small: true });
  return (
    <>
      <div class="ordered-name">
        <TextField
          form={form}
          name={nameField(id)}
          idPrefix="category"
          label={
            <>
              {index + 1}. <span class="visually-hidden">category</span>{' '}
              <span class="optional">{count === 0 ? 'no apps' : amountOf(count, 'app')}</span>
            </>
          }
        />
      </div>
      <div class="row">
        <Button {...step('up')} label={`Up: ${name}`} disabled={index === 0}>
          Up
        </Button>
        <Button {...step('down')} label={`Down: ${name}`} disabled={index === amount - 1}>
          Down
        </Button>
        <Button {...step('remove')} tone="quiet" label={`Remove: ${name}`}>
          Remove
        </Button>
      </div>
    </>
  );
}
