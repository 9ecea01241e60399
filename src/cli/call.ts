/** Calls of operations on a service, with the types of their definitions. */
import type { z } from '@hono/zod-openapi';
import type { Operation } from '../http/operations/operation.ts';
import { quote } from '../text/text.ts';
import { noAnswer, send, serviceUrl, strangeAnswer } from './service.ts';

/** Longest wait for an answer. */
const ANSWER_TIMEOUT_MS = 30_000;

type Place<O extends Operation, P extends 'path' | 'query'> = O['input'] extends {
  readonly [K in P]: infer S extends z.ZodType;
}
  ? { readonly [K in P]: z.output<S> }
  : unknown;

type Body<O extends Operation> = O['input'] extends {
  readonly body: { readonly schema: infer S extends z.ZodType };
}
  ? { readonly body: z.output<S> }
  : unknown;

/** The input of an operation, as its schemas read it. */
export type InputOf<O extends Operation> = Place<O, 'path'> & Place<O, 'query'> & Body<O>;

/** What it answers. */
export type OutputOfOperation<O extends Operation> = z.output<
  O['outputs'][keyof O['outputs']]['schema' & keyof O['outputs'][keyof O['outputs']]] & z.ZodType
>;
/** The service refused a call. The message is a sentence. */
export class RefusedCall extends Error {
  readonly status: number;
  /** Of the error vocabulary; `null`: it is no answer of Claimcheck. */
  readonly code: string | null;
  constructor(sentence: string, status: number, code: string | null) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

/** Every entry of a list, page by page. */
export async function allOf<Page extends { readonly next: string | null }, Row>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
  // Loaded here, so that other commands start without the definitions of the API.
  const { MAX_PAGE_SIZE: limit } = await import('../operator-api/definitions.ts');
  const rows: Row[] = [];
  let page = await read({ limit });
  rows.push(...rowsOf(page));
  while (page.next !== null) {
    const after = page.next;
    page = await read({ after, limit });
    // A proxy that caches without the query would send the first page forever.
    if (page.next === after) throw new Error('The service sent the same page of the list twice.');
    rows.push(...rowsOf(page));
  }
  return rows;
}

export const NO_INPUT = { path: {}, query: {}, headers: {}, body: undefined };

export interface Service {
  readonly url: string;
  readonly key: string;
}

/** Calls the operation. Throws `RefusedCall`, or an error with a sentence where there is no answer. */
export async function callService<O extends Operation>(
  operation: Operation,
  { url: base, key }: Service,
  input: object,
): Promise<OutputOfOperation<O>> {
  const { path, query, body } = { ...NO_INPUT, ...input };
  const url = serviceUrl(base, addressOf(operation.path, path, query));
  const method = operation.method.toUpperCase();
  const doubt = method === 'GET' ? null : 'It is unknown whether the command was carried out.';
  const answer = await send(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    timeoutMs: ANSWER_TIMEOUT_MS,
  }).catch((error) => {
    throw noAnswer(url, error, doubt);
  });
  const output = operation.outputs[answer.status];
  if (output !== undefined && hasMembersOf(output.schema, answer.body)) {
    return answer.body as OutputOfOperation<O>;
  }
  const detail = answer.body?.['detail'];
  const sentence = typeof detail === 'string' ? detail : strangeAnswer(answer, url);
  const code = answer.body?.['code'];
  throw new RefusedCall(
    doubt !== null && answer.status >= 500 ? `${sentence} ${doubt}` : sentence,
    answer.status,
    typeof code === 'string' ? code : null,
  );
}

/** Whether the answer is what the schema describes. A service of a later version may send further members. */
const hasMembersOf = (schema: z.ZodType, body: unknown): boolean =>
  (schema.safeParse(body).error?.issues ?? []).every(({ code }) => code === 'unrecognized_keys');

function addressOf(template: string, path: object, query: object): string {
  const inPath = new Map(Object.entries(path).map(([name, value]) => [name, String(value)]));
  const inQuery = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  for (const value of [...inPath.values(), ...inQuery.map(([, text]) => text!)]) refuseSecret(value);
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(inPath.get(name)!));
  const search = new URLSearchParams(inQuery).toString();
  return search === '' ? address : `${address}?${search}`;
}

/** People pass a whole key where its id is wanted; an address ends up in logs. */
function refuseSecret(value: string): void {
  if (/^(?:clm|cck|cko)_/.test(value)) {
    throw new Error('Found a key or a token in place of an id or a name. It was not sent.');
  }
}

/** Throws for an empty segment and for `.` or `..`: the URL would name another operation. */
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new Error(`${quote(value)} is no id, no e-mail address and no slug.`);
  return encodeURIComponent(value);
}
