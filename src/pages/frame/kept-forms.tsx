/**
 * Pages that preserve the fields of a form that was not processed. The person first switches back to the account of the
 * form or signs in, and then sends the form again, or confirms their identity on the page itself. Every form names the
 * account that the form was shown to, and handlers run only if the session still uses that account.
 */

import type { Child } from 'hono/jsx';
import { BACK_TO_FORM_PATH, HOME_PATH, SIGN_IN_PATH } from '../../base/paths.ts';
import { Refusal } from '../../platform/errors.ts';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { Viewer } from '../ui/viewer.ts';
import {
  ACCOUNT_FIELD,
  accountName,
  audienceOf,
  EarlyResponse,
  fragment,
  isOfAccount,
  isProofField,
  isSentInPlace,
  nextPath,
  type PageContext,
  PROOF_MISSING,
  page,
  proveFirst,
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

/** Not preserved on pages with the audience `public`; on others, `code` is the shared code of an offer. */
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
    children: (
      <FormActions>
        <Button tone="primary">{t('Send it again')}</Button>
        <Button name={ACCOUNT_FIELD} value={shownTo(viewer)}>
          {isSamePerson
            ? t('Send it to {account}', { account: isolated(accountName(viewer)) })
            : t('Send it as {name}', { name: isolated(viewer.name) })}
        </Button>
      </FormActions>
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
      children: (
        <FormActions>
          <Button tone="primary">{t('Send it again')}</Button>
        </FormActions>
      ),
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
        { account: isolated(accountName(viewer)) },
      )
    : t(
        'This form was opened in another account, and this browser is now signed in as {name} ({email}). Nothing has been changed.',
        { name: isolated(viewer.name), email: viewer.email },
      );
}

const isOfPerson = (form: FormInput, { personId }: Viewer): boolean =>
  shownToOf(form)?.split('.')[0] === personId;

/** The value of the last account field. In a kept form, the first account field is the viewer's (`withAccount`). */
const shownToOf = ({ fields }: FormInput): string | undefined =>
  fields.findLast(([name]) => name === ACCOUNT_FIELD)?.[1];

type Fields = readonly (readonly [string, string])[];

interface KeptForm {
  /** The non-empty fields without secrets. */
  readonly typed: Fields;
  /** The fields to send again, with the account field. */
  readonly fields: Fields;
  /** False if the form has a file or a secret, or is too large. A form that can't be read has no fields. */
  readonly isComplete: boolean;
}

async function keptForm(c: PageContext): Promise<KeptForm> {
  const form = await readForm(c).catch(() => null);
  if (form === null || form.fields.length > MAX_KEPT_FIELDS) {
    return { typed: [], fields: [], isComplete: false };
  }
  const isSecret = (name: string) => audienceOf(c.req.path) === 'public' && SECRET_FIELDS.has(name);
  const filled = form.fields.filter(
    ([name, value]) => name !== ACCOUNT_FIELD && value !== '' && !isProofField(name),
  );
  const typed = filled.filter(([name]) => !isSecret(name));
  const sent = shownToOf(form);
  const fields: Fields = sent === undefined ? typed : [...typed, [ACCOUNT_FIELD, sent]];
  return { typed, fields, isComplete: typed.length === filled.length };
}

/** Redirects to the sign-in page and back. A form without a session gets a page that preserves its fields. */
export async function signInFirst(c: PageContext): Promise<Response> {
  const next = returnPath(c) ?? HOME_PATH;
  if (c.req.method !== 'POST' || wantsFragment(c)) return redirect(c, withNext(SIGN_IN_PATH, next));
  const { typed, fields, isComplete } = await keptForm(c);
  if (typed.length === 0) {
    // The sign-in page then says that the session has ended.
    const ended = isComplete ? ENDED.nothing : ENDED.incomplete;
    return redirect(c, withNext(`${SIGN_IN_PATH}?ended=${ended}`, next));
  }
  return detourPage(c, fields, t('Sign in'), withNext(SIGN_IN_PATH, BACK_TO_FORM_PATH), {
    title: t('Sign in again'),
    lead: t('Your session has ended. Nothing has been changed yet, and this page keeps what you typed.'),
  });
}

/** Values of `ended` in the URL of the sign-in page. `incomplete`: a file or a secret must be entered again. */
export const ENDED = { nothing: '1', incomplete: 'incomplete' } as const;

/**
 * Call before anything is changed by a form that a stolen session must not send. If the form has the right fields to
 * confirm the person's identity, returns the viewer with the new confirmation; otherwise throws `EarlyResponse` with a
 * page that has these fields and keeps the form. `next`: where a person continues whose form can't be kept.
 */
export async function requireProof(
  c: PageContext,
  suffices: (viewer: Viewer) => boolean = ({ isRecentlyProven }) => isRecentlyProven,
  next: string = returnPath(c) ?? HOME_PATH,
): Promise<Viewer> {
  const viewer = requireViewer(c);
  if (suffices(viewer)) return viewer;
  const sentForm = await keptForm(c);
  if (!sentForm.isComplete) throw proveFirst(c, next, 'again');
  const confirmed = await c.get('confirmIdentity')(c, viewer, await readForm(c));
  if ('form' in confirmed) throw new EarlyResponse(await proofPage(c, sentForm, confirmed));
  c.set('viewer', confirmed.viewer);
  // A confirmation with one factor doesn't suffice where an operator needs two.
  if (!suffices(confirmed.viewer)) throw proveFirst(c, next);
  return confirmed.viewer;
}

export const isFreshlyProven = (viewer: Viewer): boolean => viewer.isFreshlyProven;

function proofPage(
  c: PageContext,
  { typed, fields: keptFields }: KeptForm,
  { form, fields }: { readonly form: FormState; readonly fields: Child | null },
): Promise<Response> {
  const title = t('Confirm it’s you');
  const lead =
    typed.length === 0
      ? t(PROOF_MISSING)
      : t('Confirm it’s you to continue. Nothing has been changed yet, and this page keeps what you typed.');
  if (fields === null) return detourPage(c, keptFields, title, provePath(BACK_TO_FORM_PATH), { title, lead });
  const status = form.status === 200 ? 403 : form.status;
  return keptFormPage(c, keptFields, { title, lead, status, form, children: fields });
}

/** `label`, `href`: a link to the step that comes first, in a new tab, so that this page stays open. */
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
    children: (
      <FormActions>
        <ButtonLink href={href} tone="primary" newTab>
          {label}
        </ButtonLink>
        <Button>{t('Send form')}</Button>
      </FormActions>
    ),
  });

interface KeptFormTexts {
  readonly title: string;
  readonly lead: string;
  readonly status: 403 | 409 | 422 | 429;
  readonly next?: string;
  /** The problems of the fields in `children`. */
  readonly form?: FormState;
  readonly children: Child;
}

function keptFormPage(c: PageContext, fields: Fields, texts: KeptFormTexts): Promise<Response> {
  const { title, lead, status, next = '', form = newForm(), children } = texts;
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
      <Form form={form} action={nextPath(pathname + search)}>
        {fields.map(([name, value]) => (
          <HiddenField name={name} value={value} />
        ))}
        {children}
      </Form>
    </>
  );
  return page(c, content, {
    title,
    audience: 'bare',
    status,
    scripts: texts.form === undefined ? [] : ['passkey'],
  });
}
