import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { currentTrace, traceBindings } from './trace.ts';

const REDACTED = ['authorization', 'token', 'key', 'password', 'secret', 'cookie', 'body', 'headers'];

/** Lines of JSON on standard output, or in `destination`. */
export const createLog = (level: LevelWithSilent, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      // Work that a request has started, such as a shared timer, may log lines that are not about the request.
      mixin: (line) => ('requestId' in line ? traceBindings(currentTrace()) : {}),
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
