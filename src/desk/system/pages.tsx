/** The system page of the desk: the checks of `claimcheck doctor`, background work and this process. */
import { readFoldBacklog } from '../../campaigns/queries.ts';
import { type PageApp, page, requireOperator } from '../../http/pages/pages.ts';
import { readJobReports } from '../../jobs/queries.ts';
import { readVersion } from '../../process/version.ts';
import { type Deployment, examine } from '../../system/checks.ts';
import { readWebhookBacklog } from '../../webhooks/delivery-queries.ts';
import { SystemPage } from './system-page.tsx';

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
