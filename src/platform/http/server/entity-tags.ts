/** Entity tags for conditional requests (RFC 9110 sections 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto';

const TAG_LENGTH = 22;

/** A weak tag, because the same content may be sent with or without compression. */
export const tagOf = (body: string | Uint8Array): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH)}"`;

export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => {
    const entry = each.trim();
    return entry === '*' || entry.replace(/^W\//, '') === opaque;
  });
}
