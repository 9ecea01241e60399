/** A file as the output. Node's own stream drops the rest of a short write, as on a full disk. */
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Writes everything to the open `descriptor` of a file, or fails with an error. */
export function createFileOutput(descriptor: number): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      } catch (error) {
        done(error as Error);
        return;
      }
      done();
    },
  });
}
