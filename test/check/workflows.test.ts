/** The workflows in .github/: they run only on GitHub, so their shell steps are run here as far as that is possible. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { shareFolders } from '../support/shared.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly Step[]; readonly 'timeout-minutes'?: number }>
  >;
}

const FILES = globSync('.github/workflows/*.yaml');
const readWorkflow = (file: string) => parse(readFileSync(file, 'utf8')) as Workflow;
const stepsOf = (file: string) => Object.values(readWorkflow(file).jobs).flatMap(({ steps }) => steps);

const newFolder = shareFolders();
const step = (name: string): string =>
  stepsOf('.github/workflows/release.yaml').find((one) => one.name === name)!.run!;
/** GitHub runs a step in the same way. */
const runStep = (name: string, cwd: string, tag = '') =>
  spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step(name)], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GITHUB_REF_NAME: tag },
  });

test('there are workflows', () =>
  expect(FILES.map((file) => basename(file))).toEqual(['ci.yaml', 'release.yaml']));

describe.each(FILES)('%s', (file) => {
  test('pins actions by commit, and names their versions', () => {
    const actions = readFileSync(file, 'utf8').match(/uses: .*/g) ?? [];
    expect(actions).not.toEqual([]);
    for (const action of actions)
      expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('starts with permissions to read, and limits the time of each job', () => {
    const { permissions, jobs } = readWorkflow(file);
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  test('has shell steps that Bash can parse', () => {
    const scripts = stepsOf(file).flatMap(({ run = [] }) => run);
    for (const script of scripts) execFileSync('bash', ['-n', '-c', script]);
  });

  test('calls npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const called = [...readFileSync(file, 'utf8').matchAll(/npm run (?:-s )?(\S+)/g)].map(([, name]) => name);
    expect(called).not.toEqual([]);
    for (const name of called) expect(scripts).toHaveProperty([name!]);
  });
});

describe('a release', () => {
  const NOTES = 'Check the version, and write the notes';
  const checkout = (version: string, changelog: string) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    return folder;
  };
  const CHANGELOG = '# Changelog\n\n## 1.10.0\n\n- Ten\n\n## 1.1.0\n\n- One\n\n## 1.0.0\n\n- First\n';

  test('has the notes of its version only', () => {
    const folder = checkout('1.1.0', CHANGELOG);
    expect(runStep(NOTES, folder, 'v1.1.0')).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'notes.md'), 'utf8').trim()).toBe('- One');
  });

  test.each([
    [
      'has another version in package.json',
      '1.0.0',
      CHANGELOG,
      'package.json does not have the version 1.1.0.',
    ],
    [
      'has no notes',
      '1.1.0',
      '## 1.0.0\n\n- First\n',
      'CHANGELOG.md has no section with the heading "## 1.1.0".',
    ],
    ['is called unreleased', '1.1.0', '## 1.1.0 (unreleased)\n\n- One\n', 'has no section with the heading'],
  ])('is refused if it %s', (_, version, changelog, sentence) => {
    const { status, stdout } = runStep(NOTES, checkout(version, changelog), 'v1.1.0');
    expect(status).toBe(1);
    expect(stdout).toContain(sentence);
  });

  test('has checksums of all its files', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'release'));
    for (const name of ['LICENSE', 'README.md']) copyFileSync(name, join(folder, 'release', name));
    expect(runStep('Write the checksums', folder)).toMatchObject({ status: 0 });
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: join(folder, 'release'),
      encoding: 'utf8',
    });
    expect(checked).toBe('LICENSE: OK\nREADME.md: OK\n');
  });
});
