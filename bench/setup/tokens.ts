/** Reads the tokens of issued claims, shuffles them, and writes them for a load program. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Reads the output of `claims issue --json`, which has one JSON object per line. If there are more than `limit` tokens,
 * returns a random sample (Vitter's algorithm R), not in order of creation.
 */
export async function readTokens(issuedFile: string, limit = Number.POSITIVE_INFINITY): Promise<string[]> {
  const tokens: string[] = [];
  let seen = 0;
  for await (const line of createInterface({ input: createReadStream(issuedFile) })) {
    seen++;
    if (tokens.length < limit) tokens.push(tokenOf(line));
    else {
      const index = Math.floor(Math.random() * seen);
      if (index < limit) tokens[index] = tokenOf(line);
    }
  }
  return tokens;
}

const tokenOf = (line: string): string => (JSON.parse(line) as { token: string }).token;

/** Shuffles `items` in place (Fisher–Yates). */
export function shuffle<T>(items: T[]): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    const held = items[last]!;
    items[last] = items[other]!;
    items[other] = held;
  }
}

/** Writes tokens for a load program, one per line. Returns the file's path. */
export async function writeTokens(folder: string, tokens: readonly string[]): Promise<string> {
  const file = join(folder, 'tokens.txt');
  await writeFile(file, `${tokens.join('\n')}\n`);
  return file;
}
