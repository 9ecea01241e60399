/** The answers where a page needs a person who is signed in, or a fresh proof of who they are; a form is kept. */

import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type KeptForm, keptForm } from './form-account.tsx';
import {
  EarlyAnswer,
  HOME_PATH,
  nextPath,
  type PageContext,
  PROVE_PATH,
  page,
  redirect,
  returnPath,
  SIGN_IN_PATH,
  wantsFragment,
} from './pages.ts';

/**
 * Redirects to sign in, and then back to this page. A form that was sent after the session had ended is answered with a
 * page that keeps what was typed, so that it can be sent once more.
 */
export async function signInFirst(c: PageContext): Promise<Response> {
  const next = returnPath(c);
  const signIn = next === null ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`;
  if (c.req.method !== 'POST' || wantsFragment(c)) return redirect(c, signIn);
  const { typed, fields } = await keptForm(c);
  // The sign-in page says why the button did nothing.
  if (typed.length === 0) return redirect(c, `${signIn}${next === null ? '?' : '&'}ended=1`);
  return keptFormPage(c, fields, {
    title: 'Sign in again',
    lead: 'Your session has ended, and nothing has changed yet. This page keeps what you typed.',
    way: ['Sign in', signIn],
  });
}

/** Ends the handler of a form: the person proves who they are in a new tab, and then sends the form again. */
export async function proofFirst(c: PageContext): Promise<EarlyAnswer> {
  const { fields } = await keptForm(c);
  const next = encodeURIComponent(returnPath(c) ?? HOME_PATH);
  const answer = await keptFormPage(c, fields, {
    title: 'Confirm it’s you',
    lead: 'Confirm it’s you to continue. Nothing has been changed yet, and this page keeps what you typed.',
    way: ['Confirm it’s you', `${PROVE_PATH}?next=${next}`],
  });
  return new EarlyAnswer(answer);
}

interface KeptFormTexts {
  readonly title: string;
  readonly lead: string;
  /** What comes first: the text and the address of its link. */
  readonly way: readonly [text: string, href: string];
}

function keptFormPage(c: PageContext, fields: KeptForm['fields'], texts: KeptFormTexts): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  return page(c, <KeptFormPage action={nextPath(pathname + search)} fields={fields} texts={texts} />, {
    title: texts.title,
    audience: 'bare',
    status: 403,
  });
}

/** The link opens a new tab, so that this page stays. */
const KeptFormPage = ({
  action,
  fields,
  texts,
}: {
  action: string;
  fields: KeptForm['fields'];
  texts: KeptFormTexts;
}): Markup => (
  <>
    <PageHeader title={texts.title} lead={texts.lead} />
    <Form form={newForm()} action={action}>
      {fields.map(([name, value]) => (
        <HiddenField name={name} value={value} />
      ))}
      <p>“{texts.way[0]}” opens a new tab. When you are done there, come back here and send the form.</p>
      <FormActions>
        <ButtonLink href={texts.way[1]} tone="primary" newTab>
          {texts.way[0]}
        </ButtonLink>
        <Button>Send it</Button>
      </FormActions>
    </Form>
  </>
);
