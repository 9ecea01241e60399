import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

export type { Logger };

/** Values logged by mistake under these names are redacted. */
const REDACTED = ['authorization', 'token', 'key', 'password', 'secret', 'cookie', 'body', 'headers'];

/** One JSON object per line on stdout (or `destination`), times in ISO 8601 UTC. */
export function createLog(level: LevelWithSilent, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
