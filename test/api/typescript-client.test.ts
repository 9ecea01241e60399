/** The TypeScript client generated from the OpenAPI document, and the example program in the documentation. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../support/folders.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { REPOSITORY } from '../support/program.ts';
import { shareSite } from '../support/shared.ts';
import { callVerify } from '../support/verify.ts';

const run = promisify(execFile);
const COMPILER = join(REPOSITORY, 'node_modules', '.bin', 'tsc');
const OPTIONS =
  '--noEmit --strict --module nodenext --target es2024 --types node --allowImportingTsExtensions';
const PROGRAM = /^```ts\n(\/\/ books\.ts.*?)^```$/ms;

const program = PROGRAM.exec(readFileSync(join(REPOSITORY, 'docs/guide/owner-api.md'), 'utf8'))![1]!;
const site = shareSite('sqlite');
let folder: string;
beforeAll(async () => {
  folder = makeTemporaryFolder('claimcheck-client-');
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await run(process.execPath, [join(REPOSITORY, 'scripts/client.ts'), join(folder, 'claimcheck-api.ts')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the example program compiles only if it checks the response status', async () => {
  const check = '  if (response.status !== 200) throw new Error(response.data.detail);\n';
  expect(program).toContain(check);
  writeFileSync(join(folder, 'books.ts'), program);
  writeFileSync(join(folder, 'careless.ts'), program.replace(check, ''));
  const { stdout } = await run(COMPILER, [...OPTIONS.split(' '), 'books.ts', 'careless.ts'], {
    cwd: folder,
  }).catch((failure: { readonly stdout: string }) => failure);
  const faults = stdout.trim().split('\n');
  expect(faults).toContainEqual(
    expect.stringMatching(/^careless\.ts.*Property 'redemptions' does not exist on type/),
  );
  expect(faults.filter((fault) => /^\w/.test(fault) && !fault.startsWith('careless.ts'))).toEqual([]);
});

test('the example program reads every redemption from a running server', async () => {
  const owner = await createOwner(site.context);
  const tokens = await issueTokens(site.context, owner, 3);
  const redeemed: string[] = [];
  for (const token of tokens.slice(1)) {
    const response = await callVerify(site.baseUrl, owner.liveKey, { token, redeem: true });
    redeemed.push(((await response.json()) as { redeemed_at: string }).redeemed_at);
  }
  writeFileSync(join(folder, 'run.ts'), program.replaceAll('https://claims.example.com', site.baseUrl));
  const { stdout } = await run(process.execPath, [join(folder, 'run.ts')], {
    env: { ...process.env, CLAIMCHECK_API_KEY: owner.liveKey },
  });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => line.split(' ').at(-1))).toEqual(redeemed);
});
