// welcome.mjs; /welcome is the path of your redemption link.
// Start it with the API key in the environment: node --env-file=claimcheck.env welcome.mjs
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { redeem, verify } from './claimcheck.mjs';

const PAGES = {
  redeemed: [200, 'The offer is yours.'],
  already_redeemed: [200, 'This offer has already been redeemed.'],
  not_found: [404, 'This link is not valid.'],
};

const app = new Hono();

/** Shows the offer with a button and redeems nothing: link scanners come here too. */
app.get('/welcome', async (c) => {
  const token = c.req.query('claim');
  if (!token) return send(c, ...PAGES.not_found);
  const claim = await verify(token);
  if (claim.status !== 'valid') return send(c, ...PAGES[claim.status]);
  const form = html`<form method="post" action="?">
    <input type="hidden" name="token" value="${token}">
    <input type="hidden" name="attempt" value="${randomUUID()}">
    <button>Get ${claim.offer}</button>
  </form>`;
  return send(c, 200, form);
});

/** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
app.post('/welcome', async (c) => {
  const { token, attempt } = await c.req.parseBody();
  if (!token || !attempt) return send(c, ...PAGES.not_found);
  const status = await redeem(token, attempt, (claim) => applyOffer(claim.offer_id, attempt));
  return send(c, ...PAGES[status]);
});

/** A failure does not mean that the token is invalid. */
app.onError((error, c) => {
  console.error(error);
  return send(c, 503, 'Please try again in a moment.');
});

/** Replace this. If called twice with the same attempt, it must apply the offer only once. */
async function applyOffer(offerId, attempt) {
  console.log(`apply ${offerId} for ${attempt}`);
}

function send(c, code, body) {
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', 'strict-origin');
  return c.html(html`<!doctype html><title>Your offer</title>${body}`, code);
}

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080) });
