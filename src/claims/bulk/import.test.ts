import { describe, expect, it } from 'vitest';
import { createReadAhead } from './import.ts';

describe('createReadAhead', () => {
  it('makes one value ahead, and only after `begin`', async () => {
    let made = 0;
    const source = async function* () {
      for (;;) yield ++made;
    };
    const ahead = createReadAhead(source());
    expect(await ahead.take()).toBe(1);
    expect(made).toBe(1);
    ahead.begin();
    ahead.begin();
    expect(made).toBe(2);
    expect([await ahead.take(), await ahead.take()]).toEqual([2, 3]);
  });

  it('ends with undefined, and a failure is thrown by `take`', async () => {
    const nothing = async function* (): AsyncGenerator<number, void> {};
    expect(await createReadAhead(nothing()).take()).toBeUndefined();
    const source = async function* (): AsyncGenerator<number, void> {
      yield 1;
      throw new Error('the disk is gone');
    };
    const ahead = createReadAhead(source());
    expect(await ahead.take()).toBe(1);
    ahead.begin();
    await new Promise((resolve) => setTimeout(resolve));
    await expect(ahead.take()).rejects.toThrow('the disk is gone');
  });
});
