/** The metrics of a running service. The guide and the Grafana dashboard must use the same names and labels. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createJobRunner } from '../../../src/base/jobs/runner.ts';
import { createMetrics } from '../../../src/platform/http/server/metrics.ts';
import { ROOT } from '../../../src/platform/process/version.ts';
import { LAST_BACKUP_AT, writeSetting } from '../../../src/platform/store/settings.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { shareSite } from '../../support/shared.ts';
import { callVerify } from '../../support/verify.ts';

const file = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** Parses the Prometheus text format. Returns a map from each sample name to its label names. */
function samplesIn(text: string): ReadonlyMap<string, { readonly labels: ReadonlySet<string> }> {
  const samples = new Map<string, { labels: Set<string> }>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const sample = samples.getOrInsertComputed(name, () => ({ labels: new Set() }));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) sample.labels.add(label);
  }
  return samples;
}

describe.each(ENGINES)('metrics on %s', (engine) => {
  const site = shareSite(engine);
  let text: string;
  beforeAll(async () => {
    const { db } = site.context;
    const owner = await createOwner(site.context);
    const [token = ''] = await issueTokens(site.context, owner, 1);
    for (const redeem of [true, true]) await callVerify(site.baseUrl, owner.liveKey, { token, redeem });
    await callVerify(site.baseUrl, 'mistyped', { token });
    await db.transaction((tx) => writeSetting(tx, LAST_BACKUP_AT, '2026-11-20T10:00:00.000Z'));
    const job = { name: 'Sleep', intervalMs: 0, run: async () => {} };
    await createJobRunner(site.context, { jobs: [], onFailure: () => {} }).runIfDue(job);
    const response = await fetch(`${site.baseUrl}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    text = await response.text();
  });

  test('count verifications by outcome, starting at 0', () => {
    for (const [outcome, count] of Object.entries({
      redeemed: 1,
      already_redeemed: 1,
      valid: 0,
      not_found: 0,
      invalid_api_key: 1,
      unavailable: 0,
      idempotency_key_reused: 0,
    })) {
      expect(text).toContain(`\nclaimcheck_verifications_total{outcome="${outcome}"} ${count}\n`);
    }
    expect(text).toContain('\nclaimcheck_verification_seconds_count 3\n');
  });

  test('include the version, database engine, queue lengths and job status', () => {
    const { version } = JSON.parse(file('package.json')) as { version: string };
    expect(text).toMatch(
      new RegExp(`^claimcheck_info\\{version="${version}",engine="${site.context.db.engine}"\\} 1$`, 'm'),
    );
    expect(text).toContain('\nclaimcheck_database_up 1\n');
    expect(text).toMatch(/^claimcheck_job_last_success_timestamp_seconds\{job="Sleep"\} \d/m);
    expect(text).toContain('\nclaimcheck_job_failing{job="Sleep"} 0\n');
    for (const queue of ['mail', 'webhooks', 'label_folds', 'review']) {
      expect(text).toMatch(new RegExp(`^claimcheck_queue_length\\{queue="${queue}"\\} \\d+$`, 'm'));
    }
  });

  test('include every metric and label that the Grafana dashboard queries', () => {
    const dashboard = JSON.parse(file('docs/grafana/claimcheck.json')) as Dashboard;
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const variables = dashboard.templating.list.map(({ definition }) => definition ?? '');
    expect(queries.length).toBeGreaterThan(20);
    expect([...queries, ...variables].flatMap((query) => unknownIn(query, samplesIn(text)))).toEqual([]);
  });

  test('match the metrics and alert rules in the guide', () => {
    const guide = file('docs/guide/metrics.md');
    const named = guide
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n')
      .match(/`claimcheck_\w+`/g);
    const served = [...text.matchAll(/^# HELP (claimcheck_\w+)/gm)].map(([, name]) => `\`${name}\``);
    expect(named?.toSorted()).toEqual(served.toSorted());
    const alerts = [...guide.matchAll(/^ +expr: (.*)$/gm)].map(([, query = '']) => query);
    expect(alerts.length).toBeGreaterThan(4);
    expect(alerts.flatMap((query) => unknownIn(query, samplesIn(text), ['up']))).toEqual([]);
  });
});

test('if the database is unavailable, only the metrics that are read from it are omitted', async () => {
  const metrics = createMetrics({ process: false });
  const values = { a_length: [{ labels: { queue: 'mail' }, value: 3 }], a_time: [{ value: 4 }] };
  let read = async () => values;
  metrics.readings(
    { name: 'up', help: 'Up.' },
    { a_length: { help: 'Length.', labels: ['queue'] }, a_time: { help: 'Time.' } },
    () => read(),
  );
  metrics.gauge('other', 'Other.', () => 1);
  const samples = async () => (await metrics.render()).text.match(/^[^#\n].*$/gm);
  const all = ['up 1', 'a_length{queue="mail"} 3', 'a_time 4', 'other 1'];
  expect(await samples()).toEqual(all);
  read = () => Promise.reject(new Error('away'));
  expect(await samples()).toEqual(['up 0', 'other 1']);
  read = async () => values;
  expect(await samples()).toEqual(all);
});

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

/** Labels that Prometheus or its client library adds. */
const ADDED = ['instance', 'job', 'le'];
const NO_METRICS = /\b(?:sum|max|min|rate|increase|time|histogram_quantile|label_values|by|or|instance)\b/g;

/**
 * Returns the metrics and labels of the query that are missing from `samples`. `others`: metrics that Prometheus itself
 * provides.
 */
function unknownIn(
  query: string,
  samples: ReturnType<typeof samplesIn>,
  others: readonly string[] = [],
): readonly string[] {
  const labels = [
    ...[...query.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
    ...[...query.matchAll(/\bby \((.*?)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ];
  const bare = query.replaceAll(/\{.*?\}|\[.*?\]|\bby \(.*?\)|"[^"]*"/g, ' ').replaceAll(NO_METRICS, ' ');
  const metrics = bare.match(/[a-z]\w+/g) ?? [];
  const found = metrics.flatMap((name) => [...(samples.get(name)?.labels ?? [])]);
  return [
    ...metrics.filter((name) => !samples.has(name) && !others.includes(name)),
    ...labels.filter((label) => ![...found, ...ADDED].includes(label)),
  ];
}

test('unknownIn() returns the metrics and labels of a query that are missing from the samples', () => {
  const samples = samplesIn('a_total{outcome="x"} 1\nb_seconds 2\n');
  expect(
    unknownIn('sum by (outcome) (rate(a_total{instance=~"$instance"}[5m])) / max(b_seconds)', samples),
  ).toEqual([]);
  expect(unknownIn('sum by (result) (rate(a_total{code="1"}[5m])) / c_total', samples)).toEqual([
    'c_total',
    'code',
    'result',
  ]);
});
