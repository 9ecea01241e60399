/** Compares the documented responses of verify with the responses of a running server. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/operations.ts';
import { DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { claim, notFound } from '../../../src/claims/verify/endpoint/operation.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import {
  differences,
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
  type Responses,
} from '../../api/documented-responses.ts';
import { answerTo, provokeAll, requestBytes } from '../../api/provocations.ts';
import { BASE_URL, startServer, TOKEN } from '../../platform/http/harness.ts';
import type { RawResponse } from '../../platform/http/raw-client.ts';
import { openTestDatabase } from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';

const CALL = { method: 'POST', target: VERIFY_PATH, body: JSON.stringify({ token: TOKEN, redeem: true }) };

/**
 * Provokes the responses that only verify has: the outcomes, and the error for a reused Idempotency-Key. Uses a real
 * database.
 */
async function provokeOutcomes(): Promise<RawResponse[]> {
  const { context, db, close } = await openTestDatabase('sqlite');
  const owner = await createOwner(context);
  const [token, other] = await issueTokens(context, owner, 2);
  const server = await startServer({ verifier: createVerifier(db, context.now, { batch: () => {} }) });
  const answers: RawResponse[] = [];
  const steps = [
    [token, false, 'order-1'],
    [token, true, 'order-1'],
    [token, true, 'order-1'],
    [token, true, 'order-2'],
    [other, true, 'order-1'],
    [TOKEN, true, 'order-3'],
  ] as const;
  for (const [tokenSent, redeem, key] of steps) {
    const bytes = requestBytes(CALL, {
      headers: { Authorization: `Bearer ${owner.liveKey}`, 'Idempotency-Key': key },
      body: JSON.stringify({ token: tokenSent, redeem }),
    });
    answers.push(await answerTo(server.port, bytes));
  }
  await server.close();
  await close();
  return answers;
}

const document = openApiDocument(BASE_URL, DEFAULT_BRAND) as OpenApiDocument;
const documented = documentedResponses(document, VERIFY_PATH, 'post');
let outcomes: RawResponse[];
let observed: Responses;
beforeAll(async () => {
  outcomes = await provokeOutcomes();
  observed = observedResponses([...outcomes, ...(await provokeAll(CALL))]);
});

describe('the OpenAPI document of verify', () => {
  test('lists exactly the statuses, codes, outcomes and headers that the server returns', () => {
    expect(differences(documented, observed)).toEqual([]);
  });

  test('has schemas that accept the response bodies of the outcomes', () => {
    for (const { status, body } of outcomes) {
      const schema = { 200: claim, 404: notFound }[status];
      if (schema !== undefined) expect(schema.safeParse(JSON.parse(body)).error).toBeUndefined();
    }
  });

  test('omits error codes that no operation returns', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('foreign_request');
    expect(text).not.toContain('unknown_path');
  });
});

test('the comparison reports everything that is documented but not observed, or observed but not documented', () => {
  for (const part of ['kinds', 'headers'] as const) {
    for (const name of documented[part]) {
      const without = (answers: Responses) => {
        const others = [...answers[part]].filter((other) => other !== name);
        return { ...answers, [part]: new Set(others) };
      };
      const unseen = `${name} is documented and was never observed`;
      expect(differences(documented, without(observed))).toEqual([unseen]);
      const undocumented = `${name} was observed and is not documented`;
      expect(differences(without(documented), observed)).toEqual([undocumented]);
    }
  }
});
