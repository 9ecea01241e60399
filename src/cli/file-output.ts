/** A file as the output. Node's own stream for it drops what a short write leaves, as when a disk fills up. */
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Writes to the open `descriptor` of a file, everything or with an error. */
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
