/**
 * Pages that preserve the fields of a form that was not processed. The person first switches back to the account of the
 * form, signs in, or confirms their identity, and then sends the form again. Every form names the account that the form
 * was shown to, and handlers run only if the session still uses that account.
 */

import type { Child } from 'hono/jsx';
import { HOME_PATH, SIGN_IN_PATH } from '../../base/paths.ts';
import { Refusal } from '../../platform/errors.ts';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormInput, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { Viewer } from '../ui/viewer.ts';
import {
  ACCOUNT_FIELD,
  audienceOf,
  EarlyResponse,
  fragment,
  isOfAccount,
  isSentInPlace,
  nextPath,
  type PageContext,
  page,
  provePath,
  readForm,
  redirect,
  requireViewer,
  returnPath,
  shownTo,
  wantsFragment,
  withNext,
} from './pages.ts';

/** Maximum number of fields in a preserved form. All forms of this service have fewer. */
const MAX_KEPT_FIELDS = 100;

/**
 * Names of fields that are not preserved on pages with the audience `public`. On other pages, the field `code` contains
 * the shared code of an offer.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['password', 'current', 'code', 'credential']);

/** Throws `EarlyResponse` if the form was shown to another account. */
export async function refuseOtherAccount(c: PageContext, viewer: Viewer): Promise<void> {
  // Handlers reject a body that is not a form or is too large.
  const form = await readForm(c).catch(() => null);
  const sentence = form === null ? null : otherAccount(c, viewer, form);
  if (form === null || sentence === null) return;
  throw new EarlyResponse(await otherAccountResponse(c, viewer, form, sentence));
}

async function otherAccountResponse(
  c: PageContext,
  viewer: Viewer,
  form: FormInput,
  sentence: string,
): Promise<Response> {
  const isSamePerson = isOfPerson(form, viewer);
  const accountName = workAccountName(viewer);
  const name = isolated(viewer.name);
  if (c.req.header('accept') === 'application/json') return c.json({ problem: sentence }, 409);
  if (wantsFragment(c)) return fragment(c, <Notice tone="bad">{sentence}</Notice>, 409);
  return keptFormPage(c, (await keptForm(c)).fields, {
    title: isSamePerson
      ? t('You are now working in another account')
      : t('You are signed in to another account'),
    lead: sentence,
    status: 409,
    next: isSamePerson
      ? t(
          'This page keeps what you typed. To save it in the account that you opened the form in, switch to that account in another tab, then come back here and send it again.',
        )
      : t(
          'This page keeps what you typed. To save it in the account that you opened the form in, sign in to that account in another tab, then come back here and send it again.',
        ),
    buttons: (
      <>
        <Button tone="primary">{t('Send it again')}</Button>
        <Button name={ACCOUNT_FIELD} value={shownTo(viewer)}>
          {isSamePerson
            ? t('Send it to {account}', { account: accountName })
            : t('Send it as {name}', { name })}
        </Button>
      </>
    ),
  });
}

/** Counts a change. If it exceeds a limit, throws `EarlyResponse` with a page that keeps what was typed. */
export async function refuseOverLimit(
  c: PageContext,
  viewer: Viewer,
  limitChange: (viewer: Viewer, formBytes: number) => Promise<void>,
): Promise<void> {
  const form = await readForm(c).catch(() => null);
  const fields = form?.fields ?? [];
  const formBytes = fields.reduce((sum, field) => sum + Buffer.byteLength(field.join('')), 0);
  try {
    await limitChange(viewer, formBytes);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error;
    const sentence = wordsOf(error.sentence);
    if (c.req.header('accept') === 'application/json')
      throw new EarlyResponse(c.json({ problem: sentence }, 429));
    const keptFields = await keptForm(c);
    // Scripts show the error on the page, which keeps what was typed.
    if (wantsFragment(c) || isSentInPlace(c) || keptFields.typed.length === 0) throw error;
    const response = await keptFormPage(c, keptFields.fields, {
      title: t('Not saved yet'),
      lead: sentence,
      status: 429,
      next: t('This page keeps what you typed.'),
      buttons: <Button tone="primary">{t('Send it again')}</Button>,
    });
    throw new EarlyResponse(response);
  }
}

/** The error sentence for a form that was shown to another account; `null` for other forms. */
export function otherAccount(c: PageContext, viewer: Viewer, form: FormInput): string | null {
  const sent = shownToOf(form);
  if (sent === undefined) return null;
  const [personId, workAccountId = personId] = sent.split('.');
  const isSamePerson = isOfPerson(form, viewer);
  // Forms about the person rather than an account stay valid when the person switches accounts in another tab.
  if (isSamePerson && (!isOfAccount(c.req.path) || workAccountId === viewer.accountId)) return null;
  return isSamePerson
    ? t(
        'This form was opened in another account, and you are now working in the account {account}. Nothing has been changed.',
        { account: workAccountName(viewer) },
      )
    : t(
        'This form was opened in another account, and this browser is now signed in as {name} ({email}). Nothing has been changed.',
        { name: isolated(viewer.name), email: viewer.email },
      );
}

