import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILES_ELSEWHERE } from '../../src/docs/guide.ts';

test('npm run bench starts the bench', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { bench: string } };
  const [program] = /(?<=\bnode )\S+/.exec(scripts.bench) ?? [];
  const help = execFileSync(process.execPath, [program!, '--help'], { encoding: 'utf8' });
  expect(help).toContain('embedded-redeem');
});

test('the image is built from every file that building reads', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { build: string } };
  const named = scripts.build.match(/tsconfig\S*\.json/g) ?? [];
  const extended = named.flatMap(
    (file) => /"extends": "\.\/(.+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? [],
  );
  expect(named.length).toBeGreaterThan(1);
  const copied = /^COPY (tsconfig.+) \.\/$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1]?.split(' ');
  const sent = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const file of new Set([...named, ...extended])) {
    expect(copied).toContain(file);
    expect(sent).toContain(`!${file}`);
  }
});

test('the image has every file that the pages of the documentation are made from', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const sent = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(dockerfile).toMatch(/^COPY docs docs$/m);
  for (const path of ['docs/guide', 'docs/snippets', ...Object.values(FILES_ELSEWHERE)]) {
    expect(sent).toContain(`!${path}`);
    if (!path.startsWith('docs/')) expect(dockerfile).toContain(` ${path} `);
  }
});
