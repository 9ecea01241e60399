/** Buttons of an owner's page that take its listing or offer a step further. */
import { type PageApp, type PageContext, readForm, redirect, requireViewer } from '../http/pages.ts';
import type { FormState } from '../ui/form-state.ts';
import type { Conflict } from '../ui/stale-form.tsx';
import type { Viewer } from '../ui/viewer.ts';

/** How the page of a listing or an offer is shown; by default as it is stored. */
export interface Shown {
  /** What was typed. */
  readonly form?: FormState;
  readonly status?: 409 | 422;
  /** Fields that somebody else changed too. */
  readonly conflicts?: readonly Conflict[];
  /** Why a step was not taken. */
  readonly refused?: string | undefined;
  /** The form of that step. */
  readonly sent?: FormState;
}

export interface SteppedPage<Thing> {
  readonly path: (id: string) => string;
  /** The thing of the address; throws where it is missing. */
  readonly read: (c: PageContext, viewer: Viewer) => Promise<Thing>;
  readonly show: (c: PageContext, viewer: Viewer, thing: Thing, shown: Shown) => Response | Promise<Response>;
}

/** Adds the route of a step. After a refusal the page is read again, since another change may be the reason. */
export const createSteps =
  <Thing>(app: PageApp, { path, read, show }: SteppedPage<Thing>) =>
  (name: string, verb: (thing: Thing, viewer: Viewer, form: FormState) => Promise<unknown>): void => {
    app.post(`${path(':id')}/${name}`, async (c) => {
      const viewer = requireViewer(c);
      const form = await readForm(c);
      const thing = await read(c, viewer);
      const done = await form.attempt(null, () => verb(thing, viewer, form));
      if (done !== null) return redirect(c, path(c.req.param('id') ?? ''));
      const refused = form.problems[0]?.sentence;
      return show(c, viewer, await read(c, viewer), { refused, status: 409, sent: form });
    });
  };
