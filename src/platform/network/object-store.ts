/** Stores files in an S3-compatible bucket. Streams them instead of reading them into memory. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { messageOf } from '../process/failure.ts';
import { limitedResponse } from './response-body.ts';

export interface ObjectStoreAddress {
  /** Includes bucket and prefix. No trailing slash. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
}

interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** S3 allows 5 GiB per request and 10,000 parts per file. Parts of this size limit a file to 625 GiB. */
const PART_BYTES = 64 * 1024 * 1024;
/** Long enough to upload one part at 1 Mbit/s. */
const REQUEST_WITHIN_MS = 600_000;
/** Requests are retried after status 429 or 5xx, with exponential backoff. */
const RETRY = { retries: 3, initRetryMs: 500 } as const;
/** Each page has up to 1,000 objects. */
const MAX_PAGES = 100;
const MAX_OBJECTS = 1_000 * MAX_PAGES;
/** Twice as much as a page of objects whose names have the maximum length. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** Errors contain at most this many characters of the server's message. */
const MAX_MESSAGE_LENGTH = 200;

export type ObjectStore = ReturnType<typeof createObjectStore>;

/** Methods throw if a request fails. The error contains the status, code and message of the response. */
export function createObjectStore(
  { url, region, keyId }: ObjectStoreAddress,
  secret: string,
  partBytes = PART_BYTES,
) {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    ...RETRY,
  });
  const { origin, pathname } = new URL(url);
  const [, bucket = '', ...prefix] = pathname.split('/').map(decodeURIComponent);
  const before = prefix.map((part) => `${part}/`).join('');

  const send = async (method: string, address: string, signal?: AbortSignal, body?: Blob | string) => {
    const timeout = AbortSignal.timeout(REQUEST_WITHIN_MS);
    return await request(client, address, {
      method,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    });
  };

  const uploadParts = async (address: string, file: Blob, signal?: AbortSignal): Promise<void> => {
    const started = await (await send('POST', `${address}?uploads`, signal)).text();
    const upload = `uploadId=${encodeURIComponent(textOf(started, 'UploadId'))}`;
    try {
      const parts: string[] = [];
      for (let start = 0; start < file.size; start += partBytes) {
        const number = parts.length + 1;
        const part = file.slice(start, start + partBytes);
        const { headers } = await send('PUT', `${address}?partNumber=${number}&${upload}`, signal, part);
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag')}</ETag></Part>`);
      }
      const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const ended = await (await send('POST', `${address}?${upload}`, signal, list)).text();
      // S3 may report an error in the body of a 200 response.
      if (!ended.includes('<CompleteMultipartUploadResult')) throw refusalOf(200, ended);
    } catch (error) {
      // S3 charges for the parts of an unfinished upload, so they are deleted even if `signal` is aborted.
      await send('DELETE', `${address}?${upload}`).catch(() => undefined);
      throw error;
    }
  };

  return {
    /** Returns the objects whose names begin with `start`, sorted by name. */
    async list(start: string, signal?: AbortSignal): Promise<readonly StoredObject[]> {
      const objects: StoredObject[] = [];
      let token = '';
      let pages = 0;
      do {
        // A server that answers with the same page again would be asked for ever.
        if (++pages > MAX_PAGES || objects.length > MAX_OBJECTS)
          throw new Error('the bucket lists too many objects');
        const query = new URLSearchParams({ 'list-type': '2', prefix: before + start });
        if (token !== '') query.set('continuation-token', token);
        const page = await (await send('GET', `${origin}/${bucket}?${query}`, signal)).text();
        for (const object of page.split('<Contents>').slice(1)) {
          const name = textOf(object, 'Key').slice(before.length);
          objects.push({ name, bytes: Number(textOf(object, 'Size')) });
        }
        token = textOf(page, 'NextContinuationToken');
      } while (token !== '');
      return objects;
    },
    /** Overwrites an existing object. Large files are uploaded in parts. */
    async upload(path: string, name: string, signal?: AbortSignal): Promise<void> {
      const file = await openAsBlob(path);
      if (file.size > partBytes) await uploadParts(`${url}/${name}`, file, signal);
      else await send('PUT', `${url}/${name}`, signal, file);
      const stored = (await this.list(name, signal)).find((object) => object.name === name);
      if (stored?.bytes !== file.size) {
        throw new Error(`${name} arrived with ${stored?.bytes ?? 0} of ${file.size} bytes`);
      }
    },
    /** `path` must not exist. If the download fails, an incomplete file may remain. */
    async download({ name, bytes }: StoredObject, path: string): Promise<void> {
      // No timeout, because large downloads may take a long time. Node's fetch aborts stalled downloads.
      const { body } = await request(client, `${url}/${name}`, { method: 'GET' }, bytes);
      const source = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
      await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
      const { size } = await stat(path);
      if (size !== bytes) throw new Error(`${name} arrived with ${size} of ${bytes} bytes`);
    },
    async delete(name: string, signal?: AbortSignal): Promise<void> {
      await send('DELETE', `${url}/${name}`, signal);
    },
  };
}

/** Reading more than `maxBytes` of the response, or more than `MAX_DOCUMENT_BYTES` of an error, fails. */
async function request(
  client: AwsClient,
  address: string,
  init: RequestInit,
  maxBytes = MAX_DOCUMENT_BYTES,
): Promise<Response> {
  let response: Response;
  try {
    response = await client.fetch(address, { ...init, redirect: 'error' });
    response = limitedResponse(response, response.ok ? maxBytes : MAX_DOCUMENT_BYTES);
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    const reason = messageOf((error as Error).cause ?? error);
    throw new Error(`${new URL(address).host} cannot be reached: ${reason}`, { cause: error });
  }
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

/** The error contains only the status, code and message. The rest of the response repeats the request. */
function refusalOf(status: number, body: string): Error {
  const words = [textOf(body, 'Code'), textOf(body, 'Message').slice(0, MAX_MESSAGE_LENGTH)];
  return new Error([`the server answered ${status}`, ...words.filter((word) => word !== '')].join(', '));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first `element`, or an empty string. The element must not have child elements. */
function textOf(xml: string, element: string): string {
  const [, text = ''] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text.replaceAll(/&(\w+);/g, (reference, name: string) => ENTITIES[name] ?? reference);
}
