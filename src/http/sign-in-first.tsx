/** The answer where a page needs a person who is signed in. */

import { Button } from '../ui/button.tsx';
import { HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { newForm } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { PageHeader } from '../ui/page-header.tsx';
import {
  audienceOf,
  nextPath,
  type PageContext,
  page,
  readForm,
  redirect,
  returnPath,
  SIGN_IN_PATH,
  wantsFragment,
} from './pages.ts';

/** More fields than any form of this service has. */
const MAX_KEPT_FIELDS = 100;

/** Secrets in the forms of accounts. Elsewhere `code` is the shared code of an offer. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['password', 'current', 'code', 'credential']);

type Fields = readonly (readonly [string, string])[];

/**
 * Redirects to sign in, and then back to this page. A form that was sent after the session had ended is answered with a
 * page that keeps what was typed, so that it can be sent once more.
 */
export async function signInFirst(c: PageContext): Promise<Response> {
  const next = returnPath(c);
  const signIn = next === null ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`;
  const fields = c.req.method === 'POST' && !wantsFragment(c) ? await typedFields(c) : [];
  if (fields.length === 0 || fields.length > MAX_KEPT_FIELDS) return redirect(c, signIn);
  const { pathname, search } = new URL(c.req.url);
  return page(c, <KeptForm action={nextPath(pathname + search)} fields={fields} signIn={signIn} />, {
    title: 'Sign in again',
    audience: 'bare',
    status: 403,
  });
}

async function typedFields(c: PageContext): Promise<Fields> {
  const isSecret = (name: string) => audienceOf(c.req.path) === 'public' && SECRET_FIELDS.has(name);
  try {
    return (await readForm(c)).fields.filter(([name, value]) => value !== '' && !isSecret(name));
  } catch {
    // No form, or one that would be refused.
    return [];
  }
}

/** Signing in opens a tab of its own, so that this page stays. */
const KeptForm = ({ action, fields, signIn }: { action: string; fields: Fields; signIn: string }): Markup => (
  <>
    <PageHeader
      title="Sign in again"
      lead="Your session has ended, and nothing has changed yet. This page keeps what you typed."
    />
    <Form form={newForm()} action={action}>
      {fields.map(([name, value]) => (
        <HiddenField name={name} value={value} />
      ))}
      <p>
        <a href={signIn} target="_blank" rel="noopener">
          Sign in in a new tab
        </a>
        , then come back to this one and send it.
      </p>
      <FormActions>
        <Button tone="primary">Send it</Button>
      </FormActions>
    </Form>
  </>
);
