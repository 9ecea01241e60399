/**
 * Serves the operations that need a key, except verify (`src/claims/verify/endpoint/`). Verify and these operations
 * check a call in the same order: method, browser, credentials, plan and account, media type, length, rate, input.
 */
import type { z } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import { DISK_FULL, ERRORS, Refusal, type RefusedCall } from '../../errors.ts';
import { networkOf } from '../../network/network.ts';
import {
  type CachedKey,
  createKeyCache,
  type ReadKey,
  TOO_MANY_UNKNOWN_KEYS,
  type UnknownKeyLimit,
} from '../server/cached-keys.ts';
import { clientAddressOf } from '../server/client-address.ts';
import { type RequestHeaders, readHeaders } from '../server/headers.ts';
import { isOutside, stateFor } from '../server/key-networks.ts';
import { createRateLimit, type RateLimit } from '../server/rate-limit.ts';
import {
  bodyFault,
  credentialsFault,
  type Fault,
  headFault,
  INVALID_API_KEY,
  rateDetail,
  refusedCallOf,
} from '../server/request-checks.ts';
import { requestIdOf } from '../server/response-headers.ts';
import { type ParsedInput, readInput } from './input.ts';
import {
  errorsOf,
  methodErrors,
  methodsOf,
  type Operation,
  type OperationApp,
  type OperationContext,
  type OperationOutput,
} from './operation.ts';
import { type Problems, problemResponse, withHeaders } from './problem.ts';

