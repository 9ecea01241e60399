/** Every operation of the API, and the OpenAPI document that describes them. */
import { type LIST_CAMPAIGNS, listCampaignsRoute } from '../campaigns/list-campaigns-operation.ts';
import {
  type LIST_CLAIMS,
  listClaimsRoute,
  type READ_CLAIM,
  readClaimRoute,
  readReceiptRoute,
} from '../claims/claims-operation.ts';
import {
  type LIST_REDEMPTIONS,
  listRedemptionsRoute,
} from '../claims/redemptions/list-redemptions-operation.ts';
import type { ApiCaller } from '../claims/verify/decision/verification.ts';
import { VERIFY_CLAIM } from '../claims/verify/endpoint/operation.ts';
import type { Context } from '../context.ts';
import type { ReadSettled } from '../events/settled.ts';
import { createOpenApiDocument } from '../http/operations/openapi.ts';
import type { Operation } from '../http/operations/operation.ts';
import type { OperationRoute } from '../http/operations/operation-routes.ts';
import { OPERATOR_ROUTES } from '../operator-api/routes.ts';
import { readVersion } from '../process/version.ts';
import { type LIST_EVENTS, listEventsRoute } from '../webhooks/list-events-operation.ts';

export interface ApiServices extends Context {
  readonly readSettled: ReadSettled;
  readonly baseUrl: string;
}

/** Those that commands of owners call. */
export type OwnerOperation =
  | typeof LIST_CAMPAIGNS
  | typeof LIST_CLAIMS
  | typeof LIST_EVENTS
  | typeof LIST_REDEMPTIONS
  | typeof READ_CLAIM;

/** The operations of owners that the framework serves; the server answers verify ahead of it. */
export const OPERATION_ROUTES: readonly OperationRoute<ApiCaller, ApiServices>[] = [
  listClaimsRoute,
  readClaimRoute,
  readReceiptRoute,
  listRedemptionsRoute,
  listCampaignsRoute,
  listEventsRoute,
];

export const OPERATIONS: readonly Operation[] = [
  VERIFY_CLAIM,
  ...OPERATION_ROUTES.map(({ operation }) => operation),
  ...OPERATOR_ROUTES.map(({ operation }) => operation),
];

/** `baseUrl` without a trailing slash; `contact` as `SECURITY_CONTACT` has it. */
export const openApiDocument = (baseUrl: string, contact: string | null): object =>
  createOpenApiDocument({ baseUrl, version: readVersion(), contact, operations: OPERATIONS });
