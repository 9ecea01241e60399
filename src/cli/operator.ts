/**
 * Runs the operator's operations for a command: on the database here, or on another service. Commands do not know
 * which.
 */
import type { z } from '@hono/zod-openapi';
import { baseUrlOf } from '../config.ts';
import type { ContextOptions } from '../open-context.ts';
import type { OperatorOperation, OperatorServices } from '../operator-api/definitions.ts';
import { MAX_PAGE_SIZE } from '../operator-api/definitions.ts';
import { OPERATOR_ROUTES } from '../operator-api/routes.ts';
import { withContext } from './context.ts';
import type { Io } from './output.ts';
import { remoteOf } from './remote.ts';
import { noAnswer, send, serviceUrl, strangeAnswer } from './service.ts';

/** Longest wait for an answer. */
const ANSWER_TIMEOUT_MS = 30_000;

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
export type InputOf<O extends OperatorOperation> = Place<O, 'path'> & Place<O, 'query'> & Body<O>;

export type OutputOf<O extends OperatorOperation> = z.output<
  O['outputs'][keyof O['outputs']]['schema' & keyof O['outputs'][keyof O['outputs']]] & z.ZodType
>;

/** Throws an error with a sentence where the operation refuses. */
export type Call = <O extends OperatorOperation>(operation: O, input: InputOf<O>) => Promise<OutputOf<O>>;

/** `options`: for the database here. */
export async function withOperator(
  io: Io,
  work: (call: Call) => Promise<void>,
  options?: ContextOptions,
): Promise<void> {
  const remote = remoteOf(io.target());
  if (remote !== null) {
    await work(callService(remote));
    return;
  }
  await withContext(
    io,
    (context) => work(callHere({ ...context, baseUrl: baseUrlOf(context.config) })),
    options,
  );
}

/** Every entry of a list, page by page. */
export async function allOf<Page extends { readonly next: string | null }, Row>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page = await read({ limit: MAX_PAGE_SIZE });
  rows.push(...rowsOf(page));
  while (page.next !== null) {
    page = await read({ after: page.next, limit: MAX_PAGE_SIZE });
    rows.push(...rowsOf(page));
  }
  return rows;
}

const NO_INPUT = { path: {}, query: {}, headers: {}, body: undefined };

const callHere =
  (services: OperatorServices): Call =>
  async (operation, input) => {
    const route = OPERATOR_ROUTES.find((each) => each.operation === operation)!;
    const call = { ...NO_INPUT, ...(input as object), caller: { actor: 'operator' } as const, requestId: '' };
    const { status, body } = await route.handle(call, services);
    return operation.outputs[status]!.schema.parse(body) as OutputOf<typeof operation>;
  };

const callService =
  ({ url: base, key }: { readonly url: string; readonly key: string }): Call =>
  async (operation, input) => {
    const { path, query, body } = { ...NO_INPUT, ...(input as object) };
    const url = serviceUrl(base, addressOf(operation, path, query));
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
    if (answer.body !== null && operation.outputs[answer.status] !== undefined) {
      return answer.body as OutputOf<typeof operation>;
    }
    const detail = answer.body?.['detail'];
    throw new Error(typeof detail === 'string' ? detail : strangeAnswer(answer));
  };

function addressOf(operation: OperatorOperation, path: object, query: object): string {
  const inPath = new Map<string, unknown>(Object.entries(path));
  const inQuery = Object.entries(query).filter(([, value]) => value !== undefined);
  for (const value of [...inPath.values(), ...inQuery.map(([, value]) => value)]) refuseSecret(String(value));
  const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath.get(name))),
  );
  const search = new URLSearchParams(inQuery.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? address : `${address}?${search}`;
}

/** People pass a whole key where its id is wanted; an address ends up in logs. */
function refuseSecret(value: string): void {
  if (/^(?:clm|cck|cko)_/.test(value)) {
    throw new Error('A key or a token stands where an id or a name belongs; it was not sent.');
  }
}