const isOfPerson = (form: FormInput, { personId }: Viewer): boolean =>
  shownToOf(form)?.split('.')[0] === personId;

const workAccountName = ({ name, worksIn }: Viewer): string => isolated(worksIn?.name ?? name);

/** The value of the last account field. In a kept form, the first account field is the viewer's (`withAccount`). */
const shownToOf = ({ fields }: FormInput): string | undefined =>
  fields.findLast(([name]) => name === ACCOUNT_FIELD)?.[1];

type Fields = readonly (readonly [string, string])[];

/**
 * `typed`: the non-empty fields without secrets. `fields`: the fields to send again, with the account field. Both are
 * empty if the form can't be preserved.
 */
async function keptForm(c: PageContext): Promise<{ readonly typed: Fields; readonly fields: Fields }> {
  const form = await readForm(c).catch(() => null);
  if (form === null || form.fields.length > MAX_KEPT_FIELDS) return { typed: [], fields: [] };
  const isSecret = (name: string) => audienceOf(c.req.path) === 'public' && SECRET_FIELDS.has(name);
  const typed = form.fields.filter(
    ([name, value]) => name !== ACCOUNT_FIELD && value !== '' && !isSecret(name),
  );
  const sent = shownToOf(form);
  return { typed, fields: sent === undefined ? typed : [...typed, [ACCOUNT_FIELD, sent]] };
}

/**
 * Redirects to the sign-in page, which redirects back after the sign-in. A form that was sent without a session gets a
 * page that preserves its fields.
 */
export async function signInFirst(c: PageContext): Promise<Response> {
  const next = returnPath(c) ?? HOME_PATH;
  const signIn = withNext(SIGN_IN_PATH, next);
  if (c.req.method !== 'POST' || wantsFragment(c)) return redirect(c, signIn);
  const { typed, fields } = await keptForm(c);
  // With `ended=1`, the sign-in page says that the session has ended.
  if (typed.length === 0) return redirect(c, withNext(`${SIGN_IN_PATH}?ended=1`, next));
  return detourPage(c, fields, t('Sign in'), signIn, {
    title: t('Sign in again'),
    lead: t('Your session has ended. Nothing has been changed yet, and this page keeps what you typed.'),
  });
}

/**
 * Call before handling a form that a stolen session must not be able to send. Unless the person has recently confirmed
 * their identity, throws `EarlyResponse` with a page that asks them to do so in a new tab and then send the form again.
 */
export async function requireProof(c: PageContext): Promise<void> {
  if (requireViewer(c).isProven) return;
  const { fields } = await keptForm(c);
  const prove = provePath(returnPath(c) ?? HOME_PATH);
  const response = await detourPage(c, fields, t('Confirm it’s you'), prove, {
    title: t('Confirm it’s you'),
    lead: t(
      'Confirm it’s you to continue. Nothing has been changed yet, and this page keeps what you typed.',
    ),
  });
  throw new EarlyResponse(response);
}

/**
 * `label` and `href`: a link to the step that must come first. The link opens a new tab, so that this page stays open.
 */
const detourPage = (
  c: PageContext,
  fields: Fields,
  label: string,
  href: string,
  texts: Pick<KeptFormTexts, 'title' | 'lead'>,
): Promise<Response> =>
  keptFormPage(c, fields, {
    ...texts,
    status: 403,
    next: t('“{label}” opens a new tab. When you are done there, come back here and send the form.', {
      label,
    }),
    buttons: (
      <>
        <ButtonLink href={href} tone="primary" newTab>
          {label}
        </ButtonLink>
        <Button>{t('Send form')}</Button>
      </>
    ),
  });

interface KeptFormTexts {
  readonly title: string;
  readonly lead: string;
  readonly status: 403 | 409 | 429;
  readonly next: string;
  readonly buttons: Child;
}

function keptFormPage(c: PageContext, fields: Fields, texts: KeptFormTexts): Promise<Response> {
  const { title, lead, status, next, buttons } = texts;
  const { pathname, search } = new URL(c.req.url);
  const content = (
    <>
      <PageHeader
        title={title}
        lead={
          <>
            {lead} {next}
          </>
        }
      />
      <Form form={newForm()} action={nextPath(pathname + search)}>
        {fields.map(([name, value]) => (
          <HiddenField name={name} value={value} />
        ))}
        <FormActions>{buttons}</FormActions>
      </Form>
    </>
  );
  return page(c, content, { title, audience: 'bare', status });
}