/** `path`, `query`, `headers` and `body` are the output of the operation's schemas. */
export interface OperationCall<O extends Pick<Operation, 'input'>, Caller> {
  readonly caller: Caller;
  readonly path: PartOf<O, 'path'>;
  readonly query: PartOf<O, 'query'>;
  readonly headers: PartOf<O, 'headers'>;
  readonly body: O['input'] extends { readonly body: { readonly schema: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;
  readonly requestId: string;
}

type PartOf<O extends Pick<Operation, 'input'>, P extends 'path' | 'query' | 'headers'> = O['input'] extends {
  readonly [K in P]: infer S extends z.ZodType;
}
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** The body of a successful response, before the operation's schema parses it. */
export type ResponseBody<O extends Pick<Operation, 'outputs'>> = {
  [S in keyof O['outputs']]: z.input<O['outputs'][S]['schema' & keyof O['outputs'][S]] & z.ZodType>;
}[keyof O['outputs']];

export interface OperationRoute<Caller, Services, O extends Operation = Operation> {
  /** Has exactly one output. */
  readonly operation: O;
  /**
   * Returns the body of the response. May throw a `Refusal` with a code from `errorsOf(operation)`. Other errors result
   * in a 503 or 500.
   */
  handle(
    call: ParsedInput & { readonly caller: Caller; readonly requestId: string },
    services: Services,
  ): Promise<unknown>;
}

export const operationRoute = <O extends Operation, Caller, Services>(
  operation: O,
  handle: (call: OperationCall<O, Caller>, services: Services) => Promise<ResponseBody<O>>,
): OperationRoute<Caller, Services, O> => ({ operation, handle: handle as never });

export type KeyCheck<Caller> =
  | { readonly kind: 'authorized'; readonly caller: Caller }
  | ({ readonly kind: 'refused'; readonly caller: Caller | null } & Fault);

export interface KeyHolder {
  /** The networks from which the key may be used; `null`: all. */
  readonly networks: string | null;
}

interface OperationRoutesOptions<Caller extends KeyHolder, Services> {
  readonly routes: readonly OperationRoute<Caller, Services>[];
  readonly services: Services;
  /** Operations at these paths are served elsewhere; error messages name them. */
  readonly servedElsewhere?: readonly Operation[];
  readonly readKey: (text: string) => ReadKey<string> | null;
  readonly authenticate: (keyHash: Uint8Array, operation: Operation) => Promise<KeyCheck<Caller>>;
  /** Requests per second per key and process, not counting verify; 0 disables the limit. */
  readonly rateLimit: number;
  /** This process's limit on calls with unknown keys, shared with verify. */
  readonly unknownKeys: UnknownKeyLimit;
  /** Called when a network exceeds the limit on unknown keys; must not throw. */
  readonly onUnknownKeys: (network: string, requestId: string) => void;
  /** Called for each call with a known key; must not throw. */
  readonly onKeyUsed: (caller: Caller) => void;
  readonly onBrowserCall: (call: RefusedCall) => void;
  /** Called for each call from outside the key's networks; must not throw. */
  readonly onOutsideCall: (call: RefusedCall, caller: Caller) => void;
  readonly clock?: () => number;
}

export interface OperationFrame {
  readonly problems: Problems;
  readonly isUnavailable: (error: unknown) => boolean;
  /** True while the disk is nearly full. */
  readonly diskIsFull: () => boolean;
  readonly log: Logger;
}

/** A POST with a read scope is a search, with its text in the body because logs often contain URLs. */
const writes = ({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean =>
  method !== 'get' && scope?.endsWith(':read') !== true;

/** Names operations with this method that `path`, such as `/claims/{id}`, matches too: the caller may have misspelled one. */
function similarOperations(path: string, method: string, all: readonly Operation[]): string {
  const segments = path.split('/');
  const isSimilar = (one: Operation): boolean => {
    const others = one.path.split('/');
    return (
      methodsOf([one]).includes(method) &&
      segments.length === others.length &&
      segments.every((segment, at) => segment.startsWith('{') || segment === others[at])
    );
  };
  return all
    .filter(isSimilar)
    .map((one) => ` Did you mean ${method} ${one.path}?`)
    .join('');
}

export const routePathOf = ({ path }: Pick<Operation, 'path'>): string =>
  path.replaceAll(/\{(\w+)\}/g, ':$1');

export function serveOperations<Caller extends KeyHolder, Services>(
  app: OperationApp,
  options: OperationRoutesOptions<Caller, Services>,
  frame: OperationFrame,
): void {
  const limit = createRateLimit('api', options.rateLimit);
  const findKey = createKeyCache(limit, options.readKey);
  const clock = options.clock ?? (() => performance.now());
  const served = options.routes.map((route) => serve(route, options, frame, limit));
  const all = [...served.map(({ operation }) => operation), ...(options.servedElsewhere ?? [])];
  const byPath = Map.groupBy(served, ({ operation }) => operation.path);
  // A brace sorts after every letter, so a literal segment is matched before a parameter in the same place.
  for (const [path, group] of [...byPath].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const operations = group.map(({ operation }) => operation);
    const methods = methodsOf(operations);
    const problems = withHeaders(frame.problems, methodErrors(operations));
    app.all(routePathOf({ path }), (c) => {
      const now = clock();
      const { incoming, outgoing } = c.env;
      const headers = readHeaders(incoming.rawHeaders);
      const requestId = requestIdOf(outgoing);
      const key = findKey(headers.authorization, now);
      const fault = headFault(incoming, headers, path, methods);
      if (fault !== null) {
        if (fault.code === 'browser_call') {
          const ip = clientAddressOf(incoming);
          const refused = { keyHash: key?.hash ?? null, detail: fault.detail, requestId, ip };
          options.onBrowserCall(refusedCallOf(incoming, headers, refused));
        }
        const hint =
          fault.code === 'method_not_allowed' ? similarOperations(path, incoming.method!, all) : '';
        return problemResponse(problems(fault.code, fault.detail + hint, requestId));
      }
      const { respond } = group.find(({ operation }) => methodsOf([operation]).includes(incoming.method!))!;
      return respond({ c, headers, requestId, key, now });
    });
  }
}

interface CheckedCall {
  readonly c: OperationContext;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly key: CachedKey | null;
  readonly now: number;
}

function serve<Caller extends KeyHolder, Services>(
  route: OperationRoute<Caller, Services>,
  options: OperationRoutesOptions<Caller, Services>,
  frame: OperationFrame,
  limit: RateLimit,
): { operation: Operation; respond: (call: CheckedCall) => Promise<Response> } {
  const { operation } = route;
  const { unknownKeys } = options;
  const problems = withHeaders(frame.problems, errorsOf(operation));
  const faultOf = createFaultOf(frame);

  const authenticate = async (
    key: CachedKey,
    { c, headers, requestId }: CheckedCall,
  ): Promise<KeyCheck<Caller>> => {
    let isGood: boolean | null = null;
    try {
      const keyCheck = await options.authenticate(key.hash, operation);
      const { caller } = keyCheck;
      const address = () => clientAddressOf(c.env.incoming);
      const isDead = keyCheck.kind === 'refused' && keyCheck.code === 'invalid_api_key';
      if (caller !== null && !isDead && isOutside(key, caller.networks, address)) {
        isGood = false;
        const refused = { keyHash: key.hash, detail: INVALID_API_KEY, ip: address(), requestId };
        options.onOutsideCall(refusedCallOf(c.env.incoming, headers, refused), caller);
        return { kind: 'refused', code: 'invalid_api_key', detail: INVALID_API_KEY, caller: null };
      }
      isGood = caller !== null;
      return keyCheck;
    } finally {
      unknownKeys.settle(key, isGood);
    }
  };

  const carryOut = async (call: CheckedCall): Promise<Response> => {
    const { c, headers, requestId, now } = call;
    const refuse = ({ code, detail }: Fault, extra?: readonly string[]): Response =>
      problemResponse(problems(code, detail, requestId, extra));
    if (call.key === null) return refuse(credentialsFault(headers.authorization));
    const address = () => clientAddressOf(c.env.incoming);
    const network = () => networkOf(address());
    const key = stateFor(call.key, address, limit, now);
    const tooMany = unknownKeys.charge(key, network, now);
    if (tooMany !== null) {
      options.onUnknownKeys(network(), requestId);
      return refuse({ code: 'rate_limited', detail: TOO_MANY_UNKNOWN_KEYS }, tooMany);
    }
    const hasRate = limit.take(key.bucket, now);
    const keyCheck = await authenticate(key, call);
    if (keyCheck.caller !== null) options.onKeyUsed(keyCheck.caller);
    if (keyCheck.kind === 'refused') return refuse(keyCheck);
    const body = operation.input.body && bodyFault(headers, operation.input.body.maxBytes);
    if (body) return refuse(body);
    if (!hasRate) {
      const detail = rateDetail(options.rateLimit);
      return refuse({ code: 'rate_limited', detail }, limit.headers(key.bucket));
    }
    if (writes(operation) && operation.stopsAbuse !== true && frame.diskIsFull()) {
      return refuse({ code: 'unavailable', detail: String(DISK_FULL) });
    }
    return callHandler(route, options.services, { c, requestId, caller: keyCheck.caller });
  };

  const respond = (call: CheckedCall): Promise<Response> =>
    carryOut(call).catch((error) => {
      const { code, detail } = faultOf(operation, error, call.requestId);
      return problemResponse(problems(code, detail, call.requestId));
    });
  return { operation, respond };
}

export async function callHandler<Caller, Services>(
  { operation, handle }: OperationRoute<Caller, Services>,
  services: Services,
  { c, ...call }: { readonly c: OperationContext; readonly caller: Caller; readonly requestId: string },
): Promise<Response> {
  const input = await readInput(c, operation.input);
  const body = await handle({ ...input, ...call }, services);
  const [[status, { schema }]] = Object.entries(operation.outputs) as [[string, OperationOutput]];
  return new Response(JSON.stringify(schema.parse(body)), {
    status: Number(status),
    headers: { 'Content-Type': 'application/json' },
  });
}

/** Maps an error to the fault that the caller gets. Logs errors that the operation does not declare. */
export const createFaultOf =
  ({ isUnavailable, log }: Pick<OperationFrame, 'isUnavailable' | 'log'>) =>
  (operation: Operation, error: unknown, requestId: string): Fault => {
    if (error instanceof Refusal && error.code in errorsOf(operation)) {
      return { code: error.code, detail: error.message };
    }
    const bindings = { requestId, operation: operation.id, err: error };
    if (isUnavailable(error)) {
      log.warn(bindings, 'database unavailable');
      return { code: 'unavailable', detail: ERRORS.unavailable.meaning };
    }
    log.error(bindings, 'operation failed');
    return { code: 'internal_error', detail: ERRORS.internal_error.meaning };
  };
