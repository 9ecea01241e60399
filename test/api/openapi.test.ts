/** The OpenAPI document is valid, and its schemas accept exactly the request bodies that the parser accepts. */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS, openApiDocument } from '../../src/api/operations.ts';
import { TEST_EVENT_TYPE } from '../../src/background/webhooks/endpoint.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/base/events/catalogue.ts';
import { parseVerificationBody, type VerificationBody } from '../../src/claims/verify/endpoint/body.ts';
import { claim, VERIFY_CLAIM, verificationRequest } from '../../src/claims/verify/endpoint/operation.ts';
import { AUDIENCES, type Audience } from '../../src/platform/http/operations/operation.ts';
import { readVersion } from '../../src/platform/process/version.ts';
import { FOUND_BODY } from '../platform/http/harness.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { REPOSITORY } from '../support/program.ts';

const BODIES = 3_000;
/** Agents and generators read the whole document, and some tools refuse a larger one. */
const MAX_DOCUMENT_BYTES = 200_000;
const RULES = ['--extends', 'recommended-strict'];

interface Method {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { $ref: string }; readonly example: unknown }>
    >;
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface Document {
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Method>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Method }>>;
  readonly components: {
    readonly schemas: Record<string, { required: string[]; properties: Record<string, object> }>;
  };
}

const documentOf = (contact: string | null = null, audience?: Audience) =>
  openApiDocument('https://claims.example', { ...DEFAULT_BRAND, contact }, audience) as Document;
const AUDIENCE_NAMES = Object.keys(AUDIENCES) as Audience[];
const methodsOf = ({ paths }: Document) => Object.values(paths).flatMap((path) => Object.values(path));

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
    const inline = methodsOf(documentOf())
      .flatMap(({ responses }) => Object.values(responses))
      .filter(({ content }) => content !== undefined && 'application/problem+json' in content)
      .map((response) => JSON.stringify(response));
    expect(new Set(inline).size).toBe(inline.length);
    expect(JSON.stringify(documentOf()).length).toBeLessThan(MAX_DOCUMENT_BYTES);
  });

  test('types every webhook', () => {
    const webhooks = Object.entries(documentOf().webhooks!);
    const names = webhooks.map(([name]) => name).sort();
    expect(names).toEqual([...WEBHOOK_EVENT_TYPES, TEST_EVENT_TYPE, 'marketplace'].sort());
    const { schemas } = documentOf().components;
    for (const [name, { post }] of webhooks) {
      const schema = schemas[post.requestBody!.content['application/json']!.schema.$ref.split('/').at(-1)!]!;
      expect(schema.properties['type']).toHaveProperty('enum');
      expect([name, Object.keys(schema.properties)]).toEqual([name, ['type', 'timestamp', 'data']]);
    }
  });

  test('has an example for each request body, which the operation accepts', () => {
    const methods = new Map(methodsOf(documentOf()).map((method) => [method.operationId, method]));
    for (const { id, input } of OPERATIONS) {
      const body = methods.get(id)!.requestBody?.content['application/json'];
      expect([id, input.body?.schema.safeParse(body?.example).success]).toEqual([id, body && true]);
    }
  });

  test.each(AUDIENCE_NAMES)('for the audience %s has only its operations and webhooks', (audience) => {
    const own = OPERATIONS.filter(({ caller }) => caller === AUDIENCES[audience]);
    const document = documentOf(null, audience);
    expect(methodsOf(document).map(({ operationId }) => operationId)).toEqual(own.map(({ id }) => id));
    const others = AUDIENCE_NAMES.filter((name) => name !== audience);
    const webhooks = (name: Audience) => Object.keys(documentOf(null, name).webhooks ?? {});
    expect(webhooks(audience)).not.toEqual(expect.arrayContaining(others.flatMap(webhooks)));
    expect(JSON.stringify(document.components).includes('OPERATOR_KEY')).toBe(audience === 'operator');
  });

  test('passes the linter without errors or warnings, for each audience', async () => {
    const folder = makeTemporaryFolder('openapi-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = [undefined, ...AUDIENCE_NAMES].map((audience) => {
      const file = join(folder, `${audience}.json`);
      writeFileSync(file, JSON.stringify(documentOf('mailto:a@example.com', audience)));
      return file;
    });
    const redocly = join(REPOSITORY, 'node_modules/.bin/redocly');
    const { stdout, stderr } = await promisify(execFile)(
      redocly,
      ['lint', ...RULES, '--format', 'json', ...files],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ).catch((failure: { readonly stdout: string; readonly stderr: string }) => failure);
    // One report for each file.
    const reports = stdout.slice(stdout.indexOf('{')).split(/(?<=^\})(?=\{)/m);
    const problems = reports.flatMap((text) => (JSON.parse(text) as { problems: unknown[] }).problems);
    expect([reports.length, problems], stderr).toEqual([files.length, []]);
  });
});
