/** The notice about a decision just made, with its undo button. */

import type { Listing } from '../../listings/queries.ts';
import { isolated } from '../../text/text.ts';
import type { Iso } from '../../text/time-text.ts';
import { PostButton } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

/** A decision that can still be undone. */
export interface Undoable {
  readonly listing: Listing;
  /** The operator's action. */
  readonly action: string;
  readonly until: Iso;
}

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'is approved and live',
  request_changes: 'went back to its owner',
  reject: 'is rejected',
  suspend: 'is suspended',
  lift: 'is live again',
  approve_url: 'has its new address',
  decline_url: 'keeps its address',
  approve_link: 'has a new link',
  decline_link: 'keeps its link',
};

/** `hasLink`: on pages other than the listing's. */
export const UndoNotice = ({ undoable, hasLink }: { undoable: Undoable; hasLink?: boolean }): Markup => {
  const { listing, action, until } = undoable;
  const path = `/desk/listings/${listing.id}`;
  return (
    <Notice
      tone="good"
      title={
        <>
          {hasLink ? <a href={path}>{isolated(listing.name)}</a> : isolated(listing.name)}{' '}
          {DECIDED[action] ?? 'is decided'}
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
      You can undo it until <Time at={until} precision="second" />.
    </Notice>
  );
};
