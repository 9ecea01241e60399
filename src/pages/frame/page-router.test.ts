import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { PageRouter, type RouteRules, rulesOf } from './page-router.ts';
import type { PageApp } from './pages.ts';

const router = () => {
  const app: PageApp = new Hono();
  return { app, pages: new PageRouter(app, { diskIsFull: () => false, limitChange: async () => {} }) };
};
const handler = () => new Response('secret');

test('refuses a page that doesn’t declare who may use it', () => {
  const { app, pages } = router();
  for (const rules of [{}, { for: 'everybody' }, { for: undefined }]) {
    expect(() => pages.get('/page', rules as RouteRules, handler)).toThrow('GET /page doesn’t declare');
  }
  expect(app.routes).toEqual([]);
});

test('remembers the declaration of each route', () => {
  const { app, pages } = router();
  pages.post('/page', { for: 'owner', counts: false }, handler);
  app.get('/open', handler);
  expect(app.routes.map((route) => rulesOf(route.handler)?.for)).toEqual(['owner', undefined]);
});
