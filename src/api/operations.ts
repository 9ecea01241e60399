/** All API operations. `createHttpServer` serves verify directly; Hono serves the other operations. */
import type { Brand } from '../base/brand/brand.ts';
import type { Context } from '../base/context.ts';
import type { ReadSettled } from '../base/events/settled.ts';
import type { AttemptRecorder } from '../claims/attempts/recorder.ts';
import { createAuthenticator } from '../claims/verify/endpoint/endpoint.ts';
import { VERIFY_CLAIM } from '../claims/verify/endpoint/operation.ts';
import type { Verifier } from '../claims/verify/verifier.ts';
import {
  authorizeOperatorKey,
  type KeyCaller,
  recordKeyUse,
  recordOutsideCall,
} from '../people/keys/authorize.ts';
import { readKey, readOperatorKey } from '../people/keys/key.ts';
import { createOpenApiDocument } from '../platform/http/operations/openapi.ts';
import {
  AUDIENCES,
  type Audience,
  CALLERS,
  type Operation,
  type OperationApp,
} from '../platform/http/operations/operation.ts';
import { type OperationFrame, serveOperations } from '../platform/http/operations/operation-routes.ts';
import { servePublicOperations } from '../platform/http/operations/public-operations.ts';
import type { UnknownKeyLimit } from '../platform/http/server/cached-keys.ts';
import { INVALID_API_KEY } from '../platform/http/server/request-checks.ts';
import { networkOf } from '../platform/network/network.ts';
import type { SecurityLog } from '../platform/network/security-log.ts';
import type { Background } from '../platform/process/background.ts';
import { readVersion } from '../platform/process/version.ts';
import type { OperatorServices } from './operator/definitions.ts';
import { OPERATOR_ROUTES } from './operator/routes.ts';
import type { OwnerServices } from './owner/definitions.ts';
import { OWNER_ROUTES } from './owner/routes.ts';
import { readCatalogueRoute } from './public/catalogue.ts';
import { WEBHOOKS } from './webhooks.ts';

interface ApiParts {
  readonly context: Context & { readonly config: { readonly verifyRateLimit: number } };
  readonly baseUrl: string;
  readonly mailer: OperatorServices['mailer'];
  readonly verifier: Verifier;
  readonly recorder: Pick<AttemptRecorder, 'touch' | 'recordBrowserCall' | 'recordOutsideCall'>;
  readonly readSettled: ReadSettled;
  readonly background: Background;
  readonly securityLog: SecurityLog;
  readonly unknownKeys: UnknownKeyLimit;
  readonly onUnknownKeys: (network: string, requestId: string) => void;
}

const PUBLIC_ROUTES = [readCatalogueRoute];

export const OPERATIONS: readonly Operation[] = [
  VERIFY_CLAIM,
  ...OWNER_ROUTES.map(({ operation }) => operation),
  ...PUBLIC_ROUTES.map(({ operation }) => operation),
  ...OPERATOR_ROUTES.map(({ operation }) => operation),
];

/** Everything that the documentation describes. */
export const API = { operations: OPERATIONS, webhooks: Object.values(WEBHOOKS).flat() };

/** `audience`: describe only what they call, and the webhooks that they get. */
export const openApiDocument = (
  baseUrl: string,
  { name, contact }: Pick<Brand, 'name' | 'contact'>,
  audience?: Audience,
): object =>
  createOpenApiDocument({
    baseUrl,
    name,
    version: readVersion(),
    contact,
    operations: OPERATIONS.filter(({ caller }) => audience === undefined || caller === AUDIENCES[audience]),
    webhooks: audience === undefined ? API.webhooks : WEBHOOKS[audience],
  });

const REFUSALS = {
  invalid_api_key: () => INVALID_API_KEY,
  account_suspended: () => CALLERS.operatorKey.errors.account_suspended.meaning,
  missing_scope: (scope: string) => `This operator key doesn’t have the scope ${scope}.`,
} as const;

export function serveApi(app: OperationApp, frame: OperationFrame, parts: ApiParts): void {
  const { context, baseUrl, mailer, verifier, recorder, readSettled, background, securityLog } = parts;
  const services: OwnerServices & OperatorServices = { ...context, readSettled, baseUrl, mailer };
  const shared = {
    services,
    rateLimit: context.config.verifyRateLimit,
    unknownKeys: parts.unknownKeys,
    onUnknownKeys: parts.onUnknownKeys,
  };
  servePublicOperations(app, PUBLIC_ROUTES, services, frame);
  serveOperations(
    app,
    {
      ...shared,
      routes: OWNER_ROUTES,
      servedElsewhere: [VERIFY_CLAIM],
      readKey,
      authenticate: createAuthenticator(verifier),
      onKeyUsed: ({ accountId, keyId }) => recorder.touch(accountId, keyId, context.now()),
      onBrowserCall: (call) => recorder.recordBrowserCall(call),
      onOutsideCall: (call) => recorder.recordOutsideCall(call),
    },
    frame,
  );
  serveOperations<KeyCaller, OperatorServices>(
    app,
    {
      ...shared,
      routes: OPERATOR_ROUTES,
      readKey: readOperatorKey,
      authenticate: async (keyHash, { scope }) => {
        const authorization = await authorizeOperatorKey(context, keyHash, scope!);
        if (authorization.kind === 'authorized') return authorization;
        return { ...authorization, detail: REFUSALS[authorization.code](scope!) };
      },
      onKeyUsed: (caller) => background.start(() => recordKeyUse(context, caller)),
      onBrowserCall: ({ ip, requestId }) =>
        securityLog('operator_call_from_browser', { network: networkOf(ip), requestId }),
      onOutsideCall: ({ ip, requestId }, caller) => {
        securityLog('operator_key_outside', { network: networkOf(ip), requestId });
        background.start(() => recordOutsideCall(context, caller, ip));
      },
    },
    frame,
  );
}
