/** Reads forms that contain a file. The sender must be signed in. Other forms are urlencoded (`readForm`). */

import { Refusal } from '../../platform/errors.ts';
import { MAX_BODY_BYTES, readBytes } from '../../platform/http/server/bodies.ts';
import { widestNetworkOfClient } from '../../platform/http/server/client-address.ts';
import { allowSlowBody } from '../../platform/http/server/server.ts';
import { releaseSlot } from '../../platform/http/server/slots.ts';
import { message, type Words } from '../../platform/languages/translate.ts';
import { SECOND_MS } from '../../platform/text/durations.ts';
import { FormInput } from '../ui/form-state.ts';
import { otherAccount } from './kept-forms.tsx';
import { type PageContext, requireViewer } from './pages.ts';
import { createArrivals } from './slow-uploads.ts';
import { createUploadQueue } from './upload-queue.ts';

export const MAX_UPLOADS_OF_PERSON = 2;
/** Enough for a file of 8 MiB at half a megabit per second. */
const UPLOAD_TIMEOUT_MS = 150 * SECOND_MS;
const MAX_PARTS = 20;
/** Enough for the longest name of a field and of a file. */
const MAX_PART_HEADER_BYTES = 4 * 1024;

/** Matches the boundary as browsers and HTTP libraries write it, with or without quotes. */
const FILE_FORM_TYPE = /^multipart\/form-data[ \t]*;[ \t]*boundary=("?)([\w'()+,./:=?-]{1,70})\1[ \t]*$/i;

interface Upload {
  readonly form: FormInput;
  readonly file: Uint8Array | null;
}

interface UploadOptions {
  readonly field: string;
  readonly maxBytes: number;
  readonly tooLarge: Words;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Create one per process, because each instance counts only its own uploads. */
export function createUploads() {
  const arrivals = createArrivals();
  const ofPerson = new Map<string, number>();
  const inTurn = createUploadQueue();

  /** Reads the form and passes it to `work`. The upload counts against the limits until `work` has finished. */
  return async <T>(
    c: PageContext,
    options: UploadOptions,
    work: (upload: Upload) => Promise<T>,
  ): Promise<T> => {
    const { personId } = requireViewer(c);
    const own = ofPerson.get(personId) ?? 0;
    if (own >= MAX_UPLOADS_OF_PERSON) {
      throw new Refusal(
        'rate_limited',
        message('Your other pictures are still being uploaded. Try again in a minute.'),
      );
    }
    ofPerson.set(personId, own + 1);
    try {
      // Uploads have their own limit, so the request need not hold a slot while it waits for the body and the encoder.
      releaseSlot(c.env.outgoing);
      const upload = await readUpload(c, options, arrivals);
      const refused = otherAccount(c, requireViewer(c), upload.form);
      if (refused !== null) throw new Refusal('invalid_request', refused);
      return await inTurn(personId, () => work(upload));
    } finally {
      const left = ofPerson.get(personId)! - 1;
      if (left === 0) ofPerson.delete(personId);
      else ofPerson.set(personId, left);
    }
  };
}

async function readUpload(
  c: PageContext,
  { field, maxBytes, tooLarge }: UploadOptions,
  arrivals: ReturnType<typeof createArrivals>,
): Promise<Upload> {
  const type = c.req.header('content-type') ?? '';
  const [, , boundary] = FILE_FORM_TYPE.exec(type) ?? [];
  if (boundary === undefined) {
    throw new Refusal(
      'unsupported_media_type',
      message('A form with a file must be sent as multipart/form-data.'),
    );
  }
  const maxBody = maxBytes + MAX_BODY_BYTES;
  if (Number(c.req.header('content-length')) > maxBody) throw new Refusal('body_too_large', tooLarge);
  allowSlowBody(c.env.outgoing, UPLOAD_TIMEOUT_MS);
  const sent = {
    body: arrivals(c.env.incoming as AsyncIterable<Uint8Array>, widestNetworkOfClient(c.env.incoming)),
  };
  const body = await readBytes(sent, maxBody, tooLarge);
  // Check before parsing, because millions of empty parts or of headers would take seconds to parse.
  const delimiter = `--${boundary}`;
  const starts = offsetsOf(body, delimiter);
  const isReadable = (at: number) => hasShortHeaders(body, at) || isEnd(body, at + delimiter.length);
  if (starts.length > MAX_PARTS + 1 || !starts.every(isReadable)) throw unreadable();
  const parts = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => {
      throw unreadable();
    });
  const fields = [...parts].filter((part): part is [string, string] => typeof part[1] === 'string');
  if (fields.some(([name, value]) => `${name}${value}`.includes('\0'))) {
    throw new Refusal('invalid_request', message('The form contains the character U+0000.'));
  }
  const file = parts.get(field);
  return {
    form: new FormInput(new URLSearchParams(fields), c.get('fieldLengths')),
    // If no file was chosen, browsers send an empty file without a name.
    file:
      file instanceof File && (file.size > 0 || file.name !== '')
        ? new Uint8Array(await file.arrayBuffer())
        : null,
  };
}

const unreadable = (): Refusal =>
  new Refusal('invalid_request', message('The form could not be read. Send it again.'));

/** Stops at more than `MAX_PARTS` parts. */
function offsetsOf(bytes: Buffer, text: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) {
    offsets.push(at);
    if (offsets.length > MAX_PARTS + 1) break;
  }
  return offsets;
}

const hasShortHeaders = (bytes: Buffer, at: number): boolean =>
  bytes.subarray(at, at + MAX_PART_HEADER_BYTES).includes('\r\n\r\n');

/** Whether the delimiter before `at` ends the form. */
const isEnd = (bytes: Buffer, at: number): boolean => bytes.subarray(at, at + 2).equals(END);
const END = Buffer.from('--');
