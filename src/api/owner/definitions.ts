import type { Context } from '../../base/context.ts';
import type { ReadSettled } from '../../base/events/settled.ts';
import type { ApiCaller } from '../../claims/verify/decision/verification.ts';
import type { Operation } from '../../platform/http/operations/operation.ts';
import type {
  OperationCall,
  OperationRoute,
  ResponseBody,
} from '../../platform/http/operations/operation-routes.ts';

export interface OwnerServices extends Context {
  readonly readSettled: ReadSettled;
  readonly baseUrl: string;
}

const OWNER = { caller: 'apiKey' } as const;

type OwnerDefinition = Omit<Operation, keyof typeof OWNER>;

export type OwnerRoute<O extends OwnerDefinition = OwnerDefinition> = OperationRoute<
  ApiCaller,
  OwnerServices,
  O & typeof OWNER
>;

export const ownerRoute = <const O extends OwnerDefinition>(
  definition: O,
  handle: (call: OperationCall<O, ApiCaller>, services: OwnerServices) => Promise<ResponseBody<O>>,
): OwnerRoute<O> => ({ operation: { ...definition, ...OWNER }, handle: handle as never });
