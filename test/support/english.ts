import { Message } from '../../src/platform/languages/translate.ts';

/** Copies a value as JSON, with each `Message` replaced by its English text. */
export const inEnglish = <T>(value: T): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Message ? String(part) : part)));
