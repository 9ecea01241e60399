/** For the page of an error: the latest calls of the signed-in person that got it. */
import type { ListedAttempt } from '../attempts/search-queries.ts';
import type { Markup } from '../ui/markup.ts';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

/** The request log in the dashboard. */
const REQUESTS_PATH = '/dashboard/requests';

export interface OwnCasesProps {
  readonly code: string;
  readonly cases: readonly ListedAttempt[];
  /** Days for which the request log keeps calls. */
  readonly days: number;
}

export const OwnCases = ({ code, cases, days }: OwnCasesProps): Markup => (
  <>
    <h2 id="your-latest-cases">Your latest cases</h2>
    {cases.length === 0 ? (
      <p>None of your calls of the last {days} days got this error.</p>
    ) : (
      <>
        <Table
          caption="Your latest cases"
          rows={cases}
          columns={[
            {
              header: 'When',
              isName: true,
              cell: ({ at, request_id }) => (
                <a href={`${REQUESTS_PATH}/${request_id}`}>
                  <Time at={at} precision="second" />
                </a>
              ),
            },
            { header: 'API key', cell: ({ key_name }) => key_name ?? 'none' },
            { header: 'From', cell: ({ ip }) => ip ?? 'unknown' },
            { header: 'Request id', cell: ({ request_id }) => <code>{request_id}</code> },
          ]}
        />
        <p>
          <a href={`${REQUESTS_PATH}?code=${code}`}>All of them in the request log</a>
        </p>
      </>
    )}
  </>
);
