import { Message } from '../../src/languages/translate.ts';

/** A value with its messages as their English text. Its times must be strings. */
export const inEnglish = <T>(value: T): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Message ? String(part) : part)));
