// app/welcome/route.ts; /welcome is the path of your redemption link.
import { randomUUID } from 'node:crypto';
import { type Claim, redeem, verify } from './claimcheck';

const PAGES: Record<string, [status: number, text: string]> = {
  redeemed: [200, 'The offer is yours.'],
  already_redeemed: [200, 'This offer has already been redeemed.'],
  not_found: [404, 'This link is not valid.'],
};

/** Shows the offer with a button and redeems nothing: link scanners come here too. */
export const GET = answering(async (request) => {
  const token = new URL(request.url).searchParams.get('claim');
  if (!token) return page(...PAGES.not_found);
  const claim = await verify(token);
  if (claim.status !== 'valid') return page(...PAGES[claim.status]);
  return page(
    200,
    `<form method="post" action="?">
      <input type="hidden" name="token" value="${escapeHtml(token)}">
      <input type="hidden" name="attempt" value="${randomUUID()}">
      <button>Get ${escapeHtml(claim.offer)}</button>
    </form>`,
  );
});

/** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
export const POST = answering(async (request) => {
  const form = new URLSearchParams(await request.text());
  const [token, attempt] = [form.get('token'), form.get('attempt')];
  if (!token || !attempt) return page(...PAGES.not_found);
  const status = await redeem(token, attempt, (claim) => applyOffer(claim, attempt));
  return page(...PAGES[status]);
});

/** Responds with 503 on a failure, because the token may still be valid. */
function answering(answer: (request: Request) => Promise<Response>) {
  return (request: Request) =>
    answer(request).catch((error) => {
      console.error(error);
      return page(503, 'Please try again in a moment.');
    });
}

/** Replace this. If called twice with the same attempt, it must apply the offer only once. */
async function applyOffer({ offer_id }: Claim, attempt: string) {
  console.log(`apply ${offer_id} for ${attempt}`);
}

function page(status: number, body: string) {
  return new Response(`<!doctype html><title>Your offer</title>${body}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin',
    },
  });
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
