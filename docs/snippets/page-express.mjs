// welcome.mjs, for Express 4 and 5. /welcome is the path of your redemption link.
// Start it with the API key in the environment: node --env-file=claimcheck.env welcome.mjs
import { randomUUID } from 'node:crypto';
import express from 'express';
import { redeem, verify } from './claimcheck.mjs';

const PAGES = {
  redeemed: [200, 'The offer is yours.'],
  already_redeemed: [200, 'This offer has already been redeemed.'],
  not_found: [404, 'This link is not valid.'],
};

const app = express();

/** Express 4 does not catch errors of async handlers; they would end the process. */
const safe = (handler) => (request, response, next) =>
  handler(request, response, next).catch(next);

/** Shows the offer with a button and redeems nothing: link scanners come here too. */
app.get(
  '/welcome',
  safe(async (request, response) => {
    const token = request.query.claim;
    if (!token) return send(response, ...PAGES.not_found);
    const claim = await verify(token);
    if (claim.status !== 'valid') return send(response, ...PAGES[claim.status]);
    const form = `<form method="post" action="?">
      <input type="hidden" name="token" value="${escapeHtml(token)}">
      <input type="hidden" name="attempt" value="${randomUUID()}">
      <button>Get ${escapeHtml(claim.offer)}</button>
    </form>`;
    send(response, 200, form);
  }),
);

/** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
app.post(
  '/welcome',
  express.urlencoded({ extended: false }),
  safe(async (request, response) => {
    const { token, attempt } = request.body ?? {};
    if (!token || !attempt) return send(response, ...PAGES.not_found);
    const status = await redeem(token, attempt, (claim) => applyOffer(claim.offer_id, attempt));
    send(response, ...PAGES[status]);
  }),
);

/** A failure does not mean that the token is invalid. */
app.use((error, _request, response, _next) => {
  console.error(error);
  send(response, 503, 'Please try again in a moment.');
});

/** Replace this. If called twice with the same attempt, it must apply the offer only once. */
async function applyOffer(offerId, attempt) {
  console.log(`apply ${offerId} for ${attempt}`);
}

function send(response, code, body) {
  response
    .status(code)
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' })
    .send(`<!doctype html><title>Your offer</title>${body}`);
}

const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

app.listen(process.env.PORT ?? 8080);
