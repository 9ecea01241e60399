/** Files in a bucket on S3, or on a service with the same API. They are streamed, not read into memory. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { messageOf } from '../process/failure.ts';

export interface ObjectStoreAddress {
  /** With bucket and prefix, without a slash at its end. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
}

interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** S3 accepts up to 5 GiB in one request, and up to 10,000 parts of a file: with parts of this size, up to 625 GiB. */
const PART_BYTES = 64 * 1024 * 1024;
/** Enough to send one part at one megabit per second. */
const REQUEST_WITHIN_MS = 600_000;
/** For requests that get 429 or 5xx, with growing delays. */
const RETRY = { retries: 3, initRetryMs: 500 } as const;
/** Maximum number of characters of the server's message in an error. */
const MAX_MESSAGE_LENGTH = 200;

export type ObjectStore = ReturnType<typeof createObjectStore>;

/** If a request fails, the method throws an error whose message says what the server responded. */
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
      // S3 may fail after it has begun to respond with 200.
      if (!ended.includes('<CompleteMultipartUploadResult')) throw refusalOf(200, ended);
    } catch (error) {
      // Parts of an unfinished upload cost as much as an object, so they are deleted even if `signal` is aborted.
      await send('DELETE', `${address}?${upload}`).catch(() => undefined);
      throw error;
    }
  };

  return {
    /** Objects whose name begins with `start`, in order of their names. */
    async list(start: string, signal?: AbortSignal): Promise<readonly StoredObject[]> {
      const found: StoredObject[] = [];
      let token = '';
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: before + start });
        if (token !== '') query.set('continuation-token', token);
        const page = await (await send('GET', `${origin}/${bucket}?${query}`, signal)).text();
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const name = textOf(object, 'Key').slice(before.length);
          found.push({ name, bytes: Number(textOf(object, 'Size')) });
        }
        token = textOf(page, 'NextContinuationToken');
      } while (token !== '');
      return found;
    },
    /** Replaces any object with this name. A large file is sent in parts. */
    async upload(path: string, name: string, signal?: AbortSignal): Promise<void> {
      const file = await openAsBlob(path);
      if (file.size > partBytes) await uploadParts(`${url}/${name}`, file, signal);
      else await send('PUT', `${url}/${name}`, signal, file);
      const stored = (await this.list(name, signal)).find((object) => object.name === name);
      if (stored?.bytes !== file.size) {
        throw new Error(`${name} arrived with ${stored?.bytes ?? 0} of ${file.size} bytes`);
      }
    },
    /** Downloads an object to a new file. If this throws, the file is incomplete. */
    async download({ name, bytes }: StoredObject, path: string): Promise<void> {
      // No timeout, because a download may take longer than other requests. Node's fetch ends a download that stalls.
      const { body } = await request(client, `${url}/${name}`, { method: 'GET' });
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

async function request(client: AwsClient, address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await client.fetch(address, { ...init, redirect: 'error' });
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    const reason = messageOf((error as Error).cause ?? error);
    throw new Error(`${new URL(address).host} cannot be reached: ${reason}`, { cause: error });
  }
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

/** Only code and message: the rest of the response repeats the request. */
function refusalOf(status: number, body: string): Error {
  const words = [textOf(body, 'Code'), textOf(body, 'Message').slice(0, MAX_MESSAGE_LENGTH)];
  return new Error([`the server answered ${status}`, ...words.filter((word) => word !== '')].join(', '));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element with this name, which must not contain other elements; empty if it is missing. */
function textOf(xml: string, element: string): string {
  const [, text = ''] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text.replaceAll(/&(\w+);/g, (reference, name: string) => ENTITIES[name] ?? reference);
}
