/** The system page of the desk: the checks of `claimcheck doctor`, background work and this process. */
import { type FoldBacklog, readFoldBacklog } from '../../campaigns/queries.ts';
import { type PageApp, page, requireOperator } from '../../http/pages/pages.ts';
import { hasFailed, type JobReport, readJobReports } from '../../jobs/queries.ts';
import { COMMAND_NAME, readVersion } from '../../process/version.ts';
import type { Check } from '../../system/check.ts';
import { type Deployment, examine } from '../../system/checks.ts';
import { amountOf, capital } from '../../text/text.ts';
import { Code, Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { ageText, numberText, Time } from '../../ui/time.tsx';
import { BACKLOG_COUNTED, readWebhookBacklog, type WebhookBacklog } from '../../webhooks/delivery-queries.ts';

const PATH = '/desk/system';
const MIB = 1024 * 1024;

export function systemDeskPages(app: PageApp, deployment: Deployment, now: () => number): void {
  const version = readVersion();
  const startedAt = new Date(now()).toISOString();
  app.get(PATH, async (c) => {
    requireOperator(c);
    const { read } = deployment.db;
    const at = new Date(now()).toISOString();
    const [checks, backlog, webhooks, jobs] = await Promise.all([
      examine(deployment, false),
      readFoldBacklog(read),
      readWebhookBacklog(read, at),
      readJobReports(read, at),
    ]);
    return page(
      c,
      <SystemPage
        {...{ version, startedAt, checks, backlog, webhooks, jobs }}
        isEmbedded={deployment.files.isEmbedded}
        memoryMib={Math.round(process.memoryUsage.rss() / MIB)}
        now={now()}
      />,
      { title: 'System' },
    );
  });
}

interface SystemPageProps {
  readonly version: string;
  readonly startedAt: string;
  readonly checks: readonly Check[];
  readonly backlog: FoldBacklog;
  readonly webhooks: WebhookBacklog;
  readonly jobs: readonly JobReport[];
  readonly isEmbedded: boolean;
  readonly memoryMib: number;
  readonly now: number;
}

const SystemPage = (props: SystemPageProps) => {
  const wrong = props.checks.filter(({ ok }) => !ok);
  const notes = props.checks.filter(({ note }) => note);
  return (
    <>
      <PageHeader
        title="System"
        badge={
          wrong.length > 0 ? (
            <Badge tone="bad">{`${wrong.length} failed`}</Badge>
          ) : notes.length > 0 ? (
            <Badge tone="warn">{amountOf(notes.length, 'note')}</Badge>
          ) : (
            <Badge tone="good">All OK</Badge>
          )
        }
        lead={
          <>
            The same checks as <code>{COMMAND_NAME} doctor</code>, run when this page was opened.
          </>
        }
      />
      <div class="stack">
        {wrong.map(({ check, detail }) => (
          <Notice tone="bad" title={capital(check)}>
            {detail}
          </Notice>
        ))}
        <div class="columns">
          <div class="stack-loose">
            <Checks checks={props.checks} />
            <Jobs jobs={props.jobs} />
            <Backups isEmbedded={props.isEmbedded} />
          </div>
          <Process {...props} />
        </div>
      </div>
    </>
  );
};

const Checks = ({ checks }: { checks: readonly Check[] }) => (
  <Table
    caption="Checks"
    rows={checks}
    columns={[
      { header: 'Check', isName: true, cell: ({ check }) => capital(check) },
      {
        header: 'Result',
        cell: (check) => <ResultBadge check={check} />,
        isNowrap: true,
      },
      { header: 'Found', cell: ({ detail }) => <Found detail={detail} /> },
    ]}
  />
);

/** Shows the time at the end of a finding in the zone of the page. */
function Found({ detail }: { detail: string }) {
  const [, words, at] = /^(.* at )(\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(detail) ?? [];
  if (words === undefined || at === undefined) return <>{sentence(detail)}</>;
  return (
    <>
      {sentence(words)}
      <Time at={at} />
    </>
  );
}

function ResultBadge({ check: { ok, note } }: { check: Check }) {
  if (!ok) return <Badge tone="bad">Failed</Badge>;
  if (note) return <Badge tone="warn">Note</Badge>;
  return <Badge tone="good">Fine</Badge>;
}

/** A job that never ran has no row, so a new service has no table. */
const Jobs = ({ jobs }: { jobs: readonly JobReport[] }) =>
  jobs.length === 0 ? null : (
    <section class="stack">
      <h2>Background work</h2>
      <Table
        caption="Background work"
        rows={jobs}
        columns={[
          { header: 'Job', isName: true, cell: ({ name }) => name },
          { header: 'Last result', isNowrap: true, cell: (job) => <JobBadge job={job} /> },
          { header: 'Last started', cell: ({ startedAt }) => <Time at={startedAt} /> },
          {
            header: 'Took',
            isNumeric: true,
            isNowrap: true,
            cell: ({ tookMs }) => (tookMs === null ? '' : `${numberText(tookMs)} ms`),
          },
          { header: 'Runs', isNumeric: true, cell: ({ runs }) => numberText(runs) },
          { header: 'Failed', isNumeric: true, cell: ({ failures }) => numberText(failures) },
        ]}
      />
    </section>
  );

function JobBadge({ job }: { job: JobReport }) {
  if (job.isRunning) return <Badge tone="good">Running</Badge>;
  return hasFailed(job) ? <Badge tone="bad">Failed</Badge> : <Badge tone="good">Fine</Badge>;
}

const Backups = ({ isEmbedded }: { isEmbedded: boolean }) => (
  <section class="card" id="backup">
    <h2>Make a backup</h2>
    <div class="stack">
      <p class="soft-text">
        {isEmbedded ? 'The copy is consistent even while the service runs.' : 'Use the tool of PostgreSQL.'}{' '}
        Back up the secret key as well, in another place: claim links derive from it.
      </p>
      <Code
        text={
          isEmbedded
            ? `${COMMAND_NAME} backup claims.db`
            : 'pg_dump --format=custom --file=claims.dump "$DATABASE_URL"'
        }
        what="the command"
      />
    </div>
  </section>
);

const Process = ({ version, startedAt, backlog, webhooks, memoryMib, now }: SystemPageProps) => (
  <aside class="card" aria-label="This process">
    <h2>This process</h2>
    <DefinitionList
      facts={[
        ['Version', version],
        ['Node', <Mono>{process.version}</Mono>],
        ['Started', <Time at={startedAt} />],
        ['Memory', `${numberText(memoryMib)} MiB`],
        ['Label counts', backlogText(backlog, now)],
        ['Webhooks', webhooksText(webhooks, now)],
      ]}
    />
  </aside>
);

const backlogText = ({ waiting, since }: FoldBacklog, now: number): string =>
  since === null
    ? 'Up to date'
    : `${numberText(waiting)} count update${waiting === 1 ? '' : 's'} pending, the oldest for ${ageText(since, now)}`;

function webhooksText({ due, since, disabled }: WebhookBacklog, now: number): string {
  const amount = due === BACKLOG_COUNTED ? `${numberText(due)} or more` : numberText(due);
  const waiting = since === null ? 'Nothing is due' : `${amount} due, the oldest for ${ageText(since, now)}`;
  if (disabled === 0) return waiting;
  return `${waiting}; ${amountOf(disabled, 'endpoint')} disabled for failing`;
}

/** Begins with a capital, unless it begins with the name of a setting: `fsync = on`. */
const sentence = (detail: string): string => (/^[a-z]+ (?!=)/.test(detail) ? capital(detail) : detail);
