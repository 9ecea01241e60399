/** The address in each notice that stops notices of its kind, without signing in. */
import type { SecretBox } from '../secrets/secret-keys.ts';
import { NOTICE_KINDS, type NoticeKind } from './kinds.ts';

export const STOP_PATH = '/mail/stop';

const PURPOSE = 'stop notices';

export const stopUrl = (box: SecretBox, baseUrl: string, accountId: string, kind: NoticeKind): string =>
  `${baseUrl}${STOP_PATH}/${box.seal(`${accountId} ${kind}`, PURPOSE)}`;

/** `null`: the address was changed, or made by another service. */
export function parseStopCode(
  box: SecretBox,
  code: string,
): { readonly accountId: string; readonly kind: NoticeKind } | null {
  const [accountId = '', name] = box.unseal(code, PURPOSE)?.split(' ') ?? [];
  const kind = NOTICE_KINDS.find((known) => known === name);
  return kind === undefined ? null : { accountId, kind };
}
