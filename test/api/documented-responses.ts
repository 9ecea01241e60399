/** Compares the responses in the OpenAPI description of an operation with the responses actually sent. */
import type { RawResponse } from '../platform/http/raw-client.ts';

export interface OpenApiDocument {
  /** The description names the headers that every response has. */
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Response | Reference>> }>>>
  >;
  readonly components: { readonly responses?: Readonly<Record<string, Response>> };
}

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: Readonly<
    Record<string, { readonly schema: Schema; readonly examples: Record<string, { value: unknown }> }>
  >;
}

const RESPONSES = '#/components/responses/';
const HEADER = /`([\w-]+)(?:: [^`]*)?`/g;

const responseOf = ({ components }: OpenApiDocument, response: Response | Reference): Response =>
  '$ref' in response ? components.responses![response.$ref.slice(RESPONSES.length)]! : response;

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly { readonly properties?: { readonly code: { readonly enum: string[] } } }[];
}

export interface Responses {
  /** Status, media type, and code or outcome: `401 application/problem+json invalid_api_key`. */
  readonly kinds: ReadonlySet<string>;
  /** Status and header name: `405: allow`. */
  readonly headers: ReadonlySet<string>;
}

/** Headers that are not compared. Content-Type is compared as part of the kind. */
const HTTP_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

const kindOf = (status: number | string, type: string | undefined, body: unknown): string => {
  const { code, status: outcome } = body as { code?: string; status?: unknown };
  const isProblem = type === 'application/problem+json';
  return [status, type, isProblem ? code : typeof outcome === 'string' ? outcome : ''].join(' ').trim();
};

export function documentedResponses(document: OpenApiDocument, path: string, method: string): Responses {
  const kinds = new Set<string>();
  const headers = new Set<string>();
  const constant = [...document.info.description.matchAll(HEADER)].map(([, name]) => name!);
  for (const [status, shared] of Object.entries(document.paths[path]![method]!.responses)) {
    const response = responseOf(document, shared);
    const names = [...constant, ...Object.keys(response.headers ?? {})];
    for (const name of names) headers.add(`${status}: ${name.toLowerCase()}`);
    for (const [type, { schema, examples }] of Object.entries(response.content)) {
      for (const { value } of Object.values(examples)) kinds.add(kindOf(status, type, value));
      for (const code of schema.allOf?.[1]?.properties?.code.enum ?? []) {
        kinds.add(kindOf(status, type, { code }));
      }
    }
  }
  return { kinds, headers };
}

export function observedResponses(responses: readonly RawResponse[]): Responses {
  const kinds = new Set<string>();
  const headers = new Set<string>();
  for (const response of responses) {
    const { status } = response;
    kinds.add(kindOf(status, response.headers.get('content-type'), JSON.parse(response.body)));
    for (const name of response.headers.keys()) {
      if (!HTTP_HEADERS.has(name)) headers.add(`${status}: ${name}`);
    }
  }
  return { kinds, headers };
}

const beyond = (one: Responses, other: Responses): string[] =>
  (['kinds', 'headers'] as const).flatMap((part) => [...one[part]].filter((name) => !other[part].has(name)));

/** Responses that were sent but are not documented. */
export const undocumented = (documented: Responses, observed: Responses): readonly string[] =>
  beyond(observed, documented).map((name) => `${name} was observed and is not documented`);

/** Documented responses that were never sent, and sent responses that are not documented. */
export const differences = (documented: Responses, observed: Responses): readonly string[] => [
  ...beyond(documented, observed).map((name) => `${name} is documented and was never observed`),
  ...undocumented(documented, observed),
];
