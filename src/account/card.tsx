/** The cards of the account page: their frame, and the forms in them. */
import type { Child } from 'hono/jsx';
import { PROVE_PATH } from '../http/pages/pages.ts';
import type { FormState } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import type { AccountView } from './account-view.ts';
import { ACCOUNT_PATH } from './paths.ts';

/** The forms of the page; the name is the prefix of their fields' ids. */
export type AccountForm = 'name' | 'email' | 'password' | 'factor' | 'passkey';

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

const provePath = (next: string): string => `${PROVE_PATH}?next=${encodeURIComponent(next)}`;

export const ProofFirst = (): Markup => (
  <p>
    First <a href={provePath(ACCOUNT_PATH)}>confirm it’s you</a>.
  </p>
);

/** A folded form that asks for a proof of identity first. A refused form is shown as it is, with what was typed. */
export const FoldedForProof = (props: Parameters<typeof Folded>[0] & { isProven: boolean }): Markup => (
  <Folded summary={props.summary} isOpen={props.isOpen}>
    {props.isProven || props.isOpen ? props.children : <ProofFirst />}
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
