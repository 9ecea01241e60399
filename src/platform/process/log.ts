import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { messageOf } from './failure.ts';
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
    destination ?? openStandardOutput(),
  );

/** Lines that are kept while the log cannot be written. Later lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** A log whose disk is full must not stop the service. It goes on when there is space again. */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  let isReported = false;
  output.on('error', (error: unknown) => {
    if (!isReported) process.stderr.write(`The log cannot be written: ${messageOf(error)}.\n`);
    isReported = true;
  });
  return output;
}
