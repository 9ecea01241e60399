import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { verify } from './verify.js';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** GET: shows the offer with a button, and redeems nothing. */
async function show(token) {
  const claim = await verify(token);
  if (claim === null) return [404, 'This link is not valid.'];
  if (claim.status !== 'valid') return [200, 'This offer has been redeemed already.'];
  const form = `<form method="post">
    <input type="hidden" name="token" value="${escapeHtml(token)}">
    <input type="hidden" name="attempt" value="${randomUUID()}">
    <button>Get ${escapeHtml(claim.offer)}</button>
  </form>`;
  return [200, form];
}

/** POST: redeems, and applies the offer only on `redeemed`. */
async function redeem(token, attempt) {
  const claim = await verify(token, attempt);
  if (claim === null) return [404, 'This link is not valid.'];
  if (claim.status !== 'redeemed') return [200, 'This offer has been redeemed already.'];
  await applyOffer(claim.offer_id, attempt);
  return [200, `Done: ${escapeHtml(claim.offer)}`];
}

/** Yours. After a lost answer it is called again with the same attempt: apply the offer once. */
async function applyOffer(offerId, attempt) {
  console.log(`apply ${offerId} for ${attempt}`);
}

async function answer(request) {
  const isPost = request.method === 'POST';
  const query = new URL(request.url, 'http://localhost').searchParams;
  const form = isPost ? new URLSearchParams(Buffer.concat(await request.toArray()).toString()) : query;
  const token = form.get(isPost ? 'token' : 'claim');
  const attempt = form.get('attempt');
  if (!token || (isPost && !attempt)) return [404, 'This link is not valid.'];
  return isPost ? redeem(token, attempt) : show(token);
}

createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((error) => {
    console.error(error);
    return [503, 'Please try again in a moment.'];
  });
  response.writeHead(status, HEADERS).end(`<!doctype html><title>Your offer</title>${body}`);
}).listen(process.env.PORT ?? 8080);
