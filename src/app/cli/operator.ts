/** Runs operations of the operator API on the local database or, over HTTP, on a running service. */
import type { OperatorRoute, OperatorServices } from '../../api/operator/definitions.ts';
import { type NamedOperation, OPERATOR_ROUTES } from '../../api/operator/routes.ts';
import type { Context } from '../../base/context.ts';
import { createMailStore } from '../../people/mail/mail.ts';
import { readServedAs } from '../../platform/store/settings.ts';
import { baseUrlOf } from '../config/address.ts';
import type { ContextOptions, OpenContext } from '../open-context.ts';
import { callService, type InputOf, NO_INPUT, type OutputOfOperation } from './call.ts';
import { withContext } from './context.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { remoteOf } from './remote.ts';

export type OperationId = NamedOperation['id'];
type Named<Id extends OperationId> = Extract<NamedOperation, { readonly id: Id }>;

export type OutputOf<Id extends OperationId> = OutputOfOperation<Named<Id>>;

/** If the operation is refused, throws an error whose message can be shown to the user. */
export type Call = <Id extends OperationId>(id: Id, input: InputOf<Named<Id>>) => Promise<OutputOf<Id>>;

/** Replaces an email address with the account's id, because proxies log URLs. */
async function withAccountId(call: Call, parameters: object): Promise<object> {
  const { account } = parameters as { readonly account?: unknown };
  if (typeof account !== 'string' || !account.includes('@')) return parameters;
  return { ...parameters, account: (await call('findAccount', { body: { email: account } })).id };
}

/** `contextOptions` apply only to the local database. */
export async function withOperator(
  io: Io,
  options: CommonOptions,
  work: (call: Call, output: Output) => Promise<void>,
  contextOptions?: ContextOptions,
): Promise<void> {
  const remote = remoteOf(io.target());
  if (remote !== null) {
    const call: Call = async (id, input) => {
      const { path, query, ...rest } = { ...NO_INPUT, ...(input as object) };
      const named = { path: await withAccountId(call, path), query: await withAccountId(call, query) };
      return callService(routeOf(id).operation, remote, { ...rest, ...named });
    };
    await work(call, createOutput(io, options));
    return;
  }
  const here = async (context: OpenContext, output: Output) =>
    work(callHere(await servicesOf(context)), output);
  await withContext(io, options, here, contextOptions);
}

/** With the URL and the mail of the service, also in a terminal without its settings. The service sends the mail. */
export async function servicesOf(context: Context & Pick<OpenContext, 'config'>): Promise<OperatorServices> {
  const { config, db } = context;
  const served = await readServedAs(db.read);
  return {
    ...context,
    baseUrl: config.baseUrl ?? served?.baseUrl ?? baseUrlOf(config),
    mailer: createMailStore(context, config.smtpUrl !== null || served?.sendsMail === true),
  };
}

const routeOf = (id: OperationId): OperatorRoute =>
  OPERATOR_ROUTES.find(({ operation }) => operation.id === id)!;

const callHere =
  (services: OperatorServices): Call =>
  async (id, input) => {
    const { operation, handle } = routeOf(id);
    const call = { ...NO_INPUT, ...(input as object), caller: { actor: 'operator' } as const, requestId: '' };
    const [output] = Object.values(operation.outputs);
    return output!.schema.parse(await handle(call, services)) as OutputOf<typeof id>;
  };
