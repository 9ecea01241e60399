import { deskListingPath } from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
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
      {t('Approve')}
    </DecideButton>
    <ReasonForm
      {...props}
      path="request-changes"
      shortcut="c"
      opener={t('Ask for changes')}
      title={t('Ask for changes to {name}', { name: isolated(props.listing.name) })}
      label={t('What should change?')}
      hint={t('Shown to the owner, who can then submit the listing again.')}
      confirm={t('Send back')}
      isHarmless
    />
    <ReasonForm
      {...props}
      path="reject"
      shortcut="r"
      opener={t('Reject')}
      title={t('Reject {name}?', { name: isolated(props.listing.name) })}
      hint={t('Shown to the owner. A rejected listing can’t be submitted again.')}
      confirm={t('Reject listing')}
    />
  </div>
);

interface DecideProposalProps extends DecideProps {
  readonly path: string;
  readonly what: string;
  readonly hasShortcuts: boolean;
  /** Whether declining restores texts that are already live. */
  readonly isRestored?: boolean;
  readonly hint?: string;
}

/** `path`: `url`, `texts`, `pictures` or `offers/<id>`. The forms submit to `/approve` and `/decline` below this path. */
export const DecideProposal = ({ isRestored = false, hint, ...props }: DecideProposalProps) => (
  <div class="row">
    <DecideButton
      {...props}
      path={`${props.path}/approve`}
      shortcut={props.hasShortcuts ? 'a' : undefined}
      label={t('Approve {what}', { what: props.what })}
    >
      {t('Approve')}
    </DecideButton>
    <ReasonForm
      {...props}
      path={`${props.path}/decline`}
      shortcut={props.hasShortcuts ? 'r' : undefined}
      opener={isRestored ? t('Restore') : t('Decline')}
      title={
        isRestored ? t('Restore {what}?', { what: props.what }) : t('Decline {what}?', { what: props.what })
      }
      openerLabel={
        isRestored ? t('Restore… {what}', { what: props.what }) : t('Decline… {what}', { what: props.what })
      }
      hint={hint ?? t('Shown to the owner, who can make a new proposal. The live version doesn’t change.')}
      confirm={isRestored ? t('Restore') : t('Decline')}
    />
  </div>
);

export const Suspension = (props: DecideProps) => {
  if (props.listing.state === 'suspended') {
    return (
      <DecideButton {...props} path="lift" isPlain small>
        {t('Lift suspension')}
      </DecideButton>
    );
  }
  if (props.listing.state !== 'approved') return null;
  return (
    <ReasonForm
      {...props}
      path="suspend"
      opener={t('Suspend')}
      title={t('Suspend {name}?', { name: isolated(props.listing.name) })}
      lead={t('The listing takes no new claims. Existing claims stay redeemable.')}
      hint={t('Shown to the owner.')}
      confirm={t('Suspend listing')}
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
    opener={t('Ask the owner')}
    title={t('Ask the owner of {name}', { name: isolated(props.listing.name) })}
    lead={t(
      'The listing stays live. The owner sees the question on the dashboard and can reply there; the reply appears here.',
    )}
    label={t('What do you want to know?')}
    hint={t('Shown to the owner. Don’t say who reported the listing.')}
    confirm={t('Send question')}
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
          {t('{words}…', { words: opener })}
          {shortcut && <ShortcutKey letter={shortcut} />}
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
            label={label ?? t('Reason')}
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

const DECIDED: Readonly<Record<string, Message>> = {
  approve: message('{name} is approved and live'),
  request_changes: message('{name} was sent back to its owner'),
  reject: message('{name} is rejected'),
  suspend: message('{name} is suspended'),
  lift: message('{name} is live again'),
  approve_url: message('{name} has a new website'),
  decline_url: message('{name} keeps its website'),
  approve_link: message('{name} has a new link'),
  decline_link: message('{name} keeps its link'),
  approve_texts: message('{name} has new texts'),
  restore_texts: message('{name} keeps the texts that you approved'),
  approve_pictures: message('{name} has new pictures'),
  decline_pictures: message('{name} keeps its pictures'),
};

/** `hasLink`: whether the listing's name is a link to the listing's page. */
export const Decided = ({ listing, action, hasLink }: Omit<Undoable, 'until'> & { hasLink?: boolean }) => {
  const name = isolated(listing.name);
  return (
    <>
      {t(DECIDED[action] ?? message('{name} was reviewed'), {
        name: hasLink ? <a href={deskListingPath(listing.id)}>{name}</a> : name,
      })}
    </>
  );
};

export const UndoNotice = ({ undoable, hasLink = false }: { undoable: Undoable; hasLink?: boolean }) => {
  const { listing, until } = undoable;
  const path = deskListingPath(listing.id);
  return (
    <Notice
      tone="good"
      title={<Decided {...undoable} hasLink={hasLink} />}
      actions={
        <PostButton
          action={`${path}/undo`}
          values={{ version: String(listing.version) }}
          shortcut="u"
          small
          label={t('Undo: {name}', { name: listing.name })}
        >
          {t('Undo')}
        </PostButton>
      }
    >
      {t('You can undo this until {time}.', { time: <Time at={until} precision="second" hasZone /> })}
    </Notice>
  );
};
