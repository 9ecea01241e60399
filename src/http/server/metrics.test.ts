import { afterEach, expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.ts';

afterEach(() => vi.restoreAllMocks());

test('several services in one process measure the process once, and each reports these measurements with its own metrics', async () => {
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
