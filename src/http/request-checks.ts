/** What an operation asks of the headers of a request. */
import type { RequestHeaders } from './headers.ts';

/** The key of a Bearer header (RFC 6750 section 2.1), null where there is none. */
export function bearerCredentials(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!header.startsWith('Bearer ') && header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  const key = header.slice(7).trim();
  return key === '' ? null : key;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
/** One parameter of a media type, RFC 9110 section 5.6.6. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\]|\\.)*"))?/y;

/** Whether the body is declared as plain JSON in UTF-8 (RFC 9110 sections 8.3 and 8.4). */
export function isJson(headers: RequestHeaders): boolean {
  const { contentType } = headers;
  if (headers.contentEncoding !== undefined || contentType === undefined) return false;
  return contentType === 'application/json' || (JSON_TYPE.test(contentType) && isUtf8(contentType));
}

/** Whether the parameters are well-formed and no charset but utf-8 is named. */
function isUtf8(contentType: string): boolean {
  PARAMETER.lastIndex = 'application/json'.length;
  let end = PARAMETER.lastIndex;
  for (let found = PARAMETER.exec(contentType); found !== null; found = PARAMETER.exec(contentType)) {
    end = PARAMETER.lastIndex;
    const [, name, value] = found;
    if (name?.toLowerCase() === 'charset' && value?.replaceAll('"', '').toLowerCase() !== 'utf-8')
      return false;
  }
  return contentType.slice(end).trim() === '';
}

/** Says what is wrong with the type of a body that is not. */
export function mediaTypeDetail(headers: RequestHeaders): string {
  if (headers.contentEncoding !== undefined)
    return 'There is a Content-Encoding header; send the body as it is.';
  if (headers.contentType === undefined) return 'There is no Content-Type header; send application/json.';
  return `The Content-Type is ${JSON.stringify(headers.contentType.slice(0, 100))}; send application/json in UTF-8.`;
}
