import { Message } from '../../src/languages/translate.ts';

/** A copy of a value with each `Message` replaced by its English text. A `Date` in it would become a string. */
export const inEnglish = <T>(value: T): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Message ? String(part) : part)));
