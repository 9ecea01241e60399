/**
 * A form works for the account that it was shown to, and for no other: a browser may have been signed in to another
 * account since, in another tab. Each form carries its account, which is checked before any handler runs.
 */
import { capital, isolated } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormInput, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import {
  ACCOUNT_FIELD,
  audienceOf,
  EarlyAnswer,
  fragment,
  HOME_PATH,
  nextPath,
  type PageContext,
  PROVE_PATH,
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

/** Fields that no person types; they are sent again but not shown. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['version', 'seen', 'form', 'next', 'secret']);

/** Labels of fields whose names do not read as one. */
const LABELS: Readonly<Record<string, string>> = {
  url: 'Address',
  ends_at: 'End date',
  via: 'Campaign label',
};

/** Signing out is right for whoever is signed in. */
const FOR_EVERYONE: ReadonlySet<string> = new Set(['/sign-out']);

/** The answer to a form that was shown to another account; `null`: there is nothing to refuse. */
export async function refuseOtherAccount(c: PageContext, viewer: Viewer): Promise<Response | null> {
  if (FOR_EVERYONE.has(c.req.path)) return null;
  // What is no form, or too large, is refused by its handler.
  const form = await readForm(c).catch(() => null);
  const shownTo = form === null ? undefined : shownToOf(form);
  if (shownTo === undefined || shownTo === viewer.accountId) return null;
  const sentence = `This form was opened in another account, and this browser is now signed in as ${isolated(viewer.name)} (${viewer.email}). Nothing has been changed.`;
  if (c.req.header('accept') === 'application/json') return c.json({ problem: sentence }, 409);
  if (wantsFragment(c)) return fragment(c, <Notice tone="bad">{sentence}</Notice>, 409);
  const { pathname, search } = new URL(c.req.url);
  return page(
    c,
    <OtherAccountPage
      sentence={sentence}
      action={nextPath(pathname + search)}
      kept={await keptForm(c)}
      viewer={viewer}
    />,
    { title: 'Another account', audience: 'bare', status: 409 },
  );
}

/** The last one counts: a page that keeps a form puts its account, or the one that was chosen, after its own. */
const shownToOf = ({ fields }: FormInput): string | undefined =>
  fields.findLast(([name]) => name === ACCOUNT_FIELD)?.[1];

type Fields = readonly (readonly [string, string])[];

export interface KeptForm {
  /** What was typed, without secrets. */
  readonly typed: Fields;
  /** All of it that is sent again. */
  readonly fields: Fields;
}

/** The form that was sent, to be sent again. Without fields where there was no form, or one that would be refused. */
export async function keptForm(c: PageContext): Promise<KeptForm> {
  const form = await readForm(c).catch(() => null);
  if (form === null || form.fields.length > MAX_KEPT_FIELDS) return { typed: [], fields: [] };
  const isSecret = (name: string) => audienceOf(c.req.path) === 'public' && SECRET_FIELDS.has(name);
  const typed = form.fields.filter(
    ([name, value]) => name !== ACCOUNT_FIELD && value !== '' && !isSecret(name),
  );
  const shownTo = shownToOf(form);
  return { typed, fields: shownTo === undefined ? typed : [...typed, [ACCOUNT_FIELD, shownTo]] };
}

const OtherAccountPage = ({
  sentence,
  action,
  kept,
  viewer,
}: {
  sentence: string;
  action: string;
  kept: KeptForm;
  viewer: Viewer;
}): Markup => (
  <>
    <PageHeader title="You are signed in to another account" lead={sentence} />
    <Form form={newForm()} action={action}>
      {kept.fields.map(([name, value]) => (
        <HiddenField name={name} value={value} />
      ))}
      <p>
        This page keeps what you typed. To save it in the account that you opened the form in, sign in to that
        account in another tab, then come back here and send it again.
      </p>
      <DefinitionList
        facts={kept.typed
          .filter(([name]) => !HIDDEN_FIELDS.has(name))
          .map(([name, value]) => [
            LABELS[name] ?? capital(name.replaceAll('_', ' ')),
            <span class="lines">{isolated(value)}</span>,
          ])}
      />
      <FormActions>
        <Button tone="primary">Send it again</Button>
        <Button name={ACCOUNT_FIELD} value={viewer.accountId}>
          {`Send it as ${isolated(viewer.name)}`}
        </Button>
      </FormActions>
    </Form>
  </>
);

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
