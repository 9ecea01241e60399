/** Child process that encodes or draws one picture. `encoder.ts` starts and kills it. */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { EncodedFile } from './encode.ts';
import type { EncoderRequest, EncoderResponse } from './encoder.ts';

// Lowers the CPU priority, so that pictures don't delay claim verifications. Encoding a picture can take 400 MB
// of memory. If memory runs out, the kernel kills this process instead of the service.
for (const lowerPriority of [
  () => setPriority(constants.priority.PRIORITY_BELOW_NORMAL),
  () => writeFileSync('/proc/self/oom_score_adj', '1000'),
]) {
  try {
    lowerPriority();
  } catch {
    // Ignores errors, because only Linux supports both settings.
  }
}

// Imports dynamically, so that an error while loading the native code is reported to the service.
async function work(request: EncoderRequest): Promise<readonly EncodedFile[] | Uint8Array> {
  if ('svg' in request) return (await import('./draw.ts')).draw(request.svg, request.fonts);
  return (await import('./encode.ts')).encode(request.kind, request.upload);
}

const respond = (request: EncoderRequest): Promise<EncoderResponse<unknown>> =>
  work(request).then(
    (result) => ({ result }),
    ({ name, message }: Error) => (name === 'Refusal' ? { refusal: message } : { failure: message }),
  );

process.once('message', async (request: EncoderRequest) => process.send!(await respond(request)));
// The service has exited.
process.once('disconnect', () => process.exit());
