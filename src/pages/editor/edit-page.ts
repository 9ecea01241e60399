/** The routes of pages on which owners and operators create and edit listings and offers. */

import { SlugTaken } from '../../marketplace/listings/fields.ts';
import type { ChangeBy } from '../../marketplace/listings/queries.ts';
import type { PictureKind } from '../../marketplace/pictures/picture.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Fields } from '../../platform/text/fields.ts';
import { requireProof } from '../frame/kept-forms.tsx';
import type { PageRouter } from '../frame/page-router.ts';
import {
  actorOf,
  changeBy,
  fragment,
  type PageContext,
  readForm,
  redirect,
  wantsFragment,
} from '../frame/pages.ts';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import {
  type Conflict,
  editForm,
  mergeForm,
  readSaved,
  type Saved,
  savedQuery,
  versionIn,
} from '../ui/stale-form.tsx';
import type { Viewer } from '../ui/viewer.ts';

type PageResponse = Response | Promise<Response>;

/** A rejected upload. */
export interface SentPicture {
  readonly kind: PictureKind;
  readonly form: FormState;
}

/** What a page shows besides the stored values. */
export interface EditView {
  readonly form: FormState;
  readonly status: 200 | 409 | 422 | 429;
  readonly saved: Saved | null;
  /** Fields that were changed both in the form and in the database since the form was loaded. */
  readonly conflicts: readonly Conflict[];
  readonly refused: string | null;
  readonly picture: SentPicture | null;
}

export interface EditPage<Thing, Input> {
  /** An operator's change goes live without a review, and needs a recent proof of identity. */
  readonly actor: 'member' | 'operator';
  readonly route: string;
  readonly path: (thing: Thing) => string;
  readonly read: (c: PageContext, viewer: Viewer) => Promise<Thing>;
  /** A page to show instead of an empty form, such as one that says that a limit is reached. */
  readonly instead?: (c: PageContext, viewer: Viewer, thing: Thing) => Promise<Response | null>;
  readonly show: (c: PageContext, viewer: Viewer, thing: Thing, view: EditView) => PageResponse;
  readonly values: (thing: Thing) => Readonly<Record<string, string>>;
  /** The version of the listing. If this is not set, the page creates something. */
  readonly version?: (thing: Thing) => number;
  /** Returns `null` if a field is invalid. */
  readonly parse: (form: FormInput, thing: Thing) => Input | null | Promise<Input | null>;
  /** Whether saving may change the URL that claimants are sent to. */
  readonly moves?: (thing: Thing, input: Input) => boolean;
  /** Returns the path of the next page. */
  readonly save: (thing: Thing, input: Input, by: ChangeBy, form: FormInput) => Promise<string>;
  /** Fragments that are re-rendered while the user types, keyed by the last segment of their paths. */
  readonly parts: Readonly<Record<string, (form: FormState, thing: Thing, viewer: Viewer) => Markup>>;
}

export function addEditPage<Thing, Input>(app: PageRouter, page: EditPage<Thing, Input>): void {
  const { actor, route, read, values, version } = page;

  app.get(route, { for: actor }, async (c, viewer) => {
    const thing = await read(c, viewer);
    const instead = await page.instead?.(c, viewer, thing);
    return instead ?? showEdited(c, viewer, page, thing, { saved: readSaved(c.req.query('saved')) });
  });

  app.post(route, { for: actor }, async (c, viewer) => {
    const sent = await readForm(c);
    const thing = await read(c, viewer);
    const merge =
      version === undefined
        ? { form: sent, conflicts: [], hasOthers: false }
        : mergeForm(sent, values(thing), versionIn(sent) === version(thing));
    const { form, conflicts } = merge;
    const input = await page.parse(form, thing);
    if (conflicts.length > 0) return showEdited(c, viewer, page, thing, { form, conflicts, status: 409 });
    if (input === null) return showEdited(c, viewer, page, thing, { form, status: 422 });
    // A stolen session alone must not be enough to redirect claimants.
    if (actor === 'operator' || page.moves?.(thing, input)) await requireProof(c);
    const by =
      actor === 'operator' ? ({ actor: actorOf(viewer), asOperator: true } as const) : changeBy(viewer);
    const next = await form.attempt(fieldOfRefusal, () => page.save(thing, input, by, form));
    // A page that stays open says what was saved.
    if (next !== null) return redirect(c, next === page.path(thing) ? next + savedQuery(merge) : next);
    const status = version === undefined ? form.status : 409;
    return showEdited(c, viewer, page, await read(c, viewer), { form, status });
  });

  for (const [name, part] of Object.entries(page.parts)) {
    app.post(`${route}/${name}`, { for: actor, counts: false }, async (c, viewer) => {
      const form = await readForm(c);
      const thing = await read(c, viewer);
      if (wantsFragment(c)) return fragment(c, await part(form, thing, viewer));
      await page.parse(form, thing);
      return showEdited(c, viewer, page, thing, { form });
    });
  }
}

const fieldOfRefusal = (refusal: Refusal) => (refusal instanceof SlugTaken ? 'slug' : null);

/** Renders the page. By default, the form has the stored values; `view` overrides the defaults. */
export const showEdited = <Thing, Input>(
  c: PageContext,
  viewer: Viewer,
  page: EditPage<Thing, Input>,
  thing: Thing,
  view: Partial<EditView>,
): PageResponse =>
  page.show(c, viewer, thing, {
    form: (page.version === undefined ? newForm : editForm)(page.values(thing)),
    status: 200,
    saved: null,
    conflicts: [],
    refused: null,
    picture: null,
    ...view,
  });

/**
 * Returns a function that adds the route of a button. If `verb` fails, the route reads the data again, because a
 * concurrent change may be the cause.
 */
export const createSteps =
  <Thing, Input>(app: PageRouter, page: EditPage<Thing, Input>) =>
  <Done>(
    name: string,
    verb: (thing: Thing, viewer: Viewer, form: FormInput) => Promise<Done>,
    respond: (c: PageContext, thing: Thing, done: Done) => Response = (c, thing) =>
      redirect(c, page.path(thing)),
  ): void => {
    app.post(`${page.route}/${name}`, { for: page.actor }, async (c, viewer) => {
      const form = await readForm(c);
      const thing = await page.read(c, viewer);
      const done = await form.attempt(null, () => verb(thing, viewer, form));
      if (done !== null) return respond(c, thing, done);
      return showEdited(c, viewer, page, await page.read(c, viewer), {
        refused: form.refusal,
        status: 409,
      });
    });
  };

export const controlsOf =
  <F extends Fields>(form: FormState, fields: F) =>
  (name: keyof F & string) => {
    const { label, isRequired = false } = fields[name] as Fields[string];
    return { form, name, label, optional: !isRequired };
  };
