/** Whether a newer version exists, according to the URL in `UPDATE_CHECK_URL`. Without the setting, nothing is sent. */
import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { message, storedText } from '../../platform/languages/translate.ts';
import { OutgoingFailure } from '../../platform/network/outgoing-failure.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { decompressedBody } from '../../platform/network/response-body.ts';
import { readVersion } from '../../platform/process/version.ts';
import { readJsonSetting, UPDATE_CHECK, writeSetting } from '../../platform/store/settings.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { type Check, examined, noted, passed } from './check.ts';

/** A release on GitHub lists its files, each with about 1.5 KiB. */
const MAX_RESPONSE_BYTES = 256 * 1_024;

/** Without the version of this service, so that the server doesn't learn which services are outdated. */
const HEADERS = { 'user-agent': 'Claimcheck-Update-Check', accept: 'application/json' };

/** The latest release on GitHub (`releases/latest`), or the latest version in an npm registry (`/PACKAGE/latest`). */
const RELEASE = z.union([z.object({ tag_name: z.string() }), z.object({ version: z.string() })]);

/** Three numbers of at most nine digits, which compare exactly. */
const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

interface UpdateState {
  readonly url: string;
  readonly at: string;
  /** `null`: the check failed. */
  readonly latest: string | null;
  readonly failure: string | null;
}

async function readState({ read }: Pick<Context['db'], 'read'>, url: string): Promise<UpdateState | null> {
  const state = await readJsonSetting<UpdateState>(read, UPDATE_CHECK);
  return state?.url === url ? state : null;
}

/** Once a day, and after the URL or the clock was changed. */
export async function isUpdateCheckDue({ db, now }: Pick<Context, 'db' | 'now'>, url: string) {
  const state = await readState(db, url);
  return state === null || Math.abs(now() - Date.parse(state.at)) >= DAY_MS;
}

/** Stores the result, also of a check that failed: the next one is a day later. */
export async function checkForUpdate(
  { db, now }: Pick<Context, 'db' | 'now'>,
  outgoing: Pick<Outgoing, 'request'>,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const result = await fetchLatest(outgoing, url, signal).then(
    (latest) => ({ latest, failure: null }),
    (error: unknown) => {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { latest: null, failure: error.message };
    },
  );
  const state: UpdateState = { url, at: toIso(now()), ...result };
  await db.transaction((tx) => writeSetting(tx, UPDATE_CHECK, JSON.stringify(state)));
}

async function fetchLatest(outgoing: Pick<Outgoing, 'request'>, url: string, signal: AbortSignal) {
  const request = { method: 'GET', url, headers: HEADERS, maxBodyBytes: MAX_RESPONSE_BYTES, signal } as const;
  const response = await outgoing.request(request);
  const { status } = response;
  if (status !== 200) throw new OutgoingFailure(`The response has the status ${status}.`);
  const release = RELEASE.safeParse(jsonOf(await decompressedBody(response, MAX_RESPONSE_BYTES)));
  const version = release.data && ('tag_name' in release.data ? release.data.tag_name : release.data.version);
  if (version !== undefined && VERSION.test(version)) return version.replace(/^v/, '');
  throw new OutgoingFailure(message('The response doesn’t contain the version of a release.'));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Whether `latest` comes after `current`. A pre-release is never offered, but comes before its release. */
export function isNewer(latest: string, current: string): boolean {
  const [, ...newest] = VERSION.exec(latest) ?? [];
  const [, ...running] = VERSION.exec(current) ?? [];
  if (newest[3] !== undefined) return false;
  for (const part of [0, 1, 2]) {
    const difference = Number(newest[part]) - Number(running[part]);
    if (difference !== 0) return difference > 0;
  }
  return running[3] !== undefined;
}

/** `url`: `null` if UPDATE_CHECK_URL is not set. */
export const examineUpdates = (db: Context['db'], url: string | null, current = readVersion()) =>
  examined('updates', async (): Promise<Check | readonly Check[]> => {
    if (url === null) return [];
    const state = await readState(db, url);
    if (state === null) return passed('updates', message('the first check will run within the hour'));
    const { at, latest, failure } = state;
    if (latest === null) {
      return noted(
        'updates',
        message('the check at {at} failed: {failure}', { at, failure: () => storedText(failure ?? '') }),
      );
    }
    return isNewer(latest, current)
      ? noted('updates', message('version {latest} is available (this is {current})', { latest, current }))
      : passed('updates', message('version {current} is the latest', { current }));
  });
