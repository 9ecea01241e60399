/**
 * Runs the operator's operations for a command: on the database here, or on another service. Commands do not know
 * which.
 */

import type { ContextOptions } from '../app/open-context.ts';
import { baseUrlOf } from '../config/address.ts';
import type * as accounts from '../operator-api/accounts.ts';
import type * as campaigns from '../operator-api/campaigns.ts';
import type * as claims from '../operator-api/claims.ts';
import type * as codes from '../operator-api/codes.ts';
import type { OperatorOperation, OperatorRoute, OperatorServices } from '../operator-api/definitions.ts';
import type * as keys from '../operator-api/keys.ts';
import type * as listings from '../operator-api/listings.ts';
import type * as offers from '../operator-api/offers.ts';
import { callService, type InputOf, NO_INPUT, type OutputOfOperation } from './call.ts';
import { withContext } from './context.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { remoteOf } from './remote.ts';

type ExportOf<Module> = Module[keyof Module];
type Operations = Extract<
  | ExportOf<typeof accounts>
  | ExportOf<typeof campaigns>
  | ExportOf<typeof claims>
  | ExportOf<typeof codes>
  | ExportOf<typeof keys>
  | ExportOf<typeof listings>
  | ExportOf<typeof offers>,
  OperatorOperation
>;
type OperationId = Operations['id'];
type Named<Id extends OperationId> = Extract<Operations, { readonly id: Id }>;

export type OutputOf<Id extends OperationId> = OutputOfOperation<Named<Id>>;

/** Calls the operation with this id. Throws an error with a sentence where the operation refuses. */
export type Call = <Id extends OperationId>(id: Id, input: InputOf<Named<Id>>) => Promise<OutputOf<Id>>;

/** People name an account by its e-mail address, which is in no address that a proxy logs. */
async function withAccountId(call: Call, parameters: object): Promise<object> {
  const { account } = parameters as { readonly account?: unknown };
  if (typeof account !== 'string' || !account.includes('@')) return parameters;
  return { ...parameters, account: (await call('findAccount', { body: { email: account } })).id };
}

/** `contextOptions`: for the database here. */
export async function withOperator(
  io: Io,
  options: CommonOptions,
  work: (call: Call, output: Output) => Promise<void>,
  contextOptions?: ContextOptions,
): Promise<void> {
  const remote = remoteOf(io.target());
  const output = createOutput(io, options);
  // Loaded here, so that other commands start without the definitions of the API.
  const { OPERATOR_ROUTES } = await import('../operator-api/routes.ts');
  if (remote !== null) {
    const call: Call = async (id, input) => {
      const { path, query, ...rest } = { ...NO_INPUT, ...(input as object) };
      const named = { path: await withAccountId(call, path), query: await withAccountId(call, query) };
      return callService(routeOf(OPERATOR_ROUTES, id).operation, remote, { ...rest, ...named });
    };
    await work(call, output);
    return;
  }
  await withContext(
    io,
    (context) => work(callHere(OPERATOR_ROUTES, { ...context, baseUrl: baseUrlOf(context.config) }), output),
    contextOptions,
  );
}

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
