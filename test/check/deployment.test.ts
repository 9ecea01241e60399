/** The Compose files and the systemd unit of the documentation. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src/app/config/config.ts';
import { SETTING_OF_VARIABLE } from '../../src/app/config/settings.ts';
import { REPOSITORY } from '../support/program.ts';

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly env_file?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const VARIABLE = /(?<!\$)\$\{(\w+)(:[-?])([^}]*)\}/g;

describe.each(['compose.yaml', 'compose.postgres.yaml', 'compose.citus.yaml'])('%s', (file) => {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *#.*$/gm, '');
  const compose = parse(text, { merge: true }) as Compose;
  const services = Object.values(compose.services);

  test('needs only images: no build, and no files of the host', () => {
    expect(Object.keys(compose)).toEqual(['services', 'volumes']);
    for (const { image, build, env_file: envFile } of services) {
      expect({ image: typeof image, build, envFile }).toEqual({ image: 'string' });
    }
    const sources = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!));
    expect([...new Set(sources)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  test('has a default for every variable, except the two secrets of a database server', () => {
    const variables = [...text.matchAll(VARIABLE)];
    expect(variables.length).toBe(text.match(/(?<!\$)\$(?!\$)/g)?.length);
    const required = variables.flatMap(([, name, operator]) => (operator === ':?' ? [name] : []));
    const secrets = file === 'compose.yaml' ? [] : ['DATABASE_PASSWORD', 'SECRET_KEY'];
    expect([...new Set(required)].toSorted()).toEqual(secrets);
  });

  test('passes only settings to the service, with valid defaults', () => {
    const { environment = {} } = compose.services['claimcheck']!;
    expect(Object.keys(environment).filter((name) => !SETTING_OF_VARIABLE.has(name))).toEqual([]);
    const { SECRET_KEY, ...others } = environment;
    const values = Object.fromEntries(
      Object.entries(others).map(([name, value]) => [
        name,
        value.replaceAll(VARIABLE, (_, __, operator, fallback: string) =>
          operator === ':?' ? 'a/b#c' : fallback,
        ),
      ]),
    );
    const key = SECRET_KEY === undefined ? {} : { SECRET_KEY: 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U' };
    const config = parseConfig({ ...values, ...key });
    expect(config.databaseUrl?.includes('claimcheck:a%2Fb%23c@') ?? true).toBe(true);
    expect(config).toMatchObject({ smtpUrl: null, admin: null });
  });
});

test('the loop that dumps the database is valid Bash', () => {
  const { services } = parse(readFileSync('compose.postgres.yaml', 'utf8'), { merge: true }) as Compose;
  const script = services['backup']!.command![0]!.replaceAll('$$', '$');
  expect(spawnSync('bash', ['-n', '-c', script], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  const guide = readFileSync('docs/guide/deploy.md', 'utf8');
  const [, unit = ''] = /```ini\n(\[Unit\][\s\S]*?)```/.exec(guide) ?? [];

  test('runs as its own user, writes backups outside the data folder, and reads one file of settings', () => {
    const [, backups] = /--backup-dir (\S+)/.exec(guide) ?? [];
    expect(backups).not.toContain('/var/lib/claimcheck');
    expect(unit).toContain(`ReadWritePaths=-${backups}\n`);
    expect(unit).toMatch(/^User=claimcheck$/m);
    const [, file] = /claimcheck init --env-file (\S+)/.exec(guide) ?? [];
    for (const [, command] of unit.matchAll(/^ExecStart(?:Pre)?=(.+)$/gm)) {
      expect(command).toMatch(/^\/usr\/local\/bin\/claimcheck (?:migrate|serve) --env-file /);
      expect(command!.endsWith(` ${file}`)).toBe(true);
    }
  });

  test.skipIf(!hasSystemd)('passes systemd-analyze, also its review of the sandbox', () => {
    const folder = mkdtempSync(join(tmpdir(), 'claimcheck-unit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'claimcheck.service');
    const program = join(REPOSITORY, 'bin', 'claimcheck.js');
    writeFileSync(path, unit.replaceAll('/usr/local/bin/claimcheck', program));
    const analyze = (...args: readonly string[]) =>
      spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' });
    const { status, stderr } = analyze('verify', '--man=no');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // From 0 (safe) to 100; most services of Debian have more than 90.
    const security = analyze('security', '--offline=yes', '--threshold=20', '--no-pager');
    expect(security.status, security.stdout.split('\n').slice(-3).join('')).toBe(0);
  });
});
