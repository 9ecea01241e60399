import { deskAccountPath, deskListingPath } from '../../../base/paths.ts';
import type { Question } from '../../../marketplace/listings/question-queries.ts';
import { causeText } from '../../../marketplace/listings/report.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Lines } from '../../ui/breakable.tsx';
import { PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Timeline, type TimelineEntry } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { AskOwner, type SentForm, SUSPEND_DIALOG } from './decide.tsx';
import type { DeskListing } from './queries.ts';

export const DISMISS_REPORTS = 'dismiss-reports';

/** Only operators see who reported a listing. */
export function Reports({
  listing,
  reports,
  questions,
  sent,
}: Pick<DeskListing, 'listing' | 'reports' | 'questions'> & { readonly sent: SentForm }) {
  const newest = reports.at(-1);
  if (newest === undefined) return null;
  const isAsked = questions.some(({ replied_at }) => replied_at === null);
  return (
    <Card
      title={t('{count, plural, one {# report} other {# reports}}', { count: reports.length })}
      id="reports"
      isStack
    >
      <Timeline
        entries={reports.map(
          ({ cause, words, reporter, reporter_id, reply_to, is_confirmed, created_at }) => ({
            what: causeText(cause),
            when: (
              <>
                {t(
                  '{time} by {reporter}{isUnconfirmed, select, yes { (email address not confirmed)} other {}}{isReachable, select, yes {, who can be asked at {address} (not confirmed)} other {}}',
                  {
                    time: <Time at={created_at} />,
                    reporter:
                      reporter_id === null ? (
                        t('someone who was not signed in')
                      ) : (
                        <a href={deskAccountPath(reporter_id)}>{isolated(reporter ?? t('a person'))}</a>
                      ),
                    isUnconfirmed: reporter_id !== null && is_confirmed === 0 ? 'yes' : 'no',
                    isReachable: reply_to === null ? 'no' : 'yes',
                    address:
                      reply_to === null ? (
                        ''
                      ) : (
                        <a href={`mailto:${encodeURIComponent(reply_to)}`}>{reply_to}</a>
                      ),
                  },
                )}
              </>
            ),
            detail: words !== null && <Lines>{words}</Lines>,
            state: 'bad',
          }),
        )}
      />
      {questions.length > 0 && <Timeline entries={questions.flatMap(entriesOf)} />}
      <p class="soft-text">
        {t(
          'The owner doesn’t learn who reported the listing. If you suspend the listing, its reports are closed.',
        )}
      </p>
      <div class="row">
        <PostButton
          action={`${deskListingPath(listing.id)}/${DISMISS_REPORTS}`}
          values={{ upTo: newest.created_at }}
        >
          {t('Dismiss reports')}
        </PostButton>
        {listing.state === 'approved' && !isAsked && <AskOwner listing={listing} sent={sent} />}
        {listing.state === 'approved' && (
          <DialogButton id={SUSPEND_DIALOG} tone="danger">
            {t('Suspend…')}
          </DialogButton>
        )}
      </div>
    </Card>
  );
}

const entriesOf = ({ question, asked_at, reply, replied_at }: Question): readonly TimelineEntry[] => [
  {
    what: t('Asked the owner'),
    when: <Time at={asked_at} />,
    detail: <Lines>{question}</Lines>,
    state: 'done',
  },
  reply === null || replied_at === null
    ? { what: t('No reply yet'), state: 'open' }
    : {
        what: t('The owner replied'),
        when: <Time at={replied_at} />,
        detail: <Lines>{reply}</Lines>,
        state: 'done',
      },
];
