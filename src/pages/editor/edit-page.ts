/** Routes shared by the edit pages of listings and offers: the form and the buttons that change the state. */

import type { PictureKind } from '../../marketplace/pictures/picture.ts';
import type { Fields } from '../../platform/text/fields.ts';
import { requireProof } from '../frame/kept-forms.tsx';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, readForm, redirect, wantsFragment } from '../frame/pages.ts';
import type { FormInput, FormState } from '../ui/form-state.ts';
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

type Answer = Response | Promise<Response>;

/** A rejected upload. */
export interface SentPicture {
  readonly kind: PictureKind;
  readonly form: FormState;
}

export interface Shown {
  readonly form: FormState;
  readonly status: 200 | 409 | 422 | 429;
  readonly saved: Saved | null;
  /** Fields that were changed both in the form and in the database since the form was loaded. */
  readonly conflicts: readonly Conflict[];
  readonly refused: string | null;
  readonly picture: SentPicture | null;
}

export interface EditPage<Thing, Input> {
  readonly path: (id: string) => string;
  readonly read: (c: PageContext, viewer: Viewer) => Promise<Thing>;
  readonly show: (c: PageContext, viewer: Viewer, thing: Thing, shown: Shown) => Answer;
  readonly values: (thing: Thing) => Readonly<Record<string, string>>;
  readonly version: (thing: Thing) => number;
  /** Returns `null` if a field is invalid. */
  readonly parse: (form: FormInput, thing: Thing) => Input | null | Promise<Input | null>;
  /** Whether saving may change the URL that claimants are sent to. */
  readonly moves: (thing: Thing, input: Input) => boolean;
  readonly save: (thing: Thing, input: Input, viewer: Viewer, form: FormInput) => Promise<unknown>;
  /** Fragments that are re-rendered while the user types, keyed by the last segment of their paths. */
  readonly parts: Readonly<
    Record<string, (c: PageContext, form: FormInput, thing: Thing, viewer: Viewer) => Answer>
  >;
}

export function addEditPage<Thing, Input>(app: PageRouter, edited: EditPage<Thing, Input>): void {
  const { path, read, values } = edited;

  app.get(path(':id'), { for: 'member' }, async (c, viewer) =>
    showEdited(c, viewer, edited, await read(c, viewer), { saved: readSaved(c.req.query('saved')) }),
  );

  app.post(path(':id'), { for: 'member' }, async (c, viewer) => {
    const sent = await readForm(c);
    const thing = await read(c, viewer);
    const merge = mergeForm(sent, values(thing), versionIn(sent) === edited.version(thing));
    const { form, conflicts } = merge;
    const input = await edited.parse(form, thing);
    if (conflicts.length > 0) return showEdited(c, viewer, edited, thing, { form, conflicts, status: 409 });
    if (input === null) return showEdited(c, viewer, edited, thing, { form, status: 422 });
    // A stolen session alone must not be enough to redirect claimants.
    if (edited.moves(thing, input)) await requireProof(c);
    const saved = await form.attempt(null, () => edited.save(thing, input, viewer, form));
    if (saved !== null) return redirect(c, path(c.req.param('id') ?? '') + savedQuery(merge));
    return showEdited(c, viewer, edited, await read(c, viewer), { form, status: 409 });
  });

  for (const [name, show] of Object.entries(edited.parts)) {
    app.post(`${path(':id')}/${name}`, { for: 'member', counts: false }, async (c, viewer) => {
      const form = await readForm(c);
      const thing = await read(c, viewer);
      if (wantsFragment(c)) return show(c, form, thing, viewer);
      await edited.parse(form, thing);
      return showEdited(c, viewer, edited, thing, { form });
    });
  }
}

/** Renders the page. By default, the form has the stored values; `shown` overrides the defaults. */
export const showEdited = <Thing, Input>(
  c: PageContext,
  viewer: Viewer,
  edited: EditPage<Thing, Input>,
  thing: Thing,
  shown: Partial<Shown>,
): Answer =>
  edited.show(c, viewer, thing, {
    form: editForm(edited.values(thing)),
    status: 200,
    saved: null,
    conflicts: [],
    refused: null,
    picture: null,
    ...shown,
  });

/**
 * Returns a function that adds the route of a button. If `verb` fails, the route reads the data again, because a
 * concurrent change may be the cause.
 */
export const createSteps =
  <Thing, Input>(app: PageRouter, edited: EditPage<Thing, Input>) =>
  <Done>(
    name: string,
    verb: (thing: Thing, viewer: Viewer, form: FormState) => Promise<Done>,
    answer: (c: PageContext, thing: Thing, done: Done) => Response = (c) =>
      redirect(c, edited.path(c.req.param('id') ?? '')),
  ): void => {
    app.post(`${edited.path(':id')}/${name}`, { for: 'member' }, async (c, viewer) => {
      const form = await readForm(c);
      const thing = await edited.read(c, viewer);
      const done = await form.attempt(null, () => verb(thing, viewer, form));
      if (done !== null) return answer(c, thing, done);
      return showEdited(c, viewer, edited, await edited.read(c, viewer), {
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
