import { afterEach, expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.ts';

afterEach(() => vi.restoreAllMocks());

test('services in one process share the process metrics and keep their own metrics separate', async () => {
  createMetrics();
  const started = vi.spyOn(globalThis, 'setInterval');
  const services = ['first', 'second'].map((name) => {
    const metrics = createMetrics();
    metrics.gauge(`${name}_gauge`, 'A number.', () => 1);
    return metrics;
  });
  expect(started).not.toHaveBeenCalled();
  const [first, second] = await Promise.all(services.map((metrics) => metrics.render()));
  for (const { text } of [first!, second!]) expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  expect(first!.text).toMatch(/^first_gauge 1$/m);
  expect(first!.text).not.toContain('second_gauge');
});
