import { basename } from 'node:path';
import {
  type BackupSchedule,
  isBackupRequested,
  listBackups,
  requestBackup,
} from '../../../background/system/back-up.ts';
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
import { storedText, t } from '../../../platform/languages/translate.ts';
import { COMMAND_NAME, readVersion } from '../../../platform/process/version.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../platform/text/durations.ts';
import { isolated, sizeText } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, page, redirect } from '../../frame/pages.ts';
import { PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Code, Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { ageText, numberText, Time } from '../../ui/time.tsx';
import { CHECK_NAMES, ChecksBadge, FindingText } from './findings.tsx';

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
    return page(c, <SystemPage {...system} {...{ startedAt, released }} />, { title: t('System') });
  });

  app.post(`${SYSTEM_PATH}/release-codes`, { for: 'operator' }, async (c, viewer) => {
    // A second claimant may already use the code before anyone could undo the release.
    await requireProof(c);
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
        title={t('System')}
        badge={<ChecksBadge checks={props.checks} />}
        lead={t(
          'Opening this page runs the same checks as {command}. Each check links to its documentation.',
          { command: <code>{COMMAND_NAME} doctor</code> },
        )}
      />
      <div class="stack-loose">
        <div class="stack">
          {props.released !== null && (
            <Notice tone="good">
              {t('{count, plural, one {# code} other {# codes}} released.', { count: props.released })}
            </Notice>
          )}
          <Withheld withheld={props.withheld} />
          {[...wrong, ...noted].map(({ check, ok, detail }) => (
            <Notice tone={ok ? 'warn' : 'bad'} title={t(CHECK_NAMES[check])}>
              <FindingText detail={detail} isSentence /> <a href={docsOfCheck(check)}>{t('What to do')}</a>
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
      title={t('Codes are withheld after the restore')}
      actions={<PostButton action={`${SYSTEM_PATH}/release-codes`}>{t('Release all codes')}</PostButton>}
    >
      <p>
        {t(
          'New claims don’t get these codes, because the restore may have lost claims that had some of them. Ask the owners which codes were used, withdraw the used codes with {command}, then release the rest.',
          { command: <code>{COMMAND_NAME} codes withdraw</code> },
        )}
      </p>
      <ul>
        {withheld.slice(0, NAMED_OFFERS).map(({ codes, offer, listing }) => (
          <li>
            {isolated(listing)}, {isolated(offer)}:{' '}
            {t('{count, plural, one {# code} other {# codes}}', { count: codes })}
          </li>
        ))}
      </ul>
      {withheld.length > NAMED_OFFERS && (
        <p>
          {t('And {count, plural, one {# more offer} other {# more offers}}.', {
            count: withheld.length - NAMED_OFFERS,
          })}
        </p>
      )}
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
    <Section
      title={t('{count, plural, one {# check is} other {# checks are}} fine', { count: checks.length })}
    >
      <Table
        caption={t('Checks that are fine')}
        rows={checks}
        columns={[
          {
            header: t('system|Check'),
            isName: true,
            cell: ({ check }) => <a href={docsOfCheck(check)}>{t(CHECK_NAMES[check])}</a>,
          },
          { header: t('Found'), isPlain: true, cell: ({ detail }) => <FindingText detail={detail} /> },
        ]}
      />
    </Section>
  );

/** Lists the jobs that have started at least once. Renders nothing if no job has started yet. */
const Jobs = ({ jobs, now }: { jobs: readonly JobReport[]; now: number }) =>
  jobs.length === 0 ? null : (
    <Section title={t('Background work')}>
      <Table
        caption={t('Background work')}
        rows={jobs}
        columns={[
          {
            header: t('Job'),
            isName: true,
            isHalf: true,
            cell: ({ name, runs, failures }) => (
              <>
                {storedText(name)}
                <span class="sub">
                  {t('{count, plural, one {# run} other {# runs}}', { count: runs })}
                  {failures > 0 && `, ${t('{count, number} failed', { count: failures })}`}
                </span>
              </>
            ),
          },
          {
            header: t('Last result'),
            isNowrap: true,
            isFar: true,
            isPlain: true,
            cell: (job) => <JobBadge job={job} />,
          },
          {
            header: t('Last started'),
            isHalf: true,
            cell: ({ startedAt }) => <Time at={startedAt} now={now} />,
          },
          {
            header: t('Took'),
            isNumeric: true,
            isNowrap: true,
            isFar: true,
            cell: ({ tookMs }) => (tookMs === null ? '' : tookText(tookMs)),
          },
        ]}
      />
    </Section>
  );

const tookText = (ms: number): string =>
  (ms < SECOND_MS
    ? t('{milliseconds} ms', { milliseconds: numberText(ms) })
    : t('{seconds} s', { seconds: numberText(Math.round(ms / SECOND_MS)) })
  ).replace(' ', '\u00a0');

function JobBadge({ job }: { job: JobReport }) {
  if (job.isRunning) return <Badge tone="good">{t('Running')}</Badge>;
  return hasFailed(job) ? <Badge tone="bad">{t('Failed')}</Badge> : <Badge tone="good">{t('Fine')}</Badge>;
}

const LISTED_BACKUPS = 5;

const Backups = ({ isEmbedded, backups }: SystemPageProps) => (
  <section class="card" id="backup">
    <h2>{t('Backups')}</h2>
    <div class="stack">
      {backups === null ? (
        <>
          <p class="soft-text">
            {t('Set {setting} to schedule backups, or make a backup while the service is running:', {
              setting: <code>BACKUP_DIR</code>,
            })}
          </p>
          <Code
            text={
              isEmbedded
                ? `${COMMAND_NAME} backup claims.db`
                : 'pg_dump --format=custom --no-unlogged-table-data --file=claims.dump "$DATABASE_URL"'
            }
            what={t('the command')}
          />
        </>
      ) : (
        <Schedule {...backups} />
      )}
      <p class="soft-text">
        {t(
          'Store a copy of the secret key in another place. Claim links are derived from this key, which no backup contains.',
        )}
      </p>
    </div>
  </section>
);

const Schedule = ({ files, settings, isRequested }: NonNullable<SystemPageProps['backups']>) => (
  <>
    <p>
      {everyText(settings)}{' '}
      {t('{keep, plural, one {The newest is kept.} other {The newest # are kept.}}', { keep: settings.keep })}{' '}
      {settings.copies === null
        ? t('Each backup is verified.')
        : t('Each backup is verified and copied to {url}.', { url: <Mono>{settings.copies.url}</Mono> })}
    </p>
    {files.length > 0 && (
      <Table
        caption={t('Backups')}
        rows={files.slice(0, LISTED_BACKUPS)}
        columns={[
          { header: t('Backup'), isName: true, cell: ({ file }) => <Mono>{basename(file)}</Mono> },
          { header: t('Started'), cell: (backup) => <Time at={toIso(timeOfBackup(backup.file))} /> },
          { header: t('Size'), isNumeric: true, isNowrap: true, cell: ({ bytes }) => sizeText(bytes) },
        ]}
      />
    )}
    {isRequested ? (
      <Notice tone="plain">{t('The backup starts within a minute.')}</Notice>
    ) : (
      <PostButton action={`${SYSTEM_PATH}/back-up`}>{t('Back up now')}</PostButton>
    )}
  </>
);

function everyText({ everyMs, dir: path }: BackupSchedule) {
  const dir = <Mono>{path}</Mono>;
  return everyMs % DAY_MS === 0
    ? t('A backup is made every {days, plural, one {day} other {# days}} in {dir}.', {
        days: everyMs / DAY_MS,
        dir,
      })
    : t('A backup is made every {hours, plural, one {hour} other {# hours}} in {dir}.', {
        hours: everyMs / HOUR_MS,
        dir,
      });
}

const Process = ({ startedAt, backlog, webhooks, memoryMib, now }: SystemPageProps) => (
  <aside class="card" aria-label={t('This process')}>
    <h2>{t('This process')}</h2>
    <DefinitionList
      facts={[
        [t('Version'), readVersion()],
        ['Node.js', process.version],
        [t('Started'), <Time at={startedAt} />],
        [t('Memory'), `${numberText(memoryMib)} MiB`],
        [t('Label counts'), backlogText(backlog, now)],
        [t('Webhooks'), webhooksText(webhooks, now)],
      ]}
    />
  </aside>
);

const backlogText = ({ waiting, since }: AggregationBacklog, now: number): string =>
  since === null
    ? t('Up to date')
    : t('{count, plural, one {# count update} other {# count updates}} pending, the oldest for {age}', {
        count: waiting,
        age: ageText(since, now),
      });

function webhooksText({ due, since, disabled }: WebhookBacklog, now: number): string {
  const count = due === BACKLOG_COUNTED ? t('{count} or more', { count: numberText(due) }) : numberText(due);
  const waiting =
    since === null
      ? t('Nothing is due')
      : t('{count} due, the oldest for {age}', { count, age: ageText(since, now) });
  if (disabled === 0) return waiting;
  return `${waiting}; ${t('{count, plural, one {# endpoint} other {# endpoints}} disabled for failing', { count: disabled })}`;
}
