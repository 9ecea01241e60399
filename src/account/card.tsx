/** The cards of the account page: their frame, and the forms in them. */
import type { Child } from 'hono/jsx';
import type { Passkey } from '../accounts/passkey-queries.ts';
import type { SessionSummary } from '../accounts/session-queries.ts';
import { PROVE_PATH } from '../http/pages/pages.ts';
import type { Choices, NoticeKind } from '../notices/kinds.ts';
import { TextField } from '../ui/field.tsx';
import type { FormState } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { ACCOUNT_PATH } from './paths.ts';

/** The forms of the page; the name is the prefix of their fields' ids. */
export type AccountForm = 'name' | 'email' | 'password' | 'factor' | 'passkey';

export interface MailView {
  /** What the person can choose. */
  readonly kinds: readonly NoticeKind[];
  readonly choices: Choices;
  /** Why the mail server refuses the person’s address; `null`: it doesn’t. */
  readonly refusal: string | null;
}

export interface AccountView {
  readonly name: string;
  readonly email: string;
  readonly sessionId: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly minPasswordLength: number;
  readonly passkeys: readonly Passkey[];
  /** Whether the service's host can have passkeys. */
  readonly canHavePasskeys: boolean;
  /** Of the company's identity provider. */
  readonly identities: readonly { readonly issuer: string; readonly created_at: string }[];
  /** Of the identity provider; `null`: there is none. */
  readonly providerName: string | null;
  /** `null`: no mail server is set up. */
  readonly mail: MailView | null;
  readonly sessions: readonly SessionSummary[];
  /** When the account will be deleted; `null`: it stays. */
  readonly deleteAt: string | null;
  readonly isOperator: boolean;
  /** Whether the person has just proved who they are. */
  readonly isProven: boolean;
  /** Whether the second factor must be used before a password counts. */
  readonly isLocked: boolean;
}

/** What a card with a form gets. */
export interface FormCardProps {
  readonly account: AccountView;
  readonly form: FormState;
  readonly isRefused: boolean;
}

export const Card = ({
  title,
  badge,
  children,
}: {
  title: string;
  badge?: Child;
  children: Child;
}): Markup => (
  <section class="card">
    <div class="spread">
      <h2>{title}</h2>
      {badge}
    </div>
    <div class="stack">{children}</div>
  </section>
);

/** A form that is folded until it is opened or was refused. */
export const Folded = ({
  summary,
  isOpen,
  children,
}: {
  summary: string;
  isOpen: boolean;
  children: Child;
}): Markup => (
  <details class="more" open={isOpen}>
    <summary>{summary}</summary>
    {children}
  </details>
);

export const provePath = (next: string): string => `${PROVE_PATH}?next=${encodeURIComponent(next)}`;

/** A folded form that asks for a proof of identity first. A refused form is shown as it is, with what was typed. */
export const FoldedForProof = (props: Parameters<typeof Folded>[0] & { isProven: boolean }): Markup => (
  <Folded summary={props.summary} isOpen={props.isOpen}>
    {props.isProven || props.isOpen ? (
      props.children
    ) : (
      <p>
        First <a href={provePath(ACCOUNT_PATH)}>confirm it’s you</a>.
      </p>
    )}
  </Folded>
);

/** For a form that stayed open until its proof of identity expired. Opens a new tab, so that the form stays. */
export const ProofInNewTab = ({ hidden }: { hidden: boolean }): Markup => (
  <p data-proof-link hidden={hidden}>
    <a href={provePath(`${ACCOUNT_PATH}?done=proven`)} target="_blank" rel="noopener">
      Confirm it’s you in a new tab
    </a>
    , then submit this form again.
  </p>
);

export const OwnPasswordField = ({ form, idPrefix }: { form: FormState; idPrefix: AccountForm }): Markup => (
  <TextField
    form={form}
    idPrefix={idPrefix}
    name="current"
    type="password"
    label="Your password"
    autocomplete="current-password"
  />
);
