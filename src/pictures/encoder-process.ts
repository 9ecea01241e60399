/** The process that encodes one picture and is then killed. `encoder.ts` starts it. */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { EncoderAnswer, EncoderRequest } from './encoder.ts';

// Verifications go first, and where memory runs out the kernel ends this process and not the service: a picture of 40
// megapixels may take 800 MB.
for (const giveWay of [
  () => setPriority(constants.priority.PRIORITY_BELOW_NORMAL),
  () => writeFileSync('/proc/self/oom_score_adj', '1000'),
]) {
  try {
    giveWay();
  } catch {
    // Only Linux has both.
  }
}

async function answer({ kind, upload }: EncoderRequest): Promise<EncoderAnswer> {
  try {
    // Loaded here, so that the service learns why where it cannot be.
    const { encode } = await import('./encode.ts');
    return { files: await encode(kind, upload) };
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'Refusal' ? { refusal: message } : { failure: message };
  }
}

process.once('message', async (request: EncoderRequest) => process.send!(await answer(request)));
// The service has ended.
process.once('disconnect', () => process.exit());
