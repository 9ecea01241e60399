import { deskAccountPath, deskListingPath } from '../../../base/paths.ts';
import { causeText } from '../../../marketplace/listings/report.ts';
import { amountOf, isolated } from '../../../platform/text/text.ts';
import { PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Timeline } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { SUSPEND_DIALOG } from './decide.tsx';
import type { DeskListing } from './queries.ts';

export const DISMISS_REPORTS = 'dismiss-reports';

/** Only operators see who reported a listing. */
export function Reports({ listing, reports }: Pick<DeskListing, 'listing' | 'reports'>) {
  const newest = reports.at(-1);
  if (newest === undefined) return null;
  return (
    <Card title={amountOf(reports.length, 'report')} id="reports" isStack>
      <Timeline
        entries={reports.map(({ cause, words, reporter, reporter_id, is_confirmed, created_at }) => ({
          what: causeText(cause),
          when: (
            <>
              <Time at={created_at} /> by{' '}
              {reporter_id === null ? (
                'someone who was not signed in'
              ) : (
                <a href={deskAccountPath(reporter_id)}>{isolated(reporter ?? 'a person')}</a>
              )}
              {reporter_id !== null && is_confirmed === 0 && ' (email address not confirmed)'}
            </>
          ),
          detail: words !== null && (
            <span class="plain-text" dir="auto">
              {words}
            </span>
          ),
          state: 'bad',
        }))}
      />
      <p class="soft-text">
        The owner doesn’t learn who reported the listing. If you suspend the listing, its reports are closed.
      </p>
      <div class="row">
        <PostButton
          action={`${deskListingPath(listing.id)}/${DISMISS_REPORTS}`}
          values={{ upTo: newest.created_at }}
        >
          Dismiss reports
        </PostButton>
        {listing.state === 'approved' && (
          <DialogButton id={SUSPEND_DIALOG} tone="danger">
            Suspend…
          </DialogButton>
        )}
      </div>
    </Card>
  );
}
