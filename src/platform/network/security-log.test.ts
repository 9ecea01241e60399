import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSecurityLog, LINES_A_NETWORK, LINES_A_WINDOW, WINDOW_MS } from './security-log.ts';

describe('security log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = () => {
    const lines: Record<string, unknown>[] = [];
    const note = createSecurityLog((bindings, message) => void lines.push({ ...bindings, message }));
    return { lines, note };
  };

  test('logs each event with its network, account and request ID', () => {
    const { lines, note } = start();
    note('sign_in_failed', { network: '192.0.2.7', accountId: 'account-1', requestId: 'req_1' });
    expect(lines).toEqual([
      {
        security: 'sign_in_failed',
        network: '192.0.2.7',
        accountId: 'account-1',
        requestId: 'req_1',
        message: 'a sign-in failed',
      },
    ]);
  });

  test('limits the lines per network and event, so that other networks and events are still logged', () => {
    const { lines, note } = start();
    for (let i = 0; i < 1_000; i++) note('foreign_request', { network: '192.0.2.7' });
    expect(lines).toHaveLength(LINES_A_NETWORK);
    note('desk_probed', { network: '198.51.100.1' });
    expect(lines.at(-1)).toMatchObject({ security: 'desk_probed', network: '198.51.100.1' });
    note('desk_probed', { network: '192.0.2.7' });
    expect(lines.at(-1)).toMatchObject({ security: 'desk_probed', network: '192.0.2.7' });
  });

  test('limits the total number of lines per window', () => {
    const { lines, note } = start();
    for (let i = 0; i < 1_000; i++) note('throttled', { network: `10.0.${i >> 8}.${i & 255}` });
    expect(lines).toHaveLength(LINES_A_WINDOW);
  });

  test('reports the number of suppressed events, even if no event follows', () => {
    const { lines, note } = start();
    for (let i = 0; i < LINES_A_NETWORK + 3; i++) note('foreign_request', { network: '192.0.2.7' });
    for (let i = 0; i < LINES_A_NETWORK + 1; i++) note('metrics_refused', { network: '192.0.2.7' });
    vi.advanceTimersByTime(WINDOW_MS);
    expect(lines.at(-1)).toMatchObject({ suppressed: { foreign_request: 3, metrics_refused: 1 } });
    note('foreign_request', { network: '192.0.2.7' });
    expect(lines.at(-1)).toMatchObject({ security: 'foreign_request' });
    expect(lines).toHaveLength(2 * LINES_A_NETWORK + 2);
  });
});
