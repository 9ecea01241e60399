/**
 * A form works for the account that it was shown to, and for no other: a browser may have been signed in to another
 * account since, in another tab. Each form carries its account, which is checked before any handler runs.
 */
import { capital, isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
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
  fragment,
  nextPath,
  type PageContext,
  page,
  readForm,
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
