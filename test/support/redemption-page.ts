/** An owner's redemption page on this machine. Tests decide how the page answers and when it calls verify. */
import http from 'node:http';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { serveLocally } from './local-server.ts';

export interface RedemptionPage {
  /** Redemption link with the `{claim}` placeholder. */
  readonly link: string;
  /** Answers each request; by default `recommended`. */
  answer: PageAnswer;
  close(): Promise<void>;
}

interface PageRequest {
  readonly method: string;
  readonly host: string;
  readonly token: string;
  /** Idempotency key that the page's form sends; `null` if the request only opens the page. */
  readonly attempt: string | null;
}

type Verify = (token: string, attempt?: string | null) => Promise<Verified>;

interface Verified {
  readonly status: string;
}

export type PageAnswer = (
  request: PageRequest,
  response: http.ServerResponse,
  verify: Verify,
) => Promise<unknown> | unknown;

/** The flow that the documentation recommends: GET verifies and shows a button, POST redeems. */
export const recommended: PageAnswer = async ({ method, token, attempt }, response, verify) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('referrer-policy', 'strict-origin');
  if (method === 'HEAD') return response.end();
  const { status } = await verify(token, attempt);
  const form = `<form method="post"><input type="hidden" name="token" value="${token}"><input type="hidden" name="attempt" value="attempt-${token.slice(-6)}"><button>Get it</button></form>`;
  response.end(`<!doctype html><title>Your offer</title>${status === 'valid' ? form : `<p>${status}</p>`}`);
};

/** `keyOf` returns the API key that the page uses. */
export async function startRedemptionPage(baseUrl: string, keyOf: () => string): Promise<RedemptionPage> {
  const verify: Verify = async (token, attempt = null) => {
    const answer = await fetch(baseUrl + VERIFY_PATH, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${keyOf()}`,
        'Content-Type': 'application/json',
        ...(attempt === null ? {} : { 'Idempotency-Key': attempt }),
      },
      body: JSON.stringify({ token, redeem: attempt !== null }),
    });
    return (await answer.json()) as Verified;
  };
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const asked = {
      method: request.method ?? 'GET',
      host: request.headers.host ?? '',
      token: form.get('token') ?? url.searchParams.get('claim') ?? '',
      attempt: form.get('attempt'),
    };
    await page.answer(asked, response, verify);
  });
  const { port, close } = await serveLocally(server);
  const page: RedemptionPage = {
    link: `http://localhost:${port}/welcome?claim={claim}`,
    answer: recommended,
    close,
  };
  return page;
}
