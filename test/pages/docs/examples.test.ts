/** Runs the documentation's curl commands against a real service and compares their output with the page. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, OPERATIONS } from '../../../src/api/operations.ts';
import { issueClaimFor } from '../../../src/claims/creation/issue.ts';
import { VERIFY_CLAIM } from '../../../src/claims/verify/endpoint/operation.ts';
import { fill } from '../../../src/pages/docs/fill.ts';
import { type Library, loadLibrary } from '../../../src/pages/docs/library.ts';
import type { Block } from '../../../src/pages/docs/markdown.ts';
import { referencePath } from '../../../src/pages/docs/reference-pages.ts';
import { createKey, createOperatorKey } from '../../../src/people/keys/create.ts';
import { errorsOf } from '../../../src/platform/http/operations/operation.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

const run = promisify(execFile);
const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

let site: WholeSite;
let library: Library;
let key: string;
beforeAll(async () => {
  library = await loadLibrary(API);
  site = await openWholeSite('sqlite');
  const account = site.people.owner.accountId;
  ({ key } = await createKey(site.context, {
    account,
    name: 'Docs',
    mode: 'test',
    actor: 'operator',
  }));
});
afterAll(() => site?.close());

let persons = 0;
async function newTestToken(): Promise<string> {
  persons += 1;
  const claim = await issueClaimFor(site.context, {
    offerId: site.ids.offer,
    claimantRef: `reader-${persons}`,
    mode: 'test',
    via: null,
    replace: false,
    actor: 'operator',
  });
  return claim.token;
}

interface Example {
  readonly command: string;
  /** The output on the page: the JSON of a response, or curl's error message. */
  readonly printed: string;
}

/** Returns the page's curl commands that are followed by their output. */
const examplesOf = (blocks: readonly Block[]): readonly Example[] =>
  blocks.flatMap((block, index) => {
    if (block.type !== 'code' || block.lang !== 'sh' || !block.text.startsWith('curl ')) return [];
    const next = blocks.slice(index + 1).find(({ type }) => type !== 'paragraph');
    return next?.type === 'code' && ['json', 'text'].includes(next.lang ?? '')
      ? [{ command: block.text, printed: next.text }]
      : [];
  });

/** All pages except the API reference, whose examples name data that this site doesn't have. */
const runnablePages = () =>
  [...library.pages.values()].filter(({ path }) => !OPERATIONS.map(referencePath).includes(path));

const isOfOperator = ({ command }: Example): boolean => command.includes('$CLAIMCHECK_KEY');

/**
 * Returns the parts of a response that are the same in every run: the values of `status`, `via` and `code`, whether
 * `redeemed_at` is set, and the names of the other members.
 */
function shapeOf(value: unknown): unknown {
  const { status, via, redeemed_at, code, ...rest } = value as Record<string, unknown>;
  const isSet = redeemed_at === undefined ? undefined : redeemed_at !== null;
  return { status, via, code, isRedeemed: isSet, members: Object.keys(rest).sort() };
}

describe.skipIf(!HAS_CURL)('curl commands', () => {
  /** Runs a command as copied from the page and compares the output. The command gets only the API keys in `keys`. */
  async function expectPrinted({ command, printed }: Example, testToken: string | null, keys = {}) {
    const { CLAIMCHECK_API_KEY: _, CLAIMCHECK_KEY: __, ...env } = process.env;
    const filled = fill(command, { baseUrl: site.service.baseUrl, testToken, ownPage: null });
    const { stdout, stderr } = await run('sh', ['-c', filled], {
      env: { ...env, ...keys },
    }).catch((failure: { stdout: string; stderr: string }) => failure);
    if (!printed.startsWith('{')) {
      expect(stderr.trim(), command).toBe(printed);
      return;
    }
    const [seen, answer] = [stdout, printed].map((text) => JSON.parse(text) as object);
    expect(shapeOf(seen), command).toEqual(shapeOf(answer));
    expect(Object.keys(seen!), command).toEqual(Object.keys(answer!));
  }

  test('print the documented output for anonymous readers and for owners with a test claim', async () => {
    const counts = { anyone: 0, reader: 0 };
    for (const { blocks } of runnablePages()) {
      const testToken = await newTestToken();
      for (const example of examplesOf(blocks).filter((each) => !isOfOperator(each))) {
        await expectPrinted(example, null);
        counts.anyone += 1;
        if (!example.command.includes('clm_test_YOUR_')) continue;
        await expectPrinted(example, testToken, { CLAIMCHECK_API_KEY: key });
        counts.reader += 1;
      }
    }
    expect(counts).toEqual({ anyone: 10 + Object.keys(errorsOf(VERIFY_CLAIM)).length, reader: 6 });
  });

  test('print the documented output for operators with an operator key', async () => {
    const operatorKey = await createOperatorKey(site.context, {
      account: site.people.operator.accountId,
      name: 'Docs',
      scopes: ['claims:write'],
      actor: 'operator',
    });
    const examples = runnablePages()
      .flatMap(({ blocks }) => examplesOf(blocks))
      .filter(isOfOperator);
    expect(examples).toHaveLength(1);
    for (const { command, printed } of examples) {
      const ofSite = command.replace(/"offer_id": "[^"]+"/, `"offer_id": "${site.ids.offer}"`);
      await expectPrinted({ command: ofSite, printed }, null, { CLAIMCHECK_KEY: operatorKey.key });
    }
  });
});
