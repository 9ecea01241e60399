/** The client in TypeScript that is made from the OpenAPI document, and the program of the documentation that uses it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import { createTestPlace, type TestPlace } from '../support/engines.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { REPOSITORY } from '../support/program.ts';
import { startSite } from '../support/site.ts';

const run = promisify(execFile);
const COMPILER = join(REPOSITORY, 'node_modules', '.bin', 'tsc');
const OPTIONS = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
const PROGRAM = /^```ts\n(\/\/ books\.ts.*?)^```$/ms;

let folder: string;
let program: string;
let place: TestPlace;
let site: Service;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claimcheck-client-'));
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  program = PROGRAM.exec(readFileSync(join(REPOSITORY, 'docs/guide/owner-api.md'), 'utf8'))![1]!;
  place = await createTestPlace('sqlite');
  [site] = await Promise.all([
    startSite(place),
    run(process.execPath, [join(REPOSITORY, 'scripts/client.ts'), join(folder, 'claimcheck-api.ts')]),
  ]);
});
afterAll(async () => {
  await site?.stop();
  await place?.remove();
  rmSync(folder, { recursive: true });
});

/** What the compiler says of a program that uses the client; nothing if it is right. */
async function compile(name: string, text: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  const checked = run(COMPILER, [...OPTIONS, '--allowImportingTsExtensions', name], { cwd: folder });
  return checked.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it('compiles a program that looks at the status, and no other', async () => {
  const check = '  if (response.status !== 200) throw new Error(response.data.detail);\n';
  expect(program).toContain(check);
  const [right, careless] = await Promise.all([
    compile('books.ts', program),
    compile('careless.ts', program.replace(check, '')),
  ]);
  expect(right).toBe('');
  expect(careless).toContain("Property 'redemptions' does not exist on type");
});

it('reads every redemption of a real service', async () => {
  const owner = await createOwner(site.context);
  const tokens = await issueTokens(site.context, owner, 3);
  const redeemed: string[] = [];
  for (const token of tokens.slice(1)) {
    const response = await fetch(`${site.baseUrl}/api/v1/marketplace/claims/verify`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.liveKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, redeem: true }),
    });
    redeemed.push(((await response.json()) as { redeemed_at: string }).redeemed_at);
  }
  const books = program.replaceAll('https://claims.example.com', site.baseUrl);
  writeFileSync(join(folder, 'run.ts'), books);
  const { stdout } = await run(process.execPath, [join(folder, 'run.ts')], {
    env: { ...process.env, CLAIMCHECK_API_KEY: owner.liveKey },
  });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => line.split(' ').at(-1))).toEqual(redeemed);
});
