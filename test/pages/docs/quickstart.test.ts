/** Follows the Quickstart recipes as a reader would: saves the files, then runs the commands. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API } from '../../../src/api/operations.ts';
import { REDEEMED_TOKEN } from '../../../src/claims/verify/endpoint/fixed-tokens.ts';
import { fill, fillProgram, ownPageOf } from '../../../src/pages/docs/fill.ts';
import { type Library, loadLibrary } from '../../../src/pages/docs/library.ts';
import { type Snippet, snippetsOf } from '../../../src/pages/docs/markdown.ts';
import { fieldsOf, startPageServer } from '../../snippets/page-visitor.ts';
import { phpMisses, pythonWith } from '../../snippets/runtimes.ts';
import { makeTemporaryFolder } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { REPOSITORY } from '../../support/program.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

let site: WholeSite;
let library: Library;
beforeAll(async () => {
  library = await loadLibrary(API);
  site = await openWholeSite('sqlite', { isFilled: false });
});
afterAll(() => site?.close());

const recipes = (): readonly Snippet[] =>
  library.pages.get('/docs/quickstart')!.blocks.flatMap((block) => snippetsOf(block) ?? []);

describe('the welcome page of a Quickstart recipe', () => {
  const redeems = async (title: string) => {
    const port = await freePort();
    const ownPage = ownPageOf(`http://127.0.0.1:${port}/start/here?token={claim}`);
    const filling = { baseUrl: site.service.baseUrl, testToken: null, ownPage };
    const folder = makeTemporaryFolder('claimcheck-quickstart-');
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const { programs } = recipes().find((recipe) => recipe.title === title)!;
    const files = programs.map(({ name, file }) => ({
      name: name!,
      text: fillProgram(library.snippets.get(file)!, filling),
    }));
    const terminal = files.pop()!;
    for (const { name, text } of files) writeFileSync(join(folder, name), text);

    // Skips the first line, which installs packages. `exec` replaces the shell, so killing the child stops the server.
    const lines = terminal.text.split('\n').slice(1);
    const commands = [`cd ${folder}`, ...lines.slice(0, -1), `exec ${lines.at(-1)}`].join('\n');
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { PATH: path, HOME: folder, PORT: String(port) };
    const server = await startPageServer({ command: ['sh', '-c', commands], env });
    try {
      const opened = fill('http://localhost:8080/welcome?claim=clm_test_YOUR_TEST_TOKEN', filling);
      expect(opened).toBe(`http://127.0.0.1:${port}/start/here?token=${REDEEMED_TOKEN.token}`);
      const shown = await (await fetch(opened)).text();
      expect(shown).toContain('<button>Get 20% off the first year</button>');
      const target = new URL(/<form[^>]* action="([^"]*)"/.exec(shown)![1]!, opened);
      const answer = await fetch(target, { method: 'POST', body: new URLSearchParams(fieldsOf(shown)) });
      expect(await answer.text()).toContain('The offer is yours.');
    } finally {
      await server.close();
    }
  };

  test('redeems a claim with Express', () => redeems('Express'));
  test('redeems a claim with Hono', () => redeems('Hono'));
  test.skipIf(pythonWith('flask') !== 'python3')('redeems a claim with Flask', () => redeems('Flask'));
  test.skipIf(phpMisses('curl') !== null)('redeems a claim with PHP', () => redeems('PHP'));
});
