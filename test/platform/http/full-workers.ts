/**
 * A server with two workers that accept one connection each. Sends its port to the parent process. Exits when the
 * parent process disconnects.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { pino } from 'pino';
import { createProblems } from '../../../src/platform/http/operations/problem.ts';
import { createDrain } from '../../../src/platform/http/server/drain.ts';
import { createHttpServer } from '../../../src/platform/http/server/server.ts';
import { SERVER_LIMITS } from '../../../src/platform/http/server/server-limits.ts';

if (cluster.isPrimary) {
  const workers = [cluster.fork(), cluster.fork()];
  const [listening] = await Promise.all(workers.map((worker) => once(worker, 'listening')));
  process.once('disconnect', () => {
    for (const worker of workers) worker.kill();
    process.exit();
  });
  process.send!(listening![0].port);
} else {
  createHttpServer({
    operationPath: '/verify',
    operation: () => {},
    fallback: (_request, response) => response.end(),
    isTrustedProxy: () => false,
    watchProxies: () => {},
    problems: createProblems('http://localhost'),
    requestIds: () => 'req_test_1',
    drain: createDrain(),
    log: pino({ level: 'silent' }),
    limits: { ...SERVER_LIMITS, maxConnections: 1 },
  }).listen(0, '127.0.0.1');
}
