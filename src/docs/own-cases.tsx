/** The latest calls of the person who is signed in that got an error, on the page about it. */
import { ATTEMPTS_KEPT_DAYS } from '../attempts/sweep.ts';
import type { Markup } from '../ui/markup.ts';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { OwnCase } from './queries.ts';

export const OwnCases = ({ cases }: { cases: readonly OwnCase[] }): Markup => (
  <>
    <h2 id="your-latest-cases">Your latest cases</h2>
    {cases.length === 0 ? (
      <p>None of your calls of the last {ATTEMPTS_KEPT_DAYS} days got this error.</p>
    ) : (
      <Table
        caption="Your latest cases"
        rows={cases}
        columns={[
          { header: 'When', isName: true, cell: ({ at }) => <Time at={at} precision="second" /> },
          { header: 'API key', cell: ({ key_name }) => key_name ?? 'none' },
          { header: 'From', cell: ({ ip }) => ip ?? 'unknown' },
          { header: 'Request id', cell: ({ request_id }) => <code>{request_id}</code> },
        ]}
      />
    )}
  </>
);
