/**
 * Runs the operator's operations for a command: on the database here, or on another service. Commands do not know
 * which.
 */
import type { z } from '@hono/zod-openapi';
import { baseUrlOf } from '../config/address.ts';
import type { ContextOptions } from '../open-context.ts';
import type * as accounts from '../operator-api/accounts.ts';
import type * as campaigns from '../operator-api/campaigns.ts';
import type * as claims from '../operator-api/claims.ts';
import type { OperatorOperation, OperatorRoute, OperatorServices } from '../operator-api/definitions.ts';
import type * as keys from '../operator-api/keys.ts';
import type * as listings from '../operator-api/listings.ts';
import type * as offers from '../operator-api/offers.ts';
import { quote } from '../text.ts';
import { withContext } from './context.ts';
import type { Io } from './output.ts';
import { remoteOf } from './remote.ts';
import { noAnswer, send, serviceUrl, strangeAnswer } from './service.ts';

/** Longest wait for an answer. */
const ANSWER_TIMEOUT_MS = 30_000;

type ExportOf<Module> = Module[keyof Module];
type Operations = Extract<
  | ExportOf<typeof accounts>
  | ExportOf<typeof campaigns>
  | ExportOf<typeof claims>
  | ExportOf<typeof keys>
  | ExportOf<typeof listings>
  | ExportOf<typeof offers>,
  OperatorOperation
>;
type OperationId = Operations['id'];
type Named<Id extends OperationId> = Extract<Operations, { readonly id: Id }>;

type Place<O extends OperatorOperation, P extends 'path' | 'query'> = O['input'] extends {
  readonly [K in P]: infer S extends z.ZodType;
}
  ? { readonly [K in P]: z.output<S> }
  : unknown;

type Body<O extends OperatorOperation> = O['input'] extends {
  readonly body: { readonly schema: infer S extends z.ZodType };
}
  ? { readonly body: z.output<S> }
  : unknown;

/** The input of an operation, as its schemas read it. */
type InputOf<O extends OperatorOperation> = Place<O, 'path'> & Place<O, 'query'> & Body<O>;

type OutputOfOperation<O extends OperatorOperation> = z.output<
  O['outputs'][keyof O['outputs']]['schema' & keyof O['outputs'][keyof O['outputs']]] & z.ZodType
>;
export type OutputOf<Id extends OperationId> = OutputOfOperation<Named<Id>>;

/** Calls the operation with this id. Throws an error with a sentence where the operation refuses. */
export type Call = <Id extends OperationId>(id: Id, input: InputOf<Named<Id>>) => Promise<OutputOf<Id>>;

/** `options`: for the database here. */
export async function withOperator(
  io: Io,
  work: (call: Call) => Promise<void>,
  options?: ContextOptions,
): Promise<void> {
  const remote = remoteOf(io.target());
  // Loaded here, so that other commands start without the definitions of the API.
  const { OPERATOR_ROUTES } = await import('../operator-api/routes.ts');
  if (remote !== null) {
    await work(callService(OPERATOR_ROUTES, remote));
    return;
  }
  await withContext(
    io,
    (context) => work(callHere(OPERATOR_ROUTES, { ...context, baseUrl: baseUrlOf(context.config) })),
    options,
  );
}

/** Every entry of a list, page by page. */
export async function allOf<Page extends { readonly next: string | null }, Row>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
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

const NO_INPUT = { path: {}, query: {}, headers: {}, body: undefined };

type Routes = readonly OperatorRoute[];

const routeOf = (routes: Routes, id: OperationId): OperatorRoute =>
  routes.find(({ operation }) => operation.id === id)!;

const callHere =
  (routes: Routes, services: OperatorServices): Call =>
  async (id, input) => {
    const { operation, handle } = routeOf(routes, id);
    const call = { ...NO_INPUT, ...(input as object), caller: { actor: 'operator' } as const, requestId: '' };
    const { status, body } = await handle(call, services);
    return operation.outputs[status]!.schema.parse(body) as OutputOf<typeof id>;
  };

const callService =
  (routes: Routes, { url: base, key }: { readonly url: string; readonly key: string }): Call =>
  async (id, input) => {
    const { operation } = routeOf(routes, id);
    const { path, query, body } = { ...NO_INPUT, ...(input as object) };
    const url = serviceUrl(base, addressOf(operation.path, path, query));
    const method = operation.method.toUpperCase();
    const doubt = method === 'GET' ? null : 'Whether it carried the command out is not known.';
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
      return answer.body as OutputOf<typeof id>;
    }
    const detail = answer.body?.['detail'];
    const sentence = typeof detail === 'string' ? detail : strangeAnswer(answer, url);
    throw new Error(doubt !== null && answer.status >= 500 ? `${sentence} ${doubt}` : sentence);
  };

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
    throw new Error('A key or a token stands where an id or a name belongs; it was not sent.');
  }
}

/** Throws for an empty segment and for dots alone: the address would be that of another operation. */
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new Error(`${quote(value)} is no id, no e-mail address and no slug.`);
  return encodeURIComponent(value);
}
