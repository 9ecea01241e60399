/** Serves the operations of owners and of operators; the server answers verify ahead of them. */

import { createAuthenticator } from '../claims/verify/endpoint/endpoint.ts';
import { CALLERS } from '../http/operations/operation.ts';
import { type OperationFrame, serveOperations } from '../http/operations/operation-routes.ts';
import type { PageApp } from '../http/pages/pages.ts';
import { INVALID_API_KEY } from '../http/server/request-checks.ts';
import { admitOperatorKey, type KeyCaller, noteUse } from '../keys/admit.ts';
import { readKey, readOperatorKey } from '../keys/key.ts';
import { networkOf } from '../network/network.ts';
import type { OperatorServices } from '../operator-api/definitions.ts';
import { OPERATOR_ROUTES } from '../operator-api/routes.ts';
import { type ApiServices, OPERATION_ROUTES } from './api.ts';
import type { ServingParts } from './parts.ts';

const REFUSALS = {
  invalid_api_key: () => INVALID_API_KEY,
  account_suspended: () => CALLERS.operatorKey.errors.account_suspended.meaning,
  missing_scope: (scope: string) => `This operator key has no scope ${scope}.`,
} as const;

export function serveApi(app: PageApp, frame: OperationFrame, parts: ServingParts): void {
  const { context, baseUrl, verifier, recorder, readSettled, background, securityLog } = parts;
  const services: ApiServices & OperatorServices = { ...context, readSettled, baseUrl };
  const shared = {
    services,
    rateLimit: context.config.verifyRateLimit,
    unknownKeys: parts.unknownKeys,
    onUnknownKeys: parts.onUnknownKeys,
  };
  serveOperations(
    app,
    {
      ...shared,
      routes: OPERATION_ROUTES,
      readKey,
      authenticate: createAuthenticator(verifier),
      onKeyUsed: ({ accountId, keyId }) => recorder.touch(accountId, keyId, context.now()),
      onBrowserCall: (call) => recorder.recordBrowserCall(call),
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
        const admission = await admitOperatorKey(context, keyHash, scope!);
        if (admission.kind === 'admitted') return admission;
        return { ...admission, detail: REFUSALS[admission.code](scope!) };
      },
      onKeyUsed: (caller) => background.start(() => noteUse(context, caller)),
      onBrowserCall: ({ ip, requestId }) =>
        securityLog('operator_call_from_browser', { network: networkOf(ip), requestId }),
    },
    frame,
  );
}
