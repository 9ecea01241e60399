import { basename } from 'node:path';
import { isBackupRequested, listBackups, requestBackup } from '../../../background/system/back-up.ts';
import { timeOfBackup } from '../../../background/system/backup-copies.ts';
import { type Check, docsOfCheck } from '../../../background/system/check.ts';
import { type Deployment, examine } from '../../../background/system/examine.ts';
import {
  BACKLOG_COUNTED,
  readWebhookBacklog,
  type WebhookBacklog,
} from '../../../background/webhooks/delivery-queries.ts';
import type { Context } from '../../../base/context.ts';
import { hasFailed, type JobReport, readJobReports } from '../../../base/jobs/queries.ts';
import { SYSTEM_PATH } from '../../../base/paths.ts';
import {
  type AggregationBacklog,
  readAggregationBacklog,
} from '../../../marketplace/campaigns/aggregation-queries.ts';
import { listWithheldCodes, type WithheldCodes } from '../../../marketplace/offers/code-queries.ts';
import { releaseCodes } from '../../../marketplace/offers/codes.ts';
import { COMMAND_NAME, readVersion } from '../../../platform/process/version.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../platform/text/durations.ts';
import { amountOf, capital, isolated, sizeText } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, page, redirect } from '../../frame/pages.ts';
import { PostButton } from '../../ui/button.tsx';
import { Code, Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { ageText, numberText, Time } from '../../ui/time.tsx';
import { ChecksBadge, FindingText } from './findings.tsx';

const MIB = 1024 * 1024;
const NAMED_OFFERS = 20;

export function systemDeskPages(
  app: PageRouter,
  deployment: Deployment,
  context: Pick<Context, 'db' | 'now' | 'at'>,
): void {
  const startedAt = context.at();
  app.get(SYSTEM_PATH, { for: 'operator' }, async (c) => {
    const system = await readSystem(deployment, context);
    const released = releasedIn(c.req.query('released'));
    return page(c, <SystemPage {...system} {...{ startedAt, released }} />, { title: 'System' });
  });

  app.post(`${SYSTEM_PATH}/release-codes`, { for: 'operator' }, async (c, viewer) => {
    const released = await releaseCodes(context, actorOf(viewer));
    return redirect(c, `${SYSTEM_PATH}?released=${released}`);
  });

  app.post(`${SYSTEM_PATH}/back-up`, { for: 'operator' }, async (c) => {
    await requestBackup(context);
    return redirect(c, `${SYSTEM_PATH}#backup`);
  });
}

const releasedIn = (text: string | undefined): number | null =>
  /^\d{1,9}$/.test(text ?? '') ? Number(text) : null;

async function readSystem(deployment: Deployment, context: Pick<Context, 'now' | 'at'>) {
  const { read } = deployment.db;
  const at = context.at();
  const [checks, withheld, backlog, webhooks, jobs, backups] = await Promise.all([
    examine(deployment, false),
    listWithheldCodes(read),
    readAggregationBacklog(read),
    readWebhookBacklog(read, at),
    readJobReports(read, at),
    readBackups(deployment),
  ]);
  const { isEmbedded } = deployment.files;
  const memoryMib = Math.round(process.memoryUsage.rss() / MIB);
  return { checks, withheld, backlog, webhooks, jobs, backups, isEmbedded, memoryMib, now: context.now() };
}

async function readBackups(deployment: Deployment) {
  const { backups: settings } = deployment;
  if (settings === null) return null;
  return { settings, files: await listBackups(settings), isRequested: await isBackupRequested(deployment) };
}

type SystemPageProps = Awaited<ReturnType<typeof readSystem>> & {
  readonly startedAt: string;
  /** After the operator releases codes, the number of released codes; otherwise `null`. */
  readonly released: number | null;
};

const SystemPage = (props: SystemPageProps) => {
  const [wrong, noted, fine] = sorted(props.checks);
  return (
    <>
      <PageHeader
        title="System"
        badge={<ChecksBadge checks={props.checks} />}
        lead={
          <>
            Opening this page runs the same checks as <code>{COMMAND_NAME} doctor</code>. Each check links to
            its documentation.
          </>
        }
      />
      <div class="stack-loose">
        <div class="stack">
          {props.released !== null && (
            <Notice tone="good">{capital(amountOf(props.released, 'code'))} released.</Notice>
          )}
          <Withheld withheld={props.withheld} />
          {[...wrong, ...noted].map(({ check, ok, detail }) => (
            <Notice tone={ok ? 'warn' : 'bad'} title={capital(check)}>
              <FindingText detail={detail} isSentence /> <a href={docsOfCheck(check)}>What to do</a>
            </Notice>
          ))}
        </div>
        <div class="columns">
          <div class="stack-loose">
            <Fine checks={fine} />
            <Jobs jobs={props.jobs} now={props.now} />
            <Backups {...props} />
          </div>
          <Process {...props} />
        </div>
      </div>
    </>
  );
};

/**
 * Lists the offers that have withheld codes. A restore withholds unassigned codes from new claims, because a claim that
 * the restore lost may already have one of the codes.
 */
const Withheld = ({ withheld }: { withheld: readonly WithheldCodes[] }) =>
  withheld.length === 0 ? null : (
    <Notice
      tone="warn"
      title="Codes are withheld after the restore"
      actions={<PostButton action={`${SYSTEM_PATH}/release-codes`}>Release all codes</PostButton>}
    >
      <p>
        New claims don’t get these codes, because the restore may have lost claims that had some of them. Ask
        the owners which codes were used, withdraw the used codes with{' '}
        <code>{COMMAND_NAME} codes withdraw</code>, then release the rest.
      </p>
      <ul>
        {withheld.slice(0, NAMED_OFFERS).map(({ codes, offer, listing }) => (
          <li>
            {isolated(listing)}, {isolated(offer)}: {amountOf(codes, 'code')}
          </li>
        ))}
      </ul>
      {withheld.length > NAMED_OFFERS && <p>And {amountOf(withheld.length - NAMED_OFFERS, 'more offer')}.</p>}
    </Notice>
  );

const sorted = (checks: readonly Check[]) =>
  [
    checks.filter(({ ok }) => !ok),
    checks.filter(({ ok, note }) => ok && note),
    checks.filter(({ ok, note }) => ok && !note),
  ] as const;

const Fine = ({ checks }: { checks: readonly Check[] }) =>
  checks.length === 0 ? null : (
    <section class="section">
      <h2>{checks.length === 1 ? '1 check is' : `${checks.length} checks are`} fine</h2>
      <Table
        caption="Checks that are fine"
        rows={checks}
        columns={[
          {
            header: 'Check',
            isName: true,
            cell: ({ check }) => <a href={docsOfCheck(check)}>{capital(check)}</a>,
          },
          { header: 'Found', isPlain: true, cell: ({ detail }) => <FindingText detail={detail} /> },
        ]}
      />
    </section>
  );

/** Lists the jobs that have started at least once. Renders nothing if no job has started yet. */
const Jobs = ({ jobs, now }: { jobs: readonly JobReport[]; now: number }) =>
  jobs.length === 0 ? null : (
    <section class="section">
      <h2>Background work</h2>
      <Table
        caption="Background work"
        rows={jobs}
        columns={[
          {
            header: 'Job',
            isName: true,
            isHalf: true,
            cell: ({ name, runs, failures }) => (
              <>
                {name}
                <span class="sub">
                  {numberText(runs)} {runs === 1 ? 'run' : 'runs'}
                  {failures > 0 && `, ${numberText(failures)} failed`}
                </span>
              </>
            ),
          },
          {
            header: 'Last result',
            isNowrap: true,
            isFar: true,
            isPlain: true,
            cell: (job) => <JobBadge job={job} />,
          },
          {
            header: 'Last started',
            isHalf: true,
            cell: ({ startedAt }) => <Time at={startedAt} now={now} />,
          },
          {
            header: 'Took',
            isNumeric: true,
            isNowrap: true,
            isFar: true,
            cell: ({ tookMs }) => (tookMs === null ? '' : tookText(tookMs)),
          },
        ]}
      />
    </section>
  );

const tookText = (ms: number): string =>
  ms < SECOND_MS ? `${numberText(ms)}\u00a0ms` : `${numberText(Math.round(ms / SECOND_MS))}\u00a0s`;

function JobBadge({ job }: { job: JobReport }) {
  if (job.isRunning) return <Badge tone="good">Running</Badge>;
  return hasFailed(job) ? <Badge tone="bad">Failed</Badge> : <Badge tone="good">Fine</Badge>;
}

const LISTED_BACKUPS = 5;

const Backups = ({ isEmbedded, backups }: SystemPageProps) => (
  <section class="card" id="backup">
    <h2>Backups</h2>
    <div class="stack">
      {backups === null ? (
        <>
          <p class="soft-text">
            Set <code>BACKUP_DIR</code> to schedule backups, or make a backup while the service is running:
          </p>
          <Code
            text={
              isEmbedded
                ? `${COMMAND_NAME} backup claims.db`
                : 'pg_dump --format=custom --no-unlogged-table-data --file=claims.dump "$DATABASE_URL"'
            }
            what="the command"
          />
        </>
      ) : (
        <Schedule {...backups} />
      )}
      <p class="soft-text">
        Store a copy of the secret key in another place. Claim links are derived from this key, which no
        backup contains.
      </p>
    </div>
  </section>
);

const Schedule = ({ files, settings, isRequested }: NonNullable<SystemPageProps['backups']>) => (
  <>
    <p>
      A backup is made {everyText(settings.everyMs)} in <Mono>{settings.dir}</Mono>. The{' '}
      {settings.keep === 1 ? 'newest is' : `newest ${numberText(settings.keep)} are`} kept, and each is
      verified
      {settings.copies !== null && (
        <>
          {' '}
          and copied to <Mono>{settings.copies.url}</Mono>
        </>
      )}
      .
    </p>
    {files.length > 0 && (
      <Table
        caption="Backups"
        rows={files.slice(0, LISTED_BACKUPS)}
        columns={[
          { header: 'Backup', isName: true, cell: ({ file }) => <Mono>{basename(file)}</Mono> },
          { header: 'Started', cell: (backup) => <Time at={toIso(timeOfBackup(backup.file))} /> },
          { header: 'Size', isNumeric: true, isNowrap: true, cell: ({ bytes }) => sizeText(bytes) },
        ]}
      />
    )}
    {isRequested ? (
      <Notice tone="plain">The backup starts within a minute.</Notice>
    ) : (
      <PostButton action={`${SYSTEM_PATH}/back-up`}>Back up now</PostButton>
    )}
  </>
);

function everyText(ms: number): string {
  const [unit, unitMs] = ms % DAY_MS === 0 ? ['day', DAY_MS] : ['hour', HOUR_MS];
  return ms === unitMs ? `every ${unit}` : `every ${ms / unitMs} ${unit}s`;
}

const Process = ({ startedAt, backlog, webhooks, memoryMib, now }: SystemPageProps) => (
  <aside class="card" aria-label="This process">
    <h2>This process</h2>
    <DefinitionList
      facts={[
        ['Version', readVersion()],
        ['Node', process.version],
        ['Started', <Time at={startedAt} />],
        ['Memory', `${numberText(memoryMib)} MiB`],
        ['Label counts', backlogText(backlog, now)],
        ['Webhooks', webhooksText(webhooks, now)],
      ]}
    />
  </aside>
);

const backlogText = ({ waiting, since }: AggregationBacklog, now: number): string =>
  since === null
    ? 'Up to date'
    : `${numberText(waiting)} count update${waiting === 1 ? '' : 's'} pending, the oldest for ${ageText(since, now)}`;

function webhooksText({ due, since, disabled }: WebhookBacklog, now: number): string {
  const amount = due === BACKLOG_COUNTED ? `${numberText(due)} or more` : numberText(due);
  const waiting = since === null ? 'Nothing is due' : `${amount} due, the oldest for ${ageText(since, now)}`;
  if (disabled === 0) return waiting;
  return `${waiting}; ${amountOf(disabled, 'endpoint')} disabled for failing`;
}
