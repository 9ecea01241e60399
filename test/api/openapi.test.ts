/** The OpenAPI document is valid, and its schemas accept exactly the request bodies that the parser accepts. */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from '../../src/api/operations.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { parseVerificationBody, type VerificationBody } from '../../src/claims/verify/endpoint/body.ts';
import { claim, VERIFY_CLAIM, verificationRequest } from '../../src/claims/verify/endpoint/operation.ts';
import { readVersion } from '../../src/platform/process/version.ts';
import { FOUND_BODY } from '../platform/http/harness.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { REPOSITORY } from '../support/program.ts';

const BODIES = 3_000;
/** Agents and generators read the whole document, and some tools refuse a larger one. */
const MAX_DOCUMENT_BYTES = 200_000;
const RULES = ['--extends', 'recommended-strict'];

interface Document {
  readonly info: object;
  readonly paths: object;
  readonly components: {
    readonly schemas: Record<string, { required: string[]; properties: Record<string, object> }>;
  };
}

const documentOf = (contact: string | null = null) =>
  openApiDocument('https://claims.example', { ...DEFAULT_BRAND, contact }) as Document;

const read = (bytes: Uint8Array): VerificationBody | null => {
  try {
    return parseVerificationBody(bytes);
  } catch {
    return null;
  }
};

const text = fc.oneof(
  fc.string({ maxLength: 210 }),
  fc.string({ unit: 'binary', minLength: 190, maxLength: 205 }),
  // fast-check's own `grapheme` unit takes seconds to set up.
  fc.string({ unit: fc.constantFrom('é', 'e\u0301', '😀', '👩‍🚀'), maxLength: 120 }),
  fc.constantFrom(
    '',
    '\ud800',
    'a\udc00b',
    ...[100, 101, 200, 201].flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)]),
  ),
);
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('token', 'redeem', 'reference') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'Token', 'redeem ', '') },
);
const body = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ token: text, redeem: fc.boolean(), reference: text }, { requiredKeys: [] }),
  },
  { weight: 5, arbitrary: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

describe('OpenAPI document', () => {
  test('accepts the same request bodies as the parser', () => {
    let accepted = 0;
    fc.assert(
      fc.property(body, (json) => {
        const bytes = Buffer.from(JSON.stringify(json));
        const parsed = read(bytes);
        const described = verificationRequest.safeParse(JSON.parse(bytes.toString()));
        expect(described.success).toBe(parsed !== null);
        if (described.success) {
          accepted += 1;
          const { token, redeem = false, reference } = described.data;
          expect(parsed).toMatchObject({ token, redeem });
          expect(parsed?.reference === null).toBe(reference === undefined);
        }
      }),
      { numRuns: BODIES },
    );
    // The generator must also produce bodies that are accepted.
    expect(accepted).toBeGreaterThan(BODIES / 20);
  });

  test('has examples that match their schema and outcome', () => {
    for (const { schema, examples } of Object.values(VERIFY_CLAIM.outputs)) {
      for (const [name, example] of Object.entries(examples)) {
        expect(schema.parse(example)).toMatchObject({ status: name });
      }
    }
    expect(claim.safeParse({ ...JSON.parse(FOUND_BODY), more: 1 }).success).toBe(false);
  });

  test('includes the package version, and the contact if one is set', () => {
    expect(documentOf().info).toMatchObject({ version: readVersion() });
    expect(documentOf().info).not.toHaveProperty('contact');
    const email = 'security@example.com';
    expect(documentOf(`mailto:${email}`).info).toMatchObject({ contact: { email } });
    const url = 'https://example.com/security';
    expect(documentOf(url).info).toMatchObject({ contact: { url } });
  });

  test('marks members that have a default as optional, and omits the `default` keyword', () => {
    // Some code generators treat a request member with a `default` as required.
    const { schemas } = documentOf().components;
    const { required, properties } = schemas['VerificationRequest']!;
    expect(required).toEqual(['token']);
    expect(properties['redeem']).not.toHaveProperty('default');
    expect(JSON.stringify(schemas)).not.toContain('"default"');
  });

  test('defines the Problem schema once and references it', () => {
    const paths = JSON.stringify(documentOf().paths);
    expect(paths).not.toContain('"request_id":{');
    expect(paths).toContain('#/components/schemas/Problem');
  });

  test(`is smaller than ${MAX_DOCUMENT_BYTES / 1000} KB, because it describes shared errors once`, () => {
    const { paths } = documentOf() as { paths: Record<string, Record<string, { responses: object }>> };
    const inline = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses) as { content?: object }[])
      .filter((response) => response.content !== undefined && 'application/problem+json' in response.content)
      .map((response) => JSON.stringify(response));
    expect(new Set(inline).size).toBe(inline.length);
    expect(JSON.stringify(documentOf()).length).toBeLessThan(MAX_DOCUMENT_BYTES);
  });

  test('passes the linter without errors or warnings', async () => {
    const folder = makeTemporaryFolder('openapi-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(documentOf('mailto:a@example.com')));
    const redocly = join(REPOSITORY, 'node_modules/.bin/redocly');
    const { stdout, stderr } = await promisify(execFile)(
      redocly,
      ['lint', ...RULES, '--format', 'json', file],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: unknown[] };
    expect(report.problems, stderr).toEqual([]);
  });
});
