/** Starts an S3 server on this machine. The server checks the signature of each request. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeTemporaryFolder } from './folders.ts';

const require = createRequire(import.meta.url);

/** The access key that the server accepts. */
export const S3_KEY = { keyId: 'S3RVER', secret: 'S3RVER' } as const;
const BUCKET = 'claims';

/** Types for the part of `@20minutes/s3rver` that we use, because the package has no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type NewS3rver = new (options: object) => S3rver;

export interface S3Server {
  /** Includes the bucket and the prefix. */
  readonly url: string;
  /** Names of all stored objects. */
  objects(): readonly string[];
  close(): Promise<void>;
}

export async function startS3Server(prefix = 'of/this service'): Promise<S3Server> {
  const Server = require('@20minutes/s3rver') as NewS3rver;
  const directory = makeTemporaryFolder('claimcheck-s3-');
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  };
  const server = new Server(options);
  const { port } = await server.run();
  return {
    url: new URL(`http://127.0.0.1:${port}/${BUCKET}/${prefix}`).href,
    objects: () =>
      (readdirSync(join(directory, BUCKET), { recursive: true }) as string[])
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    close: () => server.close(),
  };
}
