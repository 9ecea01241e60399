import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('npm run bench starts the bench', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { bench: string } };
  const [program] = /(?<=\bnode )\S+/.exec(scripts.bench) ?? [];
  const help = execFileSync(process.execPath, [program!, '--help'], { encoding: 'utf8' });
  expect(help).toContain('embedded-redeem');
});
