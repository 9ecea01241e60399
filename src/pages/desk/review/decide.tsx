import { deskListingPath } from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { Iso } from '../../../platform/text/time-text.ts';
import { PostButton, ShortcutKey } from '../../ui/button.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { HiddenField, TextAreaField } from '../../ui/field.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

export interface SentForm {
  /** The path that the form was submitted to, relative to the listing's path; `''` if no form was submitted. */
  readonly path: string;
  readonly form: FormState;
}

/** Returns `sent.form` if the form was submitted to `path`; otherwise an empty form. */
export const formSentTo = (path: string, sent: SentForm): FormState =>
  sent.path === path ? sent.form : newForm();

interface DecideProps {
  readonly listing: Listing;
  readonly sent: SentForm;
}

export const DecideListing = (props: DecideProps) => (
  <div class="stack">
    <DecideButton {...props} path="approve" shortcut="a">
      Approve
    </DecideButton>
    <ReasonForm
      {...props}
      path="request-changes"
      shortcut="c"
      opener="Ask for changes"
      title={`Ask for changes to ${isolated(props.listing.name)}`}
      label="What should change?"
      hint="Shown to the owner, who can then submit the listing again."
      confirm="Send back"
      isHarmless
    />
    <ReasonForm
      {...props}
      path="reject"
      shortcut="r"
      opener="Reject"
      title={`Reject ${isolated(props.listing.name)}?`}
      hint="Shown to the owner. A rejected listing can’t be submitted again."
      confirm="Reject listing"
    />
  </div>
);

interface DecideProposalProps extends DecideProps {
  readonly path: string;
  readonly what: string;
  readonly hasShortcuts: boolean;
  readonly decline?: string;
  readonly hint?: string;
}

/**
 * `path`: `url`, `texts`, `pictures` or `offers/<id>`. The forms submit to `/approve` and `/decline` below this path.
 * `decline`: the verb for declining.
 */
export const DecideProposal = ({ decline = 'Decline', hint, ...props }: DecideProposalProps) => (
  <div class="row">
    <DecideButton
      {...props}
      path={`${props.path}/approve`}
      shortcut={props.hasShortcuts ? 'a' : undefined}
      label={`Approve ${props.what}`}
    >
      Approve
    </DecideButton>
    <ReasonForm
      {...props}
      path={`${props.path}/decline`}
      shortcut={props.hasShortcuts ? 'r' : undefined}
      opener={decline}
      title={`${decline} ${props.what}?`}
      openerLabel={`${decline}… ${props.what}`}
      hint={hint ?? 'Shown to the owner, who can make a new proposal. The live version doesn’t change.'}
      confirm={decline}
    />
  </div>
);

export const Suspension = (props: DecideProps) => {
  if (props.listing.state === 'suspended') {
    return (
      <DecideButton {...props} path="lift" isPlain small>
        Lift suspension
      </DecideButton>
    );
  }
  if (props.listing.state !== 'approved') return null;
  return (
    <ReasonForm
      {...props}
      path="suspend"
      opener="Suspend"
      title={`Suspend ${isolated(props.listing.name)}?`}
      lead="The listing takes no new claims. Existing claims stay redeemable."
      hint="Shown to the owner."
      confirm="Suspend listing"
      isOptional
      small
    />
  );
};

export const ASK_OWNER = 'ask';

export const AskOwner = (props: DecideProps) => (
  <ReasonForm
    {...props}
    path={ASK_OWNER}
    opener="Ask the owner"
    title={`Ask the owner of ${isolated(props.listing.name)}`}
    lead="The listing stays live. The owner gets an email and can reply on their dashboard; the reply appears here."
    label="What do you want to know?"
    hint="Shown to the owner. Don’t say who reported the listing."
    confirm="Send question"
    isHarmless
  />
);

const pathOf = (listing: Listing, path: string): string => `${deskListingPath(listing.id)}/${path}`;

const DecideButton = (
  props: DecideProps & {
    path: string;
    shortcut?: string | undefined;
    label?: string | undefined;
    isPlain?: boolean;
    small?: boolean;
    children: string;
  },
) => (
  <PostButton
    action={pathOf(props.listing, props.path)}
    values={{ version: String(props.listing.version) }}
    tone={props.isPlain ? 'plain' : 'primary'}
    shortcut={props.shortcut}
    label={props.label}
    wide={props.path === 'approve'}
    small={props.small}
  >
    {props.children}
  </PostButton>
);

interface ReasonFormProps extends DecideProps {
  readonly path: string;
  readonly shortcut?: string | undefined;
  readonly opener: string;
  readonly openerLabel?: string;
  readonly title: string;
  readonly lead?: string;
  readonly label?: string;
  readonly hint: string;
  readonly confirm: string;
  readonly isHarmless?: boolean;
  readonly isOptional?: boolean;
  readonly small?: boolean;
}

/** Id of the dialog in `Suspension`. Buttons outside `Suspension` use the id to open the dialog. */
export const SUSPEND_DIALOG = 'decide-suspend';

function ReasonForm({
  listing,
  sent,
  path,
  shortcut,
  opener,
  lead,
  label,
  hint,
  isOptional,
  ...dialog
}: ReasonFormProps) {
  return (
    <DialogForm
      {...dialog}
      id={`decide-${path.replaceAll('/', '-')}`}
      form={formSentTo(path, sent)}
      action={pathOf(listing, path)}
      opener={
        <>
          {opener}…{shortcut && <ShortcutKey letter={shortcut} />}
        </>
      }
      shortcut={shortcut}
      fields={(props) => (
        <>
          <HiddenField name="version" value={String(listing.version)} />
          {lead && <p>{lead}</p>}
          <TextAreaField
            {...props}
            name="reason"
            label={label ?? 'Reason'}
            hint={hint}
            optional={isOptional}
            autofocus
          />
        </>
      )}
    />
  );
}

export interface Undoable {
  readonly listing: Listing;
  readonly action: string;
  readonly until: Iso;
}

export const DECIDED: Readonly<Record<string, string>> = {
  approve: 'is approved and live',
  request_changes: 'was sent back to its owner',
  reject: 'is rejected',
  suspend: 'is suspended',
  lift: 'is live again',
  approve_url: 'has a new website',
  decline_url: 'keeps its website',
  approve_link: 'has a new link',
  decline_link: 'keeps its link',
  approve_texts: 'has new texts',
  restore_texts: 'keeps the texts that you approved',
  approve_pictures: 'has new pictures',
  decline_pictures: 'keeps its pictures',
};

/** `hasLink`: whether the listing's name is a link to the listing's page. */
export const UndoNotice = ({ undoable, hasLink }: { undoable: Undoable; hasLink?: boolean }) => {
  const { listing, action, until } = undoable;
  const path = deskListingPath(listing.id);
  return (
    <Notice
      tone="good"
      title={
        <>
          {hasLink ? <a href={path}>{isolated(listing.name)}</a> : isolated(listing.name)}{' '}
          {DECIDED[action] ?? 'was reviewed'}
        </>
      }
      actions={
        <PostButton
          action={`${path}/undo`}
          values={{ version: String(listing.version) }}
          shortcut="u"
          small
          label={`Undo: ${listing.name}`}
        >
          Undo
        </PostButton>
      }
    >
      You can undo this until <Time at={until} precision="second" hasZone />.
    </Notice>
  );
};
